import type { Queryable } from '../../platform/db/connection.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { type Actor, actorText } from '../../platform/kernel/actor.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import { openLocationFor } from './locations.ts'

/** Boxes and pallets at locations, and the scans there. */

/**
 * Places a box at a location, off its pallet, or with null on the floor. Returns false where it stands there
 * already. Throws not_found, validation_error, conflict.
 */
export async function placeBoxAtLocation(
  work: Work,
  clientId: string,
  boxId: string,
  locationId: string | null,
): Promise<boolean> {
  const { tx } = work
  if (locationId !== null) await openLocationFor(work, clientId, locationId)
  const [box] = await tx<{ pallet_id: string | null; location_id: string | null }[]>`
    select pallet_id, location_id from boxes
    where client_id = ${clientId} and id = ${boxId} for no key update`
  if (box === undefined) throw notFound('Короб не найден')
  if (box.location_id === locationId && box.pallet_id === null) return false
  await tx`
    update boxes set location_id = ${locationId}, pallet_id = null
    where client_id = ${clientId} and id = ${boxId}`
  return true
}

/** Places a pallet with its boxes at a location, or with null on the floor; as placeBoxAtLocation. */
export async function placePalletAtLocation(
  work: Work,
  clientId: string,
  palletId: string,
  locationId: string | null,
): Promise<boolean> {
  const { tx } = work
  if (locationId !== null) await openLocationFor(work, clientId, locationId)
  const [pallet] = await tx<{ location_id: string | null }[]>`
    select location_id from pallets
    where client_id = ${clientId} and id = ${palletId} for no key update`
  if (pallet === undefined) throw notFound('Паллета не найдена')
  if (pallet.location_id === locationId) return false
  await tx`
    update pallets set location_id = ${locationId}
    where client_id = ${clientId} and id = ${palletId}`
  return true
}

/** Records a handheld's scan at a location. Returns false for a scan that was recorded before. */
export async function recordLocationScan(
  work: Work,
  clientId: string,
  locationId: string,
  scanId: string,
): Promise<boolean> {
  const recorded = await work.tx`
    insert into location_scans (client_id, location_id, scan_id, at, actor)
    values (${clientId}, ${locationId}, ${scanId}, ${work.at}, ${actorText(work.actor)})
    on conflict do nothing returning scan_id`
  return recorded.length > 0
}

/** A handheld's scan at a location. */
export interface LocationScanName {
  readonly locationId: string
  readonly scanId: string
}

/** Records scans that the caller knows to be new. Throws conflict where another transaction has recorded one since. */
export async function recordLocationScans(
  { tx, at }: SharedWork,
  clientId: string,
  scans: readonly (LocationScanName & { readonly actor: Actor })[],
): Promise<void> {
  if (scans.length === 0) return
  const rows = scans.map(({ locationId, scanId, actor }) => ({
    location_id: locationId,
    scan_id: scanId,
    actor: actorText(actor),
  }))
  const recorded = await tx`
    insert into location_scans (client_id, at, location_id, scan_id, actor)
    select ${clientId}::uuid, ${at}::timestamptz, s.*
    from jsonb_to_recordset(${tx.json(rows)}) as s (location_id uuid, scan_id text, actor text)
    order by location_id, scan_id
    on conflict do nothing returning scan_id`
  if (recorded.length < rows.length) throw conflict('Этот скан сейчас принимается: повторите его')
}

/** Which of these scans are recorded, each as its location and its id with a space between. */
export async function knownLocationScans(
  db: Queryable,
  clientId: string,
  scans: readonly LocationScanName[],
): Promise<ReadonlySet<string>> {
  const asked = scans.map(({ locationId, scanId }) => ({
    location_id: locationId,
    scan_id: scanId,
  }))
  const rows = await db<{ location_id: string; scan_id: string }[]>`
    select q.location_id, q.scan_id
    from jsonb_to_recordset(${db.json(asked)}) as q (location_id uuid, scan_id text)
    cross join lateral (
      select from location_scans
      where client_id = ${clientId} and location_id = q.location_id and scan_id = q.scan_id
      offset 0
    ) s`
  return new Set(rows.map((row) => `${row.location_id} ${row.scan_id}`))
}

/** Whether a handheld's scan at a location was recorded. */
export async function isLocationScan(
  db: Queryable,
  clientId: string,
  locationId: string,
  scanId: string,
): Promise<boolean> {
  const [known] = await db`
    select scan_id from location_scans
    where client_id = ${clientId} and location_id = ${locationId} and scan_id = ${scanId}`
  return known !== undefined
}

/** Takes all boxes and pallets off a location. Returns false where none stood there. */
export async function clearLocation({ tx }: Work, locationId: string): Promise<boolean> {
  const pallets = await tx`
    update pallets x set location_id = null from (
      select client_id, id from pallets where location_id = ${locationId}
      order by client_id, id for no key update
    ) p
    where x.client_id = p.client_id and x.id = p.id returning x.id`
  const boxes = await tx`
    update boxes x set location_id = null from (
      select client_id, id from boxes where location_id = ${locationId}
      order by client_id, id for no key update
    ) b
    where x.client_id = b.client_id and x.id = b.id returning x.id`
  return pallets.length + boxes.length > 0
}
