import { readOzonStatus } from '../../exchange/marketplaces/ozon/status.ts'
import { readWildberriesStatus } from '../../exchange/marketplaces/wildberries/status.ts'
import type { Work } from '../../platform/db/work.ts'
import { hour, type Instant } from '../../platform/kernel/moscow-time.ts'
import { type Marketplace, marketplaces } from '../../warehouse/clients/marketplace.ts'
import type { OrderDraft } from '../../warehouse/orders/draft.ts'
import { takeInOrders } from '../../warehouse/orders/intake.ts'
import { applyReadings } from '../../warehouse/orders/readings.ts'
import type { StatusReading } from '../../warehouse/orders/state.ts'
import { type Batch, removedFrom, statusSeenAt, syncAfter } from './batches.ts'
import type { PlannedOrder } from './plan.ts'
import type { Stage, Step } from './stage.ts'

/** The syncs of the cabinets: new orders, and the statuses of known ones. */

/** Takes each order in at the first sync after its creation. */
export function intakeSteps(stage: Stage, orders: readonly PlannedOrder[]): Step[] {
  const { clientId, cabinets, end } = stage
  return marketplaces.flatMap((marketplace) => {
    const own = orders.filter((order) => order.marketplace === marketplace)
    const syncs = Map.groupBy(own, (order) => syncAfter(end, marketplace, order.createdAt))
    return [...syncs].flatMap(([at, seen]) =>
      at === undefined
        ? []
        : [
            {
              at,
              run: async (work: Work) => {
                const drafts = seen.map((order) => draftOf(end, order, at))
                await takeInOrders(work, clientId, cabinets[marketplace], drafts)
              },
            },
          ],
    )
  })
}

function draftOf(end: Instant, order: PlannedOrder, at: Instant): OrderDraft {
  const reading = statusSeenAt(end, order, at)
  if (reading === undefined) throw new Error(`order ${order.externalId} has no status`)
  return {
    externalId: order.externalId,
    createdAt: order.createdAt,
    isB2b: order.isB2b,
    ...(order.marketplace === 'WB' ? { nmId: order.good.nmId } : {}),
    lines: [
      {
        barcode: order.good.barcode,
        ...(order.good.article === undefined ? {} : { article: order.good.article }),
        quantity: 1,
      },
    ],
    reading,
  }
}

const assembling: Readonly<Record<Marketplace, StatusReading>> = {
  WB: readWildberriesStatus({ supplier: 'confirm', buyer: 'waiting' }),
  OZON: readOzonStatus({ supplier: 'awaiting_deliver', buyer: 'posting_packing' }),
}
const handedOver: Readonly<Record<Marketplace, StatusReading>> = {
  WB: readWildberriesStatus({ supplier: 'complete', buyer: 'waiting' }),
  OZON: readOzonStatus({
    supplier: 'acceptance_in_progress',
    buyer: 'posting_acceptance_in_progress',
  }),
}
const cancelled: Readonly<Record<Marketplace, StatusReading>> = {
  WB: readWildberriesStatus({ supplier: 'cancel', buyer: 'waiting' }),
  OZON: readOzonStatus({ supplier: 'cancelled', buyer: 'posting_canceled' }),
}

interface StatusChange {
  readonly order: PlannedOrder
  readonly at: Instant
  readonly reading: StatusReading
}

/** Applies each change of a status at the first sync after it; the intake has reported the first. */
export function statusSteps(
  stage: Stage,
  orders: readonly PlannedOrder[],
  batches: readonly Batch[],
): Step[] {
  const { clientId, cabinets, end } = stage
  const all = [...orders.flatMap(earlyChanges), ...batches.flatMap(changesOfBatch)]
  const syncs = Map.groupBy(all, ({ order, at }) => {
    const sync = syncAfter(end, order.marketplace, at)
    return sync === undefined ? undefined : `${order.marketplace} ${sync}`
  })
  syncs.delete(undefined)
  return [...syncs.values()].flatMap((changes) => {
    const [first] = changes
    if (first === undefined) return []
    const { order, at } = first
    const latest = new Map(
      changes
        .sort((a, b) => a.at - b.at)
        .map(({ order, reading }) => [order.externalId, { externalId: order.externalId, reading }]),
    )
    return {
      // After the intake of the same sync.
      at: (syncAfter(end, order.marketplace, at) ?? end) + 1,
      run: async (work: Work) => {
        await applyReadings(work, clientId, cabinets[order.marketplace], [...latest.values()])
      },
    }
  })
}

function earlyChanges(order: PlannedOrder): StatusChange[] {
  return order.early.slice(1).map(({ at, reading }) => ({ order, at, reading }))
}

function changesOfBatch(batch: Batch): StatusChange[] {
  const { marketplace, opensAt, closesAt, acceptedAt } = batch
  // The marketplace's echo of our own steps is played for the last days only: later it shows nowhere.
  const isEchoed = batch.back <= 3
  return batch.orders.flatMap((order) => {
    if (order.early.length > 1) return []
    if (order === removedFrom(batch)) {
      return [{ order, at: opensAt + 2 * hour, reading: cancelled[marketplace] }]
    }
    const changes: StatusChange[] = []
    if (isEchoed) {
      changes.push({ order, at: opensAt + 5 * 60_000, reading: assembling[marketplace] })
    }
    if (isEchoed && closesAt !== undefined) {
      changes.push({ order, at: closesAt, reading: handedOver[marketplace] })
    }
    if (acceptedAt === undefined) return changes
    return [
      ...changes,
      ...order.late.map(({ at, reading }) => ({ order, at: acceptedAt + at, reading })),
    ]
  })
}
