import type { Position } from '../../kernel/cursor.ts'
import type { Queryable } from '../connection.ts'
import type { Fragment } from '../statements/fragment.ts'
import { endless, isWithin } from './filter.ts'
import { type AcrossClients, newestAcrossClients, startOf } from './newest-first.ts'
import { countOf, type Page, type PageRequest, pageOf, totalFor } from './page.ts'

/**
 * The orders that a list can be read in. Each list has a table of them by key, and `sort` of a request names one: `key`
 * ascends, `-key` descends, and the newest rows come first without it.
 *
 * A page follows the position of the last row that was shown, in whichever order, so it costs as much at the end of a
 * list as at its start.
 */
export type ListOrders = Readonly<Record<string, ListOrder>>

export type ListOrder =
  | {
      /** Rows follow each other by a time or a date, then by id. */
      readonly column: string
      /** As in AcrossClients. */
      readonly oneIndex?: boolean
      /** Rows that the order has: those where the column is filled. */
      readonly only?: Fragment
      /** The conditions of the list, where this order wants them in other words. */
      readonly where?: Fragment
      /** The parts of the rows by the indexes of this order. */
      readonly parts?: readonly Fragment[]
    }
  | {
      /** Groups of rows as rows (key: a text, rank): they follow each other by rank, the newest rows of each first. */
      readonly groups: Fragment
      /** What the rows of a group `g` are. */
      readonly inGroup: (all: AcrossClients) => AcrossClients
    }

/** A list of several clients' rows, and how each row is read. */
interface OrderedList<Row, Item> {
  readonly across: AcrossClients
  /** Without: the newest first alone. */
  readonly orders?: ListOrders
  /** The columns of a row. */
  readonly columns: Fragment
  /** The tables of the columns, with the condition that joins them to the rows k (client_id, id). */
  readonly tables: Fragment
  /** A statement that counts the rows of a condition; without: those of the table, one by one. */
  readonly total?: (where: Fragment) => Fragment
  readonly view: (row: Row) => Item
}

/** The rows of one page in an order, and one row more: a statement, and the condition that its list and its total share. */
interface OrderedRows {
  /** Rows (client_id, id, n: their number on the page, position: what a cursor keeps of them). */
  readonly rows: Fragment
  /** All conditions on the rows `x`. */
  readonly where: Fragment
}

const newestFirst = '-created'
const byCreation = { created: { column: 'created_at' } }

/** What a row of a page brings along beside its columns. */
export interface Placed {
  readonly total: number
  readonly position: Position
}

/** Reads a page in the order that the request names. */
export async function pageInOrder<Row, Item>(
  db: Queryable,
  { across, orders = byCreation, columns, tables, view, ...list }: OrderedList<Row, Item>,
  page: PageRequest,
): Promise<Page<Item>> {
  const { rows, where } = rowsInOrder(db, across, orders, page)
  const total = list.total?.(where) ?? countAcrossClients(db, { ...across, where })
  const found = await db<(Row & Placed)[]>`
    select ${columns}, ${totalFor(db, total, page)} as total, k.position
    from (${rows}) k join ${tables}
    order by k.n`
  return pageOf<Row & Placed, Item>(found, page, {
    view,
    position: ({ position }) => position,
    count: () => countOf(db, total),
  })
}

/** Counts the rows of a list one by one. */
export function countAcrossClients(
  db: Queryable,
  { clients, table, where }: AcrossClients,
): Fragment {
  return db`select count(*) from ${clients} join ${db(table)} x on x.client_id = c.id where ${where}`
}

function rowsInOrder(
  db: Queryable,
  across: AcrossClients,
  orders: ListOrders,
  { limit, after, sort = newestFirst }: PageRequest,
): OrderedRows {
  const descends = sort.startsWith('-')
  const order = orders[descends ? sort.slice(1) : sort]
  if (order === undefined) throw new Error(`the list has no order ${sort}`)
  const { time = 'created_at', within: listed = endless, ...rest } = across
  const inTime = db`${db(`x.${time}`)}`
  if ('groups' in order) {
    const rows = groupedRows(db, across, { ...order, descends }, { limit, after })
    return { where: db`${across.where} and ${isWithin(db, inTime, listed)}`, rows }
  }
  const { column, only = db`true`, where: own = across.where } = order
  const isTime = column === time
  const within = isTime ? listed : endless
  const others = isTime ? own : db`${own} and ${isWithin(db, inTime, listed)}`
  const where = db`${only} and ${others}`
  const wanted = { ...rest, ...order, time: column, where, within, ascending: !descends }
  const way = descends ? db`desc` : db`asc`
  const rows = db`
    select k.client_id, k.id, row_number() over (order by k.created_at ${way}, k.id ${way}) as n,
      json_build_array(k.created_at, k.id) as position
    from (${newestAcrossClients(db, wanted, { limit, after })}) k`
  return { where: db`${where} and ${isWithin(db, db`${db(`x.${column}`)}`, within)}`, rows }
}

/** Each group is a list of its own. The one that holds the position begins behind it. */
function groupedRows(
  db: Queryable,
  across: AcrossClients,
  {
    groups,
    inGroup,
    descends,
  }: Extract<ListOrder, { groups: Fragment }> & { readonly descends: boolean },
  { limit, after }: { readonly limit: number; readonly after: Position | undefined },
): Fragment {
  const [key = '', at = '', id = ''] = (after ?? []).map(String)
  const way = descends ? db`desc` : db`asc`
  const start = startOf(db, across.within)
  const bound =
    after === undefined
      ? undefined
      : db`(
          case when g.key = ${key} then ${at}::timestamptz else ${start.at} end,
          case when g.key = ${key} then ${id}::uuid else ${start.id} end)`
  const isLeft =
    after === undefined
      ? db`true`
      : db`g.rank ${descends ? db`<=` : db`>=`} (select rank from ranked where key = ${key})`
  return db`
    with ranked as materialized (${groups})
    select k.client_id, k.id, k.position,
      row_number() over (order by k.rank ${way}, k.created_at desc, k.id desc) as n
    from (
      select k.*, g.rank, json_build_array(g.key, k.created_at, k.id) as position
      from (select * from ranked g where ${isLeft} order by g.rank ${way}) g
      cross join lateral (${newestAcrossClients(db, inGroup(across), { limit, after: bound })}) k
      order by g.rank ${way}, k.created_at desc, k.id desc limit ${limit + 1}
    ) k`
}

/** The statuses of a list, in the order that objects pass them. */
export function byStatus(db: Queryable, statuses: readonly string[]): ListOrder {
  return {
    groups: db`
      select key, rank from unnest(${[...statuses]}::text[]) with ordinality s (key, rank)`,
    inGroup: (all) => ({ ...all, where: db`${all.where} and x.status = g.key` }),
  }
}
