import type { Database } from '../../platform/db/connection.ts'
import { day, type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'

/**
 * Opens partitions of the call journal ahead of time, and drops those whose calls are all older than the retention. A
 * partition holds a twelfth of the retention, in whole days, so a call may stay that much longer. Several processes
 * may do it at once. `reached` is the moment of the retention clock: what is older than the retention at that moment
 * is dropped.
 */
export async function rotateCallJournal(
  db: Database,
  now: Instant,
  retentionDays: number,
  reached: Instant = now,
): Promise<void> {
  await db`select open_call_journal(${toTimestamp(now)}::timestamptz, ${retentionDays}::integer)`
  const before = toTimestamp(reached - retentionDays * day)
  await db`select drop_old_calls(${before}::timestamptz)`
}
