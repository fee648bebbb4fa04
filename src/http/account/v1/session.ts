import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { findPerson, lowDaysOf } from '../../../exchange/notices/people.ts'
import { findKeyByHash } from '../../../identity/keys/api-keys.ts'
import { Me, readOwnClient } from '../../../identity/keys/identity.ts'
import { findSellerUserById, roleField } from '../../../identity/sellers/members.ts'
import {
  clientsOfUser,
  endSellerSessions,
  findVisitor,
  listSellerSessions,
  openSellerSession,
  SellerSession,
  switchClient,
} from '../../../identity/sellers/sessions.ts'
import { signInSeller, wrongPassword } from '../../../identity/sellers/sign-in.ts'
import { countCodeAttempt, forgive } from '../../../identity/sign-in/failures.ts'
import { passwordLengthMax } from '../../../identity/sign-in/passwords.ts'
import { inTransaction } from '../../../platform/db/connection.ts'
import { perform, workAt } from '../../../platform/db/work.ts'
import { readKey } from '../../../platform/kernel/api-key.ts'
import { ServiceError } from '../../../platform/kernel/errors.ts'
import { newId } from '../../../platform/kernel/ids.ts'
import { named, textOrNull } from '../../../platform/kernel/schema.ts'
import { sellersBody } from '../../public/request-body.ts'
import { found, knownId, rawQuery } from '../../route/list.ts'
import { unattendedWords } from '../../route/page-requests.ts'
import { nobodyAnswer, whoQuery } from '../../route/who.ts'
import { changeInAccount, recordOpenChange } from '../change.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { accountSessionOf, browserOf, setAccountSession, setBrowser, visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

export const AccountSignIn = Type.Object(
  {
    login: Type.String({ minLength: 1, maxLength: 200, description: 'Логин.' }),
    password: Type.String({ minLength: 1, maxLength: passwordLengthMax, description: 'Пароль.' }),
    code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'Код из приложения или запасной код, если вход с кодами.',
      }),
    ),
  },
  { $id: 'AccountSignIn', additionalProperties: false, description: 'Логин, пароль и код.' },
)

export const AccountKeySignIn = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: 200, description: 'Тестовый ключ `svc_test_…`.' }),
  },
  { $id: 'AccountKeySignIn', additionalProperties: false, description: 'Тестовый ключ.' },
)

export const AccountClientChoice = Type.Object(
  { client_id: Type.String({ description: 'Клиент из списка `clients`.' }) },
  { $id: 'AccountClientChoice', additionalProperties: false, description: 'Чьи данные показать.' },
)

export const AccountSession = Type.Object(
  {
    kind: Type.Union([Type.Literal('user'), Type.Literal('test_key')], {
      description: 'user — вошёл пользователь, test_key — песочница по тестовому ключу.',
    }),
    user_id: textOrNull('Пользователь; null для тестового ключа.'),
    login: textOrNull('Логин; null для тестового ключа.'),
    name: textOrNull('Имя и фамилия, а без них логин; null для тестового ключа.'),
    two_factor: Type.Boolean({ description: 'Входит ли он с одноразовым кодом.' }),
    role: roleField,
    receipts_enabled: Type.Boolean({ description: 'Можно ли заявлять поставки здесь.' }),
    low_days: Type.Integer({
      description: 'Товар скоро закончится, когда его хватит меньше чем на столько дней.',
    }),
    client: Me.properties.client,
    cabinets: Me.properties.cabinets,
    warehouse: Me.properties.warehouse,
    clients: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Идентификатор клиента.' }),
        name: Type.String({ description: 'Название.' }),
        role: roleField,
      }),
      { description: 'Все клиенты пользователя, между которыми он переключается.' },
    ),
  },
  { $id: 'AccountSession', description: 'Кто вошёл и чьи данные показаны.' },
)

export const AccountCodeNeeded = Type.Object(
  { message: Type.String({ description: 'Что сделать.' }) },
  { $id: 'AccountCodeNeeded', description: 'Пароль верный, нужен одноразовый код.' },
)

export const AccountSessionList = Type.Object(
  {
    items: Type.Array(named<SellerSession>(SellerSession), {
      description: 'Последние по времени — первыми.',
    }),
  },
  { $id: 'AccountSessionList', description: 'Открытые входы.' },
)

const browserName = (request: FastifyRequest) => request.headers['user-agent'] ?? ''

export function addAccountSession(app: FastifyInstance, dependencies: AccountDependencies): void {
  addSignIn(app, dependencies)
  addKeySignIn(app, dependencies)
  addSignOut(app, dependencies)
  addWho(app, dependencies)
  addSwitch(app, dependencies)
  addSessions(app, dependencies)
}

