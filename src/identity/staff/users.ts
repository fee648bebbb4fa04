import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import { afterPosition } from '../../platform/db/lists/newest-first.ts'
import {
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Work } from '../../platform/db/work.ts'
import { type CellMark, generateStaffToken } from '../../platform/kernel/api-key.ts'
import { conflict, notFound, ServiceError } from '../../platform/kernel/errors.ts'
import { isId, newId } from '../../platform/kernel/ids.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { moment, momentOrNull, oneOfValues } from '../../platform/kernel/schema.ts'
import { loginOf } from '../sign-in/logins.ts'
import { lockAdministrators } from './administrators.ts'
import { pinTries } from './pins.ts'
import { type Person, refusalOfChange } from './rights.ts'
import { type Role, roles } from './roles.ts'
import { giveWarehouses, isColleague, warehousesOf } from './user-warehouses.ts'

/** Users of the staff API, people and machines, and their tokens. */

export const StaffUser = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор пользователя.' }),
    login: Type.String({ description: 'Логин, строчными буквами.' }),
    name: Type.String({ description: 'Имя и фамилия; у кого их нет — логин.' }),
    role: oneOfValues(roles, 'Роль: каждая следующая может всё, что предыдущие.'),
    active: Type.Boolean({ description: 'Может ли входить и пользоваться токенами.' }),
    has_password: Type.Boolean({ description: 'Задан ли пароль; без него — только токены.' }),
    has_pin: Type.Boolean({ description: 'Задан ли PIN для входа на терминалах.' }),
    pin_locked: Type.Boolean({
      description: 'PIN заблокирован после пяти неудач: новый задаст менеджер.',
    }),
    badge_issued_at: momentOrNull('Когда напечатан действующий бейдж; null — бейджа нет.'),
    sees_money: Type.Boolean({
      description: 'Видит ли менеджер деньги; администратор видит всегда.',
    }),
    warehouses: Type.Array(Type.String(), {
      description: 'Коды складов, на которых он работает; пусто — на всех.',
    }),
    created_at: moment('Когда заведён.'),
  },
  { $id: 'StaffUser', description: 'Пользователь склада.' },
)
export type StaffUser = Static<typeof StaffUser>

export interface UserDraft {
  readonly login: string
  /** Blank for a user who is shown by the login. */
  readonly name?: string | undefined
  readonly role: Role
  /** Null for a user who signs in by token only. */
  readonly passwordHash: string | null
  /** Where the user works; without any, in all warehouses. */
  readonly warehouses?: readonly string[]
}

/** Throws conflict where another user has the login. */
export async function createUser(work: Work, draft: UserDraft): Promise<string> {
  const id = newId()
  const added = await work.tx`
    insert into staff_users (id, login, name, role, password_hash, created_at)
    values (${id}, ${loginOf(draft.login)}, ${draft.name?.trim() || null}, ${draft.role},
      ${draft.passwordHash}, ${work.at})
    on conflict do nothing returning id`
  if (added.length === 0) throw conflict(`Логин ${draft.login.toLowerCase()} уже занят`)
  await giveWarehouses(work, id, draft.warehouses ?? [])
  return id
}

export interface UserPatch {
  /** Blank: none. */
  readonly name?: string | undefined
  readonly role?: Role | undefined
  readonly active?: boolean | undefined
  readonly passwordHash?: string | undefined
  readonly seesMoney?: boolean | undefined
}

/**
 * Changes a user. Anything but a name ends all sessions of the user. A new password or the loss of access revokes all
 * tokens as well: they stay revoked when access comes back. The PIN and the badge go with the access. Throws conflict where the
 * last active administrator, or the last one of all warehouses, would lose the role or access.
 */
export async function changeUser(work: Work, id: string, patch: UserPatch): Promise<void> {
  const { tx } = work
  const left = await lockAdministrators(work, id)
  const changed = await tx`
    update staff_users set
      name = case when ${patch.name === undefined} then name else ${patch.name?.trim() || null} end,
      role = coalesce(${patch.role ?? null}, role),
      active = coalesce(${patch.active ?? null}, active),
      sees_money = coalesce(${patch.seesMoney ?? null}, sees_money),
      password_hash = coalesce(${patch.passwordHash ?? null}, password_hash),
      pin_hash = case when ${patch.active === false} then null else pin_hash end,
      badge_hash = case when ${patch.active === false} then null else badge_hash end,
      badge_issued_at = case when ${patch.active === false} then null else badge_issued_at end
    where id = ${id} returning id`
  if (changed.length === 0) throw notFound('Пользователь не найден')
  await left()
  if (namesOnly(patch)) return
  await tx`delete from staff_sessions where user_id = ${id}`
  if (patch.passwordHash !== undefined || patch.active === false) {
    await tx`
      update staff_tokens set revoked_at = ${work.at} where user_id = ${id} and revoked_at is null`
  }
}

/** Whether a change says only how the user is called: it takes nothing away. */
export function namesOnly({ name, ...powers }: UserPatch): boolean {
  return name !== undefined && Object.values(powers).every((power) => power === undefined)
}

/** Throws not_found, and forbidden where the setter may not change the user, who stays as is until the end. */
export async function demandPower(work: Work, setter: Person, userId: string): Promise<void> {
  await lockAdministrators(work, userId)
  const user = await findUser(work.tx, userId)
  if (user === undefined) throw notFound('Пользователь не найден')
  const refusal = refusalOfChange(setter, user)
  if (refusal !== undefined) throw new ServiceError('forbidden', refusal)
}

