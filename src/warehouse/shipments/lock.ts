import type { Work } from '../../platform/db/work.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
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
