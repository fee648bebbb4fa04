import type { SharedWork, Work } from '../../platform/db/work.ts'
import { conflict, excerpt, notFound } from '../../platform/kernel/errors.ts'
import { type LockedOrder, lockOrders } from '../orders/lock.ts'
import { shareOwnTask } from './claims.ts'
import type { PickingTaskVerb } from './state.ts'
import { shareTask } from './tasks.ts'

/**
 * A further condition of a change to a shipment's orders or picks. It runs once the shipment or its picking task is
 * locked, and throws to refuse the change. What it reads stays true until the transaction ends, because all who write
 * it lock the shipment and the task, too.
 */
export type ShipmentGuard = (
  work: SharedWork,
  clientId: string,
  shipmentId: string,
) => Promise<void>

export interface PickingLock {
  readonly taskId: string
  readonly verb: PickingTaskVerb
  readonly orderIds: readonly string[]
  readonly guard: ShipmentGuard | undefined
}

/**
 * Locks a task and orders of it, by id. Throws not_found for an order of no task or another one. Throws conflict
 * where the task is done, an order is cancelled, or another user has claimed the task; even then anybody may check,
 * and a manager may decide.
 */
export async function lockOrdersOfTask(
  work: Work,
  clientId: string,
  { taskId, verb, orderIds, guard }: PickingLock,
): Promise<Map<string, LockedOrder>> {
  // Both statements are sent at once, in the order of their locks.
  const [{ shipmentId }, orders] = await Promise.all([
    verb === 'check' || verb === 'decide'
      ? shareTask(work, clientId, taskId, verb)
      : shareOwnTask(work, clientId, taskId, verb),
    lockOrders(work, clientId, orderIds),
  ])
  await guard?.(work, clientId, shipmentId)
  for (const order of orders) refuseOrder(order, shipmentId)
  return new Map(orders.map((order) => [order.id, order]))
}

/** Throws not_found for an order of no task or another one, and conflict for a cancelled one. */
export function refuseOrder(order: LockedOrder, shipmentId: string): void {
  if (order.shipment_id !== shipmentId) throw notFound('Заказа нет в этом задании')
  if (order.status === 'CANCELLED') throw conflict(`Заказ ${order.external_id} отменён`)
}

/** Throws conflict for an order that the seller delivers himself by now: nobody here packs it. */
export function refuseOtherScheme({ external_id: number, scheme }: LockedOrder): void {
  if (scheme === null || scheme === 'fbs') return
  throw conflict(
    `Заказ ${number} теперь доставляет сам продавец (схема ${excerpt(scheme)}): не собирайте его, товар верните ` +
      'на место, а менеджер уберёт заказ из отгрузки',
  )
}
