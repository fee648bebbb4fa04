import type { PendingQuery, Row } from 'postgres'
import type { Position } from '../kernel/cursor.ts'
import type { Queryable } from './connection.ts'
import { afterPosition } from './newest-first.ts'

type Fragment = PendingQuery<Row[]>

/**
 * Lists over all clients, the newest first: the first few of each client, over the index that its
 * own list has, and of these the first. So no index leads across clients, and test clients cost
 * nothing.
 */
export interface Across {
  /** One client; undefined: all live ones. */
  readonly client: string | undefined
  readonly table: 'receipts' | 'orders' | 'shipments' | 'boxes' | 'pallets'
  /** Conditions on the table, by its alias `x`; the client is seen to. */
  readonly where: Fragment
}

/** The clients that are looked at, as rows c (id). */
export function clientsOf(db: Queryable, client: string | undefined): Fragment {
  return client === undefined
    ? db`(select id from clients where mode = 'live') c`
    : db`(select ${client}::uuid as id) c`
}

/** Rows (client_id, id, created_at) of one page and one more, in order. */
export function newestOf(
  db: Queryable,
  { client, table, where }: Across,
  page: { readonly limit: number; readonly after: Position | undefined },
): Fragment {
  return db`
    select k.* from ${clientsOf(db, client)} cross join lateral (
      select x.client_id, x.id, x.created_at from ${db(table)} x
      where x.client_id = c.id and ${where} ${afterPosition(db, 'x', page.after)}
      order by x.created_at desc, x.id desc limit ${page.limit + 1}
    ) k
    order by k.created_at desc, k.id desc limit ${page.limit + 1}`
}
