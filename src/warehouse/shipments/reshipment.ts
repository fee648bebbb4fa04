import type { Work } from '../../platform/db/work.ts'
import { fromTimestamp, type Timestamp } from '../../platform/kernel/moscow-time.ts'
import { goodsNow } from '../catalogue/merged-products.ts'
import { changeOrders } from '../orders/change.ts'
import { type LockedOrder, lockOrderBook, lockOrdersOfCabinet } from '../orders/lock.ts'
import { nameMergedGoods } from '../orders/merged-lines.ts'
import { standAsOrdered } from '../orders/sets.ts'
import { isTerminal, orderStatus } from '../orders/state.ts'
import { undoPicks } from '../picking/tasks.ts'
import { recordMovements } from '../stock/ledger.ts'
import { bringBackMarkingCodes } from '../stock/marking-codes.ts'
import { updateOrdersCount } from './lock.ts'
import { removeShortages } from './shortages.ts'

/**
 * Reshipment: the marketplace has scanned a shipment and did not find an order in it, so the order's goods
 * still lie here and must be brought again.
 *
 *   in a closed shipment --bring back--> in none, ASSEMBLING --fill, close--> in a closed shipment …
 *
 * - The units that left the ledger with the order come back, less those that came back before: never more
 *   than left. Units of a mirrored shipment that the ledger did not have do not appear by coming back.
 * - An order comes back from each shipment that the marketplace names once, however often it names it; the
 *   record of that is in the same transaction.
 * - Nothing happens where the list was requested before the order left, the order is terminal, or the
 *   marketplace has sorted it meanwhile.
 */
export interface ReportedReshipment {
  /** The order's number. */
  readonly externalId: string
  /** The number of the shipment in which the marketplace did not find the order. */
  readonly supply: string
}

/** Brings back the orders that a marketplace named at the work's moment. Returns their numbers. */
export async function bringBackOrders(
  work: Work,
  clientId: string,
  cabinetId: string,
  reported: readonly ReportedReshipment[],
): Promise<string[]> {
  if (reported.length === 0) return []
  await lockOrderBook(work, clientId)
  const supplies = new Map(reported.map(({ externalId, supply }) => [externalId, supply]))
  const orders = await lockOrdersOfCabinet(work, clientId, cabinetId, [...supplies.keys()])
  const leaving = await returning(work, clientId, orders.filter(mayComeBack), supplies)
  if (leaving.length === 0) return []
  await recordReshipments(work, clientId, leaving)
  await returnUnits(work, clientId, leaving)
  await removeShortages(work, clientId, leaving)
  for (const { order } of leaving) await undoPicks(work, clientId, order.id)
  const ids = leaving.map(({ order }) => order.id)
  await standAsOrdered(work, clientId, ids)
  await nameMergedGoods(work, clientId, ids)
  await changeOrders(
    work,
    clientId,
    leaving.map(({ order }) => ({
      order,
      patch: {
        shipment_id: null,
        status: orderStatus(order.marketplace_status, 'reshipment'),
        packed_at: null,
        reship_since: work.at,
      },
    })),
  )
  await updateOrdersCount(work, clientId, [...new Set(leaving.map((each) => each.shipmentId))])
  return leaving.map(({ order }) => order.external_id)
}

function mayComeBack({ phase, status, sorted, observed }: LockedOrder): boolean {
  const isGone = phase === 'closed' || phase === 'mirrored-closed'
  return isGone && !isTerminal(status) && !sorted && !observed
}

/** An order that leaves its closed shipment. */
interface Returning {
  readonly order: LockedOrder
  readonly shipmentId: string
  readonly supply: string
}

/** The orders that left before the list was requested, and came back for none of its supplies yet. */
async function returning(
  work: Work,
  clientId: string,
  orders: readonly LockedOrder[],
  supplies: ReadonlyMap<string, string>,
): Promise<Returning[]> {
  const closedAt = await closingsOf(work, clientId, orders)
  const recorded = await recordedReshipments(
    work,
    clientId,
    orders.map(({ id }) => id),
  )
  return orders.flatMap((order) => {
    const { shipment_id: shipmentId } = order
    const supply = supplies.get(order.external_id)
    if (shipmentId === null || supply === undefined) return []
    const left = closedAt.get(shipmentId)
    const isLate = left === undefined || fromTimestamp(left) > work.now
    if (isLate || recorded.has(`${order.id} ${supply}`)) return []
    return [{ order, shipmentId, supply }]
  })
}

/** The only writer of `reshipments`: orders that came back to be handed over again. */
async function recordReshipments(
  { tx, at }: Work,
  clientId: string,
  reshipments: readonly Returning[],
): Promise<void> {
  const rows = reshipments.map(({ order, shipmentId, supply }) => ({
    order_id: order.id,
    supply,
    shipment_id: shipmentId,
  }))
  await tx`
    insert into reshipments (client_id, order_id, supply, shipment_id, at)
    select ${clientId}, r.order_id, r.supply, r.shipment_id, ${at}
    from jsonb_to_recordset(${tx.json(rows)}) as r (order_id uuid, supply text, shipment_id uuid)`
}

/** The recorded ones of these orders, as `order supply`. */
async function recordedReshipments(
  { tx }: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ order_id: string; supply: string }[]>`
    select order_id, supply from reshipments
    where client_id = ${clientId} and order_id = any(${orderIds as string[]}::uuid[])`
  return new Set(rows.map(({ order_id, supply }) => `${order_id} ${supply}`))
}

/** When the shipments of these orders were closed. They are locked, because they lose orders. */
async function closingsOf(
  { tx }: Work,
  clientId: string,
  orders: readonly LockedOrder[],
): Promise<ReadonlyMap<string, Timestamp>> {
  const ids = [...new Set(orders.flatMap(({ shipment_id }) => shipment_id ?? []))]
  const rows = await tx<{ id: string; closed_at: Timestamp | null }[]>`
    select id, closed_at from shipments
    where client_id = ${clientId} and id = any(${ids}::uuid[])
    order by id for no key update`
  return new Map(rows.flatMap(({ id, closed_at: at }) => (at === null ? [] : [[id, at] as const])))
}

/** Units that left with an order and did not come back yet. */
interface GoneUnits {
  readonly order_id: string
  readonly shipment_id: string
  readonly barcode: string
  readonly units: number
}

async function returnUnits(
  work: Work,
  clientId: string,
  leaving: readonly Returning[],
): Promise<void> {
  const { tx } = work
  const pairs = leaving.map(({ order, shipmentId }) => ({
    order_id: order.id,
    shipment_id: shipmentId,
  }))
  const goods = goodsNow(tx, 'm')
  const gone = await tx<GoneUnits[]>`
    select m.order_id, m.shipment_id, ${goods.barcode} as barcode, -sum(m.delta)::bigint as units
    from jsonb_to_recordset(${tx.json(pairs)}) as p (order_id uuid, shipment_id uuid)
    join stock_movements m on m.client_id = ${clientId} and m.order_id = p.order_id
      and m.shipment_id = p.shipment_id
    ${goods.join}
    group by 1, 2, 3 having sum(m.delta) < 0
    order by 1, 2, 3`
  await bringBackMarkingCodes(
    work,
    clientId,
    pairs.map(({ order_id }) => order_id),
  )
  await recordMovements(
    work,
    clientId,
    gone.map(({ order_id: orderId, shipment_id: shipmentId, barcode, units }) => ({
      kind: 'return',
      barcode,
      delta: units,
      shipmentId,
      orderId,
    })),
  )
}
