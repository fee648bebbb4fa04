import type { Work } from '../../platform/db/work.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { type LockedOrder, lockOrderBook, lockOrders } from '../orders/lock.ts'
import type { ShipmentGuard } from '../picking/lock.ts'
import { lockPicking } from '../picking/tasks.ts'
import {
  allowsShipmentVerb,
  mirroredMessage,
  refusalOfShipment,
  type ShipmentStatus,
  type ShipmentVerb,
} from './state.ts'

export interface LockedShipment {
  readonly cabinet_id: string
  readonly status: ShipmentStatus
  readonly closed_at: Timestamp | null
  readonly mirrored: boolean
}

/** Locks the shipment. Throws not_found, and conflict where its status or kind forbids the verb. */
export async function lockShipment(
  { tx }: Work,
  clientId: string,
  id: string,
  verb: ShipmentVerb,
): Promise<LockedShipment> {
  const [shipment] = await tx<LockedShipment[]>`
    select cabinet_id, status, closed_at, mirrored from shipments
    where client_id = ${clientId} and id = ${id} for no key update`
  if (shipment === undefined) throw notFound('Отгрузка не найдена')
  if (!allowsShipmentVerb(shipment.status, verb)) {
    throw conflict(refusalOfShipment(shipment.status))
  }
  if (shipment.mirrored && verb !== 'accept') {
    throw conflict(mirroredMessage)
  }
  return shipment
}

/** Takes the locks of `removeOrder`. Throws not_found where the order is not in the shipment, and conflict as it does. */
export async function lockOrderInShipment(
  work: Work,
  clientId: string,
  { shipmentId, orderId }: { readonly shipmentId: string; readonly orderId: string },
  guard?: ShipmentGuard,
): Promise<LockedOrder> {
  await lockOrderBook(work, clientId)
  await lockShipment(work, clientId, shipmentId, 'fill')
  await guard?.(work, clientId, shipmentId)
  await lockPicking(work, clientId, shipmentId)
  const [order] = await lockOrders(work, clientId, [orderId])
  if (order?.shipment_id !== shipmentId) throw notFound('Заказа нет в этой отгрузке')
  return order
}

/** Updates the orders_count of shipments that orders have joined or left. */
export async function updateOrdersCount(
  { tx }: Work,
  clientId: string,
  shipmentIds: readonly string[],
): Promise<void> {
  await tx`
    update shipments s set orders_count = (
      select count(*) from orders o where o.client_id = s.client_id and o.shipment_id = s.id)
    where s.client_id = ${clientId} and s.id = any(${shipmentIds as string[]}::uuid[])`
}
