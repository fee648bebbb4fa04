import type { Queryable } from '../../platform/db/connection.ts'
import { barcodesOfGtin, gtinOf } from '../../platform/kernel/codes/gs1.ts'

/** A product of which the service knows a name, in the warehouse or on a marketplace. */
export interface KnownProduct {
  /** As the service knows it: the goods may have been written in another spelling. */
  readonly barcode: string
  readonly name: string
  readonly article: string | null
  readonly marked: boolean
}

/**
 * Looks products up by their barcodes in any spelling, so that a receipt needs no names for goods that are known or on
 * sale. The sources, in this order: the product of the warehouse, the card of the named cabinet, a card of another
 * cabinet; of each the exact barcode first. A card whose name is only its number does not count. If a card does not say
 * whether the product needs marking codes, another card of the barcode may say it. Answers by the barcode as it was
 * written.
 */
export async function lookUpProducts(
  db: Queryable,
  clientId: string,
  barcodes: readonly string[],
  cabinetId: string | undefined,
): Promise<ReadonlyMap<string, KnownProduct>> {
  const written = barcodes.flatMap((barcode) =>
    spellings(barcode).map((spelling) => ({ written: barcode, spelling })),
  )
  const rows = await db<(KnownProduct & { written: string })[]>`
    select distinct on (written) written, barcode, name, article,
      coalesce(marked, bool_or(marked) over (partition by written), false) as marked
    from (
      select w.written, p.barcode, p.name, p.article, p.honest_mark as marked, 1 as rank, 0 as item_id
      from unnest(${[...barcodes]}::text[]) w (written)
      cross join lateral (
        select * from products
        where client_id = ${clientId} and barcode = w.written and merged_into is null
        union all
        select p.* from barcode_aliases a join products p on p.client_id = a.client_id and p.barcode = a.barcode
        where a.client_id = ${clientId} and a.spelling = w.written and a.barcode <> w.written
          and p.merged_into is null
      ) p
      union all
      select w.written, b.barcode, left(c.name, 500), left(c.article, 500), c.honest_mark,
        case when c.cabinet_id::text = ${cabinetId ?? null}::text then 2 else 3 end, c.item_id
      from jsonb_to_recordset(${db.json(written)}) w (written text, spelling text)
      join card_barcodes b on b.client_id = ${clientId} and b.barcode = w.spelling
      join marketplace_cards c on c.client_id = b.client_id and c.cabinet_id = b.cabinet_id
        and c.item_id = b.item_id and btrim(c.name) <> '' and c.name <> c.item_id::text
    ) g order by written, rank, barcode <> written, item_id`
  return new Map(rows.map(({ written, ...product }) => [written, product]))
}

/** The barcode, and the others of its GTIN. */
function spellings(barcode: string): string[] {
  const gtin = gtinOf(barcode)
  return gtin === undefined ? [barcode] : barcodesOfGtin(gtin)
}
