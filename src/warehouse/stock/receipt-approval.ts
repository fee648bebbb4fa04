import type { Work } from '../../platform/db/work.ts'
import { lockBalances } from './balances.ts'
import { recordMovements } from './ledger.ts'
import { balancesOf, openQuestions } from './units-in-question.ts'

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
