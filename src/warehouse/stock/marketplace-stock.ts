import type { Work } from '../../platform/db/work.ts'
import type { Merging } from '../catalogue/merged-products.ts'

/**
 * What marketplaces report as stock: the only writer of marketplace_stock. The service shows these
 * figures as they are; the ledger never reads them.
 */

export interface ReportedStock {
  readonly barcode: string
  /** The marketplace's number of the item; several items may share a barcode. */
  readonly itemId: number
  /** Items of one product report the same units; undefined where the item is a product by itself. */
  readonly product?: string
  readonly quantity: number
  /** Undefined where the marketplace gives no split by warehouse. */
  readonly warehouse?: { readonly id: number; readonly name?: string }
}

/**
 * Records a page of the stock that a cabinet reports, of the work's moment. A figure that was reported
 * later stays.
 */
export async function recordMarketplaceStock(
  work: Work,
  clientId: string,
  cabinetId: string,
  figures: readonly ReportedStock[],
): Promise<void> {
  const { tx } = work
  // Overlapping pages report a figure twice: the last report counts.
  const rows = [...new Map(figures.map((figure) => [keyOf(figure), rowOf(figure)])).values()]
  await tx`
    insert into marketplace_stock
      (client_id, cabinet_id, synced_at,
        item_id, barcode, product, warehouse_id, warehouse_name, quantity)
    select ${clientId}, ${cabinetId}, ${work.at}, f.*
    from jsonb_to_recordset(${tx.json(rows)}) as f
      (item_id bigint, barcode text, product text, warehouse_id bigint, warehouse_name text,
        quantity bigint)
    on conflict (client_id, cabinet_id, item_id, warehouse_id) do update set
      barcode = excluded.barcode, product = excluded.product, quantity = excluded.quantity,
      warehouse_name = excluded.warehouse_name, synced_at = excluded.synced_at
    where marketplace_stock.synced_at is null or marketplace_stock.synced_at <= excluded.synced_at`
}

/** After the last page: deletes figures of the cabinet that were reported before the work's moment. */
export async function deleteStaleMarketplaceStock(
  work: Work,
  clientId: string,
  cabinetId: string,
): Promise<void> {
  await work.tx`
    delete from marketplace_stock
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and synced_at < ${work.at}`
}

/** Records all that a cabinet reports: the given figures replace earlier ones. */
export async function replaceMarketplaceStock(
  work: Work,
  clientId: string,
  cabinetId: string,
  figures: readonly ReportedStock[],
): Promise<void> {
  await recordMarketplaceStock(work, clientId, cabinetId, figures)
  await deleteStaleMarketplaceStock(work, clientId, cabinetId)
}

/** Figures of goods that became another product are figures of that product. */
export async function mergeMarketplaceStock(
  { tx }: Work,
  clientId: string,
  { from, into }: Merging,
): Promise<void> {
  await tx`
    update marketplace_stock set barcode = ${into}
    where client_id = ${clientId} and barcode = ${from}`
}

/**
 * Deletes figures of a cabinet, at most `rowsMax`. Returns how many: 0 when none are left. A sync that
 * runs in between records figures anew.
 */
export async function forgetMarketplaceStock(
  work: Work,
  clientId: string,
  cabinetId: string,
  rowsMax: number,
): Promise<number> {
  const own = work.tx`client_id = ${clientId} and cabinet_id = ${cabinetId}`
  return work.tx`
    delete from marketplace_stock where ${own} and (item_id, warehouse_id) in (
      select item_id, warehouse_id from marketplace_stock where ${own}
      order by item_id, warehouse_id limit ${rowsMax})`.affected()
}

function keyOf({ itemId, warehouse }: ReportedStock): string {
  return `${warehouse?.id ?? 0} ${itemId}`
}

function rowOf(figure: ReportedStock) {
  return {
    item_id: figure.itemId,
    barcode: figure.barcode,
    product: figure.product ?? String(figure.itemId),
    warehouse_id: figure.warehouse?.id ?? 0,
    warehouse_name: figure.warehouse?.name ?? null,
    quantity: figure.quantity,
  }
}
