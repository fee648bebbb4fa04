import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import {
  day,
  hour,
  type Instant,
  midnight,
  moscowDate,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import { count, moment } from '../../platform/kernel/schema.ts'

const amounts = {
  packed: count('Сколько заказов собрано.'),
  handed_over: count('Сколько заказов передано.'),
}

export const TodayCurve = Type.Object(
  {
    counted_at: moment('Когда посчитано: при многих тысячах заказов — несколько секунд назад.'),
    items: Type.Array(
      Type.Object({
        at: moment('Начало часа по Москве.'),
        ...amounts,
        yesterday: Type.Object(amounts, { description: 'За тот же час вчера.' }),
      }),
      { description: 'Все 24 часа сегодняшних суток по порядку; в будущих часах нули.' },
    ),
  },
  { $id: 'TodayCurve', description: 'Как идёт день: собранные и переданные заказы по часам.' },
)

export interface OrdersOfHour {
  /** Milliseconds. */
  readonly start: Instant
  readonly packed: number
  readonly handed_over: number
}

/**
 * Orders of the clients `c` that are seen, packed or handed over today or yesterday, by the hour. A packed order is in
 * a shipment that is open or was closed since yesterday. So the cost grows with the orders of these, not with the
 * history.
 */
export function ordersByHour(db: Queryable, seen: Fragment, now: Instant): Promise<OrdersOfHour[]> {
  const since = db`${toTimestamp(midnight(moscowDate(now)) - day)}::timestamptz`
  const shipments = (condition: Fragment) => db`
    select s.client_id, s.id, s.closed_at, s.orders_count
    from clients c join shipments s on s.client_id = c.id and not s.observed and ${condition}
    where ${seen}`
  return db<OrdersOfHour[]>`
    with closed as materialized (${shipments(db`s.closed_at >= ${since}`)})
    select (extract(epoch from date_trunc('hour', x.at)) * 1000)::bigint as start,
      sum(x.packed)::int as packed, sum(x.handed_over)::int as handed_over
    from (
      select s.closed_at as at, 0 as packed, s.orders_count as handed_over from closed s
      union all
      select o.packed_at, 1, 0
      from (
        select client_id, id from closed
        union all
        select client_id, id from (${shipments(db`s.status = 'ASSEMBLING'`)}) open
      ) s
      join orders o on o.client_id = s.client_id and o.shipment_id = s.id
        and o.packed_at >= ${since} and o.status <> 'CANCELLED'
    ) x
    group by 1`
}

/** All hours of the day in Moscow, each beside the same one of the day before. */
export function curveOfToday(
  hours: readonly OrdersOfHour[],
  now: Instant,
): Static<typeof TodayCurve> {
  const counted = new Map(hours.map((each) => [each.start, each]))
  const amountsAt = (start: Instant) => {
    const { packed = 0, handed_over = 0 } = counted.get(start) ?? {}
    return { packed, handed_over }
  }
  const first = midnight(moscowDate(now))
  const items = Array.from({ length: day / hour }, (_, n) => {
    const start = first + n * hour
    return { at: toTimestamp(start), ...amountsAt(start), yesterday: amountsAt(start - day) }
  })
  return { counted_at: toTimestamp(now), items }
}
