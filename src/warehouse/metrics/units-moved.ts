import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { talliesOf } from '../../platform/db/tallied-days.ts'
import { amountsOf, type FigureRows, periodBounds } from './figure-rows.ts'
import type { Period } from './period.ts'

const countedKinds = ['acceptance', 'return', 'correction', 'write_off'] as const

/** Units that movements of a period added or, negative, took. */
export type UnitsMoved = Readonly<Record<(typeof countedKinds)[number], number>>

export function unitsMoved(db: Queryable, clientId: string, period: Period): Fragment {
  const { start, end, firstDay, lastDay } = periodBounds(db, period)
  const ofClient = db`client_id = ${clientId} and kind = any(${[...countedKinds]}::text[])`
  const tallies = talliesOf(
    db,
    { first: firstDay, last: lastDay },
    (within) => db`select kind, units from movement_tallies where ${ofClient} and ${within}`,
  )
  return db`
    select 'moved' as source, kind as name, '' as detail, sum(units)::bigint as amount from (
      ${tallies}
      union all
      select kind, -delta from stock_movements
      where ${ofClient} and at >= ${firstDay}::timestamptz and at < ${start}
      union all
      select kind, -delta from stock_movements
      where ${ofClient} and at >= ${end} and at < (${lastDay} + 1)::timestamptz
    ) u group by kind`
}

export function unitsMovedOf(rows: FigureRows): UnitsMoved {
  const amount = amountsOf(rows, 'moved')
  return {
    acceptance: amount('acceptance'),
    return: amount('return'),
    correction: amount('correction'),
    write_off: amount('write_off'),
  }
}
