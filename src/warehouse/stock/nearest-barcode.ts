import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'

/**
 * A product may have several barcodes, and a marketplace reports all of them, each in any spelling. Workers pick by the
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

/**
 * SQL of rows (given, barcode, at): the barcodes under which a client may have goods that were given by one of
 * `barcodes`. `clientId` is the SQL of its id. By `at` the given ones come first, then all other spellings and barcodes
 * of the product that has the given one.
 */
export function meantBarcodes(db: Queryable, clientId: Fragment, barcodes: Fragment) {
  return db`
    select given.barcode as given, given.barcode, given.at
    from unnest(${barcodes}) with ordinality given (barcode, at)
    union all
    select given.barcode, other.spelling, given.at + 100000
    from unnest(${barcodes}) with ordinality given (barcode, at)
    join barcode_aliases a on a.client_id = ${clientId} and a.spelling = given.barcode
    join barcode_aliases other on other.client_id = ${clientId} and other.barcode = a.barcode
      and other.spelling <> given.barcode`
}

interface RankedBarcode {
  readonly given: string
  readonly barcode: string
  readonly rank: number
}

/**
 * Of given barcodes the one that is nearest to what lies in the warehouse, in the spelling of the warehouse. Of equally
 * near ones it is the first. Undefined where the warehouse knows none.
 */
export type NearestBarcode = (given: readonly string[]) => string | undefined

/** The nearest of any of these barcodes. */
export async function nearestBarcodes(
  db: Queryable,
  clientId: string,
  barcodes: readonly string[],
): Promise<NearestBarcode> {
  const given = [...new Set(barcodes)]
  const rows = await db<RankedBarcode[]>`
    select b.given, b.barcode, ${rankOfBalance(db)} as rank
    from (${meantBarcodes(db, db`${clientId}::uuid`, db`${given}::text[]`)}) b
    join stock_balances s on s.client_id = ${clientId} and s.barcode = b.barcode
    order by b.at`
  const meant = Map.groupBy(rows, (row) => row.given)
  return (asked) => {
    const known = asked.flatMap((barcode) => meant.get(barcode) ?? [])
    const byRank = known.toSorted((a, b) => a.rank - b.rank || spelledAnew(a) - spelledAnew(b))
    return byRank[0]?.barcode
  }
}

function spelledAnew({ given, barcode }: RankedBarcode): number {
  return given === barcode ? 0 : 1
}
