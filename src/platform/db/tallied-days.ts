import type { Queryable } from './connection.ts'
import type { Fragment } from './statements/fragment.ts'

/** Whole days, the last one included; undefined: no bound. */
export interface TalliedDays {
  readonly first: Fragment | undefined
  readonly last: Fragment | undefined
}

/**
 * Rows of tallies that add up to these days. Tables of tallies have a row per day and a row per month (`span`, `day`).
 * The months that lie inside and the days around them answer, so a year costs hardly more than two months. `rows` is
 * a query for the rows of a condition on `span` and `day`.
 */
export function talliesOf(
  db: Queryable,
  { first, last }: TalliedDays,
  rows: (within: Fragment) => Fragment,
): Fragment {
  const firstMonth =
    first === undefined
      ? db`'-infinity'::date`
      : db`(month_of(${first} - 1) + interval '1 month')::date`
  const endOfMonths = last === undefined ? db`'infinity'::date` : db`month_of(${last} + 1)`
  const months = rows(db`span = 'month' and day >= ${firstMonth} and day < ${endOfMonths}`)
  const before =
    first &&
    rows(db`
      span = 'day' and day >= ${first} and day < ${firstMonth}
      ${last === undefined ? db`` : db`and day <= ${last}`}`)
  const behind =
    last &&
    rows(db`
      span = 'day' and day <= ${last} and day >= greatest(${firstMonth}, ${endOfMonths})`)
  return [before, behind]
    .filter((part) => part !== undefined)
    .reduce((all, part) => db`${all} union all ${part}`, months)
}
