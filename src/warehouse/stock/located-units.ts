import { verdictOf } from '../../platform/db/together.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { invalidField, notFound } from '../../platform/kernel/errors.ts'
import { addToLines, type BoxedUnits, takeFromLines } from '../storage/box-contents.ts'
import { isBoxOfClient } from '../storage/boxes.ts'
import { storedUnits } from '../storage/excess.ts'
import {
  addToLocations,
  type LocatedUnits,
  takeOffLocations,
} from '../storage/location-contents.ts'
import { clearLocation, clientsAtLocation, removeFromLocation } from '../storage/location-places.ts'
import { openLocationFor } from '../storage/locations.ts'
import { lockBalances } from './balances.ts'
import { lockKnownBalances } from './loose-units.ts'

/**
 * Loose units are moved, put back, and taken for picks; put-away.ts has the scans of workers. Balances are locked first, in barcode order, exactly as in
 * boxed-units.ts: together boxes and locations never hold more of a client's product than its balance.
 */

/** Takes loose units off a location; they stay in the warehouse. Throws validation_error, conflict. */
async function takeFromLocation(work: Work, clientId: string, entry: LocatedUnits): Promise<void> {
  await takeFromPlaces(work, clientId, [], [entry])
}

export type MoveTarget = { readonly locationId: string } | { readonly boxId: string }

/** Moves loose units to another location or into a box. Throws validation_error, conflict. */
export async function moveFromLocation(
  work: Work,
  clientId: string,
  entry: LocatedUnits,
  to: MoveTarget,
): Promise<void> {
  if ('boxId' in to) {
    if (!(await isBoxOfClient(work.tx, clientId, to.boxId))) throw notFound('Короб не найден')
    await takeFromLocation(work, clientId, entry)
    await addToLines(work, clientId, [{ ...entry, boxId: to.boxId }])
    return
  }
  if (to.locationId === entry.locationId) {
    throw invalidField('to_location_id', 'другое место, не то же самое')
  }
  await openLocationFor(work, clientId, to.locationId)
  await takeFromLocation(work, clientId, entry)
  await addToLocations(work, clientId, [{ ...entry, locationId: to.locationId }])
}

/**
 * Takes units out of boxes and off locations at once, with one lock of their balances. Each product of a place is
 * named once. Throws conflict where a place holds less: the transaction must not be committed then.
 */
export async function takeFromPlaces(
  work: SharedWork,
  clientId: string,
  boxed: readonly BoxedUnits[],
  located: readonly LocatedUnits[],
): Promise<void> {
  if (boxed.length + located.length === 0) return
  await lockKnownBalances(work, clientId, [...boxed, ...located])
  if (boxed.length > 0) await takeFromLines(work, clientId, boxed)
  await takeOffLocations(work, clientId, located)
}

interface TakenUnit {
  readonly barcode: string
  readonly box_id: string | null
  readonly location_id: string | null
}

/**
 * Puts a unit back where it was taken from. It stays loose where that place is gone or closed, or where it was put
 * elsewhere meanwhile.
 */
export async function putBack(
  work: Work,
  clientId: string,
  { barcode, box_id: boxId, location_id: locationId }: TakenUnit,
): Promise<void> {
  if (boxId === null && locationId === null) return
  if (boxId !== null && !(await isBoxOfClient(work.tx, clientId, boxId))) return
  if (locationId !== null) {
    const open = await verdictOf(() => openLocationFor(work, clientId, locationId))
    if (open.kind !== 'done') return
  }
  const balance = (await lockBalances(work, clientId, [barcode])).get(barcode)
  const stored = (await storedUnits(work, clientId, [barcode])).get(barcode) ?? 0
  if ((balance?.quantity ?? 0) <= stored) return
  if (boxId !== null) await addToLines(work, clientId, [{ boxId, barcode, units: 1 }])
  else if (locationId !== null) {
    await addToLocations(work, clientId, [{ locationId, barcode, units: 1 }])
  }
}

/** Takes everything off a location: loose units, boxes and pallets of all clients. Returns false where it is empty. */
export async function emptyLocation(work: Work, locationId: string): Promise<boolean> {
  let changed = false
  for (const { clientId, barcodes } of await clientsAtLocation(work.tx, locationId)) {
    await lockBalances(work, clientId, barcodes)
    changed = (await removeFromLocation(work, clientId, locationId, barcodes)) || changed
  }
  return (await clearLocation(work, locationId)) || changed
}
