import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Tag } from '../../platform/db/statements/tag.ts'
import type { SetPart } from '../catalogue/set-fields.ts'
import { partsAsJson } from '../catalogue/sets.ts'

/** An expression: how many sets the free units of its parts make; null for goods that are no set. */
export function partsAllow(db: Tag, clientId: Fragment, barcode: Fragment): Fragment {
  return db`(
    select min(greatest(b.quantity - b.in_question - b.reserved, 0) / s.units)
    from set_parts s join stock_balances b on b.client_id = s.client_id and b.barcode = s.barcode
    where s.client_id = ${clientId} and s.set_barcode = ${barcode})`
}

export interface Composition {
  readonly parts: readonly SetPart[]
  readonly parts_allow: number
}

/** What the sets among these goods of a client are made of, by their barcodes. */
export async function compositionsOf(
  db: Queryable,
  clientId: string,
  barcodes: readonly string[],
): Promise<ReadonlyMap<string, Composition>> {
  const rows = await db<(Composition & { barcode: string })[]>`
    select w.barcode, ${partsAsJson(db, db`${clientId}`, db`w.barcode`)} as parts,
      ${partsAllow(db, db`${clientId}`, db`w.barcode`)} as parts_allow
    from (
      select distinct set_barcode as barcode from set_parts
      where client_id = ${clientId} and set_barcode = any(${[...new Set(barcodes)]})
    ) w`
  return new Map(rows.map(({ barcode, ...composition }) => [barcode, composition]))
}
