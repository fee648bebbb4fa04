import type { Transaction } from '../db/connection.ts'
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
  readonly cabinet_id: string
  readonly status: ShipmentStatus
  readonly closed_at: Timestamp | null
  readonly mirrored: boolean
}

export const leavingWords = 'Отгрузку как раз передают маркетплейсу: дождитесь его ответа'

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
    select s.cabinet_id, s.status, s.closed_at, s.mirrored from shipments s
    where s.client_id = ${clientId} and s.id = ${id}
    ${mode === 'update' ? tx`for no key update of s` : tx`for share of s`}`
  if (shipment === undefined) throw notFound('Отгрузка не найдена')
  if (!allowsShipmentVerb(shipment.status, verb)) {
    throw conflict(`Отгрузка в состоянии «${shipmentStatusLabels[shipment.status]}»`)
  }
  if (shipment.mirrored && verb !== 'accept') {
    throw conflict('Эту отгрузку собирают в кабинете маркетплейса')
  }
  if (verb === 'fill') await refuseLeaving(tx, clientId, id)
  return shipment
}

/**
 * Throws conflict while the marketplace is asked to take it over, or may have done so, whatever has
 * become of the cabinet's key since. Looked at once the shipment is locked: who asks waits for that
 * lock afterwards.
 */
async function refuseLeaving(tx: Transaction, clientId: string, id: string): Promise<void> {
  const asked = await tx`
    select id from cabinet_tasks
    where client_id = ${clientId} and shipment_id = ${id} and state = 'asked'
      and kind = 'deliver' limit 1`
  if (asked.length > 0) throw conflict(leavingWords)
}
