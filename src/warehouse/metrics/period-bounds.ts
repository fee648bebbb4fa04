import type { Queryable } from '../../platform/db/connection.ts'
import { toTimestamp } from '../../platform/kernel/moscow-time.ts'
import type { Period } from './period.ts'

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
