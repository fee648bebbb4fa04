import { day } from '../../platform/kernel/moscow-time.ts'
import {
  correctStock,
  putInQuestion,
  resolveQuestion,
  writeOff,
} from '../../warehouse/stock/adjustments.ts'
import { goods, soldOut } from './goods.ts'
import type { Stage, Step } from './stage.ts'

/** Manual ledger entries of managers: corrections, write-offs, investigations. */
export function manualSteps({ clientId, end }: Stage): Step[] {
  const barcode = (index: number) => goods[index]?.barcode ?? ''
  return [
    {
      at: end - 20 * day,
      run: (work) =>
        correctStock(work, clientId, { barcode: barcode(2), delta: -1, reason: 'COUNT' }),
    },
    {
      at: end - 12 * day,
      run: (work) =>
        correctStock(work, clientId, { barcode: barcode(15), delta: 1, reason: 'FOUND' }),
    },
    {
      at: end - 9 * day,
      run: (work) =>
        writeOff(work, clientId, { barcode: barcode(16), units: 1, reason: 'DAMAGED' }),
    },
    {
      at: end - 4 * day,
      run: (work) =>
        putInQuestion(work, clientId, { barcode: barcode(4), units: 3, reason: 'COUNT' }),
    },
    {
      at: end - day,
      run: async (work) => {
        const [balance] = await work.tx<{ quantity: number }[]>`
          select quantity from stock_balances
          where client_id = ${clientId} and barcode = ${soldOut.barcode}`
        await writeOff(work, clientId, {
          barcode: soldOut.barcode,
          units: balance?.quantity ?? 0,
          reason: 'OTHER',
          comment: 'Остаток забрал продавец',
        })
      },
    },
    {
      at: end - day,
      run: (work) =>
        resolveQuestion(work, clientId, { barcode: barcode(4), units: 1, outcome: 'found' }),
    },
  ]
}
