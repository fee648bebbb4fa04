import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { talliesOf } from '../../platform/db/tallied-days.ts'
import { amountsOf, type FigureRows, ofSource, periodBounds } from './figure-rows.ts'
import type { Period } from './period.ts'
import type { ReasonCount } from './view.ts'

/** What the warehouse did in a period: receipts by their completion, shipments by their closing, misses by their report. */
export interface WarehouseFigures {
  readonly receipts: number
  readonly expected: number
  readonly accepted: number
  /** Cancelled receipts, which the figures before leave out. */
  readonly cancelled: number
  readonly shipments: number
  /** Units that left with the shipments. */
  readonly shipped: number
  /** Units by reason, most first. */
  readonly shortages: ReasonCount[]
  readonly notFound: ReasonCount[]
}

/** From the tallies of the days that the period touches, without the rows of these days that lie outside of it. */
export function warehouseFigures(db: Queryable, clientId: string, period: Period): Fragment {
  const { start, end, firstDay, lastDay } = periodBounds(db, period)
  const tallies = talliesOf(
    db,
    { first: firstDay, last: lastDay },
    (within) => db`
      select figure, reason, amount from warehouse_tallies where client_id = ${clientId} and ${within}`,
  )
  return db`
    select 'warehouse' as source, figure as name, reason as detail, sum(amount)::bigint as amount from (
      ${tallies}
      union all
      select figure, reason, -amount from warehouse_figures
      where client_id = ${clientId} and at >= ${firstDay}::timestamptz and at < ${start}
      union all
      select figure, reason, -amount from warehouse_figures
      where client_id = ${clientId} and at >= ${end} and at < (${lastDay} + 1)::timestamptz
    ) u group by figure, reason having sum(amount) <> 0`
}

/** The rows come with the largest amounts first. */
export function warehouseFiguresOf(rows: FigureRows): WarehouseFigures {
  const total = amountsOf(rows, 'warehouse')
  return {
    receipts: total('receipts'),
    expected: total('expected_units'),
    accepted: total('accepted_units'),
    cancelled: total('cancelled_receipts'),
    shipments: total('closed_shipments'),
    shipped: total('shipped_units'),
    shortages: countsOf(rows, 'shortage', () => 'Другая причина'),
    notFound: countsOf(rows, 'not_found', (reason) => reason),
  }
}

function countsOf(
  rows: FigureRows,
  wanted: string,
  unlabelled: (reason: string) => string,
): ReasonCount[] {
  return ofSource(rows, 'warehouse')
    .filter(({ name }) => name === wanted)
    .map(({ detail: reason, label, amount }) => ({
      reason,
      label: label ?? unlabelled(reason),
      count: amount,
    }))
}
