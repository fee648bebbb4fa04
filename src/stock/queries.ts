import { matchingProducts, type ProductFilter } from '../catalogue/products.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { countOf, type Page, type PageRequest, pageOf } from '../db/page.ts'
import { type StockItem, type StockRow, stockItemView } from './view.ts'

/** The columns of StockRow, of products p and balances b. */
function stockColumns(db: Queryable) {
  return db`
    p.barcode, p.article, p.name, b.quantity, b.in_question, b.reserved, b.updated_at,
    stored.boxes, stored.pallets, (
      select json_agg(json_build_object(
          'marketplace', k.marketplace, 'quantity', m.quantity, 'warehouse_id', m.warehouse_id,
          'warehouse_name', m.warehouse_name,
          'synced_at', to_char(m.synced_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"+03:00"')
        ) order by k.marketplace, k.created_at, k.id, m.warehouse_id)
      from (${mirroredFigures(db)}) m
      join cabinets k on k.client_id = p.client_id and k.id = m.cabinet_id
        and k.shipments <> 'observe' and not k.has_hidden_rows
    ) as mirrored`
}

/**
 * What cabinets report for a barcode, by cabinet and warehouse. Items of one marketplace product report
 * the same units, so the highest figure of a product counts; products with the barcode are added up.
 */
function mirroredFigures(db: Queryable) {
  return db`
    select cabinet_id, warehouse_id, max(warehouse_name) as warehouse_name,
      sum(quantity) as quantity, min(synced_at) as synced_at
    from (
      select cabinet_id, warehouse_id, max(warehouse_name) as warehouse_name,
        max(quantity) as quantity, min(synced_at) as synced_at
      from marketplace_stock
      where client_id = p.client_id and barcode = p.barcode
      group by cabinet_id, warehouse_id, product
    ) shown
    group by cabinet_id, warehouse_id`
}

function stockTables(db: Queryable) {
  return db`
    products p
    join stock_balances b on b.client_id = p.client_id and b.barcode = p.barcode
    cross join lateral (
      select count(*)::int as boxes, count(distinct x.pallet_id)::int as pallets
      from box_contents c
      join boxes x on x.client_id = c.client_id and x.id = c.box_id
      where c.client_id = p.client_id and c.barcode = p.barcode
    ) stored`
}

/** Lists stock by barcode, in byte order. */
export async function listStock(
  db: Database,
  clientId: string,
  filter: ProductFilter,
  page: PageRequest,
): Promise<Page<StockItem>> {
  const total = db`select count(*) from products p where ${matchingProducts(db, clientId, filter)}`
  const rows = await db<(StockRow & { total: number })[]>`
    select ${stockColumns(db)}, (${total}) as total from ${stockTables(db)}
    where ${matchingProducts(db, clientId, filter)}
      ${page.after === undefined ? db`` : db`and p.barcode > ${String(page.after[0])}`}
    order by p.barcode limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: stockItemView,
    position: (row) => [row.barcode],
    count: () => countOf(db, total),
  })
}

/** The stock of one product; undefined where the client has no such product. */
export async function findStockItem(
  db: Queryable,
  clientId: string,
  barcode: string,
): Promise<StockItem | undefined> {
  const [row] = await db<StockRow[]>`
    select ${stockColumns(db)} from ${stockTables(db)}
    where p.client_id = ${clientId} and p.barcode = ${barcode}`
  return row === undefined ? undefined : stockItemView(row)
}

/** A number that grows with every change of what the client's stock list can show. */
export async function stockVersion(db: Database, clientId: string): Promise<number> {
  const [row] = await db<[{ version: number }]>`
    select coalesce(sum(version), 0)::bigint as version
    from stock_versions where client_id = ${clientId}`
  return row.version
}
