import type { Queryable } from '../db/connection.ts'
import type { Fragment } from '../db/fragment.ts'
import { readGoodsBarcode, spellingsOf } from '../kernel/goods-barcode.ts'
import { gtinLengths } from '../kernel/gs1.ts'

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

/** The barcodes, and behind them the other spellings of those that are GTINs: goods may have come under any of them. */
export function withSpellings(barcodes: readonly string[]): string[] {
  const spellings = barcodes.flatMap((barcode) => spellingsOf(readGoodsBarcode(barcode)))
  return [...new Set([...barcodes, ...spellings])]
}

/**
 * SQL of rows (barcode, at): as `withSpellings`, in the order of `at`, but without a look at the check digit. Only what
 * `isSpelling` lets pass is the same product.
 */
export function spelledBarcodes(db: Queryable, barcodes: Fragment) {
  return db`
    select given.barcode, given.at, given.barcode as given from unnest(${barcodes}) with ordinality given (barcode, at)
    union all
    select right(lpad(given.barcode, 14, '0'), length), given.at + 100000, given.barcode
    from unnest(${barcodes}) with ordinality given (barcode, at)
    cross join unnest(${gtinLengths as number[]}::int[]) length
    where given.barcode ~ '^([0-9]{8}|[0-9]{12,14})$' and length <> length(given.barcode)
      and left(lpad(given.barcode, 14, '0'), 14 - length) !~ '[1-9]'`
}

/** SQL: a row b of `spelledBarcodes` is the given barcode itself, or a GTIN, whose check digit is right (see kernel/gs1.ts). */
export function isSpelling(db: Queryable) {
  return db`(b.barcode = b.given or b.barcode ~ '[1-9]' and (
    select sum(digit::int * (1 + 2 * (place % 2))) % 10 = 0
    from string_to_table(lpad(b.barcode, 14, '0'), null) with ordinality d (digit, place)))`
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
