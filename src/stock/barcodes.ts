import type { Queryable } from '../db/connection.ts'

/**
 * Goods of one kind may go by several barcodes, and a marketplace tells them all: what is collected is
 * the one that lies in the warehouse. How far a barcode is from that, 0 being the nearest.
 */
export type BarcodeRank = (barcode: string) => number

const ofNothing = 3

/** Of stock_balances s: free units, units, goods that have none. */
export function rankOf(db: Queryable) {
  return db`
    case when s.quantity > s.in_question + s.reserved then 0 when s.quantity > 0 then 1 else 2 end`
}

export async function rankBarcodes(
  db: Queryable,
  clientId: string,
  barcodes: readonly string[],
): Promise<BarcodeRank> {
  const rows = await db<{ barcode: string; rank: number }[]>`
    select s.barcode, ${rankOf(db)} as rank from stock_balances s
    where s.client_id = ${clientId} and s.barcode = any(${barcodes as string[]})`
  const ranks = new Map(rows.map(({ barcode, rank }) => [barcode, rank]))
  return (barcode) => ranks.get(barcode) ?? ofNothing
}

/** The nearest of the barcodes, of several as near the first; undefined where all are of nothing. */
export function nearest(barcodes: readonly string[], rank: BarcodeRank): string | undefined {
  const [first] = barcodes.toSorted((a, b) => rank(a) - rank(b))
  return first === undefined || rank(first) === ofNothing ? undefined : first
}
