/**
 * The first parameter of a function says what kind of function it is.
 *
 * | It takes      | Because                                                                        |
 * |---------------|--------------------------------------------------------------------------------|
 * | `Work`        | it changes something for one actor: a verb                                     |
 * | `SharedWork`  | it changes something for several actors, and each change names its own         |
 * | `Transaction` | it is a part of a verb that needs neither moment nor actor                     |
 * | `Queryable`   | it reads, in a verb's transaction or outside of one                            |
 * | `Database`    | it begins transactions, or must commit apart from the caller's                 |
 * | `Tag`         | it runs one statement, and its caller decides on which connection              |
 */

import type { TurnOptions } from '../concurrency/turns.ts'
import type { Actor } from '../kernel/actor.ts'
import type { Clock } from '../kernel/clock.ts'
import { type Instant, type Timestamp, toTimestamp } from '../kernel/moscow-time.ts'
import { type Database, inTransaction, type Queryable, type Transaction } from './connection.ts'
import type { TransactionMode } from './transaction.ts'

/**
 * The context of a verb: one transaction, one moment and one actor. A verb reads no clock and opens
 * no transaction, so several verbs can make one change, and tests and the sandbox play a month in
 * seconds.
 */
export interface Work extends SharedWork {
  readonly actor: Actor
}

/** The context of verbs that change something for several actors at once: each change names its own. */
export interface SharedWork {
  readonly tx: Transaction
  /** The moment of the change, and the same for statements. */
  readonly now: Instant
  readonly at: Timestamp
}

/** Runs verbs in one transaction, and runs them again when the database aborts it (deadlock). */
export function perform<T>(
  db: Database,
  clock: Clock,
  actor: Actor,
  verbs: (work: Work) => Promise<T>,
  mode?: TransactionMode,
): Promise<T> {
  return inTransaction(db, (tx) => verbs(workAt(tx, clock.now(), actor)), undefined, mode)
}

/**
 * Waits for the client's turn, then calls `change` with the mode that its transaction must have
 * (identity/keys/client-turns.ts).
 */
export type InTurn = <T>(
  change: (mode: TransactionMode) => Promise<T>,
  options?: TurnOptions,
) => Promise<T>

/** A context at a given moment in a transaction that the caller holds. */
export function workAt(tx: Transaction, now: Instant, actor: Actor): Work {
  return { ...sharedWorkAt(tx, now), actor }
}

/** The context of shared verbs, like `workAt`. */
export function sharedWorkAt(tx: Transaction, now: Instant): SharedWork {
  return { tx, now, at: toTimestamp(now) }
}

/**
 * Reads that have to be of one moment. Inside a verb's transaction they are made in it, under the
 * locks that the verb holds.
 */
export function inSnapshot<T>(db: Queryable, read: (tx: Queryable) => Promise<T>): Promise<T> {
  if (isTransaction(db)) return read(db)
  return db.begin({ mode: 'isolation level repeatable read read only' }, read)
}

function isTransaction(db: Queryable): db is Transaction {
  return (db as Partial<Database>).begin === undefined
}
