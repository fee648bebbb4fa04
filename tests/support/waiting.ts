import { type Database, inTransaction, type Transaction } from '../../src/platform/db/connection.ts'
import { eventually } from './faults.ts'

/**
 * Calls `other` while a transaction of `first` is open, which is committed once `other` waits for a lock or is over. So
 * each of the two has begun before the other one ends. Nothing else may wait for locks of the database meanwhile.
 */
export async function meanwhile<T>(
  db: Database,
  first: (tx: Transaction) => Promise<unknown>,
  other: () => Promise<T>,
): Promise<{ readonly answer: T; readonly waited: boolean }> {
  let isOver = false
  let waited = false
  let running: Promise<T> | undefined
  await inTransaction(db, async (tx) => {
    await first(tx)
    running = other().finally(() => {
      isOver = true
    })
    running.catch(() => {})
    await eventually('the other one waits, or is over', async () => {
      const waiting = await db`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      return isOver || waiting.length > 0
    })
    waited = !isOver
  })
  return { answer: await (running as Promise<T>), waited }
}

/** Waits until no sync run of the cabinet is under way or due: one that began by itself has not seen what the next is to see. */
export async function awaitQuiet(db: Database, cabinet: string): Promise<void> {
  await eventually('no run is under way', async () => {
    const quiet = await db`
      select from cabinet_syncs
      where cabinet_id = ${cabinet} and lease is null and next_at > now()`
    return quiet.length > 0
  })
}
