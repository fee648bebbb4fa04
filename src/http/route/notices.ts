import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { countUnread, listNotices, Notices, readNotices } from '../../exchange/notices/bell.ts'
import type { ChannelName } from '../../exchange/notices/kinds.ts'
import {
  askForEmail,
  confirmEmail,
  dropEmail,
  dropTelegram,
  findPerson,
  isOwner,
  keepSettings,
  type NoticeUser,
  offerTelegram,
  refuseEmailCode,
} from '../../exchange/notices/people.ts'
import {
  choicesOf,
  NoticeSettings,
  NoticeSettingsDraft,
  settingsView,
} from '../../exchange/notices/settings-view.ts'
import type { Database, Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict, invalidField } from '../../platform/kernel/errors.ts'
import { isId } from '../../platform/kernel/ids.ts'
import { count, moment, named } from '../../platform/kernel/schema.ts'
import type { Operation } from './operation.ts'

/** The calls of notices, which are the same in the account and for staff: everybody has only their own. */

/** How the service reaches people outside of its pages. */
export interface NoticeWays {
  readonly channels: readonly ChannelName[]
  /** Make and check the codes of addresses. */
  readonly keys: readonly Buffer[]
  /** The name of the bot for its links; undefined while it is not known. */
  readonly botName: () => Promise<string | undefined>
}

type NoticeErrorCode = 'bad_request' | 'validation_error' | 'conflict'

export interface NoticeSide {
  readonly app: FastifyInstance
  readonly db: Database
  readonly ways: NoticeWays
  /** What the operations' names end with, so that both sides have their own. */
  readonly suffix: string
  readonly operation: (op: Omit<Operation<never, NoticeErrorCode>, 'tag'>) => FastifySchema
  readonly config: object
  readonly user: (request: FastifyRequest) => NoticeUser
  /** Whose bell it is; it may be that of a sandbox, which has no users. */
  readonly bell: (request: FastifyRequest) => string
  /** Undefined: of all clients. */
  readonly clientId: (request: FastifyRequest) => string | undefined
  readonly body: <S extends TSchema>(schema: S, request: FastifyRequest) => Static<S>
  /** A change with its entry in the journal. */
  readonly change: <T>(
    request: FastifyRequest,
    verbs: (work: Work) => Promise<{ readonly answer: T; readonly after?: object }>,
  ) => Promise<T>
  /** One that concerns nobody else, and that no journal keeps. */
  readonly mark: <T>(request: FastifyRequest, verbs: (work: Work) => Promise<T>) => Promise<T>
}

const UnreadNotices = Type.Object(
  {
    unread: count('Сколько не прочитано.'),
    elsewhere: count('Сколько не прочитано у других ваших клиентов.'),
  },
  { $id: 'UnreadNotices', description: 'Сколько уведомлений не прочитано.' },
)
const ReadNotices = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(Type.String({ description: 'Уведомление.' }), {
        maxItems: 100,
        description: 'Какие прочитаны; без поля — все.',
      }),
    ),
  },
  { $id: 'ReadNotices', additionalProperties: false, description: 'Что прочитано.' },
)
const NoticeEmail = Type.Object(
  {
    email: Type.String({
      minLength: 3,
      maxLength: 254,
      pattern: '^[^\\s@<>"]+@[^\\s@<>"]+\\.[^\\s@<>"]+$',
      title: 'адрес почты, например anna@example.ru',
      examples: ['anna@example.ru'],
      description: 'Куда присылать письма. На него придёт код.',
    }),
  },
  { $id: 'NoticeEmail', additionalProperties: false, description: 'Адрес почты.' },
)
const NoticeEmailCode = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: 20, description: 'Шесть цифр из письма.' }) },
  { $id: 'NoticeEmailCode', additionalProperties: false, description: 'Код из письма.' },
)
const TelegramLink = Type.Object(
  {
    link: Type.String({ description: 'Ссылка на бота, один раз. Откройте её в Telegram.' }),
    until: moment('До какого времени она действует.'),
  },
  { $id: 'TelegramLink', description: 'Ссылка, по которой бот узнает вас.' },
)

export function addNoticeRoutes(side: NoticeSide): void {
  addBell(side)
  addSettings(side)
  addEmail(side)
  addTelegram(side)
}

function addBell({ app, db, suffix, operation, config, ...side }: NoticeSide): void {
  const schema = operation({
    id: `list${suffix}Notices`,
    summary: 'Уведомления',
    description: 'Ваши. У каждого есть страница, на которой видно, о чём оно.',
    answers: { 200: { description: 'Уведомления.', schema: named(Notices) } },
  })
  app.get('/notices', { schema, config }, async (request) =>
    listNotices(db, side.bell(request), side.clientId(request)),
  )
  const unreadSchema = operation({
    id: `count${suffix}Notices`,
    summary: 'Сколько уведомлений не прочитано',
    description: 'Для колокольчика на страницах.',
    answers: { 200: { description: 'Сколько.', schema: named(UnreadNotices) } },
  })
  app.get('/notices/unread', { schema: unreadSchema, config }, async (request) =>
    countUnread(db, side.bell(request), side.clientId(request)),
  )
  const readSchema = operation({
    id: `read${suffix}Notices`,
    summary: 'Отметить уведомления прочитанными',
    description: 'Чужие и прочитанные раньше не меняются.',
    body: ReadNotices,
    answers: { 204: { description: 'Отмечены.' } },
    errors: ['bad_request', 'validation_error'],
  })
  app.post('/notices/read', { schema: readSchema, config }, async (request, reply) => {
    const { ids } = side.body(ReadNotices, request)
    await side.mark(request, (work) =>
      readNotices(work, side.bell(request), side.clientId(request), ids?.filter(isId)),
    )
    return reply.code(204).send()
  })
}

