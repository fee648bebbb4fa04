import type { Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { conflict, invalidField } from '../../platform/kernel/errors.ts'
import { meantByScans } from '../catalogue/other-barcodes.ts'
import { productOfScan } from '../catalogue/products.ts'
import { isBoxOfClient } from '../storage/boxes.ts'
import { openLocationFor } from '../storage/locations.ts'
import { addToPlaces, type UnitPlace } from '../storage/place-contents.ts'
import { lockBalances, unknownProduct } from './balances.ts'
import { type Movement, recordMovements } from './ledger.ts'
import { takeFromPlaces } from './located-units.ts'
import { refuseUnknownReason } from './reasons.ts'
import { balancesOf, openQuestions } from './units-in-question.ts'

/** Corrections, write-offs and investigations: the ledger entries that staff make. */

export interface Correction {
  readonly barcode: string
  /** Units to add (+) or take away (−); not 0. */
  readonly delta: number
  /** Code of a reason of the kind `correction`. */
  readonly reason: string
  readonly comment?: string
}

export async function correctStock(work: Work, clientId: string, entry: Correction): Promise<void> {
  if (entry.delta === 0) throw invalidField('delta', 'целое число, не 0')
  await enter(work, clientId, { kind: 'correction', ...entry })
}

export interface HandEntry {
  readonly barcode: string
  /** 1 or more. */
  readonly units: number
  /** Code of the curated list, kind correction. */
  readonly reason: string
  readonly comment?: string
}

/** Removes units that are broken, expired or lost. */
export async function writeOff(work: Work, clientId: string, entry: HandEntry): Promise<void> {
  const { units, ...rest } = entry
  await enter(work, clientId, { kind: 'write_off', delta: -units, ...rest })
}

/** Puts free units in question until it is clear whose or how many they are; quantity stays. */
export async function putInQuestion(work: Work, clientId: string, entry: HandEntry): Promise<void> {
  const { units, ...rest } = entry
  await enter(work, clientId, { kind: 'question', delta: 0, questionDelta: units, ...rest })
}

export const questionOutcomes = ['found', 'written_off'] as const
export type QuestionOutcome = (typeof questionOutcomes)[number]

/** Ends an investigation: the units become free again, or are written off. */
export async function resolveQuestion(
  work: Work,
  clientId: string,
  entry: { barcode: string; units: number; outcome: QuestionOutcome },
): Promise<void> {
  const { barcode, units, outcome } = entry
  await enter(
    work,
    clientId,
    outcome === 'found'
      ? { kind: 'question', barcode, delta: 0, questionDelta: -units }
      : { kind: 'write_off', barcode, delta: -units, questionDelta: -units },
  )
}

/** Throws validation_error for an unknown product or reason, and conflict as the ledger does. */
async function enter(work: Work, clientId: string, movement: Movement): Promise<void> {
  const { barcode: text } = movement
  const barcode = (await meantByScans(work.tx, [{ clientId, text }]))(clientId, text)
  const [product] = await work.tx`
    select barcode from products where client_id = ${clientId} and barcode = ${barcode}`
  if (product === undefined) throw unknownProduct(text)
  if (movement.reason !== undefined) await refuseUnknownReason(work, 'correction', movement.reason)
  await recordMovements(work, clientId, [{ ...movement, barcode }])
}

/**
 * Records the id that the caller gave an entry. Returns false for an id that was recorded before: then the entry was
 * made. Of two calls at once the second waits for the first.
 */
export async function takeEntry(work: Work, clientId: string, entryId: string): Promise<boolean> {
  const taken = await work.tx`
    insert into stock_entries (client_id, entry_id, at, actor)
    values (${clientId}, ${entryId}, ${work.at}, ${actorText(work.actor)})
    on conflict do nothing returning entry_id`
  return taken.length > 0
}

/**
 * Ends the question about units of a receipt: those that are still in question become free. Returns them
 * by barcode. The caller has locked the receipt.
 */
export async function freeUnitsOfReceipt(
  work: Work,
  clientId: string,
  receiptId: string,
  barcodes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  await lockBalances(work, clientId, barcodes)
  const open = await work.tx<{ barcode: string; units: number }[]>`
    select barcode, units
    from (${openQuestions(work.tx, balancesOf(work.tx, clientId, barcodes))}) open
    where receipt_id = ${receiptId}`
  const movements = open.map(({ barcode, units }) => ({
    kind: 'question' as const,
    barcode,
    delta: 0,
    questionDelta: -units,
    receiptId,
  }))
  await recordMovements(work, clientId, movements)
  return new Map(open.map(({ barcode, units }) => [barcode, units]))
}

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
