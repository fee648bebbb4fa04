import type { Work } from '../../platform/db/work.ts'
import { announce, unannounced } from '../events/outbox.ts'
import { findShipment } from './queries.ts'
import type { ShipmentStatus } from './state.ts'

/** Announces that a shipment's status has changed from `before`. */
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

/** Announces up to `limit` shipments whose status has changed unannounced. Returns how many. */
export async function announceMissedShipments(work: Work, limit: number): Promise<number> {
  const rows = await unannounced<ShipmentStatus>(work, 'shipments', limit)
  for (const { client_id, id, before } of rows) await announceShipment(work, client_id, id, before)
  return rows.length
}
