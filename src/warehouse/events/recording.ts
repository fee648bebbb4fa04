import type { Database, Queryable } from '../../platform/db/connection.ts'
import { isStaying } from '../../platform/db/leaving.ts'
import type { Work } from '../../platform/db/work.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'

/**
 * Whose events are recorded. Recording costs a client nothing until its first subscription or its first
 * call of the feed, and ends when it has had neither for the time that events are kept.
 *
 *     not recorded --subscription or call of the feed--> recorded --unused for the retention--> not recorded
 */

/** Whether the events of the client are written even where no subscription gets them. */
export async function isRecorded(db: Queryable, clientId: string): Promise<boolean> {
  const rows = await db`
    select from event_feeds where client_id = ${clientId} and since is not null`
  return rows.length > 0
}

/**
 * Begins recording, or notes that it is still of use. Positions of an earlier recording end: between the
 * two, events are missing.
 */
export async function keepRecording({ tx, at }: Work, clientId: string): Promise<void> {
  await tx`
    insert into event_feeds as f (client_id, recording, since, first_number, used_at)
    values (${clientId}, ${newId()}, ${at}, ${lastNumber(tx)}, ${at})
    on conflict (client_id) do update set
      recording = case when f.since is null then excluded.recording else f.recording end,
      first_number = case when f.since is null then excluded.first_number else f.first_number end,
      dropped_position = case when f.since is null then f.last_position else f.dropped_position end,
      since = coalesce(f.since, excluded.since),
      used_at = excluded.used_at`
}

/** Events that are written from now on get higher numbers. */
function lastNumber(db: Queryable) {
  return db`coalesce(pg_sequence_last_value(pg_get_serial_sequence('events', 'number')::regclass), 0)`
}

/**
 * Corrects the beginning of a recording that was committed after `from`, by the clock of `at`: changes that
 * began before the commit did not see it.
 */
export async function beginAt(db: Database, clientId: string, recording: string, at: Instant) {
  await db`
    update event_feeds set since = ${toTimestamp(at)}
    where client_id = ${clientId} and recording = ${recording}`
}

const endedAtOnce = 1_000

/** Ends recordings that nobody has used since `before`, at most a thousand at a time. */
export async function endUnusedRecordings(db: Database, before: Instant): Promise<void> {
  await db`
    update event_feeds set since = null
    where client_id in (
      select f.client_id from event_feeds f
      where f.since is not null and f.used_at < ${toTimestamp(before)} and ${isStaying(db, 'f.client_id')} and not exists (
        select from webhook_subscriptions s where s.client_id = f.client_id)
      limit ${endedAtOnce}
    ) and used_at < ${toTimestamp(before)}`
}
