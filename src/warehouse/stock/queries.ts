import type { Queryable } from '../../platform/db/connection.ts'
import {
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Tag } from '../../platform/db/statements/tag.ts'
import {
  countOfProducts,
  matchingProducts,
  meantFilter,
  type ProductFilter,
} from '../catalogue/products.ts'
import type { ClientId } from '../clients/list-conditions.ts'
import { partsAllow } from './parts-allow.ts'
import { type StockItem, type StockRow, stockItemView } from './view.ts'

/** Goods with units in question, or goods of which a marketplace shows more units than the warehouse can send. */
export const stockSelections = ['in_question', 'shows_more'] as const

export interface StockFilter extends ProductFilter {
  readonly selection: (typeof stockSelections)[number] | undefined
}

/** The columns of StockRow, of products p, balances b and figures f. */
function stockColumns(db: Tag) {
  return db`
    p.barcode, p.article, p.name, b.quantity, b.in_question, b.reserved, b.updated_at,
    coalesce(f.boxes, 0) as boxes, coalesce(f.pallets, 0) as pallets,
    coalesce(f.marketplace_stock, '[]') as marketplace_stock`
}

/**
 * The tables of a page. A page of all goods reads a stretch of each table in the order of their keys, which are the same.
 * Where goods are few of many, their other rows are looked up one by one: the limits keep the server from reading stretches.
 */
function stockTables(db: Tag, clientId: string, filter: StockFilter, after: string | undefined) {
  if (filter.selection !== undefined) {
    return db`${selectedGoods(db, clientId, filter.selection)} ${figuresOfEach(db)}`
  }
  if (isSearched(filter)) return goodsOneByOne(db)
  const sameGoods = (table: Fragment) =>
    db`${table}.client_id = p.client_id and ${table}.barcode = p.barcode ${behind(db, table, after)}`
  return db`
    products p join stock_balances b on ${sameGoods(db`b`)} left join stock_figures f on ${sameGoods(db`f`)}`
}

function isSearched({ search, words }: StockFilter): boolean {
  return search !== undefined || words !== undefined
}

/** Without this condition on each table the server would read it from the client's first row on. */
function behind(db: Tag, table: Fragment, after: string | undefined) {
  return after === undefined ? db`` : db`and ${table}.barcode > ${after}`
}

function goodsOneByOne(db: Tag) {
  return db`
    products p
    cross join lateral (
      select b.* from stock_balances b where b.client_id = p.client_id and b.barcode = p.barcode limit 1
    ) b ${figuresOfEach(db)}`
}

function figuresOfEach(db: Tag) {
  return db`
    left join lateral (
      select f.* from stock_figures f where f.client_id = p.client_id and f.barcode = p.barcode limit 1
    ) f on true`
}

/** Of balances k: a set may be shown as often as it lies ready and as its parts allow. */
function showsMore(db: Tag): Fragment {
  return db`
    k.shows_more and not coalesce(
      k.shown_most <= k.quantity - k.in_question + ${partsAllow(db, db`k.client_id`, db`k.barcode`)}, false)`
}

/** A selection is read from its own index: it costs as much as it has goods, however many the client has. */
function selectedGoods(
  db: Tag,
  clientId: string,
  selection: NonNullable<StockFilter['selection']>,
) {
  const selected = { in_question: db`k.in_question > 0`, shows_more: showsMore(db) }[selection]
  return db`
    (select k.* from stock_balances k where k.client_id = ${clientId} and ${selected}) b
    cross join lateral (
      select p.* from products p where p.client_id = b.client_id and p.barcode = b.barcode limit 1
    ) p`
}

/** A query for a page of the stock by barcode, in byte order. */
function stockPage(db: Queryable, clientId: string, asked: StockFilter, page: PageRequest) {
  const filter = meantFilter(asked)
  const { selection, ...matched } = filter
  const after = page.after && String(page.after[0])
  const leading = selection === undefined ? db`p` : db`b`
  const total = stockTotal(db, clientId, filter)
  const statement = db<(StockRow & { total: number })[]>`
    select ${stockColumns(db)}, ${totalFor(db, total, page)} as total
    from ${stockTables(db, clientId, filter, after)}
    where ${matchingProducts(db, clientId, matched)} ${behind(db, leading, after)}
    order by ${leading}.barcode limit ${page.limit + 1}`
  // What is searched for decides which plan is the best one.
  return isSearched(filter) ? statement : statement.planOnce()
}

function stockTotal(db: Queryable, clientId: string, { selection, ...matched }: StockFilter) {
  return selection === undefined
    ? countOfProducts(db, clientId, matched)
    : db`
        select count(*) from ${selectedGoods(db, clientId, selection)}
        where ${matchingProducts(db, clientId, matched)}`
}

export function countStock(db: Queryable, clientId: string, filter: StockFilter): Promise<number> {
  return countOf(db, stockTotal(db, clientId, filter))
}

/** Lists stock by barcode, in byte order. */
export async function listStock(
  db: Queryable,
  clientId: string,
  filter: StockFilter,
  page: PageRequest,
): Promise<Page<StockItem>> {
  return pageOf(await stockPage(db, clientId, filter, page), page, {
    view: stockItemView,
    position: (row) => [row.barcode],
    count: () => countOf(db, stockTotal(db, clientId, filter)),
  })
}

/** The stock of one product; undefined where the client has no such product. */
export async function findStockItem(
  db: Tag,
  clientId: ClientId,
  barcode: string,
): Promise<StockItem | undefined> {
  const [row] = await db<StockRow[]>`
    select ${stockColumns(db)} from ${goodsOneByOne(db)}
    where p.client_id = ${clientId} and p.barcode = ${barcode}`
  return row && stockItemView(row)
}

/** A number that grows with every change of what the client's stock list can show. */
export async function stockVersion(db: Tag, clientId: ClientId): Promise<number> {
  const [row] = await db<[{ version: number }]>`
    select coalesce(sum(version), 0)::bigint as version
    from stock_versions where client_id = ${clientId}`
  return row.version
}