function addSignIn(app: FastifyInstance, dependencies: AccountDependencies): void {
  const { db, clock } = dependencies
  const schema = accountOperation({
    id: 'signInToAccount',
    tag: 'Вход',
    summary: 'Войти',
    description:
      'Ставит cookie входа (HttpOnly, SameSite=Strict, путь /account). Вход кончается через 12 часов без ' +
      'запросов и не позже чем через неделю. После нескольких неудач каждая следующая попытка ждёт ' +
      'дольше; чужие неудачи не мешают входить из знакомого браузера и со знакомого адреса. ' +
      `Сверх спецификации. ${unattendedWords}`,
    open: true,
    body: AccountSignIn,
    answers: {
      200: { description: 'Вы вошли.', schema: named(AccountSession) },
      202: {
        description: 'Пароль верный: повторите запрос с code.',
        schema: named(AccountCodeNeeded),
      },
    },
    errors: ['bad_request', 'validation_error', 'unauthorized', 'rate_limited'],
    messages: { unauthorized: wrongPassword },
  })
  app.post('/session', { schema, config: { open: true } }, async (request, reply) => {
    const { login, password, code } = sellersBody(AccountSignIn, request)
    const origin = { login, address: request.ip, browserCookie: browserOf(request) }
    const given = { ...origin, password, code, browser: browserName(request) }
    const signedIn = await signInSeller(dependencies, given)
    if (signedIn.kind === 'code-needed') {
      return reply.code(202).send({ message: 'Введите код из приложения или запасной код' })
    }
    setAccountSession(reply, dependencies, signedIn.session)
    setBrowser(reply, dependencies, signedIn.browserCookie)
    request.visitor = found(await findVisitor(db, clock.now(), signedIn.session))
    return who(dependencies, request)
  })
}

function addKeySignIn(app: FastifyInstance, dependencies: AccountDependencies): void {
  const { db, clock, sandbox } = dependencies
  const schema = accountOperation({
    id: 'signInByTestKey',
    tag: 'Вход',
    summary: 'Открыть песочницу по тестовому ключу',
    description:
      'Показывает песочницу так, как продавец видит свой личный кабинет. Ключ нигде не хранится, дальше действует cookie.',
    open: true,
    body: AccountKeySignIn,
    answers: { 200: { description: 'Песочница открыта.', schema: named(AccountSession) } },
    errors: [
      'bad_request',
      'validation_error',
      'unauthorized',
      'key_revoked',
      'rate_limited',
      'sandbox_only',
    ],
    messages: { unauthorized: wrongKey },
  })
  app.post('/session/key', { schema, config: { open: true } }, async (request, reply) => {
    const { key: text } = sellersBody(AccountKeySignIn, request)
    const attempt = await countCodeAttempt(db, clock.now(), 'test key', request.ip)
    const key = readKey(text.trim())
    const known = key && (await findKeyByHash(db, key.hash))
    if (known === undefined) throw new ServiceError('unauthorized', wrongKey)
    if (known.revoked) throw new ServiceError('key_revoked')
    if (known.mode === 'live') throw new ServiceError('sandbox_only', liveKey)
    const { clientId, keyId } = known
    await sandbox.prepare(clientId)
    const session = await inTransaction(db, async (tx) => {
      await forgive(tx, attempt)
      const work = workAt(tx, clock.now(), { kind: 'key', keyId })
      const origin = { address: request.ip, browser: browserName(request) }
      return openSellerSession(work, newId(), { clientId, keyId, ...origin })
    })
    setAccountSession(reply, dependencies, session)
    request.visitor = found(await findVisitor(db, clock.now(), session))
    return who(dependencies, request)
  })
}

const wrongKey = 'Такого ключа нет: проверьте, что он скопирован целиком'
const liveKey = 'Это рабочий ключ: по нему личный кабинет не открывают, войдите по логину и паролю'

function addSignOut(app: FastifyInstance, dependencies: AccountDependencies): void {
  const { db, clock } = dependencies
  const schema = accountOperation({
    id: 'signOutOfAccount',
    tag: 'Вход',
    summary: 'Выйти',
    description: 'Вход кончается сразу; повторный выход ничего не меняет.',
    open: true,
    answers: { 204: { description: 'Вы вышли.' } },
  })
  app.delete('/session', { schema, config: { open: true } }, async (request, reply) => {
    const session = accountSessionOf(request)
    const visitor = session && (await findVisitor(db, clock.now(), session))
    if (visitor) {
      const { user, sessionId, clientId, keyId } = visitor
      const actor = user
        ? ({ kind: 'seller', userId: user.id } as const)
        : ({ kind: 'key', keyId: keyId ?? '' } as const)
      await perform(db, clock, actor, async (work) => {
        const ended = await endSellerSessions(work, visitor, sessionId)
        if (ended === 0 || user === null) return
        await recordOpenChange(work, request, user.login, { clientId, objectId: user.id })
      })
    }
    setAccountSession(reply, dependencies, undefined)
    return reply.code(204).send()
  })
}

