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
  /** The marketplace is being asked to take it over, or may have done so. */
  readonly leaving: boolean
}

/**
 * Locks the shipment and checks that the verb may be done to it: nothing that would change what it
 * holds, while the marketplace is asked to take it over. Picking locks it only against a
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
    select id, cabinet_id, external_id, status, closed_at, mirrored,
      exists (
        select from cabinet_tasks t
        where t.client_id = s.client_id and t.shipment_id = s.id and t.state = 'asked'
          and t.kind = 'deliver'
      ) as leaving
    from shipments s
    where client_id = ${clientId} and id = ${id}
    ${mode === 'update' ? tx`for no key update of s` : tx`for share of s`}`
  if (shipment === undefined) throw notFound('Отгрузка не найдена')
  if (!allowsShipmentVerb(shipment.status, verb)) {
    throw conflict(`Отгрузка в состоянии «${shipmentStatusLabels[shipment.status]}»`)
  }
  if (shipment.mirrored && verb !== 'accept') {
    throw conflict('Эту отгрузку собирают в кабинете маркетплейса')
  }
  if (shipment.leaving && verb === 'fill') {
    throw conflict('Отгрузку как раз передают маркетплейсу: дождитесь его ответа')
  }
  return shipment
}
