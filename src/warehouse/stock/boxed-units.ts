import type { SharedWork, Work } from '../../platform/db/work.ts'
import { invalidField, notFound } from '../../platform/kernel/errors.ts'
import { isBoxOfClient, lockBoxes } from '../storage/boxes.ts'
import { addToPlaces, type BoxedUnits, takeOffPlaces } from '../storage/place-contents.ts'
import { lockKnownBalances, refuseMoreThanLoose } from './loose-units.ts'

/**
 * Units go into boxes, between boxes and out of them.
 *
 * - Boxes and locations never hold more of a client's product than its balance. Every verb here locks
 *   the balances first, in barcode order, and then changes the contents of boxes. The ledger does the
 *   same when units leave the warehouse, so the two never deadlock.
 * - The ledger has precedence: where units leave that boxes still hold, it takes them out of the boxes.
 */

/** Puts units into a box that lie in none and at no location. Throws validation_error, not_found, conflict. */
export async function putIntoBox(work: Work, clientId: string, entry: BoxedUnits): Promise<void> {
  if (!(await isBoxOfClient(work.tx, clientId, entry.boxId))) throw notFound('Короб не найден')
  await putIntoBoxes(work, clientId, [entry])
}

/** Puts units that lie in no box and at no location into known boxes of the client. Throws validation_error, conflict. */
export async function putIntoBoxes(
  work: SharedWork,
  clientId: string,
  entries: readonly BoxedUnits[],
): Promise<void> {
  if (entries.length === 0) return
  await refuseMoreThanLoose(work, clientId, entries)
  await addToPlaces(work, clientId, entries)
}

/** Moves units from one box of the client to another. Throws validation_error, conflict. */
export async function moveBetweenBoxes(
  work: Work,
  clientId: string,
  { toBoxId, ...from }: BoxedUnits & { readonly toBoxId: string },
): Promise<void> {
  if (toBoxId === from.boxId) throw invalidField('to_box_id', 'другой короб, не тот же самый')
  if (!(await isBoxOfClient(work.tx, clientId, toBoxId))) {
    throw invalidField('to_box_id', 'у клиента нет такого короба')
  }
  await lockKnownBalances(work, clientId, [from])
  await lockBoxes(work, clientId, [from.boxId, toBoxId])
  await takeOffPlaces(work, clientId, [from])
  await addToPlaces(work, clientId, [{ ...from, boxId: toBoxId }])
}
