import type { Work } from '../../platform/db/work.ts'
import { announceOrders } from './announce.ts'
import { confirmAnnounced } from './change.ts'
import type { OrderStatus } from './state.ts'

interface Unannounced {
  client_id: string
  id: string
  before: OrderStatus
}

/** Announces up to `limit` orders whose status differs from the one last announced. Returns how many. */
export async function announceMissedOrders(work: Work, limit: number): Promise<number> {
  const rows = await work.tx<Unannounced[]>`
    select client_id, id, announced_status as before from orders
    where status <> announced_status order by client_id, id limit ${limit} for update skip locked`
  for (const [clientId, orders] of Map.groupBy(rows, (row) => row.client_id)) {
    const before = new Map(orders.map((order) => [order.id, order.before]))
    await confirmAnnounced(work, clientId, [...before.keys()])
    await announceOrders(work, clientId, before)
  }
  return rows.length
}
