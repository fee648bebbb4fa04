import type { Queryable } from '../../platform/db/connection.ts'
import { otherBarcodesOf } from '../../warehouse/catalogue/other-barcodes.ts'
import { gtinsOfCards } from '../../warehouse/stock/card-gtins.ts'

/** Adds to goods of one client, in answers of staff, their other barcodes: handhelds read scans without a network. */
export async function withOtherBarcodes<Item extends { readonly barcode: string }>(
  db: Queryable,
  clientId: string,
  items: readonly Item[],
): Promise<(Item & { other_barcodes?: string[] })[]> {
  if (items.length === 0) return []
  const goods = items.map(({ barcode }) => ({ clientId, barcode }))
  const othersOf = await otherBarcodesOf(db, goods)
  return items.map((item) => {
    const others = othersOf({ clientId, barcode: item.barcode })
    return others.length === 0 ? item : { ...item, other_barcodes: [...others] }
  })
}

/** Adds to goods of one client the GTINs that cards give them besides: handhelds read marking codes without a network. */
export async function withCardGtins<Item extends { readonly barcode: string }>(
  db: Queryable,
  clientId: string,
  items: readonly Item[],
): Promise<(Item & { card_gtins?: string[] })[]> {
  if (items.length === 0) return []
  const barcodes = items.map(({ barcode }) => barcode)
  const gtins = await gtinsOfCards(db, clientId, barcodes)
  return items.map((item) => {
    const known = gtins.get(item.barcode) ?? []
    return known.length === 0 ? item : { ...item, card_gtins: [...known] }
  })
}

/** The goods of a client among these that have other barcodes. */
export async function listOtherBarcodes(
  db: Queryable,
  clientId: string,
  barcodes: readonly string[],
): Promise<{ barcode: string; others: string[] }[]> {
  const goods = [...new Set(barcodes)].map((barcode) => ({ barcode }))
  const known = await withOtherBarcodes(db, clientId, goods)
  return known.flatMap(({ barcode, other_barcodes: others }) =>
    others === undefined ? [] : [{ barcode, others }],
  )
}
