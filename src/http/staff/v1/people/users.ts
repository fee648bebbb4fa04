import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { loginField, loginOf } from '../../../../identity/sign-in/logins.ts'
import {
  hashPassword,
  passwordLengthMax,
  passwordLengthMin,
} from '../../../../identity/sign-in/passwords.ts'
import { pinForm, setPin } from '../../../../identity/staff/pins.ts'
import { roles } from '../../../../identity/staff/roles.ts'
import { setWarehouses } from '../../../../identity/staff/user-warehouses.ts'
import {
  changeUser,
  createUser,
  demandPower,
  findUser,
  findUserByLogin,
  issueToken,
  listTokens,
  listUsers,
  namesOnly,
  revokeToken,
  StaffToken,
  StaffUser,
} from '../../../../identity/staff/users.ts'
import type { Database } from '../../../../platform/db/connection.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { isId } from '../../../../platform/kernel/ids.ts'
import { named, oneOfValues } from '../../../../platform/kernel/schema.ts'
import { releaseClaimsOf } from '../../../../warehouse/picking/claims.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { query, shortPages } from '../../../route/query.ts'
import { bodyIfAny, bodyOf, type ChangeResult, change, type Subject } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { memberOn } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'

const password = Type.String({
  minLength: passwordLengthMin,
  maxLength: passwordLengthMax,
  description: 'Пароль; не хранится, хранится его хеш.',
})
const role = oneOfValues(roles, 'Роль.')
const name = Type.String({ maxLength: 100, description: 'Имя и фамилия; пусто — без имени.' })

export const StaffUserDraft = Type.Object(
  {
    login: loginField('Логин.'),
    name: Type.Optional(name),
    role,
    password: Type.Optional(password),
  },
  {
    $id: 'StaffUserDraft',
    additionalProperties: false,
    description: 'Новый пользователь; без пароля входит только по токенам.',
  },
)
export const StaffUserPatch = Type.Object(
  {
    name: Type.Optional(name),
    role: Type.Optional(role),
    active: Type.Optional(
      Type.Boolean({ description: 'false: больше не входит, токены отзываются.' }),
    ),
    password: Type.Optional(password),
    sees_money: Type.Optional(
      Type.Boolean({ description: 'Видит ли менеджер деньги; разрешает администратор.' }),
    ),
  },
  { $id: 'StaffUserPatch', additionalProperties: false, description: 'Что изменить.' },
)
export const PinDraft = Type.Object(
  {
    pin: Type.Union(
      [Type.String({ pattern: pinForm, title: 'из 4–8 цифр', examples: ['4071'] }), Type.Null()],
      {
        description: 'PIN: от 4 до 8 цифр; не хранится, хранится его хеш. null — убрать PIN.',
      },
    ),
  },
  { $id: 'PinDraft', additionalProperties: false, description: 'PIN для входа на терминалах.' },
)
export const StaffTokenDraft = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Имя: чей это токен; без него — логин пользователя.',
      }),
    ),
  },
  { $id: 'StaffTokenDraft', additionalProperties: false, description: 'Новый токен.' },
)
export const IssuedStaffToken = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор токена.' }),
    token: Type.String({ description: 'Сам токен: показывается один раз.' }),
    preview: Type.String({ description: 'Начало и конец токена.' }),
  },
  { $id: 'IssuedStaffToken', description: 'Выпущенный токен.' },
)
export const StaffTokens = Type.Object(
  { items: Type.Array(named(StaffToken), { description: 'Новые первыми, не больше 200.' }) },
  { $id: 'StaffTokens', description: 'Токены пользователя.' },
)
export const UserWarehouses = Type.Object(
  {
    warehouse_codes: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: 200,
      description: 'Коды складов; пустой список — все.',
    }),
  },
  { $id: 'UserWarehouses', additionalProperties: false, description: 'Склады пользователя.' },
)
export const StaffUserPage = pageSchema(StaffUser, 'StaffUserPage', 'Страница пользователей.')

export const usersQuery = query(shortPages)
type IdParams = { Params: { id: string } }
const params = { id: 'Идентификатор пользователя.' }
const config = { role: 'administrator' } as const
const changeConfig = { ...config, asksPassword: true } as const
const managerConfig = { role: 'manager', asksPassword: true } as const

export function addUsers(app: FastifyInstance, dependencies: StaffDependencies): void {
  addUserReads(app, dependencies)
  addUserChanges(app, dependencies)
  addUserWarehouses(app, dependencies)
  addTokens(app, dependencies)
  addPin(app, dependencies)
}

