/**
 * States of an order. Two sources speak: the marketplace, and our shipment.
 *
 * - COMPLETED and CANCELLED come from the marketplace, win over everything, and are left no more
 *   (a completed order may still turn out cancelled).
 * - Else a shipment of ours decides: while it is open the order is ASSEMBLING, then IN_DELIVERY.
 * - In no shipment of ours the order is what the marketplace says, but at least as far as its
 *   mirrored shipment; a status that is not normalized yet is OTHER, and such an order stays visible.
 * - An answer that is older than the last one is ignored; a younger one may take an order back from
 *   its way to the buyer, but not from its end.
 */
export const orderStatuses = [
  'NEW',
  'ASSEMBLING',
  'IN_DELIVERY',
  'COMPLETED',
  'CANCELLED',
  'OTHER',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const orderStatusLabels: Readonly<Record<OrderStatus, string>> = {
  NEW: 'Новый',
  ASSEMBLING: 'На сборке',
  IN_DELIVERY: 'В доставке',
  COMPLETED: 'Выполнен',
  CANCELLED: 'Отменён',
  OTHER: 'Другой статус',
}

/** The raw status pair of a marketplace; the sets of values are open. */
export interface RawStatus {
  readonly supplier?: string
  readonly buyer?: string
}

/** What a raw pair means, as its marketplace's connector reads it. */
export interface StatusReading extends RawStatus {
  readonly status: OrderStatus
  /** Sorted by the marketplace, or further. */
  readonly sorted: boolean
  /** Received by the buyer. */
  readonly delivered: boolean
}

/** Mirrored: made in the marketplace's own cabinet, and so without a claim on units. */
export type ShipmentPhase = 'none' | 'open' | 'closed' | 'mirrored-open' | 'mirrored-closed'

/** Whether an answer would take an order back from its end. */
export function isStepBack(before: OrderStatus, answer: OrderStatus): boolean {
  if (before === 'CANCELLED') return answer !== 'CANCELLED'
  return before === 'COMPLETED' && answer !== 'COMPLETED' && answer !== 'CANCELLED'
}

/** The one status that an order shows. */
export function orderStatus(marketplace: OrderStatus, shipment: ShipmentPhase): OrderStatus {
  if (marketplace === 'COMPLETED' || marketplace === 'CANCELLED') return marketplace
  if (shipment === 'open') return 'ASSEMBLING'
  if (shipment === 'closed') return 'IN_DELIVERY'
  const waits = marketplace === 'NEW' || marketplace === 'ASSEMBLING'
  if (shipment === 'mirrored-open' && waits) return 'ASSEMBLING'
  if (shipment === 'mirrored-closed' && waits) return 'IN_DELIVERY'
  return marketplace
}

/** Whether units are claimed for the order: it is being collected and nobody cancelled it. */
export function holdsReserve(status: OrderStatus, shipment: ShipmentPhase): boolean {
  return shipment === 'open' && status !== 'CANCELLED'
}

/** Whether the order may be taken into an open shipment. */
export function mayJoinShipment(status: OrderStatus, shipment: ShipmentPhase): boolean {
  return shipment === 'none' && (status === 'NEW' || status === 'ASSEMBLING')
}
