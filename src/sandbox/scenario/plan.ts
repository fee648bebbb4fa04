import { readOzonStatus } from '../../exchange/marketplaces/ozon/status.ts'
import { readWildberriesStatus } from '../../exchange/marketplaces/wildberries/status.ts'
import { day, hour, type Instant } from '../../platform/kernel/moscow-time.ts'
import type { Random } from '../../platform/kernel/random.ts'
import type { Marketplace } from '../../warehouse/clients/marketplace.ts'
import type { RawStatus, StatusReading } from '../../warehouse/orders/state.ts'
import { type Good, giftSet, goods, soldOut } from './goods.ts'

/**
 * What buyers and marketplaces do in the scenario: when orders arrive, and how the marketplace's
 * status of each order develops. Pure: the same random source and moment give the same plan.
 */

/** Days of the scenario. */
export const days = 30
/** For this long before the end of the scenario the OZON cabinet gives no answers. */
export const ozonOutageMs = 65 * 60 * 1000

export interface PlannedOrder {
  readonly marketplace: Marketplace
  readonly externalId: string
  readonly createdAt: Instant
  readonly good: Good
  readonly isB2b: boolean
  /** Statuses before the order is handed over. */
  readonly early: readonly PlannedStatus[]
  /** Statuses after the marketplace has accepted the order's shipment. */
  readonly late: readonly PlannedStatus[]
}

export interface PlannedStatus {
  /** When the status begins: a moment or, for late statuses, the milliseconds since acceptance. */
  readonly at: number
  readonly reading: StatusReading
}

/** In the last days nobody orders the goods that run out; buyers take these instead. */
const soldOutDays = 3
const replacement = goods[18] ?? soldOut
/** The set is sold in the last days alone; before, buyers took its first part. */
export const setDays = 5

/** Orders sorted by creation: 32 to 44 on each of the 30 days before `end`. */
export function planOrders(random: Random, end: Instant): PlannedOrder[] {
  const orders: PlannedOrder[] = []
  const basket = goods.flatMap((good) => Array<Good>(good.demand).fill(good))
  for (let back = days; back >= 1; back--) {
    const start = end - back * day
    const count = random.int(32, 44)
    for (let n = 0; n < count; n++) {
      // Goods arrive in the first hours.
      const earliest = back === days ? 8 * hour : 0
      const createdAt = start + random.int(earliest, day - 10 * 60_000)
      const marketplace = random.next() < 0.6 ? 'WB' : 'OZON'
      if (marketplace === 'OZON' && createdAt > end - ozonOutageMs) continue
      const good = random.pick(basket)
      orders.push(planOrder(random, marketplace, createdAt, orders.length, soldOn(back, good)))
    }
  }
  orders.sort((a, b) => a.createdAt - b.createdAt)
  return orders.map((order, at) =>
    unreadable.has(orders.length - at) ? withUnknown(order) : order,
  )
}

function soldOn(back: number, good: Good): Good {
  if (good === soldOut && back <= soldOutDays) return replacement
  if (good.barcode === giftSet.barcode && back > setDays) return giftSet.parts[0] ?? good
  return good
}

/** The orders, counted from the newest, with a marketplace status that no rule normalizes. */
const unreadable = new Set([2, 4, 7])

function withUnknown(order: PlannedOrder): PlannedOrder {
  const reading =
    order.marketplace === 'WB'
      ? wb('new', 'awaiting_customs')
      : ozon('arbitration', 'posting_in_arbitration')
  return { ...order, early: [{ at: order.createdAt, reading }], late: [] }
}

function planOrder(
  random: Random,
  marketplace: Marketplace,
  createdAt: Instant,
  index: number,
  good: Good,
): PlannedOrder {
  const fate = random.next()
  const paths = marketplace === 'WB' ? wildberriesPath : ozonPath
  return {
    marketplace,
    externalId:
      marketplace === 'WB'
        ? String(2_810_000_000 + index * 7919)
        : `${63_000_000 + index * 613}-0${random.int(100, 999)}-1`,
    createdAt,
    good,
    isB2b: random.next() < 0.05,
    ...paths(random, fate, createdAt),
  }
}

type Path = Pick<PlannedOrder, 'early' | 'late'>

const wb = (supplier: string, buyer: string) => readWildberriesStatus({ supplier, buyer })

function wildberriesPath(random: Random, fate: number, createdAt: Instant): Path {
  const early: PlannedStatus[] = [{ at: createdAt, reading: wb('new', 'waiting') }]
  if (fate < 0.03) {
    early.push({
      at: createdAt + random.int(1, 5) * hour,
      reading: wb('cancel', 'declined_by_client'),
    })
    return { early, late: [] }
  }
  const sortedAt = random.int(2, 12) * hour
  const readyAt = sortedAt + random.int(20, 60) * hour
  const doneAt = readyAt + random.int(4, 60) * hour
  const late: PlannedStatus[] = [{ at: sortedAt, reading: wb('complete', 'sorted') }]
  if (fate < 0.07)
    return { early, late: [...late, { at: readyAt, reading: wb('complete', 'defect') }] }
  late.push({ at: readyAt, reading: wb('complete', 'ready_for_pickup') })
  const last = fate < 0.11 ? 'canceled_by_client' : 'sold'
  return { early, late: [...late, { at: doneAt, reading: wb('complete', last) }] }
}

const ozon = (supplier: string, buyer: string) =>
  readOzonStatus({ supplier, buyer } satisfies RawStatus)

function ozonPath(random: Random, fate: number, createdAt: Instant): Path {
  const early: PlannedStatus[] = [
    { at: createdAt, reading: ozon('awaiting_packaging', 'posting_created') },
  ]
  if (fate < 0.03) {
    early.push({
      at: createdAt + random.int(1, 5) * hour,
      reading: ozon('cancelled', 'posting_canceled'),
    })
    return { early, late: [] }
  }
  const movingAt = random.int(2, 10) * hour
  const pickupAt = movingAt + random.int(20, 60) * hour
  const doneAt = pickupAt + random.int(4, 60) * hour
  const late: PlannedStatus[] = [
    { at: movingAt, reading: ozon('delivering', 'posting_on_way_to_city') },
    { at: pickupAt, reading: ozon('delivering', 'posting_in_pickup_point') },
    fate < 0.09
      ? { at: doneAt, reading: ozon('cancelled', 'posting_canceled') }
      : { at: doneAt, reading: ozon('delivered', 'posting_received') },
  ]
  return { early, late }
}
