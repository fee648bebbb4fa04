import type { Queryable } from '../db/connection.ts'

/** Goods of which the service knows more than a barcode. */
export interface KnownGoods {
  readonly barcode: string
  readonly name: string
  readonly article: string | null
  readonly marked: boolean
}

/**
 * What is known of goods by their barcodes: the warehouse's own word, else that of a marketplace's
 * card, of the cabinet that is named first. So a delivery of goods that are on sale needs no names. A
 * card that has a number alone names nothing; of marking one that says nothing leaves it to others.
 */
export async function knownGoods(
  db: Queryable,
  clientId: string,
  barcodes: readonly string[],
  cabinetId: string | undefined,
): Promise<ReadonlyMap<string, KnownGoods>> {
  const rows = await db<KnownGoods[]>`
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
