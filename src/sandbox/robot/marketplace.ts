import { readWildberriesStatus } from '../../exchange/marketplaces/wildberries/status.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import { seededRandom } from '../../platform/kernel/random.ts'
import type { OrderDraft } from '../../warehouse/orders/draft.ts'
import type { StatusReading } from '../../warehouse/orders/state.ts'
import { goods } from '../scenario/goods.ts'

/**
 * Plays WB in a sandbox. Pure: the client and the time determine its orders; an order's present status
 * and the time since its shipment was accepted determine its next status.
 */

const minute = 60_000
const slotMs = 2 * minute
/** A late poll reports only the orders of this last span. */
const intakeMs = 2 * slotMs
/** Larger than the numbers of the scenario's orders. */
const firstNumber = 2_900_000_000

const wb = (supplier: string, buyer: string) => readWildberriesStatus({ supplier, buyer })

/** Orders created in (since, now], one per two minutes, of goods that are in stock. */
export function newOrders(
  clientId: string,
  since: Instant,
  now: Instant,
  inStock: ReadonlySet<string>,
): OrderDraft[] {
  const basket = goods
    .filter(({ barcode }) => inStock.has(barcode))
    .flatMap((good) => Array.from({ length: good.demand }, () => good))
  if (basket.length === 0) return []
  const from = Math.max(since, now - intakeMs)
  const orders: OrderDraft[] = []
  for (let slot = Math.floor(from / slotMs); slot * slotMs <= now; slot++) {
    const random = seededRandom(`${clientId} ${slot}`)
    const createdAt = slot * slotMs + random.int(0, slotMs - 1)
    if (createdAt <= from || createdAt > now) continue
    const { barcode, article, nmId } = random.pick(basket)
    orders.push({
      externalId: String(firstNumber + slot),
      createdAt,
      isB2b: false,
      nmId,
      lines: [{ barcode, ...(article === undefined ? {} : { article }), quantity: 1 }],
      reading: wb('new', 'waiting'),
    })
  }
  return orders
}

export interface RobotOrder {
  readonly externalId: string
  readonly supplier: string | null
  readonly buyer: string | null
  /** Whether its shipment was handed over. */
  readonly handedOver: boolean
  readonly acceptedAt: Instant | undefined
}

/** The share of orders that their buyers refuse at the pick-up point. */
const refusedShare = 0.08

/** The next status that WB reports for an order; undefined: not yet. */
export function nextReading(order: RobotOrder, now: Instant): StatusReading | undefined {
  const { supplier, buyer, handedOver, acceptedAt } = order
  if (!handedOver) return supplier === 'confirm' ? undefined : wb('confirm', 'waiting')
  if (supplier !== 'complete') return wb('complete', 'waiting')
  const since = acceptedAt === undefined ? -1 : now - acceptedAt
  if (buyer === 'waiting') return since >= 5 * minute ? wb('complete', 'sorted') : undefined
  if (buyer === 'sorted') {
    return since >= 20 * minute ? wb('complete', 'ready_for_pickup') : undefined
  }
  if (buyer !== 'ready_for_pickup' || since < 40 * minute) return undefined
  const refused = seededRandom(order.externalId).next() < refusedShare
  return wb('complete', refused ? 'canceled_by_client' : 'sold')
}
