import { hash } from 'node:crypto'
import { type Database, inTransaction, type Transaction } from '../../platform/db/connection.ts'
import { bucketAddress } from '../../platform/kernel/address.ts'
import { rateLimited } from '../../platform/kernel/errors.ts'
import { type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { beginCounts, type GuessCount, lockCounts } from './guesses.ts'
import { knownPlace, type Origin } from './known-places.ts'

/**
 * Failed sign-ins slow guessing down. After a few of them each further attempt must wait, twice as long
 * each time, up to a quarter of an hour.
 *
 * - An attempt from a browser in which the user has signed in before is counted for that browser alone. One from a
 *   known address is counted for login and address alone. So failures of others do not delay it.
 * - Any other attempt is counted for login and address, for the address, and for the login.
 * - An attempt counts as failed from its start until it succeeds, so attempts in parallel gain nothing.
 * - A clock that goes back makes nobody wait longer than the wait itself.
 */

export interface CountedAttempt {
  readonly subjects: readonly Subject[]
}

interface Subject {
  readonly subject: string
  /** Failures before the first wait. */
  readonly free: number
}

const waitMsMax = 15 * 60_000
/** After this time without a failure the count starts again. */
const forgetMs = 24 * 3_600_000

/** Counts an attempt as failed. Throws rate_limited for an attempt that is too early, uncounted. */
export async function countAttempt(
  db: Database,
  now: Instant,
  origin: Origin,
): Promise<CountedAttempt> {
  return countFor(db, now, subjectsOf(origin, await knownPlace(db, now, origin)))
}

/**
 * Codes that are guessed at without a login. Each kind has counts of its own: a right code forgives only guesses of its
 * kind.
 */
export type GuessedCode = 'code of a device' | 'test key'

/** Like countAttempt, for a guess at a code from an address. */
export function countCodeAttempt(
  db: Database,
  now: Instant,
  kind: GuessedCode,
  address: string,
): Promise<CountedAttempt> {
  return countFor(db, now, [{ subject: subjectOf(kind, bucketAddress(address)), free: 5 }])
}

async function countFor(
  db: Database,
  now: Instant,
  subjects: readonly Subject[],
): Promise<CountedAttempt> {
  const waitMs = await inTransaction(db, (tx) => countUnlessEarly(tx, now, subjects))
  if (waitMs > 0) throw rateLimited(Math.ceil(waitMs / 1000))
  return { subjects }
}

/** Takes back what `countAttempt` counted; the first subject, the narrowest, starts again. */
export async function forgive(tx: Transaction, { subjects }: CountedAttempt): Promise<void> {
  const names = subjects.map(({ subject }) => subject)
  await lockCounts(tx, names)
  await tx`
    delete from sign_in_failures
    where subject = any(${names.slice(0, 1)}) or (subject = any(${names}) and failures <= 1)`
  await tx`update sign_in_failures set failures = failures - 1 where subject = any(${names})`
}

/** Deletes at most `max` counts that would start again anyway. */
export async function forgetFailures(db: Database, now: Instant, max: number): Promise<void> {
  await db`
    delete from sign_in_failures where subject in (
      select subject from sign_in_failures
      where last_at < ${toTimestamp(now - forgetMs)} limit ${max})`
}

function subjectsOf(
  { login, address, browserCookie }: Origin,
  known: 'browserCookie' | 'address' | undefined,
) {
  const of = (kind: string, named: unknown, free: number): Subject => ({
    subject: subjectOf(kind, named),
    free,
  })
  if (known === 'browserCookie') return [of('browserCookie', [login, browserCookie], 5)]
  const network = bucketAddress(address)
  const pair = of('pair', [login, network], 5)
  if (known === 'address') return [pair]
  return [pair, of('address', network, 30), of('login', login, 100)]
}

/** Logins may have any length; their hashes have one. */
function subjectOf(kind: string, named: unknown): string {
  return `${kind} ${hash('sha256', JSON.stringify(named), 'base64url')}`
}

/** Milliseconds until the attempt may be made; 0 for one that has been counted. */
async function countUnlessEarly(
  tx: Transaction,
  now: Instant,
  subjects: readonly Subject[],
): Promise<number> {
  const names = subjects.map(({ subject }) => subject)
  const rows = await beginCounts(tx, now, names)
  const ahead = rows.filter(({ last_at }) => Date.parse(last_at) > now)
  if (ahead.length > 0) {
    await tx`
      update sign_in_failures set last_at = ${toTimestamp(now)}
      where subject = any(${ahead.map(({ subject }) => subject)})`
  }
  const waitMs = Math.max(...rows.map((row) => waitMsOf(row, subjects, now)))
  if (waitMs > 0) return waitMs
  await tx`
    update sign_in_failures set last_at = ${toTimestamp(now)},
      failures = case when last_at < ${toTimestamp(now - forgetMs)} then 1 else failures + 1 end
    where subject = any(${names})`
  return 0
}

function waitMsOf(row: GuessCount, subjects: readonly Subject[], now: Instant): number {
  const free = subjects.find(({ subject }) => subject === row.subject)?.free ?? 0
  if (row.failures < free) return 0
  const waitMs = Math.min(waitMsMax, 1_000 * 2 ** Math.min(row.failures - free, 20))
  return Math.min(Date.parse(row.last_at), now) + waitMs - now
}
