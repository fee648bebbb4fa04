import type { Work } from '../../platform/db/work.ts'
import { announce } from '../events/outbox.ts'
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

interface Unannounced {
  client_id: string
  id: string
  before: ShipmentStatus
}

/**
 * Announces up to `limit` shipments whose status differs from the one last announced. Returns how
 * many.
 */
export async function announceMissedShipments(work: Work, limit: number): Promise<number> {
  const rows = await work.tx<Unannounced[]>`
    select client_id, id, announced_status as before from shipments
    where status <> announced_status order by client_id, id limit ${limit} for update skip locked`
  for (const { client_id, id, before } of rows) await announceShipment(work, client_id, id, before)
  return rows.length
}
