import type { Work } from '../../platform/db/work.ts'
import {
  decide,
  type OpenMiss,
  questionMissingUnits,
  type StockEntry,
  stillMissing,
  takeMissingUnits,
} from '../picking/miss-decisions.ts'
import { lockOrderInShipment } from './lock.ts'

/** An order leaves its shipment because its goods were not found. */
export interface MissedOrderRemoval {
  /** `tell_seller` puts the missing units in question, which sellers see; `remove_order` may take them from the stock. */
  readonly decision: 'remove_order' | 'tell_seller'
  readonly comment?: string | undefined
  /** Code of the reason of a stock entry; undefined leaves the stock as it is. */
  readonly reason?: string | undefined
}

/**
 * A manager decides that an order leaves its open shipment and waits for another one. `remove` runs `removeOrder` with
 * the marketplace's coordination. Throws conflict where the miss has ended before.
 */
export async function takeMissedOrderOut(
  work: Work,
  clientId: string,
  miss: OpenMiss,
  { decision, comment, reason }: MissedOrderRemoval,
  remove: (work: Work) => Promise<void>,
): Promise<void> {
  await lockOrderInShipment(work, clientId, miss)
  await decide(work, clientId, miss.id, { outcome: decision, comment })
  const units = await stillMissing(work, clientId, miss)
  await remove(work)
  if (reason === undefined) return
  const entry: StockEntry = { reason, comment }
  const enter = decision === 'tell_seller' ? questionMissingUnits : takeMissingUnits
  await enter(work, clientId, { ...miss, units }, entry)
}
