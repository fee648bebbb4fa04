import { batchCalls } from '../concurrency/batching.ts'
import type { Clock } from '../kernel/clock.ts'
import { ServiceError } from '../kernel/errors.ts'
import { type Database, inTransaction, type Transaction } from './connection.ts'
import { ConnectionError } from './connections/errors.ts'
import { inTime } from './transaction.ts'
import { type InTurn, type SharedWork, sharedWorkAt } from './work.ts'

/**
 * Small changes of many workers share transactions, so that they share round trips and commits.
 *
 * - Changes that arrive while such a transaction runs form the next one. A change that finds none
 *   running starts at once: it does not wait for company.
 * - Each change gets a verdict of its own. A refused one has written nothing and costs the others
 *   nothing. A change is answered only after the commit.
 * - Where the shared transaction as a whole fails, or waits for a lock for too long, nothing of it stays,
 *   and each of its changes is tried alone, beside the shared transactions. So one locked object does not
 *   hold up the changes of others.
 * - Nothing rests on one process: other processes meet these transactions at the locks of rows only.
 */

/** What a transaction decides of one of its changes. */
export type Verdict<T> =
  | { readonly kind: 'done'; readonly result: T }
  /** Nothing was written for the change. */
  | { readonly kind: 'refused'; readonly error: ServiceError }
  /** The change meets another one of the transaction. It is tried alone; nothing was written for it. */
  | { readonly kind: 'apart' }

/** Verbs that decide on each of several changes. What they throw undoes all of them. */
export type SharedVerbs<Change, T> = (
  work: SharedWork,
  changes: readonly Change[],
) => Promise<readonly Verdict<T>[]>

const changesMax = 64
/** Longer than another shared transaction takes on a slow disk. */
const lockWaitMsMax = 100

/** Returns a function that runs one change, alone or together with others. */
export function performTogether<Change, T>(
  db: Database,
  clock: Clock,
  verbs: SharedVerbs<Change, T>,
  { aloneMs, turnOf }: AloneRules<Change> = {},
): (change: Change) => Promise<T> {
  const share = batchCalls(
    changesMax,
    async (changes: readonly Change[]): Promise<readonly Verdict<T>[]> => {
      try {
        return await db.begin({ lockWaitMsMax, planOnce: true }, (tx) => verbs(workIn(tx), changes))
      } catch (error) {
        // The commit may have got no answer: the callers find out by repeating their requests.
        if (error instanceof ConnectionError) throw error
        return changes.map(() => ({ kind: 'apart' }))
      }
    },
  )
  const workIn = (tx: Transaction) => sharedWorkAt(tx, clock.now())
  return async (change) => {
    const verdict = await share(change)
    if (verdict.kind !== 'apart') return resultOf(verdict)
    const alone = () =>
      inTransaction(db, async (tx) => {
        const decide = () => decideAlone(workIn(tx), verbs, change)
        return resultOf(await (aloneMs === undefined ? decide() : inTime(tx, aloneMs, decide)))
      })
    return turnOf === undefined ? alone() : turnOf(change)(alone)
  }
}

/** How a change is tried alone. */
interface AloneRules<Change> {
  /** How long each of its statements may wait or run; by default as long as it takes. */
  readonly aloneMs?: number
  /** In whose turn it is tried; by default at once. */
  readonly turnOf?: (change: Change) => InTurn
}

/** Runs shared verbs for a single change. */
export async function decideAlone<Change, T>(
  work: SharedWork,
  verbs: SharedVerbs<Change, T>,
  change: Change,
): Promise<Verdict<T>> {
  const [verdict] = await verbs(work, [change])
  if (verdict === undefined) throw new Error('a change got no verdict')
  return verdict
}

/** The result of a change that was done. Throws the error of one that was refused. */
export function resultOf<T>(verdict: Verdict<T>): T {
  if (verdict.kind === 'done') return verdict.result
  if (verdict.kind === 'refused') throw verdict.error
  throw new Error('a change was not decided, though it was alone')
}

/** The changes that share no name with one before them. The others go alone, after those. */
export function withoutRepeats<Change>(
  changes: readonly Change[],
  namesOf: (change: Change) => readonly string[],
): Change[] {
  const taken = new Set<string>()
  return changes.filter((change) => {
    const names = namesOf(change)
    if (names.some((name) => taken.has(name))) return false
    for (const name of names) taken.add(name)
    return true
  })
}

/** The verdict that follows from a decision: refused where it throws a ServiceError. */
export async function verdictOf<T>(decide: () => T | Promise<T>): Promise<Verdict<T>> {
  try {
    return { kind: 'done', result: await decide() }
  } catch (error) {
    if (error instanceof ServiceError) return { kind: 'refused', error }
    throw error
  }
}
