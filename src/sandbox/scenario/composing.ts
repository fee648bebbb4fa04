import { day, hour } from '../../platform/kernel/moscow-time.ts'
import { putParts } from '../../warehouse/catalogue/sets.ts'
import { makeAssembly } from '../../warehouse/stock/assemblies.ts'
import { keepLots, warnDaysDefault } from '../../warehouse/stock/lots.ts'
import { putProduct } from '../../warehouse/stock/new-products.ts'
import { datedGoods, giftSet } from './goods.ts'
import { days, setDays } from './plan.ts'
import type { Stage, Step } from './stage.ts'

/** More than leave: each order takes one that lies ready. */
const assembled = 8

/** A manager says which goods keep their dates, and later what a set is made of; sets are put together before they are sold. */
export function composingSteps({ clientId, end }: Stage): Step[] {
  const { barcode, parts } = giftSet
  return [
    {
      // The first receipts are announced by then, and nothing has come yet.
      at: end - days * day + 1.9 * hour,
      run: async (work) => {
        await keepLots(work, { clientId, barcode: datedGoods.barcode }, warnDaysDefault)
      },
    },
    {
      at: end - setDays * day,
      run: async (work) => {
        await putProduct(work, clientId, giftSet)
        const drafts = parts.map((part) => ({ barcode: part.barcode, qty: 1 }))
        await putParts(work, { clientId, barcode }, drafts)
        await makeAssembly(work, clientId, { kind: 'ASSEMBLE', barcode, units: assembled })
      },
    },
  ]
}
