import { hash } from 'node:crypto'
import { batchCalls } from '../../platform/concurrency/batching.ts'
import type { Database } from '../../platform/db/connection.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { type Timestamp, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import type { UnattendedPurpose } from './devices.ts'
import type { Role } from './roles.ts'
import { warehousesOf } from './user-warehouses.ts'

/**
 * Who sends a request of the staff API, by session or token.
 *
 * - No process remembers users: a revoked token and a deactivated user are refused from the next request on.
 * - One statement answers for all requests that arrived while the previous one ran.
 */
export interface StaffIdentity {
  /**
   * The user of a session; undefined for an ended or unknown session. It is used by requests of a person, not by
   * those of a page alone.
   */
  ofSession(session: string, how: { readonly isUse: boolean }): Promise<SessionMember | undefined>
  /** The user of a token by its SHA-256; undefined for a revoked or unknown token. */
  ofToken(hash: Buffer): Promise<StaffMember | undefined>
}

export interface StaffMember {
  readonly id: string
  readonly login: string
  readonly role: Role
  /** Whether an administrator lets the manager see money. */
  readonly seesMoney: boolean
  /** The codes of the warehouses that the user works in; empty: all. */
  readonly warehouses: readonly string[]
  /** Of a device that works without a person: no user sent the request, and `id` is the device's. */
  readonly device?: UnattendedPurpose
}

export interface SessionMember extends StaffMember {
  /** Whether the session began with the password, not with a PIN, and not long ago. */
  readonly hasProvedPassword: boolean
}

/** How long after signing in with the password a session may change keys and users. */
export const passwordProofMs = 15 * 60_000

/** A session ends after so long without a request of a person. */
export const sessionIdleMs = 12 * 3_600_000
export const sessionSecondsMax = 7 * 86_400

const batchMax = 500

export function staffIdentity(db: Database, clock: Clock): StaffIdentity {
  const ofSession = batchCalls(batchMax, (asked: readonly AskedSession[]) =>
    membersOfSessions(db, clock.now(), asked),
  )
  const ofToken = batchCalls(batchMax, (hashes: readonly Buffer[]) =>
    membersOfTokens(db, clock.now(), hashes),
  )
  return {
    ofSession: (session, { isUse }) => ofSession({ hash: sessionHash(session), isUse }),
    ofToken,
  }
}

/** What the database keeps of a session. */
export function sessionHash(session: string): Buffer {
  return hash('sha256', session, 'buffer')
}

interface FoundMember extends StaffMember {
  readonly hash: Buffer
  readonly used_at: Timestamp | null
}

interface AskedSession {
  readonly hash: Buffer
  readonly isUse: boolean
}

async function membersOfSessions(
  db: Database,
  now: number,
  asked: readonly AskedSession[],
): Promise<(SessionMember | undefined)[]> {
  const hashes = asked.map(({ hash }) => hash)
  const found = await db<(FoundMember & SessionMember)[]>`
    select s.hash, s.used_at, u.id, u.login, u.role, u.sees_money as "seesMoney", ${warehousesOf(db)} as warehouses,
      s.device_id is null and s.created_at > ${toTimestamp(now - passwordProofMs)}
        as "hasProvedPassword"
    from staff_sessions s join staff_users u on u.id = s.user_id
    where s.hash = any(${hashes}) and u.active
      and s.used_at > ${toTimestamp(now - sessionIdleMs)}
      and s.created_at > ${toTimestamp(now - sessionSecondsMax * 1000)}`
  const used = asked.filter(({ isUse }) => isUse)
  const stale = staleOf(found, now).filter((each) => used.some(({ hash }) => hash.equals(each)))
  if (stale.length > 0) {
    await db`
      update staff_sessions set used_at = ${toTimestamp(now)} where hash in (
        select hash from staff_sessions where hash = any(${stale}) for no key update skip locked)`
    await db`
      update staff_devices set last_used_at = ${toTimestamp(now)} where id in (
        select d.id from staff_devices d join staff_sessions s on s.device_id = d.id
        where s.hash = any(${stale}) for no key update of d skip locked)`
  }
  return inOrder(hashes, found)
}

async function membersOfTokens(db: Database, now: number, hashes: readonly Buffer[]) {
  const found = await db<FoundMember[]>`
    select t.hash, t.last_used_at as used_at, u.id, u.login, u.role, u.sees_money as "seesMoney",
      ${warehousesOf(db)} as warehouses
    from staff_tokens t join staff_users u on u.id = t.user_id
    where t.hash = any(${hashes}) and t.revoked_at is null and u.active`
  const stale = staleOf(found, now)
  if (stale.length > 0) {
    await db`
      update staff_tokens set last_used_at = ${toTimestamp(now)} where hash in (
        select hash from staff_tokens where hash = any(${stale}) for no key update skip locked)`
  }
  return inOrder(hashes, found)
}

/** The last use is written at most once a minute, and by one process at a time. */
function staleOf(found: readonly FoundMember[], now: number): Buffer[] {
  const before = toTimestamp(now - 60_000)
  return found.flatMap((each) =>
    each.used_at === null || each.used_at < before ? [each.hash] : [],
  )
}

/** The members in the order of the hashes, without what only this file needs. */
function inOrder<Found extends FoundMember>(hashes: readonly Buffer[], found: readonly Found[]) {
  const members = new Map(
    found.map(({ hash, used_at, ...member }) => [hash.toString('hex'), member]),
  )
  return hashes.map((hash) => members.get(hash.toString('hex')))
}