interface UserRow {
  id: string
  login: string
  name: string
  role: Role
  active: boolean
  has_password: boolean
  has_pin: boolean
  pin_locked: boolean
  badge_issued_at: Timestamp | null
  sees_money: boolean
  warehouses: string[]
  created_at: Timestamp
}

function userColumns(db: Queryable) {
  return db`u.id, u.login, u.shown_name as name, u.role, u.active, u.password_hash is not null as has_password,
    u.pin_hash is not null as has_pin, u.pin_failures >= ${pinTries} as pin_locked, u.badge_issued_at, u.sees_money,
    ${warehousesOf(db)} as warehouses, u.created_at`
}

export async function findUser(db: Queryable, id: string): Promise<StaffUser | undefined> {
  const [row] = await db<UserRow[]>`
    select ${userColumns(db)} from staff_users u where u.id = ${id}`
  return row
}

export async function findUserByLogin(
  db: Queryable,
  login: string,
): Promise<StaffUser | undefined> {
  const [row] = await db<UserRow[]>`
    select ${userColumns(db)} from staff_users u where u.login = ${login.toLowerCase()}`
  return row
}

/** Users that somebody of these warehouses sees, newest first; without codes all. */
export async function listUsers(
  db: Queryable,
  page: PageRequest,
  warehouses: readonly string[] = [],
): Promise<Page<StaffUser>> {
  const seen = isColleague(db, warehouses)
  const total = db`select count(*) from staff_users u where ${seen}`
  const rows = await db<(UserRow & { total: number })[]>`
    select ${userColumns(db)}, ${totalFor(db, total, page)} as total from staff_users u
    where ${seen} ${afterPosition(db, 'u', page.after)}
    order by u.created_at desc, u.id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: ({ total: _, ...user }) => user,
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

/** Whether somebody of these warehouses sees the user with this id or login. */
export async function isUserOf(
  db: Queryable,
  idOrLogin: string,
  warehouses: readonly string[],
): Promise<boolean> {
  const named = isId(idOrLogin) ? db`u.id = ${idOrLogin}` : db`u.login = ${idOrLogin.toLowerCase()}`
  const users = await db`
    select u.id from staff_users u where ${named} and ${isColleague(db, warehouses)}`
  return users.length > 0
}

export interface IssuedToken {
  readonly id: string
  /** The token itself. The database has only its hash. */
  readonly token: string
  readonly preview: string
}

/**
 * Issues a token with which a machine acts as this user. Its name is the login by default. The
 * database gets its SHA-256 and preview alone.
 */
export async function issueToken(
  work: Work,
  userId: string,
  name?: string,
  cell?: CellMark,
): Promise<IssuedToken> {
  const { tx } = work
  // A user who is losing access keeps no token that is being issued.
  const [user] = await tx<{ login: string }[]>`
    select login from staff_users where id = ${userId} for share`
  if (user === undefined) throw notFound('Пользователь не найден')
  const { key: token, hash, preview } = generateStaffToken(cell)
  const id = newId()
  await tx`
    insert into staff_tokens (hash, id, user_id, name, preview, created_at)
    values (${hash}, ${id}, ${userId}, ${name ?? user.login}, ${preview}, ${work.at})`
  return { id, token, preview }
}

/** The SHA-256 of every token that leads here, revoked ones too, in hexadecimal digits. */
export async function hashesOfTokens(db: Queryable): Promise<readonly string[]> {
  const rows = await db<{ hash: string }[]>`
    select encode(t.hash, 'hex') as hash from staff_tokens t
    where not exists (select from staff_user_warehouses w where w.user_id = t.user_id)
      or exists (
        select from staff_user_warehouses w join warehouses h on h.code = w.warehouse_code and h.mode <> 'moved'
        where w.user_id = t.user_id)
    order by t.hash`
  return rows.map(({ hash }) => hash)
}

/** The same of the users of one warehouse who work in no other. */
export async function hashesOfTokensIn(
  db: Queryable,
  warehouse: string,
): Promise<readonly string[]> {
  const rows = await db<{ hash: string }[]>`
    select encode(t.hash, 'hex') as hash from staff_tokens t
    join staff_user_warehouses w on w.user_id = t.user_id
    group by t.hash having array_agg(w.warehouse_code) = array[${warehouse}::text] order by t.hash`
  return rows.map(({ hash }) => hash)
}

/** The next request with the token is refused. A second call changes nothing. */
export async function revokeToken(work: Work, userId: string, id: string): Promise<void> {
  const revoked = await work.tx`
    update staff_tokens set revoked_at = coalesce(revoked_at, ${work.at})
    where user_id = ${userId} and id = ${id} returning id`
  if (revoked.length === 0) throw notFound('Токен не найден')
}

export const StaffToken = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор токена.' }),
    name: Type.String({ description: 'Чей это токен.' }),
    preview: Type.String({ description: 'Начало и конец токена.' }),
    created_at: moment('Когда выпущен.'),
    last_used_at: momentOrNull('Когда им пользовались, с точностью до минуты; null — ещё нет.'),
    revoked_at: momentOrNull('Когда отозван; null, если действует.'),
  },
  { $id: 'StaffToken', description: 'Токен программы.' },
)
export type StaffToken = Static<typeof StaffToken>

/** The last 200 tokens of a user, newest first; none where there is no such user. */
export async function listTokens(db: Queryable, userId: string): Promise<StaffToken[]> {
  return db<StaffToken[]>`
    select id, name, preview, created_at, last_used_at, revoked_at from staff_tokens
    where user_id = ${userId} order by created_at desc, id desc limit 200`
}
