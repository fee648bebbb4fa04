import type { Work } from '../db/work.ts'
import { conflict, invalidField, notFound } from '../kernel/errors.ts'
import { type LockedOrder, lockOrders } from '../orders/change.ts'
import { linesOf } from '../orders/lines.ts'
import { lockShipment } from '../shipments/lock.ts'
import { takeFromBox } from '../stock/storage.ts'

/** Collecting the orders of an open shipment, unit by unit. */

export interface Pick {
  /** Made by the handheld; the same id again changes nothing. */
  readonly scanId: string
  readonly orderId: string
  readonly barcode: string
  /** The box that the unit is taken from, if it lay in one. */
  readonly boxId?: string
}

/**
 * One unit is picked for an order; with the last one the order is packed. Returns false for a scan
 * that was already taken. Throws conflict for goods that the order does not need.
 */
export async function pickUnit(
  work: Work,
  clientId: string,
  taskId: string,
  pick: Pick,
): Promise<boolean> {
  const { tx } = work
  const order = await lockOrderOfTask(work, clientId, taskId, pick.orderId)
  const lines = await linesOf(work, clientId, [order.id])
  const line = lines.find((each) => each.barcode === pick.barcode && each.picked < each.units)
  const taken = await tx`
    insert into picks (client_id, task_id, scan_id, order_id, line, barcode, box_id, at, actor)
    values (${clientId}, ${taskId}, ${pick.scanId}, ${order.id}, ${line?.line ?? 0}, ${pick.barcode},
      ${pick.boxId ?? null}, ${work.at}, ${work.actor})
    on conflict do nothing returning scan_id`
  if (taken.length === 0) return false
  if (line === undefined) {
    throw conflict(`Заказу ${order.external_id} товар ${pick.barcode} больше не нужен`)
  }
  await tx`
    update order_lines set picked = picked + 1
    where client_id = ${clientId} and order_id = ${order.id} and line = ${line.line}`
  if (pick.boxId !== undefined) {
    await takeFromBox(work, clientId, { boxId: pick.boxId, barcode: pick.barcode, units: 1 })
  }
  const left = lines.reduce((sum, each) => sum + each.units - each.picked, 0) - 1
  if (left === 0) {
    await tx`
      update orders set packed_at = ${work.at} where client_id = ${clientId} and id = ${order.id}`
  }
  return true
}

/**
 * The picker did not find what an order still needs. It is recorded with its reason (code of the
 * curated list, kind not_found); the order stays, to be found or to be removed.
 */
export async function reportNotFound(
  work: Work,
  clientId: string,
  taskId: string,
  miss: { orderId: string; reason: string },
): Promise<void> {
  const { tx } = work
  const order = await lockOrderOfTask(work, clientId, taskId, miss.orderId)
  const [reason] = await tx`
    select code from reasons where kind = 'not_found' and code = ${miss.reason}`
  if (reason === undefined) throw invalidField('reason', `нет причины с кодом ${miss.reason}`)
  const lines = await linesOf(work, clientId, [order.id])
  const missing = lines.filter((line) => line.picked < line.units)
  if (missing.length === 0) throw conflict(`Заказ ${order.external_id} уже собран`)
  for (const line of missing) {
    await tx`
      insert into pick_misses (client_id, task_id, order_id, barcode, units, reason, at, actor)
      values (${clientId}, ${taskId}, ${order.id}, ${line.barcode}, ${line.units - line.picked},
        ${miss.reason}, ${work.at}, ${work.actor})`
  }
}

async function lockOrderOfTask(
  work: Work,
  clientId: string,
  taskId: string,
  orderId: string,
): Promise<LockedOrder> {
  const [task] = await work.tx<{ shipment_id: string }[]>`
    select shipment_id from picking_tasks where client_id = ${clientId} and id = ${taskId}`
  if (task === undefined) throw notFound('Задание на сборку не найдено')
  await lockShipment(work, clientId, task.shipment_id, 'fill', 'share')
  const [order] = await lockOrders(work, clientId, [orderId])
  if (order?.shipment_id !== task.shipment_id) throw notFound('Заказа нет в этом задании')
  if (order.status === 'CANCELLED') throw conflict(`Заказ ${order.external_id} отменён`)
  return order
}

/** The picking task of a shipment. */
export async function taskOfShipment(
  work: Work,
  clientId: string,
  shipmentId: string,
): Promise<string> {
  const [task] = await work.tx<{ id: string }[]>`
    select id from picking_tasks where client_id = ${clientId} and shipment_id = ${shipmentId}`
  if (task === undefined) throw notFound('Задание на сборку не найдено')
  return task.id
}
