import { verdictOf } from '../../platform/db/together.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { invalidField, notFound } from '../../platform/kernel/errors.ts'
import { isBoxOfClient } from '../storage/boxes.ts'
import { storedUnits } from '../storage/excess.ts'
import { clearLocation } from '../storage/location-places.ts'
import { openLocationFor } from '../storage/locations.ts'
import {
  addToPlaces,
  clientsAtLocation,
  type LocatedUnits,
  type PlacedUnits,
  placesNamed,
  removeFromLocation,
  takeOffPlaces,
  type UnitPlace,
} from '../storage/place-contents.ts'
import { lockBalances } from './balances.ts'
import { lockKnownBalances } from './loose-units.ts'

/**
 * Units are moved from locations, taken for picks and put back; put-away.ts has the scans of workers. As in boxed-units.ts
 * balances are locked first, in barcode order: boxes and locations together never hold more of a client's product than its
 * balance.
 */

/** Moves loose units to another location or into a box. Throws validation_error, conflict. */
export async function moveFromLocation(
  work: Work,
  clientId: string,
  entry: LocatedUnits,
  to: UnitPlace,
): Promise<void> {
  if ('boxId' in to) {
    if (!(await isBoxOfClient(work.tx, clientId, to.boxId))) throw notFound('Короб не найден')
  } else if (to.locationId === entry.locationId) {
    throw invalidField('to_location_id', 'другое место, не то же самое')
  } else {
    await openLocationFor(work, clientId, to.locationId)
  }
  await takeFromPlaces(work, clientId, [entry])
  const { barcode, units } = entry
  await addToPlaces(work, clientId, [{ ...to, barcode, units }])
}

/**
 * Takes units out of boxes and off locations, with one lock of their balances; they stay in the warehouse. Each product of
 * a place is named once. Throws validation_error, and conflict where a place holds less: the transaction must not be
 * committed then.
 */
export async function takeFromPlaces(
  work: SharedWork,
  clientId: string,
  entries: readonly PlacedUnits[],
): Promise<void> {
  if (entries.length === 0) return
  await lockKnownBalances(work, clientId, entries)
  await takeOffPlaces(work, clientId, entries)
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
  const [place] = placesNamed(boxId, locationId)
  if (place !== undefined) await addToPlaces(work, clientId, [{ ...place, barcode, units: 1 }])
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
