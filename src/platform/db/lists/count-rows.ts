import type { Queryable } from '../connection.ts'
import type { Fragment } from '../statements/fragment.ts'

/** How many rows each of these parts has, in one statement. A part stands after `from`. */
export async function countRows<Name extends string>(
  db: Queryable,
  parts: Readonly<Record<Name, Fragment>>,
): Promise<Record<Name, number>> {
  const counts = Object.entries<Fragment>(parts)
    .map(([name, rows]) => db`select ${name}::text as name, count(*) as rows from ${rows}`)
    .reduce((all, next) => db`${all} union all ${next}`)
  const counted = await db<{ name: string; rows: number }[]>`${counts}`
  return Object.fromEntries(counted.map(({ name, rows }) => [name, rows])) as Record<Name, number>
}
