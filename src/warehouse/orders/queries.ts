import type { Database, Queryable } from '../../platform/db/connection.ts'
import { conditionsOf, createdConditions, filtersAnything } from '../../platform/db/lists/filter.ts'
import { afterPosition, filterOfPage } from '../../platform/db/lists/newest-first.ts'
import {
  countOf,
  emptyPage,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Tag } from '../../platform/db/statements/tag.ts'
import { talliesOf } from '../../platform/db/tallied-days.ts'
import { areIds } from '../../platform/kernel/ids.ts'
import { type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { goodsWithWords } from '../catalogue/products.ts'
import { type ClientId, hasNumber } from '../clients/list-conditions.ts'
import type { Marketplace } from '../clients/marketplace.ts'
import { isAtStage, type StageFilter } from './stages.ts'
import type { OrderStatus } from './state.ts'
import { type LackingFilter, lacksGoods } from './today-uncovered.ts'
import { type Order, type OrderRow, orderView } from './view.ts'

export interface OrderFilter {
  readonly marketplace: Marketplace | undefined
  readonly status: OrderStatus | undefined
  readonly shipment_id: string | undefined
  readonly cabinet_id?: string | undefined
  readonly in_shipment?: 'true' | 'false' | undefined
  readonly barcode: string | undefined
  /** The number in the cabinet. */
  readonly external_id?: string | undefined
  /** Whether the order came back and must be handed over again. */
  readonly to_reship?: 'true' | 'false' | undefined
  readonly created_from: Instant | undefined
  readonly created_to: Instant | undefined
  /** Orders that wait to be handed over, with a deadline before this moment. */
  readonly deadline_to?: Instant | undefined
  /** Where the first page counts them. */
  readonly at_stage?: StageFilter | undefined
  /** Where the first page counts those that lack goods. */
  readonly lacks?: LackingFilter | undefined
}

export interface SellerOrderFilter extends OrderFilter {
  /** Words that the goods of the order have, as in `goodsWithWords`. */
  readonly words?: string | undefined
}

/** The columns of OrderRow, from `sellerOrderTables` or the tables that staff see. */
export function orderColumns(db: Tag) {
  return db`
    o.id, o.marketplace, o.external_id, o.status, o.supplier_status, o.buyer_status,
    o.status_changed_at, o.article, o.barcode, o.nm_id, o.is_b2b, o.shipment_id,
    s.external_id as shipment_external_id, o.created_at, o.packed_at, o.synced_at`
}

/** Orders `o` with their shipments `s`, without observed ones. */
function sellerOrderTables(db: Tag) {
  return db`
    seller_orders o
    left join seller_shipments s on s.client_id = o.client_id and s.id = o.shipment_id`
}

/** The conditions of a filter on the orders called `alias`, without the client. */
export function orderConditions(db: Queryable, alias: string, filter: OrderFilter) {
  const column = (name: string) => db(`${alias}.${name}`)
  return conditionsOf(db, filter, {
    marketplace: (marketplace) => db`${column('marketplace')} = ${marketplace}`,
    status: (status) => db`${column('status')} = ${status}`,
    shipment_id: (id) => db`${column('shipment_id')} = ${id}`,
    cabinet_id: (id) => db`${column('cabinet_id')} = ${id}`,
    in_shipment: (wanted) =>
      wanted === 'true'
        ? db`${column('shipment_id')} is not null`
        : db`${column('shipment_id')} is null`,
    barcode: (barcode) => db`${column('barcode')} = ${barcode}`,
    external_id: (number) => hasNumber(db, alias, number),
    deadline_to: (to) => db`
      ${column('deadline_at')} < ${toTimestamp(to)} and ${column('status')} in ('NEW', 'ASSEMBLING')`,
    to_reship: (wanted) =>
      wanted === 'true'
        ? db`${column('reship_since')} is not null`
        : db`${column('reship_since')} is null`,
    at_stage: (wanted) => isAtStage(db, alias, wanted),
    lacks: (wanted) => lacksGoods(db, alias, wanted),
    ...createdConditions(db, alias),
  })
}

/** Goods whose orders are read one by one; of more, the newest orders are looked through. */
const fewGoods = 300
/** Orders that are counted at most where goods are searched for by words. */
const countedByWords = 10_000

/** The goods of the words; undefined: they are many. */
async function goodsOf(
  db: Queryable,
  clientId: string,
  words: string,
): Promise<readonly string[] | undefined> {
  const rows = await db<{ barcode: string }[]>`
    select p.barcode from products p where p.client_id = ${clientId} and ${goodsWithWords(db, words)}
    limit ${fewGoods + 1}`
  return rows.length > fewGoods ? undefined : rows.map(({ barcode }) => barcode)
}

/** The condition that orders `o` have one of these goods, in any of their lines. */
function hasGoods(db: Queryable, clientId: ClientId, words: string, few?: readonly string[]) {
  const further = (isOne: Fragment) => db`
    select l.order_id from order_lines l
    where l.client_id = ${clientId} and l.line > 1 and l.barcode ${isOne}`
  if (few !== undefined) {
    const isOne = db`= any(${[...few]}::text[])`
    return db`o.id in (
      select f.id from seller_orders f where f.client_id = ${clientId} and f.barcode ${isOne}
      union ${further(isOne)})`
  }
  // A select, which is hashed; an array of many would be gone through for each order.
  const isOne = db`in (
    select p.barcode from products p where p.client_id = ${clientId} and ${goodsWithWords(db, words)})`
  return db`(o.barcode ${isOne} or o.id in (${further(isOne)}))`
}

function matches(
  db: Queryable,
  clientId: ClientId,
  { words, ...filter }: SellerOrderFilter,
  few?: readonly string[],
) {
  return db`
    o.client_id = ${clientId} ${orderConditions(db, 'o', filter)}
    ${words === undefined ? db`` : db`and ${hasGoods(db, clientId, words, few)}`}`
}

/** Orders, newest first. */
export async function listOrders(
  db: Database,
  clientId: string,
  filter: SellerOrderFilter,
  page: PageRequest,
): Promise<Page<Order>> {
  if (!areIds(filter.shipment_id)) {
    return emptyPage
  }
  const { words } = filter
  const few = words === undefined ? undefined : await goodsOf(db, clientId, words)
  const total = orderTotal(db, clientId, filter, few)
  const statement = db<(OrderRow & { total: number })[]>`
    select ${orderColumns(db)}, ${totalFor(db, total, page)} as total
    from ${sellerOrderTables(db)}
    where ${matches(db, clientId, filterOfPage(filter, page), few)} ${afterPosition(db, 'o', page.after)}
    order by o.created_at desc, o.id desc limit ${page.limit + 1}`
  // What is searched for decides which plan is the best one.
  const rows = await (words === undefined ? statement.planOnce() : statement)
  return pageOf(rows, page, {
    view: orderView,
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

/** An order; undefined where the client has none of that id. */
export async function findOrder(
  db: Tag,
  clientId: ClientId,
  id: string,
): Promise<Order | undefined> {
  const [row] = await db<OrderRow[]>`
    select ${orderColumns(db)} from ${sellerOrderTables(db)}
    where o.client_id = ${clientId} and o.id = ${id}`
  return row && orderView(row)
}

/** The client's orders among these ids, unsorted. */
export async function findOrders(
  db: Queryable,
  clientId: string,
  ids: readonly string[],
): Promise<Order[]> {
  const rows = await db<OrderRow[]>`
    select ${orderColumns(db)} from ${sellerOrderTables(db)}
    where o.client_id = ${clientId} and o.id = any(${ids as string[]}::uuid[])`
  return rows.map(orderView)
}

/**
 * A query for the number of matching orders, without observed ones. Tallies answer for marketplace, status and
 * period: they count whole days, their months and all time. Only the days that a bound cuts are counted row by row,
 * so the cost does not grow with the history. Any other field of the filter counts rows, in the index of that field.
 */
export function orderTotal(
  db: Queryable,
  clientId: ClientId,
  filter: SellerOrderFilter,
  few?: readonly string[],
) {
  const { marketplace, status, created_from: from, created_to: to, ...untallied } = filter
  if (filter.words !== undefined) {
    return db`select count(*) from (
      select from seller_orders o where ${matches(db, clientId, filter, few)}
      limit ${countedByWords}) counted`
  }
  if (filtersAnything(untallied)) {
    return db`select count(*) from seller_orders o where ${matches(db, clientId, filter)}`
  }
  return db`
    select coalesce(sum(orders), 0)::bigint
    from (${orderCounts(db, clientId, from, to)}) counted
    where true
      ${marketplace === undefined ? db`` : db`and marketplace = ${marketplace}`}
      ${status === undefined ? db`` : db`and status = ${status}`}`
}

/**
 * A query for rows (marketplace, status, sorted, delivered, orders) that add up to the orders created in [from, to).
 * They are the tallies of all days that the period touches, minus the orders on its first and last day that are
 * outside of it.
 */
export function orderCounts(
  db: Queryable,
  clientId: ClientId,
  from: Instant | undefined,
  to: Instant | undefined,
) {
  const start = from === undefined ? undefined : db`${toTimestamp(from)}::timestamptz`
  const end = to === undefined ? undefined : db`${toTimestamp(to)}::timestamptz`
  const first = start && db`moscow_day(${start})`
  const last = end && db`moscow_day(${end} - interval '1 millisecond')`
  const tallies = (within: Fragment) => db`
    select marketplace, status, sorted, delivered, orders from order_tallies
    where client_id = ${clientId} and ${within}`
  if (first === undefined && last === undefined) return tallies(db`span = 'all'`)
  const outside = db`
    select marketplace, status, sorted, delivered, -1 from seller_orders
    where client_id = ${clientId}
      ${first === undefined ? db`` : db`and created_at >= ${first}::timestamptz`}
      ${last === undefined ? db`` : db`and created_at < (${last} + 1)::timestamptz`}`
  return db`
    ${talliesOf(db, { first, last }, tallies)}
    ${start === undefined ? db`` : db`union all (${outside} and created_at < ${start})`}
    ${end === undefined ? db`` : db`union all (${outside} and created_at >= ${end})`}`
}
