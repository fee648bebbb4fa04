import type { Database, Transaction } from '../../db/connection.ts'
import type { Task } from './tasks.ts'

/**
 * Whoever is at a shipment, or at the creation of one, is the only one, in whatever process: an
 * advisory lock of a transaction that does nothing else, so that rows stay free while a marketplace
 * thinks, and a process that ends lets go however it ends. `guards` is a pool for these alone: what is
 * done under a lock never waits for a connection that another lock holds.
 */

/** Connections of a process for locks; who finds none free waits, holding nothing. */
export const guardsMax = 8

/** What is locked: a shipment, or a task that is to create one. */
export interface Guarded {
  readonly id: string
}

export function guardedBy(task: Task): Guarded {
  return { id: task.kind === 'create' ? task.id : task.shipmentId }
}

/** Waits for its turn. */
export function holding<T>(guards: Database, what: Guarded, act: () => Promise<T>): Promise<T> {
  return guarded(guards, async (tx) => {
    await tx`select pg_advisory_xact_lock(${keyOf(tx, what)})`
    return act()
  })
}

/** Undefined where somebody is at it. */
export function ifNobodyHolds<T>(
  guards: Database,
  what: Guarded,
  act: () => Promise<T>,
): Promise<T | undefined> {
  return guarded(guards, async (tx) => {
    const [row] = await tx<[{ held: boolean }]>`
      select pg_try_advisory_xact_lock(${keyOf(tx, what)}) as held`
    return row.held ? act() : undefined
  })
}

async function guarded<T>(guards: Database, run: (tx: Transaction) => Promise<T>): Promise<T> {
  const { outcome } = await guards.begin(async (tx) => {
    // The marketplace is asked inside, about a thousand orders and their codes, too.
    await tx`set local idle_in_transaction_session_timeout = '1h'`
    return { outcome: await run(tx) }
  })
  return outcome
}

function keyOf(tx: Transaction, { id }: Guarded) {
  return tx`hashtextextended(${`at a marketplace ${id}`}, 0)`
}
