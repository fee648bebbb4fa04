import type { OrderStatus, RawStatus, StatusReading } from '../../../warehouse/orders/state.ts'

/** Reads WB's status pair: `supplier` is supplierStatus, `buyer` is wbStatus. */

const cancelledBuyer = new Set([
  'canceled',
  'canceled_by_client',
  'declined_by_client',
  'defect',
  'canceled_by_carrier',
  'canceled_by_missed_call',
])
const cancelledSupplier = new Set(['cancel', 'cancel_carrier'])
const inDelivery = new Set([
  'waiting',
  'sorted',
  'ready_for_pickup',
  'postponed_delivery',
  'accepted_by_carrier',
  'sent_to_carrier',
])
/**
 * Sorted by WB, or later in delivery; canceled_by_client means that the buyer refused at receipt.
 */
const sorted = new Set(['sorted', 'ready_for_pickup', 'sold', 'canceled_by_client'])

export function readWildberriesStatus(raw: RawStatus): StatusReading {
  return {
    ...raw,
    status: statusOf(raw.supplier, raw.buyer),
    sorted: raw.buyer !== undefined && sorted.has(raw.buyer),
    delivered: raw.buyer === 'sold',
  }
}

const cancellers: Readonly<Record<string, string>> = {
  canceled_by_client: 'Покупатель',
  declined_by_client: 'Покупатель',
  canceled_by_missed_call: 'Покупатель',
  canceled_by_carrier: 'Перевозчик',
  cancel_carrier: 'Перевозчик',
  cancel: 'Продавец',
}

/** Who cancelled the order, in words; null where it is not cancelled, or WB does not say. */
export function cancellerOf({ supplier = '', buyer = '' }: RawStatus): string | null {
  return cancellers[buyer] ?? cancellers[supplier] ?? null
}

const eligibleSupplier = new Set(['new', 'confirm'])
const knownSupplier = new Set([...eligibleSupplier, ...cancelledSupplier, 'complete'])
const knownBuyer = new Set([...inDelivery, ...cancelledBuyer, ...sorted])

/**
 * Whether WB certainly refuses the order in a supply. Absent and unknown statuses are left to WB.
 */
export function isIneligibleForSupply({ supplier = 'new', buyer = 'waiting' }: RawStatus): boolean {
  const ineligibleSupplier = knownSupplier.has(supplier) && !eligibleSupplier.has(supplier)
  return ineligibleSupplier || (knownBuyer.has(buyer) && buyer !== 'waiting')
}

/** What WB may already do with an order whose supply it still counts as confirmed. */
const afterConfirmation = new Set(['sorted', 'ready_for_pickup'])

/** Whether the rules give the pair a meaning: no pair of theirs is OTHER. */
export function isWildberriesStatusKnown({ supplier, buyer }: RawStatus): boolean {
  return statusOf(supplier, buyer) !== 'OTHER'
}

function statusOf(supplier = '', buyer = ''): OrderStatus {
  if (cancelledBuyer.has(buyer) || cancelledSupplier.has(supplier)) return 'CANCELLED'
  if (buyer === 'sold') return 'COMPLETED'
  if (supplier === 'new' && buyer === 'waiting') return 'NEW'
  if (supplier === 'confirm' && buyer === 'waiting') return 'ASSEMBLING'
  if (supplier === 'confirm' && afterConfirmation.has(buyer)) return 'IN_DELIVERY'
  if (supplier === 'complete' && inDelivery.has(buyer)) return 'IN_DELIVERY'
  return 'OTHER'
}
