import type { Database, Transaction } from '../db/connection.ts'

/**
 * Whoever is at a task is the only one, in whatever process: an advisory lock of a transaction that
 * does nothing else, so that rows stay free while a marketplace thinks, and a process that ends lets
 * go however it ends.
 */

/** Waits for its turn. */
export function holdingTask<T>(
  db: Database,
  task: { readonly id: string },
  act: () => Promise<T>,
): Promise<T> {
  return guarded(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(${keyOf(tx, task)})`
    return act()
  })
}

/** Undefined where somebody is at it. */
export function ifNobodyHolds<T>(
  db: Database,
  task: { readonly id: string },
  act: () => Promise<T>,
): Promise<T | undefined> {
  return guarded(db, async (tx) => {
    const [row] = await tx<[{ held: boolean }]>`
      select pg_try_advisory_xact_lock(${keyOf(tx, task)}) as held`
    return row.held ? act() : undefined
  })
}

async function guarded<T>(db: Database, run: (tx: Transaction) => Promise<T>): Promise<T> {
  const { outcome } = await db.begin(async (tx) => {
    // The marketplace is asked inside, and may take its time.
    await tx`set local idle_in_transaction_session_timeout = '15min'`
    return { outcome: await run(tx) }
  })
  return outcome
}

function keyOf(tx: Transaction, { id }: { readonly id: string }) {
  return tx`hashtextextended(${`cabinet task ${id}`}, 0)`
}
