import type { Position } from '../kernel/cursor.ts'
import type { Queryable } from './connection.ts'
import type { Fragment } from './fragment.ts'
import { afterPosition } from './newest-first.ts'

/**
 * A list of several clients' rows, newest first. The statement takes the first rows of each client, by the
 * index that serves the client's own list, and of these the first. So no index needs to span clients, and
 * clients that are not listed cost nothing.
 */
export interface AcrossClients {
  /** The clients to list, as rows c (id). */
  readonly clients: Fragment
  readonly table: string
  /** Conditions on the table, under its alias `x`. The client's condition is added. */
  readonly where: Fragment
  /** Conditions that split the rows into parts, where each part has an index of its own. */
  readonly parts?: readonly Fragment[]
}

/** Rows (client_id, id, created_at) of one page and one row more, in order. */
export function newestAcrossClients(
  db: Queryable,
  { clients, table, where, parts = [db`true`] }: AcrossClients,
  page: { readonly limit: number; readonly after: Position | undefined },
): Fragment {
  const firsts = parts.map(
    (part) => db`
      (select x.client_id, x.id, x.created_at from ${db(table)} x
      where x.client_id = c.id and ${part} and ${where} ${afterPosition(db, 'x', page.after)}
      order by x.created_at desc, x.id desc limit ${page.limit + 1})`,
  )
  return db`
    select k.* from ${clients} cross join lateral (
      ${firsts.reduce((all, each) => db`${all} union all ${each}`)}
    ) k
    order by k.created_at desc, k.id desc limit ${page.limit + 1}`
}
