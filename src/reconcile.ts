import { type Database, inTransaction } from './db/connection.ts'
import { workAt } from './db/work.ts'
import type { Clock } from './kernel/clock.ts'
import { announceOrders } from './orders/announce.ts'
import type { OrderStatus } from './orders/state.ts'
import { announceReceipt } from './receipts/announce.ts'
import type { ReceiptStatus } from './receipts/state.ts'
import { announceShipment } from './shipments/announce.ts'
import type { ShipmentStatus } from './shipments/state.ts'

/**
 * Reconciliation: whatever has another status than the one last announced is announced now, however
 * it came to it. Verbs leave nothing to do here; a status changed by hand is what it is for.
 */

const batch = 200

interface Unannounced<Status> {
  client_id: string
  id: string
  before: Status
}

/** Announces what was not; returns how many objects. */
export async function reconcile(db: Database, clock: Clock): Promise<number> {
  let found = 0
  for (const step of [reconcileReceipts, reconcileShipments, reconcileOrders]) {
    found += await inTransaction(db, (tx) => step(workAt(tx, clock.now(), 'reconciliation')))
  }
  return found
}

type Step = (work: ReturnType<typeof workAt>) => Promise<number>

const reconcileReceipts: Step = async (work) => {
  const rows = await work.tx<Unannounced<ReceiptStatus>[]>`
    select client_id, id, announced_status as before from receipts
    where status <> announced_status order by client_id, id limit ${batch} for update skip locked`
  for (const { client_id, id, before } of rows) await announceReceipt(work, client_id, id, before)
  return rows.length
}

const reconcileShipments: Step = async (work) => {
  const rows = await work.tx<Unannounced<ShipmentStatus>[]>`
    select client_id, id, announced_status as before from shipments
    where status <> announced_status order by client_id, id limit ${batch} for update skip locked`
  for (const { client_id, id, before } of rows) await announceShipment(work, client_id, id, before)
  return rows.length
}

const reconcileOrders: Step = async (work) => {
  const rows = await work.tx<Unannounced<OrderStatus>[]>`
    select client_id, id, announced_status as before from orders
    where status <> announced_status order by client_id, id limit ${batch} for update skip locked`
  for (const [clientId, orders] of Map.groupBy(rows, (row) => row.client_id)) {
    await work.tx`
      update orders set announced_status = status
      where client_id = ${clientId} and id = any(${orders.map(({ id }) => id)}::uuid[])`
    await announceOrders(work, clientId, new Map(orders.map(({ id, before }) => [id, before])))
  }
  return rows.length
}
