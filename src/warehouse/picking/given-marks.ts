import type { Queryable } from '../../platform/db/connection.ts'
import { encodedCode } from '../../platform/kernel/codes/marking-code.ts'
import type { GivenMarks } from '../../platform/kernel/codes/unit-mark.ts'

/** A picked unit with what was given of it. */
export interface GivenUnit {
  readonly scanId: string
  readonly barcode: string
  /** The marketplace's own number of the goods; null where it is unknown. */
  readonly itemId: number | null
  /** With its separators. */
  readonly markingCode: string | null
  readonly marks: GivenMarks
}

/** The picked units of orders that have marks, by order, in the order of their picks. */
export function givenMarksOf(
  db: Queryable,
  clientId: string,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly GivenUnit[]>> {
  return unitsWithMarks(db, clientId, orderIds, false)
}

/** Units that were picked for these orders and put back, by order. */
export function formerMarksOf(
  db: Queryable,
  clientId: string,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly GivenUnit[]>> {
  return unitsWithMarks(db, clientId, orderIds, true)
}

async function unitsWithMarks(
  db: Queryable,
  clientId: string,
  orderIds: readonly string[],
  undone: boolean,
): Promise<ReadonlyMap<string, readonly GivenUnit[]>> {
  const rows = await db<(GivenUnit & { readonly order_id: string })[]>`
    select p.order_id, p.scan_id as "scanId", p.barcode, l.item_id as "itemId", m.code as "markingCode", p.marks
    from picks p
    left join order_lines l on l.client_id = p.client_id and l.order_id = p.order_id
      and l.line = p.line
    left join marking_codes m on m.client_id = p.client_id and m.identity = p.marking_code
    where p.client_id = ${clientId} and p.order_id = any(${orderIds as string[]}::uuid[])
      and (p.undone_at is not null) = ${undone} and (p.marks <> '{}' or p.marking_code is not null)
    order by p.order_id, p.at, p.scan_id`
  // A code may have been stored without its separators.
  const units = rows.map((row) => {
    return { ...row, markingCode: row.markingCode === null ? null : encodedCode(row.markingCode) }
  })
  return Map.groupBy(units, ({ order_id }) => order_id)
}

/** An order that may cross a border with its customs declaration alone. */
export interface OrderToDeclare {
  readonly externalId: string
  /** The number that was given with its unit; null: none yet. */
  readonly declaration: string | null
}

/** Those of a cabinet's orders that the marketplace wants a customs declaration of. */
export async function ordersToDeclare(
  db: Queryable,
  clientId: string,
  cabinetId: string,
  numbers: readonly string[],
): Promise<readonly OrderToDeclare[]> {
  return db<OrderToDeclare[]>`
    select o.external_id as "externalId", (
      select p.marks ->> 'customs_declaration' from picks p
      where p.client_id = o.client_id and p.order_id = o.id and p.undone_at is null
        and p.marks ->> 'customs_declaration' is not null
      order by p.at desc, p.scan_id limit 1
    ) as declaration
    from orders o
    where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId}
      and o.external_id = any(${numbers as string[]})
      and exists (
        select from order_lines l where l.client_id = o.client_id and l.order_id = o.id
          and 'customs_declaration' = any(l.required_marks))`
}
