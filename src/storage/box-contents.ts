import type { SharedWork, Work } from '../db/work.ts'
import { conflict } from '../kernel/errors.ts'

/**
 * What boxes contain, line by line: a box, a product, units. This is the only writer of box_contents.
 *
 * It does not know how many units there are. Its callers in stock hold the locks of the products'
 * balances, taken in barcode order, and see to it that boxes never hold more than the balance.
 */

export interface BoxedUnits {
  readonly boxId: string
  readonly barcode: string
  /** 1 or more. */
  readonly units: number
}

/** Adds units to lines. The caller has locked the balances and compared them with the boxed units. */
export async function addToLines(
  { tx }: SharedWork,
  clientId: string,
  entries: readonly BoxedUnits[],
): Promise<void> {
  await tx`
    insert into box_contents as c (client_id, box_id, barcode, quantity)
    select ${clientId}, box_id, barcode, sum(units)
    from jsonb_to_recordset(${tx.json(rowsOf(entries))}) as t (box_id uuid, barcode text, units bigint)
    group by box_id, barcode order by box_id, barcode
    on conflict (client_id, box_id, barcode) do update set quantity = c.quantity + excluded.quantity`
}

/**
 * Takes units out of lines and deletes emptied ones. The caller has locked the balances. Throws
 * conflict where a box holds less: the transaction must not be committed then.
 */
export async function takeFromLines(
  work: SharedWork,
  clientId: string,
  entries: readonly BoxedUnits[],
): Promise<void> {
  const { tx } = work
  const lessened = await tx`
    update box_contents c set quantity = c.quantity - t.units
    from jsonb_to_recordset(${tx.json(rowsOf(entries))}) as t (box_id uuid, barcode text, units bigint)
    where c.client_id = ${clientId} and c.box_id = t.box_id and c.barcode = t.barcode
      and c.quantity > t.units
    returning c.box_id, c.barcode`
  const taken = new Set(lessened.map((row) => `${row.box_id} ${row.barcode}`))
  const untaken = entries.filter((entry) => !taken.has(`${entry.boxId} ${entry.barcode}`))
  if (untaken.length > 0) await takeWholeLines(work, clientId, untaken)
}

async function takeWholeLines(
  work: SharedWork,
  clientId: string,
  entries: readonly BoxedUnits[],
): Promise<void> {
  const { tx } = work
  const emptied = await tx<{ box_id: string; barcode: string }[]>`
    delete from box_contents c
    using jsonb_to_recordset(${tx.json(rowsOf(entries))}) as t
      (box_id uuid, barcode text, units bigint)
    where c.client_id = ${clientId} and c.box_id = t.box_id and c.barcode = t.barcode
      and c.quantity = t.units
    returning c.box_id, c.barcode`
  const taken = new Set(emptied.map((row) => `${row.box_id} ${row.barcode}`))
  const short = entries.find((entry) => !taken.has(`${entry.boxId} ${entry.barcode}`))
  if (short === undefined) return
  const [line] = await tx<{ quantity: number }[]>`
    select quantity from box_contents
    where client_id = ${clientId} and box_id = ${short.boxId} and barcode = ${short.barcode}`
  throw boxHoldsLess(short.barcode, line?.quantity ?? 0)
}

/** The error for a box that holds too few units. */
export function boxHoldsLess(barcode: string, units: number): Error {
  return conflict(`Товар ${barcode}: в коробе только ${units} шт.`)
}

/** The units of each line of these boxes, by `lineKey`, as they are without a lock. */
export async function unitsOfLines(
  { tx }: SharedWork,
  clientId: string,
  boxIds: readonly string[],
): Promise<Map<string, number>> {
  if (boxIds.length === 0) return new Map()
  const rows = await tx<{ box_id: string; barcode: string; quantity: number }[]>`
    select box_id, barcode, quantity from box_contents
    where client_id = ${clientId} and box_id = any(${boxIds}::uuid[])`
  return new Map(
    rows.map(({ box_id: boxId, barcode, quantity }) => [lineKey({ boxId, barcode }), quantity]),
  )
}

export function lineKey({ boxId, barcode }: Pick<BoxedUnits, 'boxId' | 'barcode'>): string {
  return `${boxId} ${barcode}`
}

function rowsOf(entries: readonly BoxedUnits[]) {
  return entries.map(({ boxId, barcode, units }) => ({ box_id: boxId, barcode, units }))
}

/** Units in all boxes of the client, by barcode; products that are in none are missing. */
export async function boxedUnits(
  { tx }: SharedWork,
  clientId: string,
  barcodes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx<{ barcode: string; units: number }[]>`
    select barcode, sum(quantity)::bigint as units from box_contents
    where client_id = ${clientId} and barcode = any(${barcodes})
    group by barcode`
  return new Map(rows.map(({ barcode, units }) => [barcode, units]))
}

/**
 * Takes out of boxes the units that exceed `left`, by barcode: first from the box with the fewest units
 * of the product, of equal boxes from the one with the lowest id. The caller has locked the balances.
 */
export async function takeExcess(
  work: Work,
  clientId: string,
  left: ReadonlyMap<string, number>,
): Promise<void> {
  if (left.size === 0) return
  const { tx } = work
  const boxed = await boxedUnits(work, clientId, [...left.keys()])
  const rows = [...boxed]
    .map(([barcode, units]) => ({ barcode, excess: units - (left.get(barcode) ?? 0) }))
    .filter(({ excess }) => excess > 0)
  if (rows.length === 0) return
  await tx`
    with taken as (
      select box_id, barcode, quantity, least(quantity, excess - before) as units from (
        select c.box_id, c.barcode, c.quantity, e.excess,
          sum(c.quantity) over (partition by c.barcode order by c.quantity, c.box_id) - c.quantity as before
        from box_contents c
        join jsonb_to_recordset(${tx.json(rows)}) as e (barcode text, excess bigint)
          on e.barcode = c.barcode
        where c.client_id = ${clientId}
      ) lines
      where before < excess
    ), emptied as (
      delete from box_contents c using taken t
      where c.client_id = ${clientId} and c.box_id = t.box_id and c.barcode = t.barcode
        and t.units = t.quantity
    )
    update box_contents c set quantity = c.quantity - t.units from taken t
    where c.client_id = ${clientId} and c.box_id = t.box_id and c.barcode = t.barcode
      and t.units < t.quantity`
}
