import type { Work } from '../../platform/db/work.ts'
import { releaseUnits } from '../stock/ledger.ts'
import { returnMarkingCodes } from '../stock/marking-codes.ts'
import { changeOrders, isTransition, type OrderChange, type OrderFields } from './change.ts'
import type { ReportedStatus } from './draft.ts'
import { latestFacts, updateFacts } from './facts.ts'
import { linesOf } from './lines.ts'
import { isReportedLater, type LockedOrder, lockOrderBook, lockOrdersOfCabinet } from './lock.ts'
import { holdsReserve, isStepBack, isTerminal, orderStatus, type StatusReading } from './state.ts'

/**
 * Applies the statuses that a marketplace reported at the moment of the work, with the facts beside them. An order with
 * a later report stays as it is, and unknown numbers are skipped. A cancelled order frees its reserved units. Returns
 * the numbers of the orders whose status or raw status pair changed.
 */
export async function applyReadings(
  work: Work,
  clientId: string,
  cabinetId: string,
  reported: readonly ReportedStatus[],
): Promise<string[]> {
  if (reported.length === 0) return []
  await lockOrderBook(work, clientId)
  const statuses = new Map(reported.map((status) => [status.externalId, status]))
  const orders = await lockOrdersOfCabinet(work, clientId, cabinetId, [...statuses.keys()])
  await updateFacts(work, clientId, latestFacts(work, orders, statuses))
  const changes: OrderChange[] = []
  for (const order of orders) {
    const reading = statuses.get(order.external_id)?.reading
    if (reading !== undefined && !isReportedLater(work, order)) {
      changes.push({ order, patch: patchOf(work, order, reading) })
    }
  }
  await changeOrders(work, clientId, changes)
  await releaseCancelled(work, clientId, changes)
  return changes.filter(isTransition).map(({ order }) => order.external_id)
}

function patchOf(work: Work, order: LockedOrder, reading: StatusReading): OrderFields {
  const supplier = reading.supplier ?? null
  const buyer = reading.buyer ?? null
  const same = supplier === order.supplier_status && buyer === order.buyer_status
  const pair = {
    supplier_status: supplier,
    buyer_status: buyer,
    status_changed_at: same ? order.status_changed_at : work.at,
    synced_at: work.at,
  }
  // The order shows the reported pair, but never leaves a terminal status.
  if (isStepBack(order.marketplace_status, reading.status)) return pair
  return {
    ...pair,
    status: orderStatus(reading.status, order.phase),
    marketplace_status: reading.status,
    sorted: reading.sorted || (reading.keepsSorted === true && wasSorted(order)),
    delivered: reading.delivered,
    sorted_at: order.sorted_at ?? (reading.sorted && !order.sorted ? work.at : null),
    reship_since: isTerminal(reading.status) ? null : order.reship_since,
    delivered_at: order.delivered_at ?? (reading.delivered && !order.delivered ? work.at : null),
  }
}

function wasSorted({ sorted, sorted_at }: LockedOrder): boolean {
  return sorted || sorted_at !== null
}

async function releaseCancelled(
  work: Work,
  clientId: string,
  changes: readonly OrderChange[],
): Promise<void> {
  const cancelled = changes.filter(
    ({ order, patch }) =>
      holdsReserve(order.status, order.phase) &&
      !holdsReserve(patch.status ?? order.status, order.phase),
  )
  const ids = cancelled.map(({ order }) => order.id)
  if (ids.length === 0) return
  for (const id of ids) await returnMarkingCodes(work, clientId, id)
  await releaseUnits(work, clientId, await linesOf(work, clientId, ids))
}
