import type { Queryable } from '../db/connection.ts'
import { talliesOf } from '../db/tallied-days.ts'
import { orderCounts } from '../orders/queries.ts'
import { type OrderStatus, orderStatuses, orderStatusLabels } from '../orders/state.ts'
import type { Period } from './period.ts'
import { periodBounds } from './period-bounds.ts'

export interface OrderFigures {
  total: number
  cancelled: number
  sorted: number
  delivered: number
  byStatus: { status: OrderStatus; label: string; count: number }[]
}

/** Counts the orders created in a period, by their current status. */
export async function readOrderFigures(
  db: Queryable,
  clientId: string,
  { from, to }: Period,
): Promise<OrderFigures> {
  const rows = await db<
    { status: OrderStatus; orders: number; sorted: number; delivered: number }[]
  >`
    select status, sum(orders)::bigint as orders,
      coalesce(sum(orders) filter (where sorted), 0)::bigint as sorted,
      coalesce(sum(orders) filter (where delivered), 0)::bigint as delivered
    from (${orderCounts(db, clientId, from, to)}) c group by status`
  const counts = new Map(rows.map((row) => [row.status, row.orders]))
  return {
    total: rows.reduce((total, row) => total + row.orders, 0),
    cancelled: counts.get('CANCELLED') ?? 0,
    sorted: rows.reduce((total, row) => total + row.sorted, 0),
    delivered: rows.reduce((total, row) => total + row.delivered, 0),
    byStatus: orderStatuses.map((status) => ({
      status,
      label: orderStatusLabels[status],
      count: counts.get(status) ?? 0,
    })),
  }
}

/** The number of orders that reached a milestone for the first time inside the period. */
export async function readMilestones(
  db: Queryable,
  clientId: string,
  period: Period,
): Promise<{ sorted: number; delivered: number }> {
  const { start, end, firstDay, lastDay } = periodBounds(db, period)
  const days = { first: firstDay, last: lastDay }
  const tallies = talliesOf(
    db,
    days,
    (within) => db`
      select milestone, orders from milestone_tallies
      where client_id = ${clientId} and milestone in ('sorted', 'delivered') and ${within}`,
  )
  const [row] = await db<[{ sorted: number; delivered: number }]>`
    select coalesce(sum(orders) filter (where milestone = 'sorted'), 0)::bigint as sorted,
      coalesce(sum(orders) filter (where milestone = 'delivered'), 0)::bigint as delivered
    from (
      ${tallies}
      union all
      select 'sorted', -1 from seller_orders
      where client_id = ${clientId}
        and sorted_at >= ${firstDay}::timestamptz and sorted_at < ${start}
      union all
      select 'sorted', -1 from seller_orders
      where client_id = ${clientId}
        and sorted_at >= ${end} and sorted_at < (${lastDay} + 1)::timestamptz
      union all
      select 'delivered', -1 from seller_orders
      where client_id = ${clientId}
        and delivered_at >= ${firstDay}::timestamptz and delivered_at < ${start}
      union all
      select 'delivered', -1 from seller_orders
      where client_id = ${clientId}
        and delivered_at >= ${end} and delivered_at < (${lastDay} + 1)::timestamptz
    ) m`
  return row
}
