import { hash, randomBytes } from 'node:crypto'
import { type Database, inTransaction } from '../db/connection.ts'
import type { Clock } from '../kernel/clock.ts'
import { rateLimited, ServiceError } from '../kernel/errors.ts'
import { type Timestamp, toTimestamp } from '../kernel/moscow-time.ts'
import { isPassword } from './passwords.ts'
import type { Role } from './roles.ts'

/**
 * Signing in. A session is a random text in the browser's cookie; the database has its SHA-256. It
 * ends after half a day without a request and after a week at the latest.
 *
 * Failures slow guessing down. They are counted per login and address, per address, and per login;
 * after a few of them each further attempt must wait, twice as long each time, up to a quarter of
 * an hour. An attempt counts as failed from its start until it succeeds, so attempts in parallel
 * gain nothing.
 */

const idleMs = 12 * 3_600_000
export const sessionSecondsMax = 7 * 86_400

export interface StaffMember {
  readonly id: string
  readonly login: string
  readonly role: Role
}

export interface SignedIn {
  readonly user: StaffMember
  /** The value of the cookie. */
  readonly session: string
}

/** Throws unauthorized, or rate_limited after too many failures. */
export async function signIn(
  db: Database,
  clock: Clock,
  given: { readonly login: string; readonly password: string; readonly address: string },
): Promise<SignedIn> {
  const login = given.login.toLowerCase()
  const subjects = subjectsOf(login, given.address)
  await countAttempt(db, clock, subjects)
  const [user] = await db<(StaffMember & { password_hash: string | null })[]>`
    select id, login, role, password_hash from staff_users where login = ${login} and active`
  const right = await isPassword(given.password, user?.password_hash ?? null)
  if (user === undefined || !right) {
    throw new ServiceError('unauthorized', 'Неверный логин или пароль')
  }
  const session = randomBytes(32).toString('base64url')
  const now = toTimestamp(clock.now())
  await inTransaction(db, async (tx) => {
    // The password was checked before this transaction: it may have changed since.
    const opened = await tx`
      insert into staff_sessions (hash, user_id, created_at, used_at)
      select ${digest(session)}, id, ${now}, ${now} from staff_users
      where id = ${user.id} and active and password_hash = ${user.password_hash}
      returning hash`
    if (opened.length === 0) throw new ServiceError('unauthorized', 'Неверный логин или пароль')
    await tx`delete from sign_in_failures where subject = any(${subjects.map(({ subject }) => subject)})`
  })
  const { id, role } = user
  return { user: { id, login: user.login, role }, session }
}

export async function signOut(db: Database, session: string): Promise<void> {
  await db`delete from staff_sessions where hash = ${digest(session)}`
}

const sweptMax = 5_000

/** Deletes ended sessions and old failures, a bounded number per call. */
export async function sweepSignIns(db: Database, clock: Clock): Promise<void> {
  const now = clock.now()
  await db`
    delete from staff_sessions where hash in (
      select hash from staff_sessions
      where used_at < ${toTimestamp(now - idleMs)} order by used_at limit ${sweptMax})`
  await db`
    delete from sign_in_failures where subject in (
      select subject from sign_in_failures
      where last_at < ${toTimestamp(now - forgetMs)} limit ${sweptMax})`
}

/** The user of a session; undefined for an ended or unknown session. */
export async function memberOfSession(
  db: Database,
  clock: Clock,
  session: string,
): Promise<StaffMember | undefined> {
  const now = clock.now()
  const [found] = await db<(StaffMember & { used_at: Timestamp })[]>`
    select u.id, u.login, u.role, s.used_at
    from staff_sessions s join staff_users u on u.id = s.user_id
    where s.hash = ${digest(session)} and u.active
      and s.used_at > ${toTimestamp(now - idleMs)}
      and s.created_at > ${toTimestamp(now - sessionSecondsMax * 1000)}`
  if (found === undefined) return undefined
  const { used_at, ...member } = found
  if (isStale(used_at, now)) {
    await db`
      update staff_sessions set used_at = ${toTimestamp(now)} where hash = ${digest(session)}`
  }
  return member
}

/** The user of a token by its SHA-256; undefined for a revoked or unknown token. */
export async function memberOfToken(
  db: Database,
  clock: Clock,
  hash: Buffer,
): Promise<StaffMember | undefined> {
  const now = clock.now()
  const [found] = await db<(StaffMember & { last_used_at: Timestamp | null })[]>`
    select u.id, u.login, u.role, t.last_used_at
    from staff_tokens t join staff_users u on u.id = t.user_id
    where t.hash = ${hash} and t.revoked_at is null and u.active`
  if (found === undefined) return undefined
  const { last_used_at, ...member } = found
  if (last_used_at === null || isStale(last_used_at, now)) {
    await db`update staff_tokens set last_used_at = ${toTimestamp(now)} where hash = ${hash}`
  }
  return member
}

/**
 * Writes the last use at most once a minute, so that requests of one token do not wait for its row.
 */
function isStale(used: Timestamp, now: number): boolean {
  return toTimestamp(now - 60_000) > used
}

function digest(session: string): Buffer {
  return hash('sha256', session, 'buffer')
}

interface Subject {
  readonly subject: string
  /** Failures before the first wait. */
  readonly free: number
}

function subjectsOf(login: string, address: string): Subject[] {
  // Logins may have any length; their hashes have one.
  const of = (kind: string, text: string, free: number) => ({
    subject: `${kind} ${hash('sha256', text, 'base64url')}`,
    free,
  })
  return [
    of('pair', JSON.stringify([login, address]), 5),
    of('address', address, 30),
    of('login', login, 100),
  ].sort((a, b) => (a.subject < b.subject ? -1 : 1))
}

const waitMsMax = 15 * 60_000
/** After this time without a failure the count starts again. */
const forgetMs = 24 * 3_600_000

function waitMs(failures: number, free: number): number {
  return failures < free ? 0 : Math.min(waitMsMax, 1_000 * 2 ** Math.min(failures - free, 20))
}

/** Counts an attempt as failed. Throws rate_limited for an attempt that is too early, uncounted. */
async function countAttempt(
  db: Database,
  clock: Clock,
  subjects: readonly Subject[],
): Promise<void> {
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    const names = subjects.map(({ subject }) => subject)
    await tx`
      insert into sign_in_failures (subject, failures, last_at)
      select subject, 0, ${toTimestamp(now)} from unnest(${names}::text[]) as subject
      order by subject on conflict do nothing`
    const rows = await tx<{ subject: string; failures: number; last_at: Timestamp }[]>`
      select subject, failures, last_at from sign_in_failures
      where subject = any(${names}) order by subject for update`
    for (const { subject, failures, last_at } of rows) {
      const free = subjects.find((each) => each.subject === subject)?.free ?? 0
      const ready = Date.parse(last_at) + waitMs(failures, free)
      if (ready > now) throw rateLimited(Math.ceil((ready - now) / 1000))
    }
    await tx`
      update sign_in_failures set last_at = ${toTimestamp(now)},
        failures = case when last_at < ${toTimestamp(now - forgetMs)} then 1 else failures + 1 end
      where subject = any(${names})`
  })
}
