import type { SharedWork } from '../../platform/db/work.ts'
import { announce } from '../events/outbox.ts'
import { findOrders } from './queries.ts'
import type { OrderStatus } from './state.ts'

/** Announces orders whose status has changed. `before` has the previous status by order id. */
export async function announceOrders(
  work: SharedWork,
  clientId: string,
  before: ReadonlyMap<string, OrderStatus>,
): Promise<void> {
  const ids = [...before.keys()]
  if (ids.length === 0) return
  await announce(work, clientId, 'order.status_changed', async () => {
    const orders = await findOrders(work.tx, clientId, ids)
    return orders.map((order) => ({
      object: order,
      previousStatus: before.get(order.id) ?? order.status,
    }))
  })
}