function addWho(app: FastifyInstance, dependencies: AccountDependencies): void {
  const schema = accountOperation({
    id: 'getAccountSession',
    tag: 'Вход',
    summary: 'Кто вошёл',
    description: 'Пользователь, его роль, чьи данные показаны и между кем он переключается.',
    query: whoQuery,
    answers: { 200: { description: 'Вход.', schema: named(AccountSession) }, 204: nobodyAnswer },
    errors: ['bad_request'],
  })
  app.get('/session', { schema, config: { mayBeNobody: true } }, (request) => {
    whoQuery.parse(rawQuery(request))
    return who(dependencies, request)
  })
}

async function who({ db }: AccountDependencies, request: FastifyRequest) {
  const visitor = visitorOn(request)
  const { user, role, accountReceipts } = visitor
  const [own, clients, account, person] = await Promise.all([
    readOwnClient(db, visitor.clientId),
    user === null ? [] : clientsOfUser(db, user.id),
    user === null ? undefined : findSellerUserById(db, user.id),
    user === null ? undefined : findPerson(db, user.id),
  ])
  return {
    kind: user === null ? 'test_key' : 'user',
    user_id: user?.id ?? null,
    login: user?.login ?? null,
    name: account?.name ?? null,
    two_factor: account !== undefined && account.totp_secret !== null,
    role,
    receipts_enabled: accountReceipts && role !== 'viewer',
    low_days: lowDaysOf(person ?? { low_days: null }),
    ...own,
    clients,
  }
}

function addSwitch(app: FastifyInstance, dependencies: AccountDependencies): void {
  const { db, clock } = dependencies
  const schema = accountOperation({
    id: 'switchAccountClient',
    tag: 'Вход',
    summary: 'Показать другого клиента',
    description: 'Дальше этот вход показывает и меняет данные названного клиента.',
    body: AccountClientChoice,
    answers: { 200: { description: 'Переключено.', schema: named(AccountSession) } },
    errors: ['bad_request', 'validation_error', 'not_found'],
  })
  app.put('/session/client', { schema }, async (request) => {
    const { client_id: given } = sellersBody(AccountClientChoice, request)
    const clientId = knownId(given)
    const visitor = visitorOn(request)
    const switched = await perform(db, clock, { kind: 'service' }, (work) =>
      switchClient(work, visitor, clientId),
    )
    found(switched || undefined)
    const session = accountSessionOf(request) ?? ''
    request.visitor = found(await findVisitor(db, clock.now(), session))
    return who(dependencies, request)
  })
}

function addSessions(app: FastifyInstance, dependencies: AccountDependencies): void {
  const { db, clock } = dependencies
  const listSchema = accountOperation({
    id: 'listAccountSessions',
    tag: 'Вход',
    summary: 'Открытые входы',
    description: 'Где вы вошли: адрес и браузер каждого входа.',
    answers: { 200: { description: 'Входы.', schema: named(AccountSessionList) } },
  })
  app.get('/sessions', { schema: listSchema }, async (request) => ({
    items: await listSellerSessions(db, clock.now(), visitorOn(request)),
  }))

  const end = (request: FastifyRequest, id: string | undefined) => {
    const visitor = visitorOn(request)
    return changeInAccount(dependencies, request, async (work) => {
      const ended = await endSellerSessions(work, visitor, id)
      if (id !== undefined && ended === 0) found(undefined)
      return { answer: ended, objectId: visitor.user?.id, after: { ended } }
    })
  }
  const endSchema = accountOperation({
    id: 'endAccountSession',
    tag: 'Вход',
    summary: 'Закончить вход',
    description: 'Со следующего запроса этот вход не действует.',
    params: { id: 'Идентификатор входа.' },
    answers: { 204: { description: 'Вход закончен.' } },
    errors: ['not_found'],
  })
  const byId = '/sessions/:id'
  app.delete<{ Params: { id: string } }>(byId, { schema: endSchema }, async (request, reply) => {
    await end(request, knownId(request.params.id))
    return reply.code(204).send()
  })

  const allSchema = accountOperation({
    id: 'endAccountSessions',
    tag: 'Вход',
    summary: 'Выйти везде',
    description: 'Заканчивает все входы пользователя, этот тоже.',
    answers: { 204: { description: 'Входы закончены.' } },
  })
  app.delete('/sessions', { schema: allSchema }, async (request, reply) => {
    await end(request, undefined)
    setAccountSession(reply, dependencies, undefined)
    return reply.code(204).send()
  })
}
