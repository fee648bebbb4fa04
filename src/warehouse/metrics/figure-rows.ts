import type { Queryable } from '../../platform/db/connection.ts'
import { toTimestamp } from '../../platform/kernel/moscow-time.ts'
import type { Period } from './period.ts'

/**
 * The figures of a client for a period are read by one statement, as rows. Each source is a query for the columns `source`,
 * `name`, `detail` and `amount`.
 */
export interface FigureRow {
  readonly source: 'moved' | 'stored' | 'warehouse' | 'created' | 'milestones' | 'history'
  readonly name: string
  /** What a figure is of where its name has several, such as a reason; otherwise empty. */
  readonly detail: string
  /** The text of a reason; null: it has none. */
  readonly label: string | null
  readonly amount: number
}

export type FigureRows = readonly FigureRow[]

export function ofSource(rows: FigureRows, source: FigureRow['source']): FigureRows {
  return rows.filter((row) => row.source === source)
}

/** The figures of a source by name; a name without a row is 0. */
export function amountsOf(rows: FigureRows, source: FigureRow['source']): (name: string) => number {
  const amounts = new Map(ofSource(rows, source).map(({ name, amount }) => [name, amount]))
  return (name) => amounts.get(name) ?? 0
}

/** SQL for the bounds of a period, and for the first and the last day that it touches. */
export function periodBounds(db: Queryable, { from, to }: Period) {
  const start = db`${toTimestamp(from)}::timestamptz`
  const end = db`${toTimestamp(to)}::timestamptz`
  return {
    start,
    end,
    firstDay: db`moscow_day(${start})`,
    lastDay: db`moscow_day(${end} - interval '1 millisecond')`,
  }
}
