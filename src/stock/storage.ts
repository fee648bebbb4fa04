import type { Work } from '../db/work.ts'
import { conflict, invalidField, notFound } from '../kernel/errors.ts'
import { sscc } from '../kernel/gs1.ts'
import { newId } from '../kernel/ids.ts'
import {
  addToLine,
  type BoxedUnits,
  boxedUnits,
  lockBalances,
  takeFromBoxes,
  unknownGoods,
} from './contents.ts'

/**
 * Storage: which units lie in which box, and which box stands on which pallet. It says where, the
 * ledger says how many: boxes never hold more of a SKU than the balance has.
 */

export { type BoxedUnits, takeFromBoxes } from './contents.ts'

export type StoredKind = 'box' | 'pallet'

/** With a prefix it gets a number (SSCC) that no other box or pallet of the warehouse has. */
export async function addPallet(
  work: Work,
  clientId: string,
  ssccPrefix?: string,
): Promise<string> {
  const id = newId()
  await work.tx`
    insert into pallets (client_id, id, created_at) values (${clientId}, ${id}, ${work.at})`
  if (ssccPrefix !== undefined) await giveNumber(work, clientId, 'pallet', id, ssccPrefix)
  return id
}

/** As addPallet. Throws validation_error for a pallet that the client does not have. */
export async function addBox(
  work: Work,
  clientId: string,
  palletId?: string,
  ssccPrefix?: string,
): Promise<string> {
  if (palletId !== undefined) await refuseUnknownPallet(work, clientId, palletId)
  const id = newId()
  await work.tx`
    insert into boxes (client_id, id, pallet_id, created_at)
    values (${clientId}, ${id}, ${palletId ?? null}, ${work.at})`
  if (ssccPrefix !== undefined) await giveNumber(work, clientId, 'box', id, ssccPrefix)
  return id
}

async function giveNumber(
  work: Work,
  clientId: string,
  kind: StoredKind,
  id: string,
  prefix: string,
): Promise<void> {
  const { tx } = work
  const [{ serial }] = await tx<[{ serial: number }]>`select nextval('storage_serials') as serial`
  await tx`
    insert into storage_numbers (sscc, client_id, kind, object_id)
    values (${sscc(prefix, BigInt(serial))}, ${clientId}, ${kind}, ${id})`
}

/** Puts a box on a pallet, or on the floor. Returns false where it stands there already. */
export async function placeBox(
  work: Work,
  clientId: string,
  boxId: string,
  palletId: string | null,
): Promise<boolean> {
  const { tx } = work
  if (palletId !== null) await refuseUnknownPallet(work, clientId, palletId)
  const [box] = await tx<{ pallet_id: string | null }[]>`
    select pallet_id from boxes where client_id = ${clientId} and id = ${boxId} for no key update`
  if (box === undefined) throw notFound('Короб не найден')
  if (box.pallet_id === palletId) return false
  await tx`
    update boxes set pallet_id = ${palletId} where client_id = ${clientId} and id = ${boxId}`
  return true
}

async function refuseUnknownPallet(work: Work, clientId: string, palletId: string): Promise<void> {
  const [pallet] = await work.tx`
    select id from pallets where client_id = ${clientId} and id = ${palletId}`
  if (pallet === undefined) throw invalidField('pallet_id', 'у клиента нет такой паллеты')
}

/** Puts units that lie in no box yet into one. */
export async function putIntoBox(work: Work, clientId: string, entry: BoxedUnits): Promise<void> {
  const { boxId, barcode, units } = entry
  if (!(await isBox(work, clientId, boxId))) throw notFound('Короб не найден')
  const balance = (await lockBalances(work, clientId, [barcode])).get(barcode)
  if (balance === undefined) throw unknownGoods(barcode)
  const loose = balance.quantity - (await boxedUnits(work, clientId, barcode))
  if (units > loose) throw conflict(`Товар ${barcode}: вне коробов только ${loose} шт.`)
  await addToLine(work, clientId, entry)
}

/** Moves units from one box to another of the same client, without a moment in which they are loose. */
export async function moveBetweenBoxes(
  work: Work,
  clientId: string,
  { toBoxId, ...from }: BoxedUnits & { readonly toBoxId: string },
): Promise<void> {
  if (toBoxId === from.boxId) throw invalidField('to_box_id', 'другой короб, не тот же самый')
  if (!(await isBox(work, clientId, toBoxId))) {
    throw invalidField('to_box_id', 'у клиента нет такого короба')
  }
  await takeFromBoxes(work, clientId, [from])
  await addToLine(work, clientId, { ...from, boxId: toBoxId })
}

/** Boxes are never deleted, so it takes no lock. */
async function isBox(work: Work, clientId: string, id: string): Promise<boolean> {
  const rows = await work.tx`select id from boxes where client_id = ${clientId} and id = ${id}`
  return rows.length > 0
}

/** Notes a scan of a handheld at a box; false for one that was taken before. */
export async function takeScan(
  work: Work,
  clientId: string,
  boxId: string,
  scanId: string,
): Promise<boolean> {
  const taken = await work.tx`
    insert into storage_scans (client_id, box_id, scan_id, at, actor)
    values (${clientId}, ${boxId}, ${scanId}, ${work.at}, ${work.actor})
    on conflict do nothing returning scan_id`
  return taken.length > 0
}
