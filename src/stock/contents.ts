import type { Work } from '../db/work.ts'
import { conflict, invalidField } from '../kernel/errors.ts'

/**
 * What lies in boxes, line by line: a box, a SKU, units. A line changes only under the row lock of
 * the SKU's balance, and balances are locked in barcode order before any line is touched. So storage
 * and the ledger never wait for each other in a circle, and boxes never hold more than there is.
 */

export interface Balance {
  readonly barcode: string
  readonly quantity: number
  readonly in_question: number
  readonly reserved: number
}

/** Locks the balances of goods, by barcode; those that the client does not have are not there. */
export async function lockBalances(
  work: Work,
  clientId: string,
  barcodes: readonly string[],
): Promise<Map<string, Balance>> {
  const balances = await work.tx<Balance[]>`
    select barcode, quantity, in_question, reserved from stock_balances
    where client_id = ${clientId} and barcode = any(${[...barcodes]})
    order by barcode for update`
  return new Map(balances.map((balance) => [balance.barcode, balance]))
}

export interface BoxedUnits {
  readonly boxId: string
  readonly barcode: string
  /** 1 or more. */
  readonly units: number
}

/** Adds units to a line; the balance is locked, and what boxes may hold was looked at. */
export async function addToLine(work: Work, clientId: string, entry: BoxedUnits): Promise<void> {
  await work.tx`
    insert into box_contents as c (client_id, box_id, barcode, quantity)
    values (${clientId}, ${entry.boxId}, ${entry.barcode}, ${entry.units})
    on conflict (client_id, box_id, barcode) do update set quantity = c.quantity + excluded.quantity`
}

/**
 * Takes units out of boxes, to pick or to move them; each SKU of a box is named once, and an emptied
 * line goes. Throws conflict where a box holds less, and then nothing is taken.
 */
export async function takeFromBoxes(
  work: Work,
  clientId: string,
  entries: readonly BoxedUnits[],
): Promise<void> {
  if (entries.length === 0) return
  const { tx } = work
  const known = await lockBalances(work, clientId, [
    ...new Set(entries.map((entry) => entry.barcode)),
  ])
  const unknown = entries.find((entry) => !known.has(entry.barcode))
  if (unknown !== undefined) throw unknownGoods(unknown.barcode)
  const rows = entries.map(({ boxId, ...entry }) => ({ box_id: boxId, ...entry }))
  const lessened = await tx`
    update box_contents c set quantity = c.quantity - t.units
    from jsonb_to_recordset(${tx.json(rows)}) as t (box_id uuid, barcode text, units bigint)
    where c.client_id = ${clientId} and c.box_id = t.box_id and c.barcode = t.barcode
      and c.quantity > t.units
    returning c.box_id, c.barcode`
  const taken = new Set(lessened.map((row) => `${row.box_id} ${row.barcode}`))
  const rest = entries.filter((entry) => !taken.has(`${entry.boxId} ${entry.barcode}`))
  if (rest.length > 0) await takeWhole(work, clientId, rest)
}

/** Takes lines with all that they hold. */
async function takeWhole(
  work: Work,
  clientId: string,
  entries: readonly BoxedUnits[],
): Promise<void> {
  const { tx } = work
  const rows = entries.map(({ boxId, ...entry }) => ({ box_id: boxId, ...entry }))
  const emptied = await tx<{ box_id: string; barcode: string }[]>`
    delete from box_contents c
    using jsonb_to_recordset(${tx.json(rows)}) as t (box_id uuid, barcode text, units bigint)
    where c.client_id = ${clientId} and c.box_id = t.box_id and c.barcode = t.barcode
      and c.quantity = t.units
    returning c.box_id, c.barcode`
  const taken = new Set(emptied.map((row) => `${row.box_id} ${row.barcode}`))
  const short = entries.find((entry) => !taken.has(`${entry.boxId} ${entry.barcode}`))
  if (short === undefined) return
  const [line] = await tx<{ quantity: number }[]>`
    select quantity from box_contents
    where client_id = ${clientId} and box_id = ${short.boxId} and barcode = ${short.barcode}`
  throw conflict(`Товар ${short.barcode}: в коробе только ${line?.quantity ?? 0} шт.`)
}

/** Units of a SKU in all boxes. */
export async function boxedUnits(work: Work, clientId: string, barcode: string): Promise<number> {
  const [row] = await work.tx<[{ units: number }]>`
    select coalesce(sum(quantity), 0)::bigint as units from box_contents
    where client_id = ${clientId} and barcode = ${barcode}`
  return row.units
}

/**
 * Takes out of boxes what they hold beyond `left`, by barcode: first from the box with the fewest
 * units of the SKU. The balances are locked.
 */
export async function takeExcess(
  work: Work,
  clientId: string,
  left: ReadonlyMap<string, number>,
): Promise<void> {
  if (left.size === 0) return
  const { tx } = work
  const boxed = await tx<{ barcode: string; units: number }[]>`
    select barcode, sum(quantity)::bigint as units from box_contents
    where client_id = ${clientId} and barcode = any(${[...left.keys()]})
    group by barcode`
  const rows = boxed
    .map(({ barcode, units }) => ({ barcode, excess: units - (left.get(barcode) ?? 0) }))
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

/** For a barcode in a body that is none of the client's goods. */
export function unknownGoods(barcode: string): Error {
  return invalidField('barcode', `у клиента нет товара ${barcode}`)
}
