import type { Queryable } from '../db/connection.ts'
import type { Fragment } from '../db/fragment.ts'
import { talliesOf } from '../db/tallied-days.ts'
import { orderCounts } from '../orders/queries.ts'
import { type OrderStatus, orderStatuses, orderStatusLabels } from '../orders/state.ts'
import { amountsOf, type FigureRows, ofSource } from './figure-rows.ts'
import type { Period } from './period.ts'
import { periodBounds } from './period-bounds.ts'

export interface OrderFigures {
  readonly total: number
  readonly cancelled: number
  readonly sorted: number
  readonly delivered: number
  readonly byStatus: { status: OrderStatus; label: string; count: number }[]
}

/** Counts the orders created in a period, by their current status: all, and those that reached a milestone. */
export function orderFigures(db: Queryable, clientId: string, { from, to }: Period): Fragment {
  return db`
    select 'created' as source, s.status as name, m.detail, m.amount from (
      select status, sum(orders)::bigint as orders,
        coalesce(sum(orders) filter (where sorted), 0)::bigint as sorted,
        coalesce(sum(orders) filter (where delivered), 0)::bigint as delivered
      from (${orderCounts(db, clientId, from, to)}) c group by status
    ) s, lateral (values ('all', s.orders), ('sorted', s.sorted), ('delivered', s.delivered)) m (detail, amount)`
}

export function orderFiguresOf(rows: FigureRows): OrderFigures {
  const ofDetail = (detail: string) =>
    ofSource(rows, 'created').filter((row) => row.detail === detail)
  const total = (detail: string) => ofDetail(detail).reduce((sum, { amount }) => sum + amount, 0)
  const counts = new Map(ofDetail('all').map(({ name, amount }) => [name, amount]))
  return {
    total: total('all'),
    cancelled: counts.get('CANCELLED') ?? 0,
    sorted: total('sorted'),
    delivered: total('delivered'),
    byStatus: orderStatuses.map((status) => ({
      status,
      label: orderStatusLabels[status],
      count: counts.get(status) ?? 0,
    })),
  }
}

/** Counts the orders that reached a milestone for the first time inside the period. */
export function milestoneFigures(db: Queryable, clientId: string, period: Period): Fragment {
  const { start, end, firstDay, lastDay } = periodBounds(db, period)
  const days = { first: firstDay, last: lastDay }
  const tallies = talliesOf(
    db,
    days,
    (within) => db`
      select milestone, orders from milestone_tallies
      where client_id = ${clientId} and milestone in ('sorted', 'delivered') and ${within}`,
  )
  return db`
    select 'milestones' as source, milestone as name, '' as detail, sum(orders)::bigint as amount from (
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
    ) m group by milestone`
}

export function milestonesOf(rows: FigureRows): { sorted: number; delivered: number } {
  const amount = amountsOf(rows, 'milestones')
  return { sorted: amount('sorted'), delivered: amount('delivered') }
}
