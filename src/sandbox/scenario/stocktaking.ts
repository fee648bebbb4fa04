import type { Work } from '../../platform/db/work.ts'
import { day } from '../../platform/kernel/moscow-time.ts'
import { decideLine } from '../../warehouse/counts/decisions.ts'
import { expectedInScope } from '../../warehouse/counts/expected.ts'
import { closeCount } from '../../warehouse/counts/verbs.ts'
import { countGoods } from '../counting.ts'
import { goods } from './goods.ts'
import type { Stage, Step } from './stage.ts'

/** A count of a few goods three days ago: one unit was not found at once, and the manager left it at that. */
export function stocktakingSteps({ clientId, end }: Stage): Step[] {
  const barcodes = goods.slice(0, 4).map(({ barcode }) => barcode)
  return [{ at: end - 3 * day, run: (work) => countSome(work, clientId, barcodes) }]
}

async function countSome(work: Work, clientId: string, barcodes: readonly string[]): Promise<void> {
  const scope = { barcodes, box_ids: [], location_ids: [] }
  const expected = await work.tx<{ barcode: string; units: number }[]>`
    select * from (${expectedInScope(work.tx, clientId, scope)}) e order by barcode`
  const short = expected.find(({ units }) => units > 0)?.barcode
  const scans = expected.map(({ barcode, units }) => {
    const seen = barcode === short ? units - 1 : units
    return { scanId: `count-${barcode}`, barcode, units: seen }
  })
  const id = await countGoods(work, clientId, scope, scans)
  if (short !== undefined) {
    await decideLine(work, clientId, id, short, { outcome: 'ignore', reason: 'COUNT' })
  }
  await closeCount(work, clientId, id)
}
