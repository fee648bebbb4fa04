import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import type { MarkKind } from './fact-kinds.ts'

/** Reads of `order_lines`, and every statement that writes them but those of sets (sets.ts). */

export interface OrderLine {
  readonly order_id: string
  readonly line: number
  readonly barcode: string
  readonly units: number
  readonly picked: number
  readonly required_marks: readonly MarkKind[]
  readonly optional_marks: readonly MarkKind[]
  /** Of the goods; null where the warehouse does not know them. */
  readonly name: string | null
}

interface LineRow extends Omit<OrderLine, 'barcode'> {
  readonly barcode: string | null
  /** Of an order whose goods are unknown. */
  readonly external_id: string | null
}

/** The lines of orders. Throws conflict for a line without a barcode: nobody can collect it. */
export async function linesOf(
  work: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<OrderLine[]> {
  return (await readLines(work, clientId, orderIds)).map(withBarcode)
}

/** Like linesOf, by order; the answer throws only for the order that it is asked for. */
export async function linesByOrder(
  work: SharedWork,
  clientId: string,
  orderIds: readonly string[],
): Promise<(orderId: string) => OrderLine[]> {
  const rows = Map.groupBy(await readLines(work, clientId, orderIds), ({ order_id }) => order_id)
  return (orderId) => (rows.get(orderId) ?? []).map(withBarcode)
}

function readLines(
  { tx }: SharedWork,
  clientId: string,
  orderIds: readonly string[],
): Promise<LineRow[]> {
  return tx<LineRow[]>`
    select order_id, line, barcode, quantity as units, picked, required_marks, optional_marks,
      (
        select p.name from products p where p.client_id = ${clientId} and p.barcode = l.barcode
      ) as name, case when barcode is null then (
        select o.external_id from orders o where o.client_id = ${clientId} and o.id = l.order_id
      ) end as external_id
    from order_lines l
    where l.client_id = ${clientId} and l.order_id = any(${orderIds as string[]}::uuid[])
    order by l.order_id, l.line`
}

function withBarcode({ external_id, barcode, ...line }: LineRow): OrderLine {
  if (barcode === null) {
    throw conflict(`Заказ ${external_id}: штрихкод товара не указан, собрать его нельзя`)
  }
  return { ...line, barcode }
}

export interface MissingUnits {
  readonly barcode: string
  readonly units: number
}

/** What an order still lacks, each of its goods once. */
export function missingUnits(lines: readonly OrderLine[]): MissingUnits[] {
  const lacking = lines.filter((line) => line.picked < line.units)
  return [...Map.groupBy(lacking, ({ barcode }) => barcode)].map(([barcode, all]) => ({
    barcode,
    units: all.reduce((sum, { units, picked }) => sum + units - picked, 0),
  }))
}

export interface StoredLine {
  readonly line: number
  readonly barcode: string | null
  readonly article: string | null
  /** The marketplace's own number of the goods. */
  readonly item_id: number | null
  readonly quantity: number
  readonly required_marks: readonly MarkKind[]
  readonly optional_marks: readonly MarkKind[]
}

/** The stored lines of orders, by order id: sets as they were ordered, though their parts stand for them. */
export async function storedLines(
  { tx }: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredLine[]>> {
  const lines = await tx<(StoredLine & { readonly order_id: string })[]>`
    select order_id, line, barcode, article, item_id, quantity, required_marks, optional_marks
    from ordered_lines
    where client_id = ${clientId} and order_id = any(${orderIds as string[]}::uuid[])
    order by order_id, line`
  return Map.groupBy(lines, ({ order_id }) => order_id)
}

export interface LinesOfOrder {
  readonly orderId: string
  /** Numbered from 1. */
  readonly lines: readonly StoredLine[]
}

/** Adds the lines of new orders. */
export async function insertLines(
  { tx }: Work,
  clientId: string,
  orders: readonly LinesOfOrder[],
): Promise<void> {
  await tx`
    insert into order_lines (client_id, order_id, line, barcode, article, item_id, quantity,
      required_marks, optional_marks)
    select ${clientId}, l.*
    from jsonb_to_recordset(${tx.json(rowsOf(orders))}) as l
      (order_id uuid, line integer, barcode text, article text, item_id bigint, quantity integer,
       required_marks text[], optional_marks text[])`
}

/** Replaces all lines of these orders; what was picked of a line stays, and so do the parts of sets. */
export async function replaceLines(
  { tx }: Work,
  clientId: string,
  orders: readonly LinesOfOrder[],
): Promise<void> {
  if (orders.length === 0) return
  const counts = orders.map(({ orderId, lines }) => ({ id: orderId, count: lines.length }))
  await tx`
    delete from order_lines l using jsonb_to_recordset(${tx.json(counts)}) as d (id uuid, count int)
    where l.client_id = ${clientId} and l.order_id = d.id and l.line > d.count and l.set_line is null`
  await tx`
    insert into order_lines (client_id, order_id, line, barcode, article, item_id, quantity,
      required_marks, optional_marks)
    select ${clientId}, d.*
    from jsonb_to_recordset(${tx.json(rowsOf(orders))}) as d
      (order_id uuid, line integer, barcode text, article text, item_id bigint, quantity integer,
       required_marks text[], optional_marks text[])
    where not exists (
      select from order_sets s
      where s.client_id = ${clientId} and s.order_id = d.order_id and s.line = d.line)
    on conflict (client_id, order_id, line) do update set barcode = excluded.barcode,
      article = excluded.article, item_id = excluded.item_id, quantity = excluded.quantity,
      required_marks = excluded.required_marks, optional_marks = excluded.optional_marks`
}

function rowsOf(orders: readonly LinesOfOrder[]) {
  return orders.flatMap(({ orderId, lines }) =>
    lines.map((line) => ({
      ...line,
      required_marks: [...line.required_marks],
      optional_marks: [...line.optional_marks],
      order_id: orderId,
    })),
  )
}

/** The barcode under which the warehouse keeps the goods of a line. */
export interface LineBarcode {
  readonly orderId: string
  readonly line: number
  readonly barcode: string
}

/** Changes the barcodes of lines. The caller has locked their orders. */
export async function changeLineBarcodes(
  { tx }: Work,
  clientId: string,
  barcodes: readonly LineBarcode[],
): Promise<void> {
  const rows = barcodes.map(({ orderId, line, barcode }) => ({ order_id: orderId, line, barcode }))
  await tx`
    update order_lines l set barcode = n.barcode
    from jsonb_to_recordset(${tx.json(rows)}) as n (order_id uuid, line integer, barcode text)
    where l.client_id = ${clientId} and l.order_id = n.order_id and l.line = n.line`
}

/** Gives lines of these orders that name merged goods the product that these became. Returns the orders of these lines. */
export async function renameMergedLines(
  { tx }: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<string[]> {
  const rows = await tx<{ order_id: string }[]>`
    update order_lines l set barcode = p.merged_into from products p
    where l.client_id = ${clientId} and l.order_id = any(${[...orderIds]}::uuid[])
      and p.client_id = l.client_id and p.barcode = l.barcode and p.merged_into is not null
    returning l.order_id`
  return [...new Set(rows.map((row) => row.order_id))]
}

/** A statement that counts picked units on their lines: a line is named once for each of its units. */
export function pickedUnitsStatement(
  { tx }: SharedWork,
  clientId: string,
  units: readonly { readonly orderId: string; readonly line: number }[],
): Fragment {
  const rows = units.map(({ orderId, line }) => ({ order_id: orderId, line }))
  const orderIds = [...new Set(units.map(({ orderId }) => orderId))]
  return tx`
    update order_lines l set picked = l.picked + p.units
    from (
      select order_id, line, count(*) as units
      from jsonb_to_recordset(${tx.json(rows)}) as u (order_id uuid, line integer) group by 1, 2
    ) p
    where l.client_id = ${clientId} and l.order_id = any(${orderIds}::uuid[])
      and l.order_id = p.order_id and l.line = p.line`
}

/** One unit of a line is no longer picked. */
export async function takeBackPickedUnit(
  { tx }: Work,
  clientId: string,
  { orderId, line }: { readonly orderId: string; readonly line: number },
): Promise<void> {
  await tx`
    update order_lines set picked = picked - 1
    where client_id = ${clientId} and order_id = ${orderId} and line = ${line}`
}

/** Nothing of an order is picked any more. */
export async function clearPickedUnits(
  { tx }: Work,
  clientId: string,
  orderId: string,
): Promise<void> {
  await tx`
    update order_lines set picked = 0
    where client_id = ${clientId} and order_id = ${orderId} and picked > 0`
}
