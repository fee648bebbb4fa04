import type { Database } from '../db/connection.ts'
import { type Instant, toTimestamp } from '../kernel/moscow-time.ts'

const batch = 5_000

/** Deletes deliveries and events from before a moment, the oldest first, a bounded number at a time. */
export async function deleteOldEvents(db: Database, before: Instant): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    with old as (
      select client_id, id from events where occurred_at < ${toTimestamp(before)}
      order by occurred_at limit ${batch}
    ), gone as (
      delete from deliveries d using old o where d.client_id = o.client_id and d.event_id = o.id
      returning d.client_id, d.id
    ), attempts as (
      delete from delivery_attempts a using gone g
      where a.client_id = g.client_id and a.delivery_id = g.id
    ), events as (
      delete from events e using old o where e.client_id = o.client_id and e.id = o.id returning 1
    )
    select count(*)::int as count from events`
  return row.count
}
