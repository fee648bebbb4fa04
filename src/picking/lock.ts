import type { Work } from '../db/work.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { type LockedOrder, lockOrders } from '../orders/change.ts'
import { lockShipment } from '../shipments/lock.ts'

/**
 * Locks orders of an open task, by id. Throws conflict where the task is done or an order cancelled.
 */
export async function lockOrdersOfTask(
  work: Work,
  clientId: string,
  taskId: string,
  orderIds: readonly string[],
): Promise<Map<string, LockedOrder>> {
  const [task] = await work.tx<{ shipment_id: string }[]>`
    select shipment_id from picking_tasks where client_id = ${clientId} and id = ${taskId}`
  if (task === undefined) throw notFound('Задание на сборку не найдено')
  // Sent at once, in the order of locks.
  const [, orders] = await Promise.all([
    lockShipment(work, clientId, task.shipment_id, 'fill', 'share'),
    lockOrders(work, clientId, orderIds),
  ])
  for (const order of orders) {
    if (order.shipment_id !== task.shipment_id) throw notFound('Заказа нет в этом задании')
    if (order.status === 'CANCELLED') throw conflict(`Заказ ${order.external_id} отменён`)
  }
  return new Map(orders.map((order) => [order.id, order]))
}
