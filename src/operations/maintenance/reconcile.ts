import { type Database, inTransaction } from '../../platform/db/connection.ts'
import { workAt } from '../../platform/db/work.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { announceMissedOrders } from '../../warehouse/orders/reconcile-announcements.ts'
import { announceMissedReceipts } from '../../warehouse/receipts/announce.ts'
import { announceMissedShipments } from '../../warehouse/shipments/announce.ts'

/** Objects of one kind per transaction. */
const batch = 200

/**
 * Reconciliation: announces every object whose status differs from the one last announced. Verbs
 * announce their own changes, so it finds only statuses that somebody changed in the database by
 * hand. Returns how many objects it announced.
 */
export async function reconcile(db: Database, clock: Clock): Promise<number> {
  let announced = 0
  for (const step of [announceMissedReceipts, announceMissedShipments, announceMissedOrders]) {
    announced += await inTransaction(db, (tx) =>
      step(workAt(tx, clock.now(), { kind: 'service' }), batch),
    )
  }
  return announced
}
