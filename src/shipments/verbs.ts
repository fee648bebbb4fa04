import type { Work } from '../db/work.ts'
import { conflict, invalidField, notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { fromTimestamp, type Instant, toTimestamp } from '../kernel/moscow-time.ts'
import {
  changeOrders,
  type LockedOrder,
  lockOrderBook,
  lockOrders,
  lockOrdersOfShipment,
} from '../orders/change.ts'
import { linesOf, type OrderLine } from '../orders/lines.ts'
import { mayJoinShipment, orderStatus, orderStatusLabels } from '../orders/state.ts'
import { recordMovements, releaseUnits, reserveUnits } from '../stock/ledger.ts'
import { returnMarksOfOrder, shipMarksOfOrders } from '../stock/marking.ts'
import { announceShipment } from './announce.ts'
import { lockShipment } from './lock.ts'
import { recountOrders } from './recount.ts'

export interface ShipmentDraft {
  readonly cabinetId: string
  /** Number in the marketplace cabinet, unique there. */
  readonly externalId: string
  readonly name?: string
}

/** Opens a shipment and its picking task. Throws conflict where the number is taken. */
export async function openShipment(
  work: Work,
  clientId: string,
  draft: ShipmentDraft,
): Promise<string> {
  const { tx } = work
  const id = newId()
  const [opened] = await tx<{ known: boolean; opened: boolean }[]>`
    with cabinet as (
      select marketplace from cabinets where client_id = ${clientId} and id = ${draft.cabinetId}
    ), opened as (
      insert into shipments
        (client_id, id, cabinet_id, marketplace, external_id, name, status, announced_status, created_at)
      select ${clientId}, ${id}, ${draft.cabinetId}, marketplace, ${draft.externalId},
        ${draft.name ?? null}, 'ASSEMBLING', 'ASSEMBLING', ${work.at}
      from cabinet
      on conflict (client_id, cabinet_id, external_id) do nothing
      returning id
    )
    select exists (select from cabinet) as known, exists (select from opened) as opened`
  if (!opened?.known) throw notFound('Кабинет не найден')
  if (!opened.opened) throw conflict(`Отгрузка ${draft.externalId} уже есть`)
  await tx`
    insert into picking_tasks (client_id, id, shipment_id, status, opened_at)
    values (${clientId}, ${newId()}, ${id}, 'OPEN', ${work.at})`
  return id
}

/**
 * Takes orders into an open shipment: they become ASSEMBLING and their units are reserved. All of
 * them or, where one can't be taken or its goods are not free, none. Those that are in it already stay
 * as they are; returns how many came in.
 */
export async function addOrders(
  work: Work,
  clientId: string,
  shipmentId: string,
  orderIds: readonly string[],
): Promise<number> {
  await lockOrderBook(work, clientId)
  const shipment = await lockShipment(work, clientId, shipmentId, 'fill')
  const orders = await lockOrders(work, clientId, orderIds)
  const joining = orders.filter((order) => order.shipment_id !== shipmentId)
  for (const order of joining) refuseForeign(order, shipment.cabinet_id)
  const lines = await linesOf(
    work,
    clientId,
    joining.map(({ id }) => id),
  )
  await reserveUnits(work, clientId, lines)
  const changes = joining.map((order) => ({
    order,
    patch: {
      shipment_id: shipmentId,
      status: orderStatus(order.marketplace_status, 'open'),
    },
  }))
  await changeOrders(work, clientId, changes)
  await recountOrders(work, clientId, [shipmentId])
  return joining.length
}

function refuseForeign(order: LockedOrder, cabinetId: string): void {
  if (order.cabinet_id !== cabinetId) {
    throw conflict(`Заказ ${order.external_id} из другого кабинета`)
  }
  if (order.phase !== 'none') {
    const label = orderStatusLabels[order.status]
    throw conflict(`Заказ ${order.external_id} уже в другой отгрузке, в статусе «${label}»`)
  }
  if (!mayJoinShipment(order.status, order.phase)) {
    throw conflict(`Заказ ${order.external_id} в статусе «${orderStatusLabels[order.status]}»`)
  }
}

/**
 * Takes an order out of an open shipment again: it is what its marketplace says, its units free and
 * back on the shelf. What was picked for it counts no more.
 */
export async function removeOrder(
  work: Work,
  clientId: string,
  shipmentId: string,
  orderId: string,
): Promise<void> {
  await lockOrderBook(work, clientId)
  await lockShipment(work, clientId, shipmentId, 'fill')
  const [order] = await lockOrders(work, clientId, [orderId])
  if (order?.shipment_id !== shipmentId) throw notFound('Заказа нет в этой отгрузке')
  await returnMarksOfOrder(work, clientId, orderId)
  if (order.status !== 'CANCELLED') {
    await releaseUnits(work, clientId, await linesOf(work, clientId, [orderId]))
  }
  const status = orderStatus(order.marketplace_status, 'none')
  await changeOrders(work, clientId, [
    { order, patch: { shipment_id: null, status, packed_at: null } },
  ])
  await undoPicks(work, clientId, orderId)
  await recountOrders(work, clientId, [shipmentId])
}

async function undoPicks(work: Work, clientId: string, orderId: string): Promise<void> {
  const { tx } = work
  await tx`
    update order_lines set picked = 0
    where client_id = ${clientId} and order_id = ${orderId} and picked > 0`
  await tx`
    update picks set undone_at = ${work.at}
    where client_id = ${clientId} and order_id = ${orderId} and undone_at is null`
}

/**
 * Hands the shipment over: the units of its orders leave the ledger, the orders are IN_DELIVERY.
 * Orders cancelled meanwhile are skipped. Throws conflict while an order is not collected.
 */
export async function closeShipment(
  work: Work,
  clientId: string,
  shipmentId: string,
): Promise<void> {
  await lockOrderBook(work, clientId)
  const { tx } = work
  await lockShipment(work, clientId, shipmentId, 'close')
  const orders = await lockOrdersOfShipment(work, clientId, shipmentId)
  const leaving = orders.filter((order) => order.status !== 'CANCELLED')
  if (orders.length === 0) throw conflict('В отгрузке нет заказов')
  if (leaving.length === 0) {
    throw conflict('В отгрузке все заказы отменены: уберите их и добавьте те, что поедут')
  }
  refuseUnpacked(leaving)
  const ids = leaving.map((order) => order.id)
  const lines = await linesOf(work, clientId, ids)
  await shipMarksOfOrders(work, clientId, ids)
  await recordMovements(
    work,
    clientId,
    lines.map((line) => departure(line, shipmentId)),
  )
  const units = lines.reduce((sum, line) => sum + line.units, 0)
  await tx`
    update shipments set status = 'HANDED_OVER', closed_at = ${work.at}, units = ${units}
    where client_id = ${clientId} and id = ${shipmentId}`
  await tx`
    update picking_tasks set status = 'DONE', done_at = ${work.at}, shipped_count = ${leaving.length}
    where client_id = ${clientId} and shipment_id = ${shipmentId}`
  const changes = leaving.map((order) => ({
    order,
    patch: { status: orderStatus(order.marketplace_status, 'closed') },
  }))
  await changeOrders(work, clientId, changes)
  await announceShipment(work, clientId, shipmentId, 'ASSEMBLING')
}

function refuseUnpacked(orders: readonly LockedOrder[]): void {
  const [first, ...more] = orders.filter((order) => order.packed_at === null)
  if (first === undefined) return
  const others = more.length === 0 ? '' : `, и ещё ${more.length}`
  throw conflict(`Заказ ${first.external_id} не собран${others}: соберите или уберите из отгрузки`)
}

function departure(line: OrderLine, shipmentId: string) {
  return {
    kind: 'shipment',
    barcode: line.barcode,
    delta: -line.units,
    fromReserve: line.units,
    shipmentId,
    orderId: line.order_id,
  } as const
}

/** Clocks of people and machines may be that far ahead of ours. */
const aheadMaxMs = 60_000

/**
 * The marketplace scanned the shipment at its own place, at `acceptedAt` or now. Throws
 * validation_error for a time before the shipment was closed, or in the future.
 */
export async function acceptShipment(
  work: Work,
  clientId: string,
  shipmentId: string,
  acceptedAt: Instant = work.now,
): Promise<void> {
  const { closed_at: closedAt } = await lockShipment(work, clientId, shipmentId, 'accept')
  if (closedAt !== null && acceptedAt < fromTimestamp(closedAt)) {
    throw invalidField('accepted_at', `не раньше закрытия отгрузки, ${closedAt}`)
  }
  if (acceptedAt > work.now + aheadMaxMs) throw invalidField('accepted_at', 'не в будущем')
  await work.tx`
    update shipments set status = 'ACCEPTED', accepted_at = ${toTimestamp(acceptedAt)}
    where client_id = ${clientId} and id = ${shipmentId}`
  await announceShipment(work, clientId, shipmentId, 'HANDED_OVER')
}
