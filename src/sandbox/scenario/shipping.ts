import { type Marketplace, marketplaces } from '../../clients/marketplace.ts'
import type { Work } from '../../db/work.ts'
import type { Instant } from '../../kernel/moscow-time.ts'
import { readOzonStatus } from '../../marketplaces/ozon/status.ts'
import { readWildberriesStatus } from '../../marketplaces/wildberries/status.ts'
import type { StatusReading } from '../../orders/state.ts'
import { applyReadings, takeInOrders } from '../../orders/verbs.ts'
import { pickUnits, reportNotFound, taskOfShipment } from '../../picking/verbs.ts'
import {
  acceptShipment,
  addOrders,
  closeShipment,
  openShipment,
  removeOrder,
} from '../../shipments/verbs.ts'
import type { Stage, Step } from './build.ts'
import { day, days, hour, ozonSilence, type PlannedOrder } from './plan.ts'

/**
 * Polls, shipments and picking. A cabinet is polled every three or six hours; each day it gets one shipment,
 * opened 5.5 hours before the day's end, picked until 2.5 hours before, closed 2 hours before, and
 * scanned by the marketplace 6 hours later. Today's are still open, and yesterday's of OZON was not
 * scanned yet.
 */

/** Finer in the last days, which people look at. */
const pollEvery = (beforeEnd: number) => (beforeEnd < 2 * day ? 3 * hour : 6 * hour)

interface Batch {
  readonly marketplace: Marketplace
  /** Days before the end of the scenario; 1 is today. */
  readonly back: number
  readonly opensAt: Instant
  readonly closesAt: Instant | undefined
  readonly acceptedAt: Instant | undefined
  readonly orders: readonly PlannedOrder[]
}

export function shippingSteps(stage: Stage, orders: readonly PlannedOrder[]): Step[] {
  const batches = planBatches(stage.end, orders)
  return [
    ...intakeSteps(stage, orders),
    ...statusSteps(stage, orders, batches),
    ...batches.flatMap((batch) => batchSteps(stage, batch)),
  ]
}

/** The poll that first sees something that happened then; undefined where none did before the end. */
function pollAfter(end: Instant, marketplace: Marketplace, at: Instant): Instant | undefined {
  const every = pollEvery(end - at)
  const poll = end - Math.floor((end - at) / every) * every
  const last = marketplace === 'WB' ? end - 3 * 60_000 : end - ozonSilence
  if (at > last) return undefined
  return Math.min(poll, last)
}

function planBatches(end: Instant, orders: readonly PlannedOrder[]): Batch[] {
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
  const seen = pollAfter(end, order.marketplace, order.createdAt)
  if (seen === undefined || seen >= at) return false
  return latestBefore(end, order, at)?.status === 'NEW'
}

function latestBefore(end: Instant, order: PlannedOrder, at: Instant): StatusReading | undefined {
  return order.early.findLast(
    (told) => (pollAfter(end, order.marketplace, told.at) ?? Infinity) <= at,
  )?.reading
}

