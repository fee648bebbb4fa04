import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { passwordLengthMax } from '../../../../identity/sign-in/passwords.ts'
import {
  checkPin,
  notEnrolled,
  openPinSession,
  type PinSession,
} from '../../../../identity/staff/pins.ts'
import { signIn, signOut } from '../../../../identity/staff/sign-in.ts'
import { findUser, StaffUser } from '../../../../identity/staff/users.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { releaseClaimsOf } from '../../../../warehouse/picking/claims.ts'
import { found, rawQuery } from '../../../route/list.ts'
import { unattendedWords } from '../../../route/page-requests.ts'
import { nobodyAnswer, whoQuery } from '../../../route/who.ts'
import { bodyOf, changeOpenly, type OpenChange } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import {
  browserCookieOf,
  memberOn,
  sessionOf,
  setBrowserCookie,
  setSession,
  terminalOf,
} from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { addBadges } from './badges.ts'

export const SessionDraft = Type.Object(
  {
    login: Type.String({ minLength: 1, maxLength: 200, description: 'Логин.' }),
    password: Type.String({
      minLength: 1,
      maxLength: passwordLengthMax,
      description: 'Пароль.',
    }),
  },
  { $id: 'SessionDraft', additionalProperties: false, description: 'Логин и пароль.' },
)

export const PinSessionDraft = Type.Object(
  {
    login: Type.String({ minLength: 1, maxLength: 200, description: 'Логин, хотя бы с бейджа.' }),
    pin: Type.String({ minLength: 1, maxLength: 8, description: 'PIN.' }),
  },
  { $id: 'PinSessionDraft', additionalProperties: false, description: 'Логин и PIN.' },
)

export function addPinSession(app: FastifyInstance, dependencies: StaffDependencies): void {
  addBadges(app, dependencies)
  const { db, clock } = dependencies
  const schema = staffOperation({
    id: 'signInByPin',
    tag: 'Вход',
    summary: 'Войти на терминале',
    description:
      'Сменить сотрудника на зарегистрированном терминале: тот, кто работал на нём, выходит, и его задания освобождаются. Логин ' +
      'с бейджа без PIN не входит. После пяти неверных PIN новый задаёт менеджер; много неверных на одном терминале или ' +
      'у одного логина за день — 429, и удачный вход этого не сбрасывает. Администратор входит по паролю.',
    open: true,
    body: PinSessionDraft,
    answers: { 200: { description: 'Вы вошли.', schema: named(StaffUser) } },
    errors: [
      'bad_request',
      'validation_error',
      'unauthorized',
      'device_revoked',
      'forbidden',
      'rate_limited',
    ],
    messages: { unauthorized: notEnrolled },
  })
  app.post('/session/pin', { schema, config: { open: true } }, async (request, reply) => {
    const draft = bodyOf(PinSessionDraft, request)
    const secret = terminalOf(request)
    const checked = await checkPin(db, clock.now(), { secret, ...draft })
    let opened: PinSession | undefined
    await changeOpenly(dependencies, request, async (work) => {
      opened = await openPinSession(work, checked)
      const released: string[] = []
      for (const user of opened.signedOut) released.push(...(await releaseClaimsOf(work, user)))
      return released.length === 0 ? undefined : { member: checked.user, after: { released } }
    })
    setSession(reply, dependencies, found(opened).session)
    return findUser(db, checked.user.id)
  })
}

export function addSession(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db, clock } = dependencies
  const signInSchema = staffOperation({
    id: 'signIn',
    tag: 'Вход',
    summary: 'Войти',
    description:
      'Ставит cookie сессии (HttpOnly, SameSite=Strict). Сессия кончается через 12 часов без ' +
      'запросов и не позже чем через неделю. После нескольких неудач каждая следующая попытка ' +
      'ждёт дольше; чужие неудачи не мешают входить из знакомого браузера (вторая cookie) и со ' +
      'знакомого адреса. С заголовком X-Staff-User (id пользователя) запрос не выполняется (401), если ' +
      'сессия уже другого: так скан из очереди терминала не уйдёт от чужого имени. ' +
      unattendedWords,
    open: true,
    body: SessionDraft,
    answers: { 200: { description: 'Вы вошли.', schema: named(StaffUser) } },
    errors: ['bad_request', 'validation_error', 'unauthorized', 'forbidden', 'rate_limited'],
    messages: { unauthorized: 'Неверный логин или пароль' },
  })
  app.post('/session', { schema: signInSchema, config: { open: true } }, async (request, reply) => {
    const { login, password } = bodyOf(SessionDraft, request)
    const origin = { login, address: request.ip, browserCookie: browserCookieOf(request) }
    const { user, session, browserCookie } = await signIn(db, clock, { ...origin, password })
    setSession(reply, dependencies, session)
    setBrowserCookie(reply, dependencies, browserCookie)
    return findUser(db, user.id)
  })

  const whoSchema = staffOperation({
    id: 'whoAmI',
    tag: 'Вход',
    summary: 'Кто вошёл',
    description:
      'Пользователь сессии или токена. Отозванный терминал без сессии получает 401 `device_revoked`.',
    query: whoQuery,
    answers: {
      200: { description: 'Пользователь.', schema: named(StaffUser) },
      204: nobodyAnswer,
    },
    errors: ['bad_request', 'device_revoked', 'not_found'],
  })
  app.get('/session', { schema: whoSchema, config: { mayBeNobody: true } }, async (request) => {
    whoQuery.parse(rawQuery(request))
    const user = await findUser(db, memberOn(request).id)
    if (user === undefined) throw notFound()
    return user
  })

  const signOutSchema = staffOperation({
    id: 'signOut',
    tag: 'Вход',
    summary: 'Выйти',
    description:
      'Сессия кончается сразу, взятые задания освобождаются; повторный выход ничего не меняет.',
    open: true,
    answers: { 204: { description: 'Вы вышли.' } },
    errors: ['forbidden'],
  })
  app.delete(
    '/session',
    { schema: signOutSchema, config: { open: true } },
    async (request, reply) => {
      const session = sessionOf(request)
      if (session !== undefined) {
        await changeOpenly(dependencies, request, (work) => endSession(work, session))
      }
      setSession(reply, dependencies, undefined)
      return reply.code(204).send()
    },
  )
}

/** Whoever signs out collects nothing more: the claims of the user are released. */
async function endSession(work: Work, session: string): Promise<OpenChange | undefined> {
  const member = await signOut(work, session)
  if (member === undefined) return undefined
  const released = await releaseClaimsOf(work, member.id)
  return released.length === 0 ? undefined : { member, after: { released } }
}
