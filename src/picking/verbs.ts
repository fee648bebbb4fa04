import type { Work } from '../db/work.ts'
import { conflict, invalidField, notFound } from '../kernel/errors.ts'
import { type LockedOrder, lockOrders } from '../orders/change.ts'
import { linesOf, type OrderLine } from '../orders/lines.ts'
import { lockShipment } from '../shipments/lock.ts'
import { type BoxedUnits, takeFromBoxes } from '../stock/storage.ts'

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
 * Units are picked for orders of one task, as many scans as the handheld has gathered; an order is
 * packed with its last unit. Answers the scans that were new. Throws conflict for goods that an order
 * does not need, and then none is taken.
 */
export async function pickUnits(
  work: Work,
  clientId: string,
  taskId: string,
  picks: readonly Pick[],
): Promise<string[]> {
  // A scan that was taken stays taken, whatever has become of its order since.
  const unknown = await withoutTaken(work, clientId, taskId, picks)
  if (unknown.length === 0) return []
  const orders = await lockOrdersOfTask(work, clientId, taskId, [
    ...new Set(unknown.map((pick) => pick.orderId)),
  ])
  const fresh = await withoutTaken(work, clientId, taskId, unknown)
  if (fresh.length === 0) return []
  const lines = await linesOf(work, clientId, [...orders.keys()])
  const placed = fresh.map((pick) => placeOnLine(pick, lines, orders))
  await recordPicks(work, clientId, taskId, placed)
  await takeFromBoxes(work, clientId, boxesOf(placed))
  const unpacked = new Set(
    lines.filter((line) => line.picked < line.units).map((line) => line.order_id),
  )
  const packed = [...orders.keys()].filter((id) => !unpacked.has(id))
  await work.tx`
    update orders set packed_at = ${work.at}
    where client_id = ${clientId} and id = any(${packed}::uuid[]) and packed_at is null`
  return fresh.map((pick) => pick.scanId)
}

interface PlacedPick extends Pick {
  readonly line: number
}

/** Scans that were not taken before. Under the lock of their orders nobody else takes them now. */
async function withoutTaken(
  work: Work,
  clientId: string,
  taskId: string,
  picks: readonly Pick[],
): Promise<Pick[]> {
  const scans = new Map(picks.map((pick) => [pick.scanId, pick]))
  const taken = await work.tx<{ scan_id: string }[]>`
    select scan_id from picks
    where client_id = ${clientId} and task_id = ${taskId} and scan_id = any(${[...scans.keys()]})`
  for (const { scan_id } of taken) scans.delete(scan_id)
  return [...scans.values()]
}

/** Finds the line that still needs the unit, and counts it there. */
function placeOnLine(
  pick: Pick,
  lines: OrderLine[],
  orders: ReadonlyMap<string, LockedOrder>,
): PlacedPick {
  const at = lines.findIndex(
    (line) =>
      line.order_id === pick.orderId && line.barcode === pick.barcode && line.picked < line.units,
  )
  const line = lines[at]
  if (line === undefined) {
    const number = orders.get(pick.orderId)?.external_id
    throw conflict(`Заказу ${number} товар ${pick.barcode} больше не нужен`)
  }
  lines[at] = { ...line, picked: line.picked + 1 }
  return { ...pick, line: line.line }
}

async function recordPicks(
  work: Work,
  clientId: string,
  taskId: string,
  placed: readonly PlacedPick[],
): Promise<void> {
  const { tx } = work
  const rows = placed.map((pick) => ({
    scan_id: pick.scanId,
    order_id: pick.orderId,
    line: pick.line,
    barcode: pick.barcode,
    box_id: pick.boxId ?? null,
  }))
  const { count } = await tx`
    insert into picks (client_id, task_id, at, actor, scan_id, order_id, line, barcode, box_id)
    select ${clientId}, ${taskId}, ${work.at}, ${work.actor}, p.*
    from jsonb_to_recordset(${tx.json(rows)}) as p
      (scan_id text, order_id uuid, line integer, barcode text, box_id uuid)
    on conflict do nothing`
  // Only the same scan for another order, at the same moment, gets here.
  if (count < rows.length) throw conflict('Скан уже принят для другого заказа')
  await tx`
    update order_lines l set picked = l.picked + p.units
    from (
      select order_id, line, count(*) as units
      from jsonb_to_recordset(${tx.json(rows)}) as r (order_id uuid, line integer) group by 1, 2
    ) p
    where l.client_id = ${clientId} and l.order_id = p.order_id and l.line = p.line`
}

function boxesOf(placed: readonly PlacedPick[]): BoxedUnits[] {
  const boxed = placed.flatMap(({ boxId, barcode }) =>
    boxId === undefined ? [] : [{ boxId, barcode }],
  )
  const groups = Map.groupBy(boxed, ({ boxId, barcode }) => `${boxId} ${barcode}`)
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map((entry) => ({ ...entry, units: group.length })),
  )
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
  const orders = await lockOrdersOfTask(work, clientId, taskId, [miss.orderId])
  const number = orders.get(miss.orderId)?.external_id
  const [reason] = await tx`
    select code from reasons where kind = 'not_found' and code = ${miss.reason}`
  if (reason === undefined) throw invalidField('reason', `нет причины с кодом ${miss.reason}`)
  const lines = await linesOf(work, clientId, [miss.orderId])
  const missing = lines.filter((line) => line.picked < line.units)
  if (missing.length === 0) throw conflict(`Заказ ${number} уже собран`)
  for (const line of missing) {
    await tx`
      insert into pick_misses (client_id, task_id, order_id, barcode, units, reason, at, actor)
      values (${clientId}, ${taskId}, ${miss.orderId}, ${line.barcode}, ${line.units - line.picked},
        ${miss.reason}, ${work.at}, ${work.actor})`
  }
}

async function lockOrdersOfTask(
  work: Work,
  clientId: string,
  taskId: string,
  orderIds: readonly string[],
): Promise<Map<string, LockedOrder>> {
  const [task] = await work.tx<{ shipment_id: string }[]>`
    select shipment_id from picking_tasks where client_id = ${clientId} and id = ${taskId}`
  if (task === undefined) throw notFound('Задание на сборку не найдено')
  await lockShipment(work, clientId, task.shipment_id, 'fill', 'share')
  const orders = await lockOrders(work, clientId, orderIds)
  for (const order of orders) {
    if (order.shipment_id !== task.shipment_id) throw notFound('Заказа нет в этом задании')
    if (order.status === 'CANCELLED') throw conflict(`Заказ ${order.external_id} отменён`)
  }
  return new Map(orders.map((order) => [order.id, order]))
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
