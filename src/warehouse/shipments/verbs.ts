import type { Work } from '../../platform/db/work.ts'
import { conflict, invalidField, notFound } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { fromTimestamp, type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { changeOrders } from '../orders/change.ts'
import { linesOf, type OrderLine } from '../orders/lines.ts'
import {
  type LockedOrder,
  lockOrderBook,
  lockOrders,
  lockOrdersOfShipment,
  phaseOutside,
} from '../orders/lock.ts'
import { standAsOrdered, takeParts } from '../orders/sets.ts'
import { mayJoinShipment, orderStatus, orderStatusLabels } from '../orders/state.ts'
import type { ShipmentGuard } from '../picking/lock.ts'
import { completePickingTask, lockPicking, openPickingTask, undoPicks } from '../picking/tasks.ts'
import { questionExpiredBefore } from '../stock/expired-lots.ts'
import { recordMovements, releaseUnits, reserveUnits } from '../stock/ledger.ts'
import { returnMarkingCodes, shipMarkingCodes } from '../stock/marking-codes.ts'
import { announceShipment } from './announce.ts'
import { lockOrderInShipment, lockShipment, updateOrdersCount } from './lock.ts'
import { refuseForeign } from './own-warehouses.ts'
import { observedMessage, refusalToClose } from './state.ts'

export interface NewShipment {
  readonly cabinetId: string
  /** The shipment's number in the cabinet, unique there. */
  readonly externalId: string
  readonly name?: string
  /** The marketplace creates it when it is closed; the number is ours until then. */
  readonly awaitsCreation?: boolean
}

/**
 * Opens a shipment and its picking task. Throws not_found for an unknown cabinet, and conflict for an
 * observed one and for a number that is taken.
 */
export async function openShipment(
  work: Work,
  clientId: string,
  draft: NewShipment,
): Promise<string> {
  const { tx } = work
  const id = newId()
  const [opened] = await tx<{ observed: boolean | null; opened: boolean }[]>`
    with cabinet as (
      -- Waits for a change of the setting, which waits for shipments that are being opened.
      select marketplace, shipments = 'observe' as observed from cabinets
      where client_id = ${clientId} and id = ${draft.cabinetId} for share
    ), opened as (
      insert into shipments
        (client_id, id, cabinet_id, marketplace, external_id, name, status, announced_status, created_at,
          awaits_creation)
      select ${clientId}, ${id}, ${draft.cabinetId}, marketplace, ${draft.externalId},
        ${draft.name ?? null}, 'ASSEMBLING', 'ASSEMBLING', ${work.at}, ${draft.awaitsCreation ?? false}
      from cabinet where not observed
      on conflict (client_id, cabinet_id, external_id) do nothing
      returning id
    )
    select (select observed from cabinet) as observed, exists (select from opened) as opened`
  if (typeof opened?.observed !== 'boolean') throw notFound('Кабинет не найден')
  if (opened.observed) throw conflict(observedMessage)
  if (!opened.opened) throw conflict(`Отгрузка ${draft.externalId} уже есть`)
  await openPickingTask(work, clientId, id)
  return id
}

/** The marketplace has created the shipment. Throws conflict for one that it had or that is gone. */
export async function nameCreatedShipment(
  work: Work,
  clientId: string,
  shipmentId: string,
  externalId: string,
): Promise<void> {
  const named = await work.tx`
    update shipments set external_id = ${externalId}, awaits_creation = false
    where client_id = ${clientId} and id = ${shipmentId} and awaits_creation
    returning id`
  if (named.length === 0) throw conflict('Отгрузка уже создана или её больше нет: обновите список')
}

/**
 * Adds orders to an open shipment: they become ASSEMBLING and their units are reserved. All of them
 * join, or none where one may not join or its goods are not free. Orders that are in the shipment
 * already stay as they are. Returns how many joined.
 */
export async function addOrders(
  work: Work,
  clientId: string,
  shipmentId: string,
  orderIds: readonly string[],
  guard?: ShipmentGuard,
): Promise<number> {
  await lockOrderBook(work, clientId)
  const shipment = await lockShipment(work, clientId, shipmentId, 'fill')
  await guard?.(work, clientId, shipmentId)
  const orders = await lockOrders(work, clientId, orderIds)
  const joining = orders.filter((order) => order.shipment_id !== shipmentId)
  for (const order of joining) refuseUnsuitable(order, shipment.cabinet_id)
  await refuseForeign(work, clientId, shipment.cabinet_id, joining)
  const ids = joining.map(({ id }) => id)
  await takeParts(work, clientId, ids, 'refused')
  const lines = await linesOf(work, clientId, ids)
  const barcodes = lines.map(({ barcode }) => barcode)
  await questionExpiredBefore(work, clientId, barcodes)
  await reserveUnits(work, clientId, lines)
  const changes = joining.map((order) => ({
    order,
    patch: {
      shipment_id: shipmentId,
      status: orderStatus(order.marketplace_status, 'open'),
    },
  }))
  await changeOrders(work, clientId, changes)
  await updateOrdersCount(work, clientId, [shipmentId])
  return joining.length
}

function refuseUnsuitable(order: LockedOrder, cabinetId: string): void {
  if (order.observed)
    throw conflict(`Заказ ${order.external_id} только наблюдают. ${observedMessage}`)
  if (order.cabinet_id !== cabinetId) {
    throw conflict(`Заказ ${order.external_id} из другого кабинета`)
  }
  if (order.shipment_id !== null) {
    const label = orderStatusLabels[order.status]
    throw conflict(`Заказ ${order.external_id} уже в другой отгрузке, в статусе «${label}»`)
  }
  if (!mayJoinShipment(order.status, order.phase)) {
    throw conflict(`Заказ ${order.external_id} в статусе «${orderStatusLabels[order.status]}»`)
  }
}

/**
 * Removes an order from an open shipment: it shows its marketplace's status again, its reserved units
 * become free, picked units go back to the shelf, and its picks no longer count.
 */
export async function removeOrder(
  work: Work,
  clientId: string,
  shipmentId: string,
  orderId: string,
  guard?: ShipmentGuard,
): Promise<void> {
  const order = await lockOrderInShipment(work, clientId, { shipmentId, orderId }, guard)
  await returnMarkingCodes(work, clientId, orderId)
  if (order.status !== 'CANCELLED') {
    await releaseUnits(work, clientId, await linesOf(work, clientId, [orderId]))
  }
  const status = orderStatus(order.marketplace_status, phaseOutside(order))
  await changeOrders(work, clientId, [
    { order, patch: { shipment_id: null, status, packed_at: null } },
  ])
  await undoPicks(work, clientId, orderId)
  await standAsOrdered(work, clientId, [orderId])
  await updateOrdersCount(work, clientId, [shipmentId])
}

/**
 * Closes the shipment when it is handed over: the units of its orders leave the ledger, and the
 * orders become IN_DELIVERY. Cancelled orders stay behind. Throws conflict for a shipment without
 * orders to send, or with one that is not packed.
 */
export async function closeShipment(
  work: Work,
  clientId: string,
  shipmentId: string,
): Promise<void> {
  await lockOrderBook(work, clientId)
  await lockShipment(work, clientId, shipmentId, 'close')
  await lockPicking(work, clientId, shipmentId)
  const orders = await lockOrdersOfShipment(work, clientId, shipmentId)
  const leaving = orders.filter((order) => order.status !== 'CANCELLED')
  const refusal = refusalToClose(orders)
  if (refusal !== undefined) throw conflict(refusal)
  const ids = leaving.map((order) => order.id)
  const lines = await linesOf(work, clientId, ids)
  await shipMarkingCodes(work, clientId, ids)
  await recordMovements(
    work,
    clientId,
    lines.map((line) => departure(line, shipmentId)),
  )
  const units = lines.reduce((sum, line) => sum + line.units, 0)
  await work.tx`
    update shipments set status = 'HANDED_OVER', closed_at = ${work.at}, units = ${units}
    where client_id = ${clientId} and id = ${shipmentId}`
  await completePickingTask(work, clientId, shipmentId, leaving.length)
  const changes = leaving.map((order) => ({
    order,
    patch: { status: orderStatus(order.marketplace_status, 'closed'), reship_since: null },
  }))
  await changeOrders(work, clientId, changes)
  await announceShipment(work, clientId, shipmentId, 'ASSEMBLING')
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

/** How far a clock of a person or a machine may be ahead of ours. */
const aheadMaxMs = 60_000

/**
 * The marketplace has scanned the shipment at its own warehouse, at `acceptedAt` or now. Throws
 * validation_error for a time before the shipment was closed or in the future.
 */
export async function acceptShipment(
  work: Work,
  clientId: string,
  shipmentId: string,
  acceptedAt: Instant = work.now,
): Promise<void> {
  const { closed_at: closedAt } = await lockShipment(work, clientId, shipmentId, 'accept')
  const closed = closedAt === null ? work.now : fromTimestamp(closedAt)
  if (closedAt !== null && acceptedAt < closed) {
    throw invalidField('accepted_at', `не раньше закрытия отгрузки, ${closedAt}`)
  }
  // Our clock may be ahead of the marketplace's, which this moment is of.
  if (acceptedAt > Math.max(work.now, closed) + aheadMaxMs)
    throw invalidField('accepted_at', 'не в будущем')
  await work.tx`
    update shipments set status = 'ACCEPTED', accepted_at = ${toTimestamp(acceptedAt)}
    where client_id = ${clientId} and id = ${shipmentId}`
  await announceShipment(work, clientId, shipmentId, 'HANDED_OVER')
}
