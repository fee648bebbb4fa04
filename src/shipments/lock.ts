import type { Work } from '../db/work.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import {
  allowsShipmentVerb,
  type ShipmentStatus,
  type ShipmentVerb,
  shipmentStatusLabels,
} from './state.ts'

export interface LockedShipment {
  readonly id: string
  readonly cabinet_id: string
  readonly external_id: string
  readonly status: ShipmentStatus
  readonly closed_at: Timestamp | null
  readonly mirrored: boolean
}

/**
 * Locks the shipment and checks that the verb may be done to it. Picking locks it only against a
 * change of state, so that several workers collect at once.
 */
export async function lockShipment(
  work: Work,
  clientId: string,
  id: string,
  verb: ShipmentVerb,
  mode: 'update' | 'share' = 'update',
): Promise<LockedShipment> {
  const { tx } = work
  const [shipment] = await tx<LockedShipment[]>`
    select id, cabinet_id, external_id, status, closed_at, mirrored from shipments
    where client_id = ${clientId} and id = ${id}
    ${mode === 'update' ? tx`for no key update` : tx`for share`}`
  if (shipment === undefined) throw notFound('Отгрузка не найдена')
  if (!allowsShipmentVerb(shipment.status, verb)) {
    throw conflict(`Отгрузка в состоянии «${shipmentStatusLabels[shipment.status]}»`)
  }
  if (shipment.mirrored && verb !== 'accept') {
    throw conflict('Эту отгрузку собирают в кабинете маркетплейса')
  }
  return shipment
}
