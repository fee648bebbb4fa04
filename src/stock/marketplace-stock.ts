import type { Work } from '../db/work.ts'

export interface MirroredFigure {
  readonly barcode: string
  /** The marketplace's number of the goods, by which it tells figures; some share a barcode. */
  readonly itemId: number
  /** All numbers of a product show the same units; absent where a number stands for itself. */
  readonly product?: string
  readonly quantity: number
  /** Absent when the marketplace gives no split by warehouse. */
  readonly warehouse?: { readonly id: number; readonly name?: string }
}

/**
 * Takes over a page of what a marketplace cabinet shows as stock, as of the work's moment. Figures are
 * mirrored only; the ledger does not look at them. A younger figure stays.
 */
export async function mirrorFigures(
  work: Work,
  clientId: string,
  cabinetId: string,
  figures: readonly MirroredFigure[],
): Promise<void> {
  const { tx } = work
  // A figure told twice, as overlapping pages do, counts as told last.
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

/** After the last page: what was told before the work's moment, the cabinet shows no more. */
export async function dropStaleFigures(
  work: Work,
  clientId: string,
  cabinetId: string,
): Promise<void> {
  await work.tx`
    delete from marketplace_stock
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and synced_at < ${work.at}`
}

/** All that the cabinet shows: the figures given replace what it showed before. */
export async function mirrorMarketplaceStock(
  work: Work,
  clientId: string,
  cabinetId: string,
  figures: readonly MirroredFigure[],
): Promise<void> {
  await mirrorFigures(work, clientId, cabinetId, figures)
  await dropStaleFigures(work, clientId, cabinetId)
}

function keyOf({ itemId, warehouse }: MirroredFigure): string {
  return `${warehouse?.id ?? 0} ${itemId}`
}

function rowOf(figure: MirroredFigure) {
  return {
    item_id: figure.itemId,
    barcode: figure.barcode,
    product: figure.product ?? String(figure.itemId),
    warehouse_id: figure.warehouse?.id ?? 0,
    warehouse_name: figure.warehouse?.name ?? null,
    quantity: figure.quantity,
  }
}
