import type { Queryable } from '../../../platform/db/connection.ts'
import type { Timestamp } from '../../../platform/kernel/moscow-time.ts'
import type { Marketplace, ShipmentsPlace } from '../../../warehouse/clients/marketplace.ts'

/** A cabinet, with what is needed to connect to its marketplace. */
export interface Cabinet {
  readonly clientId: string
  readonly id: string
  readonly marketplace: Marketplace
  readonly shipments: ShipmentsPlace
  readonly callsRecordedUntil: Timestamp | null
  /** Sealed; null where the cabinet is not connected, or not active. */
  readonly credentials: Buffer | null
}

export interface ConnectedCabinet extends Cabinet {
  readonly credentials: Buffer
}

function columns(db: Queryable) {
  return db`
    k.client_id as "clientId", k.id, k.marketplace, k.shipments,
    k.calls_recorded_until as "callsRecordedUntil",
    case when k.active then k.credentials end as credentials`
}

export async function connectionOf(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<Cabinet | undefined> {
  const [cabinet] = await db<Cabinet[]>`
    select ${columns(db)} from cabinets k where k.client_id = ${clientId} and k.id = ${id}`
  return cabinet
}

export interface CabinetOfShipment extends Cabinet {
  /** The shipment's number at the marketplace. */
  readonly externalId: string
  /** The marketplace creates the shipment when it is closed, and does not know it yet. */
  readonly awaitsCreation: boolean
}

export async function connectionOfShipment(
  db: Queryable,
  clientId: string,
  shipmentId: string,
): Promise<CabinetOfShipment | undefined> {
  const [cabinet] = await db<CabinetOfShipment[]>`
    select ${columns(db)}, s.external_id as "externalId",
      s.awaits_creation as "awaitsCreation"
    from shipments s join cabinets k on k.client_id = s.client_id and k.id = s.cabinet_id
    where s.client_id = ${clientId} and s.id = ${shipmentId}`
  return cabinet
}

export async function connectionOfOrder(
  db: Queryable,
  clientId: string,
  orderId: string,
): Promise<(Cabinet & { readonly externalId: string }) | undefined> {
  const [cabinet] = await db<(Cabinet & { externalId: string })[]>`
    select ${columns(db)}, o.external_id as "externalId"
    from orders o join cabinets k on k.client_id = o.client_id and k.id = o.cabinet_id
    where o.client_id = ${clientId} and o.id = ${orderId}`
  return cabinet
}

export function isConnected<C extends Cabinet>(
  cabinet: C | undefined,
): cabinet is C & ConnectedCabinet {
  return cabinet !== undefined && cabinet.credentials !== null
}