function addUserReads(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listUsers',
    tag: 'Вход',
    summary: 'Пользователи',
    description:
      'Новые первыми. Кто сам работает не на всех складах, видит тех, кто работает и на его складах.',
    query: usersQuery,
    answers: { 200: { description: 'Страница.', schema: named(StaffUserPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/users', { schema: listSchema, config: { role: 'manager' } }, async (request) => {
    const parameters = usersQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'users', parameters, {})
    return list.answer(await listUsers(db, list.request, memberOn(request).warehouses))
  })
}

function addUserChanges(app: FastifyInstance, dependencies: StaffDependencies): void {
  const createSchema = staffOperation({
    id: 'createUser',
    tag: 'Вход',
    summary: 'Завести пользователя',
    description:
      'Человек входит по паролю, программа — по токену. У того, кто сам работает не на всех складах, новый ' +
      'пользователь получает его склады.',
    body: StaffUserDraft,
    answers: { 201: { description: 'Заведён.', schema: named(StaffUser) } },
    errors: ['password_required', 'bad_request', 'validation_error', 'conflict', 'rate_limited'],
  })
  app.post('/users', { schema: createSchema, config: changeConfig }, async (request, reply) => {
    const draft = bodyOf(StaffUserDraft, request)
    const login = loginOf(draft.login)
    const passwordHash = draft.password === undefined ? null : await hashPassword(draft.password)
    const user = await change(dependencies, request, {}, async (work) => {
      const { warehouses } = memberOn(request)
      const { name, role } = draft
      const id = await createUser(work, { login, name, role, passwordHash, warehouses })
      const made = found(await findUser(work.tx, id))
      return { answer: made, made: { objectId: id, after: made } }
    })
    return reply.code(201).send(user)
  })

  const changeSchema = staffOperation({
    id: 'changeUser',
    tag: 'Вход',
    summary: 'Изменить пользователя',
    description:
      'Имя, роль, доступ или пароль. Если изменилось не только имя, все сессии пользователя кончаются, взятые им ' +
      'задания освобождаются. Новый пароль и отключение отзывают и все токены пользователя.',
    params,
    body: StaffUserPatch,
    answers: { 200: { description: 'Изменён.', schema: named(StaffUser) } },
    errors: [
      'password_required',
      'bad_request',
      'validation_error',
      'not_found',
      'conflict',
      'rate_limited',
    ],
  })
  app.patch<IdParams>(
    '/users/:id',
    { schema: changeSchema, config: changeConfig },
    async (request) => {
      const { password: text, sees_money: seesMoney, ...rest } = bodyOf(StaffUserPatch, request)
      const patch = { ...rest, seesMoney }
      const id = found(isId(request.params.id) ? request.params.id : undefined)
      const passwordHash = text === undefined ? undefined : await hashPassword(text)
      return changeUserAs(dependencies, request, userSubject(id), async (work) => {
        await changeUser(work, id, { ...patch, passwordHash })
        if (!namesOnly({ ...patch, passwordHash })) await releaseClaimsOf(work, id)
        return { answer: found(await findUser(work.tx, id)) }
      })
    },
  )
}

function addPin(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const schema = staffOperation({
    id: 'setPin',
    tag: 'Вход',
    summary: 'Задать PIN',
    description:
      'PIN действует только на зарегистрированных терминалах. Новый PIN снимает блокировку после ' +
      'пяти неудач и завершает входы по старому. Менеджер задаёт его сотрудникам и менеджерам своих ' +
      'складов, администраторам PIN не задают.',
    params: { id: 'Идентификатор пользователя или его логин.' },
    body: PinDraft,
    answers: { 200: { description: 'Задан.', schema: named(StaffUser) } },
    errors: ['password_required', 'bad_request', 'validation_error', 'not_found', 'rate_limited'],
  })
  app.put<IdParams>('/users/:id/pin', { schema, config: managerConfig }, async (request) => {
    const { pin } = bodyOf(PinDraft, request)
    const { id } = found(await userNamed(db, request.params.id))
    const pinHash = pin === null ? null : await hashPassword(pin)
    return changeUserAs(dependencies, request, userSubject(id), async (work) => {
      await setPin(work, id, pinHash)
      return { answer: found(await findUser(work.tx, id)) }
    })
  })
}

