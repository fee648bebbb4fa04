import type { OrderStatus, RawStatus, StatusReading } from '../../../warehouse/orders/state.ts'

/** Reads OZON's status pair: `supplier` is the posting's status, `buyer` its substatus. */

const statuses: Readonly<Record<string, OrderStatus>> = {
  awaiting_registration: 'NEW',
  awaiting_approve: 'NEW',
  awaiting_verification: 'NEW',
  awaiting_packaging: 'NEW',
  awaiting_deliver: 'ASSEMBLING',
  acceptance_in_progress: 'IN_DELIVERY',
  sent_by_seller: 'IN_DELIVERY',
  driver_pickup: 'IN_DELIVERY',
  delivering: 'IN_DELIVERY',
  delivered: 'COMPLETED',
  cancelled: 'CANCELLED',
  cancelled_from_split_pending: 'CANCELLED',
  not_accepted: 'OTHER',
  arbitration: 'OTHER',
  client_arbitration: 'OTHER',
}
const sorted = new Set([
  'posting_in_pickup_point',
  'posting_delivered',
  'posting_received',
  'posting_conditionally_delivered',
  'posting_transferred_to_courier_service',
  'posting_on_way_to_pickup_point',
  'posting_on_way_to_city',
  'posting_in_courier_service',
])
const received = new Set(['posting_received', 'posting_delivered'])

/** The posting takes countries, a number of boxes and a split. */
export function awaitsPacking(status: string | undefined): boolean {
  return status === 'awaiting_packaging'
}

/** OZON counts the posting as packed, and it is not handed over yet. */
export function isPacked(status: string | undefined): boolean {
  return status === 'awaiting_deliver'
}

/** Packed at some time, and not cancelled since. */
export function wasPacked(supplier: string): boolean {
  return ['ASSEMBLING', 'IN_DELIVERY', 'COMPLETED'].includes(readOzonStatus({ supplier }).status)
}

/** Whether OZON documents the status, even if it means OTHER here. */
export function isOzonStatusKnown({ supplier = '' }: RawStatus): boolean {
  return Object.hasOwn(statuses, supplier)
}

/** The substatus of a cancelled posting no longer says whether it was sorted before. */
export function readOzonStatus(raw: RawStatus): StatusReading {
  const { supplier = '', buyer = '' } = raw
  const status = Object.hasOwn(statuses, supplier) ? (statuses[supplier] ?? 'OTHER') : 'OTHER'
  return {
    ...raw,
    status,
    sorted: sorted.has(buyer),
    ...(status === 'CANCELLED' ? { keepsSorted: true } : {}),
    delivered: supplier === 'delivered' && received.has(buyer),
  }
}
