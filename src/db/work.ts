import type { Clock } from '../kernel/clock.ts'
import { type Instant, type Timestamp, toTimestamp } from '../kernel/moscow-time.ts'
import { type Database, inTransaction, type Transaction } from './connection.ts'

/**
 * What a verb works with: one transaction, one moment, and who acts. A verb reads no clock and opens
 * no transaction of its own, so several verbs can be one change, and a test or the sandbox can play a
 * whole month in a second.
 */
export interface Work {
  readonly tx: Transaction
  readonly now: Instant
  readonly at: Timestamp
  /** `key:<id>`, `staff:<id>`, `command-line`, `marketplace:<cabinet id>` or `robot`. */
  readonly actor: string
}

/** Runs verbs in one transaction; retried as a whole when the database asks for it. */
export function perform<T>(
  db: Database,
  clock: Clock,
  actor: string,
  verbs: (work: Work) => Promise<T>,
): Promise<T> {
  return inTransaction(db, (tx) => verbs(workAt(tx, clock.now(), actor)))
}

/** A work at a given moment inside a transaction that the caller holds. */
export function workAt(tx: Transaction, now: Instant, actor: string): Work {
  return { tx, now, at: toTimestamp(now), actor }
}
