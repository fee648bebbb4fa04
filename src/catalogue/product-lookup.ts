import type { Queryable } from '../db/connection.ts'

/** A product of which the service knows a name, in the warehouse or on a marketplace. */
export interface KnownProduct {
  readonly barcode: string
  readonly name: string
  readonly article: string | null
  readonly marked: boolean
}

/**
 * Looks products up by their barcodes, so that an inbound receipt needs no names for goods that are
 * known or on sale. Sources, in this order: the warehouse's own product, the card of the named cabinet,
 * a card of another cabinet. A card that has only its number for a name does not count. Where a card
 * does not say whether the product needs marking codes, another card of the barcode may.
 */
export async function lookUpProducts(
  db: Queryable,
  clientId: string,
  barcodes: readonly string[],
  cabinetId: string | undefined,
): Promise<ReadonlyMap<string, KnownProduct>> {
  const rows = await db<KnownProduct[]>`
    select distinct on (barcode) barcode, name, article,
      coalesce(marked, bool_or(marked) over (partition by barcode), false) as marked
    from (
      select barcode, name, article, honest_mark as marked, 1 as rank, 0 as item_id
      from products where client_id = ${clientId} and barcode = any(${barcodes as string[]})
      union all
      select b.barcode, left(c.name, 500), left(c.article, 500), c.honest_mark,
        case when c.cabinet_id::text = ${cabinetId ?? null}::text then 2 else 3 end, c.item_id
      from card_barcodes b
      join marketplace_cards c on c.client_id = b.client_id and c.cabinet_id = b.cabinet_id
        and c.item_id = b.item_id and btrim(c.name) <> '' and c.name <> c.item_id::text
      where b.client_id = ${clientId} and b.barcode = any(${barcodes as string[]})
    ) g order by barcode, rank, item_id`
  return new Map(rows.map((row) => [row.barcode, row]))
}
