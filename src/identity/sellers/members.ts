import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { moment, momentOrNull, oneOfValues } from '../../platform/kernel/schema.ts'
import { loginOf } from '../sign-in/logins.ts'
import { type SellerRole, sellerRoleLabels, sellerRoles } from './roles.ts'

/**
 * Sellers' users and the clients that they work for. A login may work for several clients, with a role in each.
 * Whoever loses a client loses the sessions that show it.
 */

export const roleField = oneOfValues(
  sellerRoles,
  `Роль: ${sellerRoles.map((role) => `${role} — ${sellerRoleLabels[role]}`).join(', ')}; каждая следующая может всё, что предыдущие.`,
)

export const SellerMember = Type.Object(
  {
    user_id: Type.String({ description: 'Идентификатор пользователя.' }),
    login: Type.String({ description: 'Логин, строчными буквами.' }),
    name: Type.String({ description: 'Имя и фамилия; у кого их нет — логин.' }),
    role: roleField,
    two_factor: Type.Boolean({ description: 'Входит ли он с одноразовым кодом.' }),
    created_at: moment('Когда получил доступ к этому клиенту.'),
    last_used_at: momentOrNull(
      'Когда пользовался личным кабинетом этого клиента; null — давно или никогда.',
    ),
  },
  { $id: 'SellerMember', description: 'Пользователь клиента.' },
)
export type SellerMember = Static<typeof SellerMember>

/** Of one client. */
export const membersMax = 100

function members(db: Queryable, clientId: string) {
  return db`
    select m.user_id, u.login, u.shown_name as name, m.role, u.totp_secret is not null as two_factor, m.created_at, (
        select max(s.used_at) from seller_sessions s
        where s.user_id = m.user_id and s.client_id = m.client_id
      ) as last_used_at
    from seller_members m join seller_users u on u.id = m.user_id
    where m.client_id = ${clientId}`
}

/** The users of a client, by login. */
export async function listMembers(db: Queryable, clientId: string): Promise<SellerMember[]> {
  return db<SellerMember[]>`${members(db, clientId)} order by u.login`
}

export async function findMember(
  db: Queryable,
  clientId: string,
  userId: string,
): Promise<SellerMember | undefined> {
  const [row] = await db<SellerMember[]>`${members(db, clientId)} and m.user_id = ${userId}`
  return row
}

export interface SellerUser {
  readonly id: string
  readonly login: string
  readonly name: string
  readonly password_hash: string
  readonly totp_secret: Buffer | null
}

export async function findSellerUser(
  db: Queryable,
  login: string,
): Promise<SellerUser | undefined> {
  const [user] = await db<SellerUser[]>`
    select id, login, shown_name as name, password_hash, totp_secret from seller_users
    where login = ${login.toLowerCase()}`
  return user
}

export async function findSellerUserById(
  db: Queryable,
  id: string,
): Promise<SellerUser | undefined> {
  const [user] = await db<SellerUser[]>`
    select id, login, shown_name as name, password_hash, totp_secret from seller_users where id = ${id}`
  return user
}

/** Whether the user still has the password; in a transaction it stays until the end. */
export async function keepsPassword(
  { tx }: Work,
  { id, password_hash }: Pick<SellerUser, 'id' | 'password_hash'>,
): Promise<boolean> {
  const users = await tx`
    select id from seller_users where id = ${id} and password_hash = ${password_hash} for share`
  return users.length > 0
}

/** A user without a name is shown by the login. Throws conflict where another user has the login. */
export async function createSellerUser(
  work: Work,
  login: string,
  passwordHash: string,
  name?: string,
): Promise<string> {
  const id = newId()
  const added = await work.tx`
    insert into seller_users (id, login, name, password_hash, created_at)
    values (${id}, ${loginOf(login)}, ${name?.trim() || null}, ${passwordHash}, ${work.at})
    on conflict do nothing returning id`
  if (added.length === 0) throw conflict(`Логин ${login.toLowerCase()} уже занят`)
  return id
}

/** Gives the user another name, an empty one for none; answers the one before, null for none. */
export async function setSellerName(
  { tx }: Work,
  id: string,
  name: string,
): Promise<string | null> {
  const [was] = await tx<[{ name: string | null }?]>`
    select name from seller_users where id = ${id} for no key update`
  await tx`update seller_users set name = ${name.trim() || null} where id = ${id}`
  return was?.name ?? null
}

/** Throws conflict for a user who works for the client already, and where the client has too many users. */
export async function addMember(
  work: Work,
  clientId: string,
  userId: string,
  role: SellerRole,
): Promise<void> {
  const { tx, at } = work
  await lockMembers(work, clientId)
  const [known] = await tx<[{ count: number }]>`
    select count(*) from seller_members where client_id = ${clientId}`
  if (known.count >= membersMax) throw conflict(`У клиента уже ${membersMax} пользователей`)
  const added = await tx`
    insert into seller_members (client_id, user_id, role, created_at)
    values (${clientId}, ${userId}, ${role}, ${at}) on conflict do nothing returning user_id`
  if (added.length === 0) throw conflict('Этот пользователь уже работает с этим клиентом')
}

export interface MemberChange {
  /** Undefined: the user no longer works for the client. */
  readonly role: SellerRole | undefined
  /** An owner leaves the client an owner; a manager need not. */
  readonly keepsOwner: boolean
}

/**
 * Changes the role of a user, or takes the client away with its sessions. Returns false where nothing differs. Throws
 * not_found, and conflict where the last owner would go.
 */
export async function changeMember(
  work: Work,
  clientId: string,
  userId: string,
  { role, keepsOwner }: MemberChange,
): Promise<boolean> {
  const { tx } = work
  const all = await lockMembers(work, clientId)
  const old = all.find((each) => each.user_id === userId)
  if (old === undefined) throw notFound('Пользователь не найден')
  if (old.role === role) return false
  const owners = all.filter((each) => each.role === 'owner')
  if (keepsOwner && old.role === 'owner' && owners.length === 1) {
    throw conflict('Это последний владелец: сначала сделайте владельцем другого')
  }
  if (role !== undefined) {
    await tx`
      update seller_members set role = ${role}
      where client_id = ${clientId} and user_id = ${userId}`
    return true
  }
  await tx`delete from seller_sessions where user_id = ${userId} and client_id = ${clientId}`
  await tx`delete from seller_members where client_id = ${clientId} and user_id = ${userId}`
  return true
}

/** Two owners must not take the role from each other at the same time. */
async function lockMembers({ tx }: Work, clientId: string) {
  await tx`select from clients where id = ${clientId} for share`
  return tx<{ user_id: string; role: SellerRole }[]>`
    select user_id, role from seller_members where client_id = ${clientId}
    order by user_id for update`
}

/** Sets the password, ends all sessions but one and closes the links for a new password. */
export async function setSellerPassword(
  { tx }: Work,
  userId: string,
  passwordHash: string,
  keptSessionId: string | undefined,
): Promise<void> {
  await tx`update seller_users set password_hash = ${passwordHash} where id = ${userId}`
  await tx`delete from seller_password_links where user_id = ${userId}`
  await tx`
    delete from seller_sessions
    where user_id = ${userId} and id is distinct from ${keptSessionId ?? null}::uuid`
}
