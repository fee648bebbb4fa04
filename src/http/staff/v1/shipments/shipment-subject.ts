import type { Database } from '../../../../platform/db/connection.ts'
import type { Work } from '../../../../platform/db/work.ts'
import {
  findStaffShipmentSummary,
  ownerOfShipment,
} from '../../../../warehouse/shipments/staff-queries.ts'

/** The shipment of a path, and how the journal names it. */

export type ShipmentPath = { Params: { id: string } }
export const shipmentParams = { id: 'Идентификатор отгрузки в сервисе.' }

/** The journal shows a shipment without its orders: there may be thousands. Throws not_found. */
export async function shipmentSubject(db: Database, id: string) {
  const clientId = await ownerOfShipment(db, id)
  const look = ({ tx }: Work) => findStaffShipmentSummary(tx, clientId, id)
  return { clientId, objectId: id, look }
}
