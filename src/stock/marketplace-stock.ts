import type { Work } from '../db/work.ts'

export interface MirroredFigure {
  readonly barcode: string
  readonly quantity: number
  /** Absent when the marketplace gives no split by warehouse. */
  readonly warehouse?: { readonly id: number; readonly name?: string }
}

/**
 * Takes over what a marketplace cabinet shows as stock: the figures given replace all that the
 * cabinet showed before. They are mirrored only; the ledger does not look at them.
 */
export async function mirrorMarketplaceStock(
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
      (client_id, cabinet_id, synced_at, barcode, warehouse_id, warehouse_name, quantity)
    select ${clientId}, ${cabinetId}, ${work.at}, f.*
    from jsonb_to_recordset(${tx.json(rows)}) as f
      (barcode text, warehouse_id bigint, warehouse_name text, quantity bigint)
    on conflict (client_id, barcode, cabinet_id, warehouse_id) do update set
      quantity = excluded.quantity, warehouse_name = excluded.warehouse_name,
      synced_at = excluded.synced_at`
  await tx`
    delete from marketplace_stock s
    where s.client_id = ${clientId} and s.cabinet_id = ${cabinetId} and not exists (
      select from jsonb_to_recordset(${tx.json(rows)}) as f (barcode text, warehouse_id bigint)
      where f.barcode = s.barcode and f.warehouse_id = s.warehouse_id)`
}

function keyOf({ barcode, warehouse }: MirroredFigure): string {
  return `${warehouse?.id ?? 0} ${barcode}`
}

function rowOf(figure: MirroredFigure) {
  return {
    barcode: figure.barcode,
    warehouse_id: figure.warehouse?.id ?? 0,
    warehouse_name: figure.warehouse?.name ?? null,
    quantity: figure.quantity,
  }
}
