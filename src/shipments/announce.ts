import type { Work } from '../db/work.ts'
import { announce } from '../events/outbox.ts'
import { findShipment } from './queries.ts'
import type { ShipmentStatus } from './state.ts'

/** Announces that a shipment's status is another than `before`. */
export async function announceShipment(
  work: Work,
  clientId: string,
  id: string,
  before: ShipmentStatus,
): Promise<void> {
  await work.tx`
    update shipments set announced_status = status where client_id = ${clientId} and id = ${id}`
  await announce(work, clientId, 'shipment.status_changed', async () => {
    const shipment = await findShipment(work.tx, clientId, id)
    return shipment === undefined ? [] : [{ object: shipment, previousStatus: before }]
  })
}
