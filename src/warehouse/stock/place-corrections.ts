import type { Work } from '../../platform/db/work.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import { productOfScan } from '../catalogue/products.ts'
import { isBoxOfClient } from '../storage/boxes.ts'
import { openLocationFor } from '../storage/locations.ts'
import { addToPlaces, type UnitPlace } from '../storage/place-contents.ts'
import { type Correction, correctStock } from './adjustments.ts'
import { takeFromPlaces } from './located-units.ts'

/**
 * Corrects the stock by the units of one place: missing ones leave it and the stock, found ones lie there from now on.
 * Without the place the ledger would take them where fewest lie. Throws what `correctStock` does, and conflict where
 * fewer lie there.
 */
export async function correctStockAt(
  work: Work,
  clientId: string,
  entry: Correction,
  place: UnitPlace,
): Promise<void> {
  const barcode = await productOfScan(work.tx, clientId, entry.barcode)
  const units = { ...place, barcode, units: Math.abs(entry.delta) }
  if (entry.delta < 0) {
    await takeFromPlaces(work, clientId, [units])
    return correctStock(work, clientId, entry)
  }
  // Places are locked before balances, as where goods are put away.
  if ('locationId' in place) await openLocationFor(work, clientId, place.locationId)
  else if (!(await isBoxOfClient(work.tx, clientId, place.boxId))) throw boxHasGone()
  await correctStock(work, clientId, entry)
  await addToPlaces(work, clientId, [units])
}

function boxHasGone(): Error {
  return conflict('Этого короба уже нет: обновите страницу')
}
