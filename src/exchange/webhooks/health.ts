import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { day, hour, type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment } from '../../platform/kernel/schema.ts'

export const WebhookHealth = Type.Object(
  {
    healthy: count('Подписок, которые работают.'),
    failing: count('Подписок, у которых последняя попытка не удалась.'),
    disabled: count('Отключённых подписок.'),
    pending: count('Доставок за сутки, которые ещё ждут.'),
    delivered: count('Доставок за сутки, которые удались.'),
    failed: count('Доставок за сутки, которые не удались.'),
  },
  { $id: 'WebhookHealth', description: 'Здоровье вебхуков: подписки сейчас и доставки за сутки.' },
)
export type WebhookHealth = Static<typeof WebhookHealth>

/** Subscriptions of the clients `c` that are seen, and their deliveries of the last 24 hours. */
export async function webhookHealth(
  db: Queryable,
  seen: Fragment,
  now: Instant,
): Promise<WebhookHealth> {
  const [row] = await db<[WebhookHealth]>`
    select
      count(*) filter (where w.disabled_at is null and w.failures_in_row = 0) as healthy,
      count(*) filter (where w.disabled_at is null and w.failures_in_row > 0) as failing,
      count(*) filter (where w.disabled_at is not null) as disabled,
      coalesce(sum(d.pending), 0)::bigint as pending,
      coalesce(sum(d.delivered), 0)::bigint as delivered,
      coalesce(sum(d.failed), 0)::bigint as failed
    from clients c join webhook_subscriptions w on w.client_id = c.id
    cross join lateral (
      select count(*) filter (where status = 'PENDING') as pending,
        count(*) filter (where status = 'DELIVERED') as delivered,
        count(*) filter (where status = 'FAILED') as failed
      from (${deliveriesSince(db, now - day)}) d
    ) d
    where ${seen}`
  return row
}

/** What came to the subscription `w` since a moment. The statuses are named because the index has them before the time. */
function deliveriesSince(db: Queryable, since: Instant): Fragment {
  const own = db`client_id = w.client_id and webhook_id = w.id and created_at >= ${toTimestamp(since)}`
  return db`
    select 'PENDING' as status, attempts, created_at from pending_deliveries where ${own}
    union all
    select status, attempts, created_at from ended_deliveries
    where ${own} and status = any('{DELIVERED,FAILED}')`
}

export const WebhookHour = Type.Object(
  {
    at: moment('Начало часа.'),
    delivered: count('Доставок событий этого часа, которые удались.'),
    undelivered: count('Которые не удались, хотя бы пока: ждут повтора или больше не пробуются.'),
  },
  { $id: 'WebhookHour', description: 'Доставки вебхуков за час.' },
)
export type WebhookHour = Static<typeof WebhookHour>

const hoursShown = 48

/** Every hour of the last two days, this one included, the oldest first: by when their deliveries came about. */
export async function webhookHours(
  db: Queryable,
  seen: Fragment,
  now: Instant,
): Promise<WebhookHour[]> {
  const last = Math.floor(now / hour) * hour
  const first = last - (hoursShown - 1) * hour
  const rows = await db<{ start: number; delivered: number; undelivered: number }[]>`
    select (extract(epoch from date_trunc('hour', d.created_at)) * 1000)::bigint as start,
      count(*) filter (where d.status = 'DELIVERED') as delivered,
      count(*) filter (where d.status <> 'DELIVERED' and d.attempts > 0) as undelivered
    from clients c join webhook_subscriptions w on w.client_id = c.id
    cross join lateral (${deliveriesSince(db, first)}) d
    where ${seen} group by 1`
  const known = new Map(rows.map(({ start, ...counts }) => [start, counts]))
  return Array.from({ length: hoursShown }, (_, index) => {
    const start = first + index * hour
    return { at: toTimestamp(start), ...(known.get(start) ?? { delivered: 0, undelivered: 0 }) }
  })
}
