import { openCount, reviewCount, startCount } from '../counts/documents.ts'
import type { CountScope } from '../counts/expected.ts'
import type { CountingScan } from '../counts/scan-statements.ts'
import { countUnits } from '../counts/scans.ts'
import type { Work } from '../db/work.ts'

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
