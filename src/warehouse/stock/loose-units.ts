import type { SharedWork } from '../../platform/db/work.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import { storedUnits } from '../storage/excess.ts'
import { type Balance, lockBalances, unknownProduct } from './balances.ts'

/** Units that lie in no box and at no location: what may be put somewhere. */

interface PutUnits {
  readonly barcode: string
  readonly units: number
}

/**
 * Locks the balances of the products and returns them. Throws validation_error for goods that the client does
 * not have; goods that were merged meanwhile make the transaction run again.
 */
export async function lockKnownBalances(
  work: SharedWork,
  clientId: string,
  entries: readonly Pick<PutUnits, 'barcode'>[],
): Promise<ReadonlyMap<string, Balance>> {
  const barcodes = [...new Set(entries.map(({ barcode }) => barcode))]
  const known = await lockBalances(work, clientId, barcodes)
  const unknown = barcodes.find((barcode) => !known.has(barcode))
  if (unknown === undefined) return known
  await work.tx`select refuse_merged(${clientId}, array[${unknown}])`
  throw unknownProduct(unknown)
}

/**
 * Locks the balances and compares them with what lies in boxes and at locations. Throws validation_error for
 * unknown goods, and conflict where fewer units are loose than are to be put.
 */
export async function refuseMoreThanLoose(
  work: SharedWork,
  clientId: string,
  entries: readonly PutUnits[],
): Promise<void> {
  const balances = await lockKnownBalances(work, clientId, entries)
  const stored = await storedUnits(work, clientId, [...balances.keys()])
  for (const [barcode, put] of Map.groupBy(entries, (entry) => entry.barcode)) {
    const loose = (balances.get(barcode)?.quantity ?? 0) - (stored.get(barcode) ?? 0)
    const units = put.reduce((sum, entry) => sum + entry.units, 0)
    if (units > loose) throw looseUnitsLess(barcode, loose)
  }
}

/** The error for a product of which too few units are loose. */
export function looseUnitsLess(barcode: string, loose: number): Error {
  return conflict(
    loose <= 0
      ? `Товар ${barcode} весь лежит в коробах и на местах: переложите его оттуда`
      : `Товар ${barcode}: вне коробов и мест хранения только ${loose} шт., остальное переложите с его мест`,
  )
}
