import { hash, randomBytes } from 'node:crypto'
import Type, { type Static } from 'typebox'
import type { Database, Queryable } from '../../platform/db/connection.ts'
import { isHere } from '../../platform/db/leaving.ts'
import type { Work } from '../../platform/db/work.ts'
import type { Mode } from '../../platform/kernel/mode.ts'
import { type Instant, type Timestamp, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { moment } from '../../platform/kernel/schema.ts'
import type { SellerRole } from './roles.ts'

/**
 * Sessions of the account. A session is a random text in the browser's cookie; the database has its SHA-256. It ends
 * after half a day without a request of a person and after a week at the latest. No process remembers sessions: one that has
 * ended, and a user without the client, are refused from the next request on.
 */
export const sellerSessionIdleMs = 12 * 3_600_000
export const sellerSessionSecondsMax = 7 * 86_400

/** Whose session it is, and whose data it shows. */
export interface Visitor {
  readonly sessionId: string
  readonly clientId: string
  readonly clientName: string
  readonly mode: Mode
  /** Null for whoever typed a test key. */
  readonly user: { readonly id: string; readonly login: string } | null
  readonly keyId: string | null
  /** Who has a test key may do what its owner may. */
  readonly role: SellerRole
  readonly accountReceipts: boolean
  /** False for a sandbox that has no copy of the scenario yet. */
  readonly dataReady: boolean
  /** Whether the last use of the sandbox was written more than a minute ago; false without a sandbox. */
  readonly isSandboxStale: boolean
}

interface VisitorRow {
  id: string
  client_id: string
  client_name: string
  mode: Mode
  user_id: string | null
  login: string | null
  key_id: string | null
  role: SellerRole | null
  account_receipts: boolean
  data_ready: boolean
  used_at: Timestamp
  sandbox_used_at: Timestamp | null
}

function sessionHash(session: string): Buffer {
  return hash('sha256', session, 'buffer')
}

function isOpen(db: Queryable, now: Instant) {
  return db`
    s.used_at > ${toTimestamp(now - sellerSessionIdleMs)}
    and s.created_at > ${toTimestamp(now - sellerSessionSecondsMax * 1000)}`
}

/** Undefined for a session that has ended or never was. It is used by requests of a person, not by those of a page alone. */
export async function findVisitor(
  db: Database,
  now: Instant,
  session: string,
  { isUse }: { readonly isUse: boolean } = { isUse: true },
): Promise<Visitor | undefined> {
  const [row] = await db<VisitorRow[]>`
    select s.id, s.client_id, c.name as client_name, c.mode, s.user_id, u.login, s.key_id, m.role,
      c.account_receipts, c.mode = 'live' or b.copied_at is not null as data_ready, s.used_at,
      b.last_request_at as sandbox_used_at
    from seller_sessions s
    join clients c on c.id = s.client_id and c.mode <> 'moved'
    left join seller_users u on u.id = s.user_id
    left join seller_members m on m.client_id = s.client_id and m.user_id = s.user_id
    left join api_keys k on k.client_id = s.client_id and k.id = s.key_id
    left join sandboxes b on b.client_id = s.client_id
    where s.hash = ${sessionHash(session)} and ${isOpen(db, now)}
      and (m.role is not null or (k.id is not null and k.revoked_at is null))`
  if (row === undefined) return undefined
  const minuteAgo = toTimestamp(now - 60_000)
  if (isUse && row.used_at < minuteAgo) {
    await db`
      update seller_sessions set used_at = ${toTimestamp(now)} where hash in (
        select hash from seller_sessions where id = ${row.id} for no key update skip locked)`
  }
  return {
    sessionId: row.id,
    clientId: row.client_id,
    clientName: row.client_name,
    mode: row.mode,
    user: row.user_id === null ? null : { id: row.user_id, login: row.login ?? '' },
    keyId: row.key_id,
    role: row.role ?? 'owner',
    accountReceipts: row.mode === 'test' || row.account_receipts,
    dataReady: row.data_ready,
    isSandboxStale: row.sandbox_used_at !== null && row.sandbox_used_at < minuteAgo,
  }
}

/**
 * Whether the session is still open and its user still has the role. In a transaction it keeps both until the end:
 * whoever ends the session waits.
 */
export async function isStillOpen(
  db: Queryable,
  visitor: Pick<Visitor, 'sessionId' | 'clientId' | 'user' | 'role'>,
): Promise<boolean> {
  const { sessionId, clientId, user, role } = visitor
  const sessions = await db`
    select id from seller_sessions where id = ${sessionId} and client_id = ${clientId} for share`
  if (sessions.length === 0 || user === null) return sessions.length > 0
  const members = await db`
    select user_id from seller_members
    where client_id = ${clientId} and user_id = ${user.id} and role = ${role} for share`
  return members.length > 0
}

export interface NewSession {
  readonly clientId: string
  readonly userId?: string
  readonly keyId?: string
  readonly address: string
  readonly browser: string
}

const browserLengthMax = 300
/** Of one user or test key; the longest unused ones end. */
const sessionsMax = 30

/** Returns the value of the cookie. */
export async function openSellerSession(
  { tx, at }: Pick<Work, 'tx' | 'at'>,
  id: string,
  given: NewSession,
): Promise<string> {
  const whose =
    given.userId === undefined
      ? tx`client_id = ${given.clientId} and key_id = ${given.keyId ?? null}`
      : tx`user_id = ${given.userId}`
  await tx`
    delete from seller_sessions where hash in (
      select hash from seller_sessions where ${whose}
      order by used_at desc, hash offset ${sessionsMax - 1})`
  const session = randomBytes(32).toString('base64url')
  const browser = given.browser.slice(0, browserLengthMax).toWellFormed()
  await tx`
    insert into seller_sessions
      (hash, id, user_id, client_id, key_id, address, browser, created_at, used_at)
    values (${sessionHash(session)}, ${id}, ${given.userId ?? null}, ${given.clientId},
      ${given.keyId ?? null}, ${given.address}, ${browser}, ${at}, ${at})`
  return session
}

/** The client that the user saw last, or the first one; undefined for a user without any. */
export async function clientToShow(db: Queryable, userId: string): Promise<string | undefined> {
  const [row] = await db<{ client_id: string }[]>`
    select m.client_id from seller_members m
    join clients c on c.id = m.client_id and c.mode <> 'moved'
    left join lateral (
      select max(s.used_at) as at from seller_sessions s
      where s.user_id = m.user_id and s.client_id = m.client_id
    ) used on true
    where m.user_id = ${userId} order by used.at desc nulls last, m.created_at, m.client_id limit 1`
  return row?.client_id
}

/** Shows another client of the user from now on. Returns whether the user works for it. */
export async function switchClient(
  { tx }: Work,
  { sessionId, user }: Visitor,
  clientId: string,
): Promise<boolean> {
  if (user === null) return false
  const switched = await tx`
    update seller_sessions s set client_id = ${clientId} from (
      select m.client_id from seller_members m
      where m.client_id = ${clientId} and m.user_id = ${user.id} and ${isHere(tx, 'm.client_id')} for share
    ) m
    where s.id = ${sessionId} returning s.id`
  return switched.length > 0
}

export const SellerSession = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор входа.' }),
    is_current: Type.Boolean({ description: 'true — вход, из которого этот запрос.' }),
    address: Type.String({ description: 'Адрес, с которого вошли.' }),
    browser: Type.String({ description: 'Браузер, как он себя называет.' }),
    created_at: moment('Когда вошли.'),
    used_at: moment('Когда пользовались, с точностью до минуты.'),
  },
  { $id: 'SellerSession', description: 'Открытый вход в личный кабинет.' },
)
export type SellerSession = Static<typeof SellerSession>

