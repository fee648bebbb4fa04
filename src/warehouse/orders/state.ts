/**
 * The status of an order, merged from two sources: the marketplace and our shipment.
 *
 * - COMPLETED and CANCELLED are terminal. Only the marketplace sets them, and they win over every
 *   shipment. A COMPLETED order may still become CANCELLED; no other change leaves them.
 * - Otherwise a shipment made here decides: ASSEMBLING while it is open, IN_DELIVERY once it is closed.
 * - Otherwise the order shows the marketplace's status, but at least the progress of its mirrored
 *   shipment. A seller may assemble in the marketplace's cabinet, and we learn of that shipment later or never: NEW
 *   would say that nobody has begun. A status that no rule normalizes yet is OTHER, and the order stays visible.
 * - An order that came back to be handed over again is ASSEMBLING until its next shipment is closed, even if
 *   the marketplace still calls it in delivery.
 * - A later report may move an open order back; a report older than the last one changes nothing.
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

/** A raw pair with its meaning, as the marketplace's connector reads it. */
export interface StatusReading extends RawStatus {
  readonly status: OrderStatus
  /** The marketplace has sorted the order, or moved it further. */
  readonly sorted: boolean
  /** An order that was sorted before still counts as sorted. */
  readonly keepsSorted?: boolean
  /** The buyer has received the order. */
  readonly delivered: boolean
}

/**
 * The shipment that an order is in. A mirrored shipment is made in the marketplace's own cabinet and
 * reserves no units. `reshipment`: in none, because it came back from a closed one.
 */
export const shipmentPhases = [
  'none',
  'open',
  'closed',
  'mirrored-open',
  'mirrored-closed',
  'reshipment',
] as const
export type ShipmentPhase = (typeof shipmentPhases)[number]

/** Whether the order has reached its end; every other status is open. */
export function isTerminal(status: OrderStatus): boolean {
  return status === 'COMPLETED' || status === 'CANCELLED'
}

/** Whether a report would take an order out of its terminal status. */
export function isStepBack(before: OrderStatus, reported: OrderStatus): boolean {
  if (before === 'CANCELLED') return reported !== 'CANCELLED'
  return before === 'COMPLETED' && !isTerminal(reported)
}

/** The status that an order shows. */
export function orderStatus(marketplace: OrderStatus, shipment: ShipmentPhase): OrderStatus {
  if (isTerminal(marketplace)) return marketplace
  if (shipment === 'open' || shipment === 'reshipment') return 'ASSEMBLING'
  if (shipment === 'closed') return 'IN_DELIVERY'
  const waits = marketplace === 'NEW' || marketplace === 'ASSEMBLING'
  if (shipment === 'mirrored-open' && waits) return 'ASSEMBLING'
  if (shipment === 'mirrored-closed' && waits) return 'IN_DELIVERY'
  return marketplace
}

/** Whether units are reserved for the order: this warehouse collects it and it is not cancelled. */
export function holdsReserve(status: OrderStatus, shipment: ShipmentPhase): boolean {
  return shipment === 'open' && status !== 'CANCELLED'
}

/** Whether the order may join an open shipment. */
export function mayJoinShipment(status: OrderStatus, shipment: ShipmentPhase): boolean {
  const isOutside = shipment === 'none' || shipment === 'reshipment'
  return isOutside && (status === 'NEW' || status === 'ASSEMBLING')
}
