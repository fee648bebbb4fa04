import type { OrderStatus, RawStatus, StatusReading } from '../../orders/state.ts'

/** What WB's status pair means: supplier is supplierStatus, buyer is wbStatus. */

const cancelledBuyer = new Set([
  'canceled',
  'canceled_by_client',
  'declined_by_client',
  'defect',
  'canceled_by_carrier',
  'canceled_by_missed_call',
])
const cancelledSupplier = new Set(['cancel', 'cancel_carrier'])
const onTheWay = new Set([
  'waiting',
  'sorted',
  'ready_for_pickup',
  'postponed_delivery',
  'accepted_by_carrier',
  'sent_to_carrier',
])
/** Sorted by WB or further; canceled_by_client is a refusal at receipt. */
const sorted = new Set(['sorted', 'ready_for_pickup', 'sold', 'canceled_by_client'])

export function readWildberriesStatus(raw: RawStatus): StatusReading {
  return {
    ...raw,
    status: statusOf(raw.supplier, raw.buyer),
    sorted: raw.buyer !== undefined && sorted.has(raw.buyer),
    delivered: raw.buyer === 'sold',
  }
}

const joinableSupplier = new Set(['new', 'confirm'])
const knownSupplier = new Set([...joinableSupplier, ...cancelledSupplier, 'complete'])
const knownBuyer = new Set([...onTheWay, ...cancelledBuyer, ...sorted])

/** Whether WB certainly refuses it in a supply; of what is absent or unknown WB may think otherwise. */
export function isBarredFromSupply({ supplier = 'new', buyer = 'waiting' }: RawStatus): boolean {
  const barredSupplier = knownSupplier.has(supplier) && !joinableSupplier.has(supplier)
  return barredSupplier || (knownBuyer.has(buyer) && buyer !== 'waiting')
}

function statusOf(supplier = '', buyer = ''): OrderStatus {
  if (cancelledBuyer.has(buyer) || cancelledSupplier.has(supplier)) return 'CANCELLED'
  if (buyer === 'sold') return 'COMPLETED'
  if (supplier === 'new' && buyer === 'waiting') return 'NEW'
  if (supplier === 'confirm' && buyer === 'waiting') return 'ASSEMBLING'
  if (supplier === 'confirm' && buyer === 'sorted') return 'IN_DELIVERY'
  if (supplier === 'complete' && onTheWay.has(buyer)) return 'IN_DELIVERY'
  return 'OTHER'
}
