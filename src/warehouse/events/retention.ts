import type { Database } from '../../platform/db/connection.ts'
import { day, type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'

/**
 * Opens partitions of events and their deliveries ahead of time. Drops those whose events are all older than the
 * retention, with the deliveries that still wait. A partition holds a tenth of the retention that there was when it
 * was opened, in whole days, so an event may stay that much longer. Several processes may do it at once. `reached` is
 * the moment of the retention clock: what is older than the retention at that moment is dropped.
 */
export async function rotateEvents(
  db: Database,
  now: Instant,
  retentionDays: number,
  reached: Instant = now,
): Promise<void> {
  const [{ opened }] = await db<[{ opened: number }]>`
    select open_event_partitions(${toTimestamp(now)}::timestamptz, ${retentionDays}::integer) as opened`
  // The server itself analyzes partitions only, never the tables that statements name.
  if (opened > 0) await db`analyze events, ended_deliveries`
  await db`select drop_old_events(${toTimestamp(reached - retentionDays * day)}::timestamptz)`
}
