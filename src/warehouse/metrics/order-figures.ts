import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { talliesOf } from '../../platform/db/tallied-days.ts'
import { orderCounts } from '../orders/queries.ts'
import { type OrderStatus, orderStatuses, orderStatusLabels } from '../orders/state.ts'
import { amountsOf, type FigureRows, ofSource, periodBounds } from './figure-rows.ts'
import type { Period } from './period.ts'

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

/**
 * Counts the orders that the buyer received inside the period (`delivered`). As `sorted` it counts these and those that
 * reached a sorted status for the first time inside it, so `delivered` is never above `sorted`: a funnel whose later step
 * is larger reads as a fault. An order sorted in one period and received in the next counts as sorted in both.
 */
export function milestoneFigures(db: Queryable, clientId: string, period: Period): Fragment {
  const days = touchedDays(db, period)
  const tallies = talliesOf(
    db,
    days,
    (within) => db`
      select milestone, orders from milestone_tallies
      where client_id = ${clientId} and milestone in ('sorted', 'delivered') and ${within}`,
  )
  const outside = (milestone: Fragment, at: Fragment) =>
    unionOf(
      db,
      days.cutOff(at).map(
        (cut) => db`
          select ${milestone}, -1::bigint from seller_orders where client_id = ${clientId} and ${cut}`,
      ),
    )
  return db`
    select 'milestones' as source, milestone as name, '' as detail, sum(orders)::bigint as amount from (
      ${tallies}
      union all
      ${outside(db`'sorted'`, db`sorted_at`)}
      union all
      ${outside(db`'delivered'`, db`delivered_at`)}
      union all
      ${receivedOnly(db, clientId, period)}
    ) m group by milestone`
}

/** Rows that add up to the orders that the buyer received inside the period, but that were sorted outside it. */
function receivedOnly(db: Queryable, clientId: string, period: Period): Fragment {
  const { first, last, start, end, cutOff } = touchedDays(db, period)
  const tallies = talliesOf(
    db,
    { first, last },
    (within) => db`
      select 'sorted', orders from sorted_delivered_tallies
      where client_id = ${clientId} and ${within} and sorted_day not between ${first} and ${last}`,
  )
  const receivedOutside = cutOff(db`delivered_at`).map(
    (cut) => db`
      select 'sorted', -1::bigint from seller_orders
      where client_id = ${clientId} and ${cut} and (sorted_at is null
        or sorted_at < ${first}::timestamptz or sorted_at >= (${last} + 1)::timestamptz)`,
  )
  // The fence (offset 0) makes the plan begin with the orders of the cut days, not with all deliveries of the period.
  const sortedOutside = cutOff(db`sorted_at`).map(
    (cut) => db`
      select 'sorted', 1::bigint from (
        select delivered_at from seller_orders where client_id = ${clientId} and ${cut} offset 0
      ) o where delivered_at >= ${start} and delivered_at < ${end}`,
  )
  return unionOf(db, [tallies, ...receivedOutside, ...sortedOutside])
}

/** The days that a period touches; `cutOff` gives the conditions for moments on them before and behind the period. */
function touchedDays(db: Queryable, period: Period) {
  const { start, end, firstDay: first, lastDay: last } = periodBounds(db, period)
  const cutOff = (at: Fragment) => [
    db`${at} >= ${first}::timestamptz and ${at} < ${start}`,
    db`${at} >= ${end} and ${at} < (${last} + 1)::timestamptz`,
  ]
  return { first, last, start, end, cutOff }
}

function unionOf(db: Queryable, parts: readonly Fragment[]): Fragment {
  return parts.reduce((all, part) => db`${all} union all ${part}`)
}

export function milestonesOf(rows: FigureRows): { sorted: number; delivered: number } {
  const amount = amountsOf(rows, 'milestones')
  return { sorted: amount('sorted'), delivered: amount('delivered') }
}
