/**
 * States of a shipment.
 *
 *   ASSEMBLING --close--> HANDED_OVER --accept--> ACCEPTED
 *
 * Orders are added and removed while ASSEMBLING. When it is closed its units leave the ledger; it is
 * accepted when the marketplace has scanned it at its own warehouse.
 */
export const shipmentStatuses = ['ASSEMBLING', 'HANDED_OVER', 'ACCEPTED'] as const
export type ShipmentStatus = (typeof shipmentStatuses)[number]

export const shipmentStatusLabels: Readonly<Record<ShipmentStatus, string>> = {
  ASSEMBLING: 'Собирается',
  HANDED_OVER: 'Передана маркетплейсу',
  ACCEPTED: 'Принята маркетплейсом',
}

export type ShipmentVerb = 'fill' | 'close' | 'accept'

const from: Readonly<Record<ShipmentVerb, ShipmentStatus>> = {
  fill: 'ASSEMBLING',
  close: 'ASSEMBLING',
  accept: 'HANDED_OVER',
}

/** Whether the verb may be done to a shipment in that status; `fill` is adding, removing, picking. */
export function allowsShipmentVerb(status: ShipmentStatus, verb: ShipmentVerb): boolean {
  return from[verb] === status
}
