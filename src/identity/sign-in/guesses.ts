import { hash } from 'node:crypto'
import { type Database, inTransaction, type Transaction } from '../../platform/db/connection.ts'
import { type Instant, type Timestamp, toTimestamp } from '../../platform/kernel/moscow-time.ts'

/**
 * Wrong guesses of what is so short that only a limit protects it. A subject has some of them, and gets one back each time
 * a period has passed; nothing else gives them back, least of all the right guess of somebody.
 *
 * - A guess counts as wrong from its start until it turns out right, so guesses in parallel gain nothing.
 * - A clock that goes back makes nobody wait longer than a period.
 */

export interface GuessRule {
  /** Names the kind of what is guessed. */
  readonly kind: string
  readonly max: number
  readonly periodMs: number
}

export interface Guess {
  /** Names of the subjects, by their rules. */
  readonly subjects: readonly string[]
  /** Milliseconds until the guess may be made; 0 for one that has been counted. */
  readonly waitMs: number
}

/** Counts a guess as wrong for each of its subjects, or for none where one of them has no guess left. */
export async function countGuess(
  db: Database,
  now: Instant,
  guessed: readonly { readonly rule: GuessRule; readonly of: string }[],
): Promise<Guess> {
  const rules = new Map(guessed.map(({ rule, of }) => [guessSubject(rule, of), rule]))
  const subjects = [...rules.keys()]
  return inTransaction(db, async (tx) => {
    const rows = await beginCounts(tx, now, subjects)
    const next = rows.flatMap((row) => {
      const rule = rules.get(row.subject)
      return rule === undefined ? [] : [{ subject: row.subject, ...afterGuess(rule, row, now) }]
    })
    const waitMs = Math.max(0, ...next.map((each) => each.waitMs))
    if (waitMs > 0) return { subjects, waitMs }
    for (const { subject, failures, since } of next) {
      await tx`
        update sign_in_failures set failures = ${failures}, last_at = ${toTimestamp(since)}
        where subject = ${subject}`
    }
    return { subjects, waitMs }
  })
}

/** The count after one more guess at `now`, and since when its next one comes back. */
function afterGuess({ max, periodMs }: GuessRule, row: GuessCount, now: Instant) {
  const since = Math.min(Date.parse(row.last_at), now)
  const returned = Math.floor((now - since) / periodMs)
  const failures = Math.max(0, row.failures - returned)
  const waitMs = failures < max ? 0 : since + (returned + 1) * periodMs - now
  return {
    failures: failures + 1,
    waitMs,
    since: failures === 0 ? now : since + returned * periodMs,
  }
}

/** A guess turned out right, or was not made: it does not count. */
export async function takeBackGuess(tx: Transaction, { subjects }: Guess): Promise<void> {
  await tx`
    update sign_in_failures set failures = greatest(failures - 1, 0) where subject in (
      select subject from sign_in_failures where subject = any(${[...subjects]})
      order by subject for update)`
}

/** What was guessed has been replaced: all guesses are there again. */
export async function forgetGuesses(tx: Transaction, rule: GuessRule, of: string): Promise<void> {
  await tx`delete from sign_in_failures where subject = ${guessSubject(rule, of)}`
}

function guessSubject({ kind }: GuessRule, of: string): string {
  return `${kind} ${hash('sha256', of, 'base64url')}`
}

/** Of wrong guesses, or of failed sign-ins. */
export interface GuessCount {
  readonly subject: string
  readonly failures: number
  readonly last_at: Timestamp
}

/** Locks the counts of these subjects, and begins those that are missing. */
export async function beginCounts(
  tx: Transaction,
  now: Instant,
  subjects: readonly string[],
): Promise<readonly GuessCount[]> {
  await tx`
    insert into sign_in_failures (subject, failures, last_at)
    select subject, 0, ${toTimestamp(now)} from unnest(${[...subjects]}::text[]) as subject
    order by subject on conflict do nothing`
  return lockCounts(tx, subjects)
}

/** In one order, so that no two attempts wait for each other. */
export function lockCounts(tx: Transaction, subjects: readonly string[]): Promise<GuessCount[]> {
  return tx<GuessCount[]>`
    select subject, failures, last_at from sign_in_failures
    where subject = any(${[...subjects]}) order by subject for update`
}
