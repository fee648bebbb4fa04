import type { Work } from '../db/work.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'

/**
 * Storage: which units lie in which box, and which box stands on which pallet. It says where, the
 * ledger says how many: boxes never hold more of a SKU than the balance has.
 */

export async function addPallet(work: Work, clientId: string): Promise<string> {
  const id = newId()
  await work.tx`
    insert into pallets (client_id, id, created_at) values (${clientId}, ${id}, ${work.at})`
  return id
}

export async function addBox(work: Work, clientId: string, palletId?: string): Promise<string> {
  const id = newId()
  await work.tx`
    insert into boxes (client_id, id, pallet_id, created_at)
    values (${clientId}, ${id}, ${palletId ?? null}, ${work.at})`
  return id
}

/** Puts units that lie in no box yet into one. */
export async function putIntoBox(
  work: Work,
  clientId: string,
  entry: { boxId: string; barcode: string; units: number },
): Promise<void> {
  const { tx } = work
  const { boxId, barcode, units } = entry
  await lockBox(work, clientId, boxId)
  const [balance] = await tx<{ quantity: number }[]>`
    select quantity from stock_balances
    where client_id = ${clientId} and barcode = ${barcode} for update`
  const [stored] = await tx<{ units: number }[]>`
    select coalesce(sum(quantity), 0)::bigint as units from box_contents
    where client_id = ${clientId} and barcode = ${barcode}`
  const loose = (balance?.quantity ?? 0) - (stored?.units ?? 0)
  if (units > loose) throw conflict(`Товар ${barcode}: вне коробов только ${loose} шт.`)
  await tx`
    insert into box_contents as c (client_id, box_id, barcode, quantity)
    values (${clientId}, ${boxId}, ${barcode}, ${units})
    on conflict (client_id, box_id, barcode) do update set quantity = c.quantity + excluded.quantity`
}

export interface BoxedUnits {
  readonly boxId: string
  readonly barcode: string
  readonly units: number
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
  const rows = entries.map(({ boxId, ...entry }) => ({ box_id: boxId, ...entry }))
  const lessened = await tx`
    update box_contents c set quantity = c.quantity - t.units
    from jsonb_to_recordset(${tx.json(rows)}) as t (box_id uuid, barcode text, units bigint)
    where c.client_id = ${clientId} and c.box_id = t.box_id and c.barcode = t.barcode
      and c.quantity > t.units
    returning c.box_id, c.barcode`
  const taken = new Set(lessened.map((row) => `${row.box_id} ${row.barcode}`))
  const rest = rows.filter((row) => !taken.has(`${row.box_id} ${row.barcode}`))
  if (rest.length === 0) return
  const emptied = await tx`
    delete from box_contents c
    using jsonb_to_recordset(${tx.json(rest)}) as t (box_id uuid, barcode text, units bigint)
    where c.client_id = ${clientId} and c.box_id = t.box_id and c.barcode = t.barcode
      and c.quantity = t.units`
  if (emptied.count < rest.length) {
    throw conflict(
      `В коробе меньше единиц, чем берут: ${rest.map((row) => row.barcode).join(', ')}`,
    )
  }
}

async function lockBox(work: Work, clientId: string, boxId: string): Promise<void> {
  const [box] = await work.tx`
    select id from boxes where client_id = ${clientId} and id = ${boxId} for update`
  if (box === undefined) throw notFound('Короб не найден')
}