function addUserWarehouses(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'setUserWarehouses',
    tag: 'Вход',
    summary: 'Назначить склады пользователя',
    description:
      'Он видит и меняет то, что принадлежит клиентам этих складов; остального для него нет. Кто сам ' +
      'работает не на всех складах, назначает только свои.',
    params,
    body: UserWarehouses,
    answers: { 200: { description: 'Назначены.', schema: named(StaffUser) } },
    errors: ['password_required', 'bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.put<IdParams>('/users/:id/warehouses', { schema, config: managerConfig }, async (request) => {
    const { warehouse_codes: codes } = bodyOf(UserWarehouses, request)
    const id = found(isId(request.params.id) ? request.params.id : undefined)
    const own = memberOn(request).warehouses
    return changeUserAs(dependencies, request, userSubject(id), async (work) => {
      const changed = await setWarehouses(work, id, codes, own)
      // The user collects nothing in a warehouse that the user no longer sees.
      if (changed) await releaseClaimsOf(work, id)
      return { answer: found(await findUser(work.tx, id)), changed }
    })
  })
}

/** Changes a user. Throws where the member who sent the request may not. */
export function changeUserAs<T>(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  subject: Subject & { readonly objectId: string },
  verbs: (work: Work) => Promise<ChangeResult<T>>,
): Promise<T> {
  return change(dependencies, request, subject, async (work) => {
    await demandPower(work, memberOn(request), subject.objectId)
    return verbs(work)
  })
}

/** A user, with the state before and after for the journal. */
export function userSubject(id: string) {
  return { objectId: id, look: ({ tx }: Work) => findUser(tx, id) }
}

function userNamed(db: Database, idOrLogin: string): Promise<StaffUser | undefined> {
  return isId(idOrLogin) ? findUser(db, idOrLogin) : findUserByLogin(db, idOrLogin)
}

function addTokens(app: FastifyInstance, dependencies: StaffDependencies): void {
  addTokenList(app, dependencies)
  const issueSchema = staffOperation({
    id: 'issueStaffToken',
    tag: 'Вход',
    summary: 'Выпустить токен',
    description:
      'Токен `svc_staff_…` работает с правами пользователя; показывается один раз. Тело можно не ' +
      'передавать.',
    params,
    body: StaffTokenDraft,
    answers: { 201: { description: 'Выпущен.', schema: named(IssuedStaffToken) } },
    errors: ['password_required', 'bad_request', 'validation_error', 'not_found'],
  })
  app.post<IdParams>(
    '/users/:id/tokens',
    { schema: issueSchema, config: changeConfig },
    async (request, reply) => {
      const { name } = bodyIfAny(StaffTokenDraft, request)
      const id = found(isId(request.params.id) ? request.params.id : undefined)
      const issued = await changeUserAs(dependencies, request, { objectId: id }, async (work) => {
        const token = await issueToken(work, id, name, dependencies.cell)
        return { answer: token, made: { after: { id: token.id, name, preview: token.preview } } }
      })
      return reply.code(201).send(issued)
    },
  )

  const revokeSchema = staffOperation({
    id: 'revokeStaffToken',
    tag: 'Вход',
    summary: 'Отозвать токен',
    description: 'Со следующего запроса токен не принимается; повтор ничего не меняет.',
    params: { ...params, token_id: 'Идентификатор токена.' },
    answers: { 204: { description: 'Отозван.' } },
    errors: ['password_required', 'not_found'],
  })
  app.delete<{ Params: { id: string; token_id: string } }>(
    '/users/:id/tokens/:token_id',
    { schema: revokeSchema, config: changeConfig },
    async (request, reply) => {
      const id = found(isId(request.params.id) ? request.params.id : undefined)
      const token = found(isId(request.params.token_id) ? request.params.token_id : undefined)
      await changeUserAs(dependencies, request, { objectId: id }, async (work) => {
        await revokeToken(work, id, token)
        return { answer: undefined, made: { after: { revoked: token } } }
      })
      return reply.code(204).send()
    },
  )
}

function addTokenList(app: FastifyInstance, { db }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listStaffTokens',
    tag: 'Вход',
    summary: 'Токены пользователя',
    description:
      'Без самих токенов: только начало и конец, когда ими пользовались и отозваны ли они.',
    params,
    answers: { 200: { description: 'Токены.', schema: named(StaffTokens) } },
    errors: ['not_found'],
  })
  app.get<IdParams>('/users/:id/tokens', { schema, config }, async (request) => {
    const { id } = found(await userNamed(db, request.params.id))
    return { items: await listTokens(db, id) }
  })
}