/** The open sessions of whoever the visitor is, last used first. */
export async function listSellerSessions(
  db: Queryable,
  now: Instant,
  { sessionId, user }: Visitor,
): Promise<SellerSession[]> {
  const whose = user === null ? db`s.id = ${sessionId}` : db`s.user_id = ${user.id}`
  return db<SellerSession[]>`
    select s.id, s.id = ${sessionId} as is_current, s.address, s.browser, s.created_at, s.used_at
    from seller_sessions s where ${whose} and ${isOpen(db, now)}
    order by s.used_at desc, s.id limit 200`
}

/** Ends one session of the visitor, or with undefined all of them. Returns how many. */
export async function endSellerSessions(
  { tx }: Work,
  { sessionId, user }: Visitor,
  id: string | undefined,
): Promise<number> {
  const whose = user === null ? tx`id = ${sessionId}` : tx`user_id = ${user.id}`
  const ended = await tx`
    delete from seller_sessions
    where ${whose} ${id === undefined ? tx`` : tx`and id = ${id}`} returning id`
  return ended.length
}

export interface ClientOfUser {
  readonly id: string
  readonly name: string
  readonly role: SellerRole
}

/** The clients that a user works for, by name. */
export function clientsOfUser(db: Queryable, userId: string): Promise<ClientOfUser[]> {
  return db<ClientOfUser[]>`
    select c.id, c.name, m.role from seller_members m join clients c on c.id = m.client_id
    where m.user_id = ${userId} and c.mode <> 'moved' order by c.name, c.id`
}

const sweptMax = 5_000

/** Deletes sessions that have ended, a bounded number per call. */
export async function sweepSellerSessions(db: Database, now: Instant): Promise<void> {
  await db`
    delete from seller_sessions where hash in (
      select hash from seller_sessions
      where used_at < ${toTimestamp(now - sellerSessionIdleMs)} order by used_at limit ${sweptMax})`
}
