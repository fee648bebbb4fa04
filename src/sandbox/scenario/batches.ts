import { day, hour, type Instant } from '../../platform/kernel/moscow-time.ts'
import { type Marketplace, marketplaces } from '../../warehouse/clients/marketplace.ts'
import type { StatusReading } from '../../warehouse/orders/state.ts'
import { days, ozonOutageMs, type PlannedOrder } from './plan.ts'

/**
 * The plan of shipments. Each cabinet gets one shipment a day. It is opened 5.5 hours before the day's end, picked
 * until 2.5 hours before it, and closed 2 hours before it. The marketplace scans it 6 hours later. Today's shipments
 * are still open, and OZON has not scanned yesterday's yet.
 *
 * A cabinet is synced every six hours, and every three hours in the last days, which people look at.
 */

const syncEveryMs = (beforeEndMs: number) => (beforeEndMs < 2 * day ? 3 * hour : 6 * hour)

/** The orders of one cabinet that leave with one shipment. */
export interface Batch {
  readonly marketplace: Marketplace
  /** Days before the end of the scenario; 1 is today. */
  readonly back: number
  readonly opensAt: Instant
  readonly closesAt: Instant | undefined
  readonly acceptedAt: Instant | undefined
  readonly orders: readonly PlannedOrder[]
}

/** The sync that first sees what happens at a moment; undefined if the scenario ends before it. */
export function syncAfter(
  end: Instant,
  marketplace: Marketplace,
  at: Instant,
): Instant | undefined {
  const every = syncEveryMs(end - at)
  const sync = end - Math.floor((end - at) / every) * every
  const last = marketplace === 'WB' ? end - 3 * 60_000 : end - ozonOutageMs
  if (at > last) return undefined
  return Math.min(sync, last)
}

/** The last early status of an order that a sync has seen by a moment. */
export function statusSeenAt(
  end: Instant,
  order: PlannedOrder,
  at: Instant,
): StatusReading | undefined {
  return order.early.findLast(
    (status) => (syncAfter(end, order.marketplace, status.at) ?? Infinity) <= at,
  )?.reading
}

export function planBatches(end: Instant, orders: readonly PlannedOrder[]): Batch[] {
  const taken = new Set<PlannedOrder>()
  const batches: Batch[] = []
  for (let back = days; back >= 1; back--) {
    const dayEnd = end - (back - 1) * day
    const opensAt = dayEnd - 5.5 * hour
    for (const marketplace of marketplaces) {
      const joining = orders.filter(
        (order) =>
          order.marketplace === marketplace && !taken.has(order) && isNewAt(end, order, opensAt),
      )
      for (const order of joining) taken.add(order)
      const closesAt = back === 1 ? undefined : dayEnd - 2 * hour
      const scanned = closesAt !== undefined && !(back === 2 && marketplace === 'OZON')
      batches.push({
        marketplace,
        back,
        opensAt,
        closesAt,
        acceptedAt: scanned ? closesAt + 6 * hour : undefined,
        orders: joining,
      })
    }
  }
  return batches
}

function isNewAt(end: Instant, order: PlannedOrder, at: Instant): boolean {
  const seenAt = syncAfter(end, order.marketplace, order.createdAt)
  if (seenAt === undefined || seenAt >= at) return false
  return statusSeenAt(end, order, at)?.status === 'NEW'
}

/** In one batch of seven the first order is not found, removed, and then cancelled. */
export function removedFrom(batch: Batch): PlannedOrder | undefined {
  if (batch.back % 7 !== 3) return undefined
  return batch.orders.find((order) => order.early.length === 1)
}
