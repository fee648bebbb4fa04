import { type Database, inTransaction } from './db/connection.ts'
import { workAt } from './db/work.ts'
import type { Clock } from './kernel/clock.ts'
import { announceMissedOrders } from './orders/reconcile-announcements.ts'
import { announceMissedReceipts } from './receipts/announce.ts'
import { announceMissedShipments } from './shipments/announce.ts'

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
