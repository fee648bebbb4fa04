import type { Queryable } from '../db/connection.ts'

/**
 * A product may have several barcodes, and a marketplace reports all of them. Workers pick by the
 * barcode that lies in the warehouse. The rank says how near a barcode comes to that, 0 the nearest:
 * 0 has free units, 1 has units, 2 is known without units, 3 is unknown.
 */
export type BarcodeRank = (barcode: string) => number

const unknownRank = 3

/** The rank of a row of stock_balances s. */
export function rankOfBalance(db: Queryable) {
  return db`
    case when s.quantity > s.in_question + s.reserved then 0 when s.quantity > 0 then 1 else 2 end`
}

export async function rankBarcodes(
  db: Queryable,
  clientId: string,
  barcodes: readonly string[],
): Promise<BarcodeRank> {
  const rows = await db<{ barcode: string; rank: number }[]>`
    select s.barcode, ${rankOfBalance(db)} as rank from stock_balances s
    where s.client_id = ${clientId} and s.barcode = any(${barcodes as string[]})`
  const ranks = new Map(rows.map(({ barcode, rank }) => [barcode, rank]))
  return (barcode) => ranks.get(barcode) ?? unknownRank
}

/** The barcode of the lowest rank, of equal ones the first; undefined where all are unknown. */
export function nearestBarcode(barcodes: readonly string[], rank: BarcodeRank): string | undefined {
  const [first] = barcodes.toSorted((a, b) => rank(a) - rank(b))
  return first === undefined || rank(first) === unknownRank ? undefined : first
}
