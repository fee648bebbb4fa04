import type { Queryable } from '../../platform/db/connection.ts'
import type { SetPart } from '../../warehouse/catalogue/set-fields.ts'
import { compositionsOf } from '../../warehouse/stock/parts-allow.ts'

/** Adds to goods of one client, in answers of staff, what the sets among them are made of. */
export async function withCompositions<Item extends { readonly barcode: string }>(
  db: Queryable,
  clientId: string,
  items: readonly Item[],
): Promise<(Item & { parts?: SetPart[]; parts_allow?: number })[]> {
  if (items.length === 0) return []
  const barcodes = items.map(({ barcode }) => barcode)
  const compositions = await compositionsOf(db, clientId, barcodes)
  return items.map((item) => {
    const composition = compositions.get(item.barcode)
    if (composition === undefined) return item
    return { ...item, parts: [...composition.parts], parts_allow: composition.parts_allow }
  })
}
