import type { Work } from '../platform/db/work.ts'
import type { Lot } from '../platform/kernel/codes/lot.ts'
import { day, moscowDate } from '../platform/kernel/moscow-time.ts'
import type { CountScope } from '../warehouse/counts/expected.ts'
import type { CountingScan } from '../warehouse/counts/scan-statements.ts'
import { countUnits } from '../warehouse/counts/scans.ts'
import { openCount, reviewCount, startCount } from '../warehouse/counts/verbs.ts'

/** Counts goods of a sandbox blind by these scans and gives the count to review. Returns its id. */
export async function countGoods(
  work: Work,
  clientId: string,
  scope: CountScope,
  scans: readonly CountingScan[],
): Promise<string> {
  const id = await openCount(work, clientId, { ...scope, blind: true })
  await startCount(work, clientId, id)
  for (const scan of scans) await countUnits(work, clientId, id, scan)
  await reviewCount(work, clientId, id)
  return id
}

const goodForDays = 180

/** What is read off units that are brought now; goods whose dates are not kept pass it over. */
export function lotOfBrought({ now }: Work): Lot {
  return { expiresOn: moscowDate(now + goodForDays * day), number: '' }
}