function intakeSteps(stage: Stage, orders: readonly PlannedOrder[]): Step[] {
  const { clientId, cabinets, end } = stage
  return marketplaces.flatMap((marketplace) => {
    const own = orders.filter((order) => order.marketplace === marketplace)
    const polls = Map.groupBy(own, (order) => pollAfter(end, marketplace, order.createdAt))
    return [...polls].flatMap(([at, seen]) =>
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

function draftOf(end: Instant, order: PlannedOrder, at: Instant) {
  const reading = latestBefore(end, order, at)
  if (reading === undefined) throw new Error(`order ${order.externalId} came without a status`)
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
const refused: Readonly<Record<Marketplace, StatusReading>> = {
  WB: readWildberriesStatus({ supplier: 'cancel', buyer: 'waiting' }),
  OZON: readOzonStatus({ supplier: 'cancelled', buyer: 'posting_canceled' }),
}

interface ToldOf {
  readonly order: PlannedOrder
  readonly at: Instant
  readonly reading: StatusReading
}

/** What the marketplaces say after the first poll that saw an order. */
function statusSteps(
  stage: Stage,
  orders: readonly PlannedOrder[],
  batches: readonly Batch[],
): Step[] {
  const { clientId, cabinets, end } = stage
  const told = [...orders.flatMap(earlyNews), ...batches.flatMap(newsOfBatch)]
  const polls = Map.groupBy(told, ({ order, at }) => {
    const poll = pollAfter(end, order.marketplace, at)
    return poll === undefined ? undefined : `${order.marketplace} ${poll}`
  })
  polls.delete(undefined)
  return [...polls.values()].map((news) => {
    const [{ order, at }] = news as [ToldOf]
    const latest = new Map(
      news
        .sort((a, b) => a.at - b.at)
        .map(({ order, reading }) => [order.externalId, { externalId: order.externalId, reading }]),
    )
    return {
      // After the intake of the same poll.
      at: (pollAfter(end, order.marketplace, at) ?? end) + 1,
      run: async (work: Work) => {
        await applyReadings(work, clientId, cabinets[order.marketplace], [...latest.values()])
      },
    }
  })
}

function earlyNews(order: PlannedOrder): ToldOf[] {
  return order.early.slice(1).map(({ at, reading }) => ({ order, at, reading }))
}

function newsOfBatch(batch: Batch): ToldOf[] {
  return batch.orders.flatMap((order) => {
    if (order.early.length > 1) return []
    if (order === removedFrom(batch)) {
      return [{ order, at: batch.opensAt + 2 * hour, reading: refused[batch.marketplace] }]
    }
    const { opensAt, closesAt, acceptedAt, marketplace } = batch
    // What the marketplace echoes of our own steps is told for the last days only: nobody asks later.
    const news =
      batch.back > 3 ? [] : [{ order, at: opensAt + 5 * 60_000, reading: assembling[marketplace] }]
    if (closesAt !== undefined && batch.back <= 3) {
      news.push({ order, at: closesAt, reading: handedOver[marketplace] })
    }
    const late = acceptedAt === undefined ? [] : order.late
    return [
      ...news,
      ...late.map(({ at, reading }) => ({ order, at: (acceptedAt ?? 0) + at, reading })),
    ]
  })
}

/** In one batch of seven the first order is not found, taken out, and refused. */
function removedFrom(batch: Batch): PlannedOrder | undefined {
  if (batch.back % 7 !== 3) return undefined
  return batch.orders.find((order) => order.early.length === 1)
}

function batchSteps(stage: Stage, batch: Batch): Step[] {
  const { clientId, cabinets } = stage
  const { marketplace, opensAt, closesAt, acceptedAt } = batch
  const numbered = String(9000 - batch.back * 7)
  let id = ''
  let task = ''
  const orderIds = new Map<string, string>()
  const open: Step = {
    at: opensAt,
    run: async (work) => {
      id = await openShipment(work, clientId, {
        cabinetId: cabinets[marketplace],
        externalId: marketplace === 'WB' ? `WB-GI-2140${numbered}` : `1480${numbered}`,
        ...(marketplace === 'WB' ? { name: `Поставка ${numbered}` } : {}),
      })
      for (const order of await idsOf(work, stage, batch)) orderIds.set(order.number, order.id)
      await addOrders(work, clientId, id, [...orderIds.values()])
      task = await taskOfShipment(work, clientId, id)
    },
  }
  const close: Step[] =
    closesAt === undefined
      ? []
      : [{ at: closesAt, run: (work) => closeShipment(work, clientId, id) }]
  const accept: Step[] =
    acceptedAt === undefined
      ? []
      : [{ at: acceptedAt, run: (work) => acceptShipment(work, clientId, id) }]
  const opened = () => ({ id, task, orderIds })
  return [open, ...pickingSteps(stage, batch, opened), ...close, ...accept]
}

const reasons = ['COULD_NOT_LOCATE', 'EMPTY_LOCATION', 'DAMAGED', 'MISPLACED', 'WRONG_BARCODE']

interface OpenedShipment {
  readonly id: string
  readonly task: string
  /** By the numbers of the orders in the cabinet. */
  readonly orderIds: ReadonlyMap<string, string>
}

/** The picker's round: what is not found is reported first, the rest is picked in three goes. */
function pickingSteps(stage: Stage, batch: Batch, opened: () => OpenedShipment): Step[] {
  const { clientId, random } = stage
  const removed = removedFrom(batch)
  const share = batch.closesAt === undefined ? 0.5 : 1
  const reached = batch.orders.slice(0, Math.ceil(batch.orders.length * share))
  const missed = reached.filter((order) => order === removed || random.next() < 0.006)
  const misses = missed.map((order, index): Step => {
    const reason = random.pick(reasons)
    return {
      at: batch.opensAt + (10 + index) * 60_000,
      run: async (work) => {
        const { id, task, orderIds } = opened()
        const orderId = orderIds.get(order.externalId) ?? ''
        await reportNotFound(work, clientId, task, { orderId, reason })
        if (order === removed) await removeOrder(work, clientId, id, orderId)
      },
    }
  })
  const picked = reached.filter((order) => order !== removed)
  const third = Math.ceil(picked.length / 3)
  const rounds = [0, 1, 2].map(
    (round): Step => ({
      at: batch.opensAt + (30 + round * 25) * 60_000,
      run: (work) =>
        pickOrders(work, stage, opened(), picked.slice(round * third, (round + 1) * third)),
    }),
  )
  return [...misses, ...rounds]
}

async function pickOrders(
  work: Work,
  stage: Stage,
  { task, orderIds }: OpenedShipment,
  orders: readonly PlannedOrder[],
): Promise<void> {
  const picks = orders.map((order) => {
    const boxId = stage.shelves.takeOne(order.good.barcode)
    return {
      scanId: `pick-${order.externalId}`,
      orderId: orderIds.get(order.externalId) ?? '',
      barcode: order.good.barcode,
      ...(boxId === undefined ? {} : { boxId }),
    }
  })
  await pickUnits(work, stage.clientId, task, picks)
}

function idsOf(
  work: Work,
  { clientId, cabinets }: Stage,
  { marketplace, orders }: Batch,
): Promise<{ id: string; number: string }[]> {
  return work.tx<{ id: string; number: string }[]>`
    select id, external_id as number from orders
    where client_id = ${clientId} and cabinet_id = ${cabinets[marketplace]}
      and external_id = any(${orders.map((order) => order.externalId)})`
}