function addSettings({ app, db, suffix, operation, config, ways, ...side }: NoticeSide): void {
  const answers = {
    200: { description: 'Ваш выбор.', schema: named<NoticeSettings>(NoticeSettings) },
  }
  const schema = operation({
    id: `get${suffix}NoticeSettings`,
    summary: 'Настройки уведомлений',
    description: 'Что, куда и когда вам приходит.',
    answers,
  })
  app.get('/notices/settings', { schema, config }, async (request) => {
    const user = side.user(request)
    return shownSettings(db, user, ways.channels)
  })
  const putSchema = operation({
    id: `set${suffix}NoticeSettings`,
    summary: 'Изменить настройки уведомлений',
    description: 'Заменяет прежний выбор целиком. Часы — московские.',
    body: NoticeSettingsDraft,
    answers,
    errors: ['bad_request', 'validation_error'],
  })
  app.put('/notices/settings', { schema: putSchema, config }, async (request) => {
    const draft = side.body(NoticeSettingsDraft, request)
    const user = side.user(request)
    const { digest_hour: digestHour, quiet_from: from, quiet_to: to } = draft
    if ((from === null) !== (to === null)) {
      throw invalidField('quiet_to', 'задайте оба часа или ни одного')
    }
    const quiet = from === null || to === null ? undefined : { from, to }
    const choices = choicesOf(user.side, draft)
    return side.change(request, async (work) => {
      await keepSettings(work, user, { choices, digestHour, quiet, lowDays: draft.low_days })
      return { answer: await shownSettings(work.tx, user, ways.channels) }
    })
  })
}

async function shownSettings(
  db: Queryable,
  user: NoticeUser,
  open: readonly ChannelName[],
): Promise<NoticeSettings> {
  const [person, owns] = [await findPerson(db, user.userId), await isOwner(db, user)]
  return settingsView(user.side, person, { open, owns })
}

function addEmail({ app, suffix, operation, config, ways, ...side }: NoticeSide): void {
  const schema = operation({
    id: `set${suffix}NoticeEmail`,
    summary: 'Назвать почту для уведомлений',
    description: 'На адрес придёт код: письма пойдут, когда вы его введёте.',
    body: NoticeEmail,
    answers: { 204: { description: 'Код отправлен.' } },
    errors: ['bad_request', 'validation_error', 'conflict'],
  })
  app.put('/notices/email', { schema, config }, async (request, reply) => {
    const { email } = side.body(NoticeEmail, request)
    if (!ways.channels.includes('email')) throw conflict('Склад не отправляет писем')
    await side.change(request, async (work) => ({
      answer: await askForEmail(work, side.user(request), email),
    }))
    return reply.code(204).send()
  })
  const confirmSchema = operation({
    id: `confirm${suffix}NoticeEmail`,
    summary: 'Подтвердить почту для уведомлений',
    description: 'Код из письма действует час, ошибиться можно пять раз.',
    body: NoticeEmailCode,
    answers: { 204: { description: 'Подтверждена.' } },
    errors: ['bad_request', 'validation_error', 'conflict'],
  })
  app.post('/notices/email/confirm', { schema: confirmSchema, config }, async (request, reply) => {
    const { code } = side.body(NoticeEmailCode, request)
    const verdict = await side.change(request, async (work) => {
      const answer = await confirmEmail(work, ways.keys, side.user(request), code.trim())
      return { answer, after: { email_notices: answer === 'confirmed' } }
    })
    if (verdict === 'wrong') refuseEmailCode()
    return reply.code(204).send()
  })
  const dropSchema = operation({
    id: `drop${suffix}NoticeEmail`,
    summary: 'Отключить письма',
    description: 'Адрес удаляется.',
    answers: { 204: { description: 'Отключены.' } },
  })
  app.delete('/notices/email', { schema: dropSchema, config }, async (request, reply) => {
    await side.change(request, async (work) => ({
      answer: await dropEmail(work, side.user(request).userId),
      after: { email_notices: false },
    }))
    return reply.code(204).send()
  })
}

function addTelegram({ app, suffix, operation, config, ways, ...side }: NoticeSide): void {
  const schema = operation({
    id: `link${suffix}Telegram`,
    summary: 'Получить ссылку на бота',
    description:
      'Откройте её в Telegram и нажмите «Запустить»: бот узнает вас. Новая заменяет прежнюю.',
    answers: { 200: { description: 'Ссылка.', schema: named(TelegramLink) } },
    errors: ['conflict'],
  })
  app.post('/notices/telegram', { schema, config }, async (request) => {
    const bot = await ways.botName()
    if (bot === undefined) throw conflict('Бот склада сейчас не отвечает: попробуйте позже')
    const { code, until } = await side.change(request, async (work) => ({
      answer: await offerTelegram(work, side.user(request)),
    }))
    return { link: `https://t.me/${bot}?start=${code}`, until }
  })
  const dropSchema = operation({
    id: `drop${suffix}Telegram`,
    summary: 'Отключить Telegram',
    description: 'То же, что написать боту /stop.',
    answers: { 204: { description: 'Отключён.' } },
  })
  app.delete('/notices/telegram', { schema: dropSchema, config }, async (request, reply) => {
    await side.change(request, async (work) => ({
      answer: await dropTelegram(work, side.user(request).userId),
      after: { telegram_notices: false },
    }))
    return reply.code(204).send()
  })
}
