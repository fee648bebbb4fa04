import type { SharedWork } from '../../platform/db/work.ts'
import { conflict } from '../../platform/kernel/errors.ts'

/**
 * What boxes contain, line by line: a box, a product, units. Only this file and excess.ts write box_contents.
 *
 * It does not know how many units there are. Its callers in stock hold the locks of the products'
 * balances, taken in barcode order, and see to it that boxes and locations never hold more than the balance.
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
  return conflict(
    units === 0
      ? `Товара ${barcode} в этом коробе нет: проверьте короб и товар`
      : `Товар ${barcode}: в коробе только ${units} шт., остальное возьмите из другого`,
  )
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
