import type { Database } from '../db/connection.ts'
import { type Instant, toTimestamp } from '../kernel/moscow-time.ts'

const batch = 10_000

/** Deletes calls from before a moment, the oldest first, a bounded number at a time. */
export async function deleteOldCalls(db: Database, before: Instant): Promise<number> {
  const { count } = await db`
    delete from call_journal where id in (
      select id from call_journal where at < ${toTimestamp(before)} order by at limit ${batch})`
  return count
}
