import type { Position } from '../kernel/cursor.ts'
import type { Queryable } from './connection.ts'
import type { Fragment } from './fragment.ts'

/**
 * The condition for rows that follow a position of a list that shows the newest rows first: by their time,
 * then id, both descending. All rows when the position is undefined.
 */
export function afterPosition(
  db: Queryable,
  table: string,
  after: Position | undefined,
  time = 'created_at',
) {
  if (after === undefined) return db``
  const [at, id] = after.map(String) as [string, string]
  return db`
    and (${db(`${table}.${time}`)}, ${db(`${table}.id`)}) < (${at}::timestamptz, ${id}::uuid)`
}

/**
 * A list of several clients' rows, newest first. The statement reads the newest row of each client, by the index that
 * serves the client's own list. Only clients whose newest row is among the first of these can have rows on the page, and no
 * row on it is older than these: so the statement reads about as many rows as there are clients and places on the page.
 * No index needs to span clients, and clients that are not listed cost nothing.
 */
export interface AcrossClients {
  /** The clients to list, as rows c (id). */
  readonly clients: Fragment
  readonly table: string
  /** The column that says how new a row is; created_at by default. */
  readonly time?: string
  /** Conditions on the table, under its alias `x`. The client's condition is added. */
  readonly where: Fragment
  /** Conditions that split the rows into parts, where each part has an index of its own. */
  readonly parts?: readonly Fragment[]
}

/** Rows (client_id, id, created_at: their time) of one page and one row more, in order. */
export function newestAcrossClients(
  db: Queryable,
  { clients, table, time = 'created_at', where, parts = [db`true`] }: AcrossClients,
  page: { readonly limit: number; readonly after: Position | undefined },
): Fragment {
  const rows = page.limit + 1
  const at = db(`x.${time}`)
  const firsts = (isWanted: Fragment, limit: number) =>
    parts
      .map(
        (part) => db`
          (select x.client_id, x.id, ${at} as created_at from ${db(table)} x
          where x.client_id = c.id and ${part} and ${where}
            ${afterPosition(db, 'x', page.after, time)} and ${isWanted}
          order by ${at} desc, x.id desc limit ${limit})`,
      )
      .reduce((all, each) => db`${all} union all ${each}`)
  return db`
    with newest as materialized (
      select n.* from ${clients} cross join lateral (${firsts(db`true`, 1)}) n
      order by n.created_at desc, n.id desc limit ${rows}
    ), oldest as materialized (
      select case when count(*) = ${rows} then min(created_at) else '-infinity' end as at from newest
    )
    select k.*
    from (select distinct client_id as id from newest) c cross join oldest
    cross join lateral (${firsts(db`${at} >= oldest.at`, rows)}) k
    order by k.created_at desc, k.id desc limit ${rows}`
}
