import Type, { type Static } from 'typebox'
import type { Queryable } from '../db/connection.ts'
import { afterPosition } from '../db/newest-first.ts'
import { countOf, type Page, type PageRequest, pageOf } from '../db/page.ts'
import type { Work } from '../db/work.ts'
import { issueStaffToken } from '../kernel/api-key.ts'
import { conflict, invalidField, notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { moment, oneOfValues } from '../kernel/schema.ts'
import { type Role, roles } from './roles.ts'

/** People and machines that work in the warehouse, and the tokens of machines. */

export const StaffUser = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор пользователя.' }),
    login: Type.String({ description: 'Логин, строчными буквами.' }),
    role: oneOfValues(roles, 'Роль: каждая следующая может всё, что предыдущие.'),
    active: Type.Boolean({ description: 'Может ли входить и пользоваться токенами.' }),
    has_password: Type.Boolean({ description: 'Задан ли пароль; без него — только токены.' }),
    created_at: moment('Когда заведён.'),
  },
  { $id: 'StaffUser', description: 'Пользователь склада.' },
)
export type StaffUser = Static<typeof StaffUser>

const loginForm = /^[a-z0-9][a-z0-9._@-]{1,63}$/

/** The one form of a login. Throws validation_error. */
export function loginOf(text: string): string {
  const login = text.toLowerCase()
  if (loginForm.test(login)) return login
  throw invalidField(
    'login',
    'от 2 до 64 знаков: латинские буквы, цифры, точка, дефис, подчёркивание и @',
  )
}

export interface UserDraft {
  readonly login: string
  readonly role: Role
  /** Null: tokens only. */
  readonly passwordHash: string | null
}

/** Throws conflict where the login is taken. */
export async function createUser(work: Work, draft: UserDraft): Promise<string> {
  const id = newId()
  const added = await work.tx`
    insert into staff_users (id, login, role, password_hash, created_at)
    values (${id}, ${loginOf(draft.login)}, ${draft.role}, ${draft.passwordHash}, ${work.at})
    on conflict do nothing returning id`
  if (added.length === 0) throw conflict(`Логин ${draft.login.toLowerCase()} уже занят`)
  return id
}

export interface UserPatch {
  readonly role?: Role | undefined
  readonly active?: boolean | undefined
  readonly passwordHash?: string | undefined
}

/**
 * Changes a user; whoever loses the password, the role or the access is signed out everywhere. The
 * last active administrator stays one.
 */
export async function changeUser(work: Work, id: string, patch: UserPatch): Promise<void> {
  const { tx } = work
  // Two administrators may not take the role from each other at once.
  const administrators = await tx<{ id: string }[]>`
    select id from staff_users where role = 'administrator' and active order by id for update`
  const changed = await tx<{ role: Role; active: boolean }[]>`
    update staff_users set
      role = coalesce(${patch.role ?? null}, role),
      active = coalesce(${patch.active ?? null}, active),
      password_hash = coalesce(${patch.passwordHash ?? null}, password_hash)
    where id = ${id} returning role, active`
  const [user] = changed
  if (user === undefined) throw notFound('Пользователь не найден')
  const stays = user.role === 'administrator' && user.active
  if (!stays && administrators.every((each) => each.id === id) && administrators.length > 0) {
    throw conflict('Это последний действующий администратор')
  }
  await tx`delete from staff_sessions where user_id = ${id}`
}

interface UserRow {
  id: string
  login: string
  role: Role
  active: boolean
  has_password: boolean
  created_at: Timestamp
}

function userColumns(db: Queryable) {
  return db`u.id, u.login, u.role, u.active, u.password_hash is not null as has_password, u.created_at`
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

/** Users, the newest first. */
export async function listUsers(db: Queryable, page: PageRequest): Promise<Page<StaffUser>> {
  const total = db`select count(*) from staff_users`
  const rows = await db<(UserRow & { total: number })[]>`
    select ${userColumns(db)}, (${total}) as total from staff_users u
    where true ${afterPosition(db, 'u', page.after)}
    order by u.created_at desc, u.id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: ({ id, login, role, active, has_password, created_at }) => ({
      id,
      login,
      role,
      active,
      has_password,
      created_at,
    }),
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

export interface IssuedToken {
  readonly id: string
  /** The value itself: it exists only here and with whom it is handed to. */
  readonly token: string
  readonly preview: string
}

/**
 * A token for a machine that works as this user, and is named after the user unless it has a name of
 * its own. Only its SHA-256 and its preview are kept.
 */
export async function issueToken(work: Work, userId: string, name?: string): Promise<IssuedToken> {
  const { tx } = work
  const [user] = await tx<{ login: string }[]>`select login from staff_users where id = ${userId}`
  if (user === undefined) throw notFound('Пользователь не найден')
  const { key: token, hash, preview } = issueStaffToken()
  const id = newId()
  await tx`
    insert into staff_tokens (hash, id, user_id, name, preview, created_at)
    values (${hash}, ${id}, ${userId}, ${name ?? user.login}, ${preview}, ${work.at})`
  return { id, token, preview }
}

/** The token is refused from the next request on. Again is no error. */
export async function revokeToken(work: Work, userId: string, id: string): Promise<void> {
  const revoked = await work.tx`
    update staff_tokens set revoked_at = coalesce(revoked_at, ${work.at})
    where user_id = ${userId} and id = ${id} returning id`
  if (revoked.length === 0) throw notFound('Токен не найден')
}
