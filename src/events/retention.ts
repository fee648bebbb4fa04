import { type Database, inTransaction } from '../db/connection.ts'
import { type Instant, toTimestamp } from '../kernel/moscow-time.ts'
import { dropFromFeeds, type EventKey } from './feed.ts'

const eventsPerDeletion = 5_000
/** A step of maintenance takes at most about so long; a minute later the next one goes on. */
const usualMsMax = 10_000

/**
 * Deletes all events from before a moment with their deliveries and attempts, the oldest first, 5000 events a
 * transaction, until `msMax` have passed: as many as were written in hours. Returns how many events it deleted.
 */
export async function deleteOldEvents(
  db: Database,
  before: Instant,
  msMax = usualMsMax,
): Promise<number> {
  const begun = performance.now()
  let deleted = 0
  for (let last = eventsPerDeletion; last === eventsPerDeletion; deleted += last) {
    if (performance.now() - begun > msMax) break
    last = await deleteOldestEvents(db, before)
  }
  return deleted
}

function deleteOldestEvents(db: Database, before: Instant): Promise<number> {
  return inTransaction(db, async (tx) => {
    const old = await tx<EventKey[]>`
      select client_id, id from events where occurred_at < ${toTimestamp(before)}
      order by occurred_at limit ${eventsPerDeletion}`
    if (old.length === 0) return 0
    await dropFromFeeds(tx, old)
    const [row] = await tx<[{ count: number }]>`
      with old as (
        select * from jsonb_to_recordset(${tx.json(old)}) as k (client_id uuid, id uuid)
      ), gone as (
        delete from webhook_deliveries d using old o
        where d.client_id = o.client_id and d.event_id = o.id
        returning d.client_id, d.id
      ), attempts as (
        delete from webhook_attempts a using gone g
        where a.client_id = g.client_id and a.delivery_id = g.id
      ), events as (
        delete from events e using old o where e.client_id = o.client_id and e.id = o.id returning 1
      )
      select count(*)::int as count from events`
    return row.count
  })
}
