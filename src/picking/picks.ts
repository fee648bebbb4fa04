import type { Work } from '../db/work.ts'
import { actorText } from '../kernel/actor.ts'
import { conflict, invalidField } from '../kernel/errors.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { changeOrders } from '../orders/change.ts'
import { addPickedUnits, linesOf, type OrderLine } from '../orders/lines.ts'
import type { LockedOrder } from '../orders/lock.ts'
import { takeFromBoxes } from '../stock/boxed-units.ts'
import type { BoxedUnits } from '../storage/box-contents.ts'
import { lockOrdersOfTask, type ShipmentGuard } from './lock.ts'
import type { PickScan } from './scan.ts'
import { goodsOfScans, pickMarkingCodes, type ScannedGoods } from './scanned-goods.ts'

/** Collecting the orders of an open shipment, unit by unit. */

/** A unit that was picked now. */
export interface PickedUnit {
  readonly scanId: string
  readonly orderId: string
  readonly barcode: string
  /** Undefined while its order needs more units. */
  readonly packedAt: Timestamp | undefined
}

/**
 * Picks units for orders of one task, any number of scans at once; the last unit of an order packs
 * it. Returns the scans that were new. Throws validation_error for goods that are not in the order,
 * and conflict for goods that the order no longer needs; then nothing is picked.
 */
export async function pickUnits(
  work: Work,
  clientId: string,
  taskId: string,
  scans: readonly PickScan[],
  guard?: ShipmentGuard,
): Promise<PickedUnit[]> {
  // A recorded scan stays recorded, even if its order has left the task since.
  const unknown = await unrecorded(work, clientId, taskId, scans)
  if (unknown.length === 0) return []
  const ids = [...new Set(unknown.map((scan) => scan.orderId))]
  const orders = await lockOrdersOfTask(work, clientId, {
    taskId,
    verb: 'pick',
    orderIds: ids,
    guard,
  })
  const [fresh, lines] = await Promise.all([
    unrecorded(work, clientId, taskId, unknown),
    linesOf(work, clientId, ids),
  ])
  if (fresh.length === 0) return []
  const goods = await goodsOfScans(work, clientId, fresh, lines)
  const placed = goods.map((scan) => placeOnLine(scan, lines, orders))
  const unpacked = new Set(
    lines.filter((line) => line.picked < line.units).map((line) => line.order_id),
  )
  const packed = [...orders.values()].filter(({ id }) => !unpacked.has(id))
  await Promise.all([
    recordPicks(work, clientId, taskId, placed),
    addPickedUnits(work, clientId, placed),
  ])
  await packOrders(work, clientId, packed)
  await pickMarkingCodes(work, clientId, placed)
  await takeFromBoxes(work, clientId, boxesOf(placed))
  return placed.map(({ scanId, orderId, barcode }) => ({
    scanId,
    orderId,
    barcode,
    packedAt: unpacked.has(orderId) ? undefined : (orders.get(orderId)?.packed_at ?? work.at),
  }))
}

/** The scans that were not recorded before. While their orders are locked nobody records them. */
async function unrecorded(
  work: Work,
  clientId: string,
  taskId: string,
  scans: readonly PickScan[],
): Promise<PickScan[]> {
  const byId = new Map(scans.map((scan) => [scan.scanId, scan]))
  const recorded = await work.tx<{ scan_id: string }[]>`
    select scan_id from picks
    where client_id = ${clientId} and task_id = ${taskId} and scan_id = any(${[...byId.keys()]})`
  for (const { scan_id } of recorded) byId.delete(scan_id)
  return [...byId.values()]
}

interface PlacedScan extends ScannedGoods {
  readonly line: number
}

/** Finds the line that still needs the unit, and counts the unit in `lines`. */
function placeOnLine(
  scan: ScannedGoods,
  lines: OrderLine[],
  orders: ReadonlyMap<string, LockedOrder>,
): PlacedScan {
  const number = orders.get(scan.orderId)?.external_id
  const isFit = (line: OrderLine) => line.order_id === scan.orderId && line.barcode === scan.barcode
  if (!lines.some(isFit)) {
    const field = scan.isBarcodeScanned ? 'barcode' : 'marking_code'
    throw invalidField(field, `товара ${scan.barcode} в заказе ${number} нет`)
  }
  const at = lines.findIndex((line) => isFit(line) && line.picked < line.units)
  const line = lines[at]
  if (line === undefined) throw conflict(`Заказу ${number} товар ${scan.barcode} больше не нужен`)
  lines[at] = { ...line, picked: line.picked + 1 }
  return { ...scan, line: line.line }
}

async function recordPicks(
  work: Work,
  clientId: string,
  taskId: string,
  placed: readonly PlacedScan[],
): Promise<void> {
  const { tx } = work
  const rows = placed.map((scan) => ({
    scan_id: scan.scanId,
    order_id: scan.orderId,
    line: scan.line,
    barcode: scan.barcode,
    box_id: scan.boxId ?? null,
    marking_code: scan.markingCode?.identity ?? null,
  }))
  const recorded = await tx`
    insert into picks (client_id, task_id, at, actor, scan_id, order_id, line, barcode, box_id,
      marking_code)
    select ${clientId}, ${taskId}, ${work.at}, ${actorText(work.actor)}, p.*
    from jsonb_to_recordset(${tx.json(rows)}) as p
      (scan_id text, order_id uuid, line integer, barcode text, box_id uuid,
       marking_code text)
    on conflict do nothing returning scan_id`
  // Only another transaction that recorded the same scan for another order gets us here.
  if (recorded.length < rows.length) throw conflict('Скан уже принят для другого заказа')
}

async function packOrders(
  work: Work,
  clientId: string,
  orders: readonly LockedOrder[],
): Promise<void> {
  const packing = orders.filter((order) => order.packed_at === null)
  await changeOrders(
    work,
    clientId,
    packing.map((order) => ({ order, patch: { packed_at: work.at } })),
  )
}

function boxesOf(placed: readonly PlacedScan[]): BoxedUnits[] {
  const boxed = placed.flatMap(({ boxId, barcode }) =>
    boxId === undefined ? [] : [{ boxId, barcode }],
  )
  const groups = Map.groupBy(boxed, ({ boxId, barcode }) => `${boxId} ${barcode}`)
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map((entry) => ({ ...entry, units: group.length })),
  )
}
