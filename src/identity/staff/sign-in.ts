import { randomBytes } from 'node:crypto'
import { type Database, inTransaction } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { ServiceError } from '../../platform/kernel/errors.ts'
import { toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { countAttempt, forgetFailures, forgive } from '../sign-in/failures.ts'
import {
  forgetPlaces,
  newBrowserCookie,
  type Origin,
  rememberPlaces,
} from '../sign-in/known-places.ts'
import { isPassword } from '../sign-in/passwords.ts'
import { type StaffMember, sessionHash, sessionIdleMs } from './identity.ts'

/**
 * Signing in. A session is a random text in the browser's cookie; the database has its SHA-256. It
 * ends after half a day without a request of a person and after a week at the latest. `identity/sign-in/failures.ts` slows
 * guessing down.
 */

export interface SignedIn {
  readonly user: Pick<StaffMember, 'id' | 'login' | 'role'>
  /** The value of the cookie. */
  readonly session: string
  /** The value of the cookie by which the browser is known at the next sign-in. */
  readonly browserCookie: string
}

/** Throws unauthorized, or rate_limited after too many failures. */
export async function signIn(
  db: Database,
  clock: Clock,
  given: Origin & { readonly password: string },
): Promise<SignedIn> {
  const login = given.login.toLowerCase()
  const origin = { login, address: given.address, browserCookie: given.browserCookie }
  const attempt = await countAttempt(db, clock.now(), origin)
  const [user] = await db<(SignedIn['user'] & { password_hash: string | null })[]>`
    select id, login, role, password_hash from staff_users where login = ${login} and active`
  const right = await isPassword(given.password, user?.password_hash ?? null)
  if (user === undefined || !right) {
    throw new ServiceError('unauthorized', 'Неверный логин или пароль')
  }
  const session = randomBytes(32).toString('base64url')
  const browserCookie = given.browserCookie ?? newBrowserCookie()
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    // The password was checked before this transaction: it may have changed since, or change now.
    const opened = await tx`
      insert into staff_sessions (hash, user_id, created_at, used_at)
      select ${sessionHash(session)}, id, ${toTimestamp(now)}, ${toTimestamp(now)} from staff_users
      where id = ${user.id} and active and password_hash = ${user.password_hash} for share
      returning hash`
    if (opened.length === 0) throw new ServiceError('unauthorized', 'Неверный логин или пароль')
    await forgive(tx, attempt)
    await rememberPlaces(tx, user.id, now, { ...origin, browserCookie })
  })
  const { id, role } = user
  return { user: { id, login: user.login, role }, session, browserCookie }
}

/** Ends a session. Returns its user; undefined for a session that had ended. */
export async function signOut(
  { tx }: Work,
  session: string,
): Promise<{ readonly id: string; readonly login: string } | undefined> {
  const [user] = await tx<{ id: string; login: string }[]>`
    delete from staff_sessions s using staff_users u
    where s.hash = ${sessionHash(session)} and u.id = s.user_id
    returning u.id, u.login`
  return user
}

const sweptMax = 5_000

/** Deletes ended sessions, old failures and places long unused, a bounded number of each per call. */
export async function sweepSignIns(db: Database, clock: Clock): Promise<void> {
  const now = clock.now()
  await db`
    delete from staff_sessions where hash in (
      select hash from staff_sessions
      where used_at < ${toTimestamp(now - sessionIdleMs)} order by used_at limit ${sweptMax})`
  await forgetFailures(db, now, sweptMax)
  await forgetPlaces(db, now, sweptMax)
}
