import type { Queryable } from '../db/connection.ts'
import { talliesOf } from '../db/tallied-days.ts'
import type { Period } from './period.ts'
import { periodBounds } from './period-bounds.ts'
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

interface Row {
  figure: string
  reason: string
  label: string | null
  amount: number
}

/** From the tallies of the days that the period touches, without the rows of these days that lie outside of it. */
export async function readWarehouseFigures(
  db: Queryable,
  clientId: string,
  period: Period,
): Promise<WarehouseFigures> {
  const { start, end, firstDay, lastDay } = periodBounds(db, period)
  const tallies = talliesOf(
    db,
    { first: firstDay, last: lastDay },
    (within) => db`
      select figure, reason, amount from warehouse_tallies where client_id = ${clientId} and ${within}`,
  )
  const rows = await db<Row[]>`
    select f.figure, f.reason, r.label, f.amount from (
      select figure, reason, sum(amount)::bigint as amount from (
        ${tallies}
        union all
        select figure, reason, -amount from warehouse_figures
        where client_id = ${clientId} and at >= ${firstDay}::timestamptz and at < ${start}
        union all
        select figure, reason, -amount from warehouse_figures
        where client_id = ${clientId} and at >= ${end} and at < (${lastDay} + 1)::timestamptz
      ) u group by figure, reason having sum(amount) <> 0
    ) f
    left join reasons r on r.kind = f.figure and r.code = f.reason
    order by f.amount desc, f.reason`
  const totals = new Map(rows.map(({ figure, amount }) => [figure, amount]))
  const total = (figure: string) => totals.get(figure) ?? 0
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
  rows: readonly Row[],
  wanted: string,
  unlabelled: (reason: string) => string,
): ReasonCount[] {
  return rows
    .filter(({ figure }) => figure === wanted)
    .map(({ reason, label, amount }) => ({
      reason,
      label: label ?? unlabelled(reason),
      count: amount,
    }))
}
