import type { Database } from '../../platform/db/connection.ts'
import { isStaying } from '../../platform/db/leaving.ts'
import { type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { bringForward } from '../../warehouse/events/delivery-log.ts'
import { failuresMax, pauseAfterFailures, type RetrySchedule, retryPause } from './schedule.ts'

/**
 * A clock that ran ahead and was set right leaves plans that lie too far in the future: deliveries, pauses and leases
 * would wait until the clock is there again. None of them ends later than it would if it began now.
 */
export async function planFromNow(
  db: Database,
  { schedule, leaseMs, now }: { schedule: RetrySchedule; leaseMs: number; now: Instant },
): Promise<void> {
  const longest = schedule.map((_, n) => retryPause(schedule, n + 1, 1) ?? 0)
  await bringForward(
    db,
    [0, ...longest].map((pause) => toTimestamp(now + pause)),
  )
  const pauses = Array.from({ length: failuresMax + 1 }, (_, failures) => ({
    failures,
    until: toTimestamp(now + pauseAfterFailures(schedule, failures)),
  }))
  const leasedUntil = toTimestamp(now + leaseMs)
  // As leases do: a row that another transaction holds is left to it.
  await db`
    with late as (
      select w.client_id, w.id, p.until from webhook_subscriptions w
      join jsonb_to_recordset(${db.json(pauses)}) as p (failures integer, until timestamptz)
        on p.failures = w.failures_in_row
      where (w.leased_until > ${leasedUntil} or w.paused_until > p.until) and ${isStaying(db, 'w.client_id')}
      for no key update of w skip locked
    )
    update webhook_subscriptions w set
      leased_until = case when w.leased_until > ${leasedUntil} then ${leasedUntil} else w.leased_until end,
      paused_until = case when w.paused_until > l.until then l.until else w.paused_until end
    from late l where w.client_id = l.client_id and w.id = l.id`
}
