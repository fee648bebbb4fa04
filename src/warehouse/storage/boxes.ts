import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { sscc } from '../../platform/kernel/codes/gs1.ts'
import { invalidField, notFound } from '../../platform/kernel/errors.ts'
import { isId, newId } from '../../platform/kernel/ids.ts'

/**
 * Boxes and pallets, their numbers (SSCC) and the scans that changed them.
 *
 * - Boxes and pallets are never deleted, so a look-up of one needs no lock.
 * - A number belongs to one box or pallet of the whole warehouse: it comes from one sequence and is
 *   the primary key of storage_numbers.
 */

export type StorageKind = 'box' | 'pallet'

/** Adds a pallet; with an SSCC prefix it gets a number. */
export async function addPallet(
  work: Work,
  clientId: string,
  ssccPrefix?: string,
): Promise<string> {
  const id = newId()
  await work.tx`
    insert into pallets (client_id, id, created_at) values (${clientId}, ${id}, ${work.at})`
  if (ssccPrefix !== undefined) await assignNumber(work, clientId, 'pallet', id, ssccPrefix)
  return id
}

/**
 * Adds a box; with an SSCC prefix it gets a number. Throws validation_error for a pallet that the
 * client does not have.
 */
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
  if (ssccPrefix !== undefined) await assignNumber(work, clientId, 'box', id, ssccPrefix)
  return id
}

async function assignNumber(
  work: Work,
  clientId: string,
  kind: StorageKind,
  id: string,
  prefix: string,
): Promise<void> {
  const { tx } = work
  const [{ serial }] = await tx<[{ serial: number }]>`select nextval('storage_serials') as serial`
  await tx`
    insert into storage_numbers (sscc, client_id, kind, object_id)
    values (${sscc(prefix, BigInt(serial))}, ${clientId}, ${kind}, ${id})`
}

/**
 * Puts a box on a pallet, off its location, or with null off its pallet. Returns false where it stands there
 * already.
 */
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
    update boxes set pallet_id = ${palletId}, location_id = null
    where client_id = ${clientId} and id = ${boxId}`
  return true
}

async function refuseUnknownPallet(work: Work, clientId: string, palletId: string): Promise<void> {
  const [pallet] = await work.tx`
    select id from pallets where client_id = ${clientId} and id = ${palletId}`
  if (pallet === undefined) throw invalidField('pallet_id', 'у клиента нет такой паллеты')
}

/** Whether the client has a box of this id. */
export async function isBoxOfClient(db: Queryable, clientId: string, id: string): Promise<boolean> {
  if (!isId(id)) return false
  const rows = await db`select id from boxes where client_id = ${clientId} and id = ${id}`
  return rows.length > 0
}

/** Locks boxes in the order of their ids, against moves and other changes of their contents. The caller holds the balances. */
export async function lockBoxes(
  { tx }: Work,
  clientId: string,
  ids: readonly string[],
): Promise<void> {
  await tx`
    select from boxes where client_id = ${clientId} and id = any(${ids as string[]}::uuid[])
    order by id for no key update`
}

/** Whether a handheld's scan at a box was recorded. */
export async function isBoxScan(
  db: Queryable,
  clientId: string,
  boxId: string,
  scanId: string,
): Promise<boolean> {
  const [known] = await db`
    select scan_id from storage_scans
    where client_id = ${clientId} and box_id = ${boxId} and scan_id = ${scanId}`
  return known !== undefined
}

/** Records a handheld's scan at a box. Returns false for a scan that was recorded before. */
export async function recordBoxScan(
  work: Work,
  clientId: string,
  boxId: string,
  scanId: string,
): Promise<boolean> {
  const recorded = await work.tx`
    insert into storage_scans (client_id, box_id, scan_id, at, actor)
    values (${clientId}, ${boxId}, ${scanId}, ${work.at}, ${actorText(work.actor)})
    on conflict do nothing returning scan_id`
  return recorded.length > 0
}
