import type { Database } from '../../platform/db/connection.ts'
import {
  fromTimestamp,
  type Instant,
  type Timestamp,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'

/**
 * Moves the retention clock and answers with it: the moment by which old data is dropped. It is never ahead of `now`,
 * and goes on by at most an hour with each call. Maintenance calls it once a minute. If the machine's clock jumps
 * ahead by a year, each process drops an hour more a minute. The oldest days of a retention go early then. What is
 * not sent yet stays for at least half a day, in which somebody can set the clock right. After a long stop, and in a
 * restored backup, it catches up in the same steps.
 */
export async function moveRetentionClock(db: Database, now: Instant): Promise<Instant> {
  const [{ reached }] = await db<[{ reached: Timestamp }]>`
    insert into retention_clock as c (reached) values (${toTimestamp(now)})
    on conflict (one) do update set reached = least(excluded.reached, c.reached + interval '1 hour')
    returning reached`
  return fromTimestamp(reached)
}
