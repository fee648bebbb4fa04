import type { Queryable } from '../db/connection.ts'
import type { Work } from '../db/work.ts'
import { actorText } from '../kernel/actor.ts'
import { conflict, excerpt, invalidField } from '../kernel/errors.ts'
import { gtinOf } from '../kernel/gs1.ts'
import { type MarkingCode, readMarkingCode } from '../kernel/marking-code.ts'
import { linesOf, type OrderLine } from '../orders/lines.ts'
import { lockOrdersOfTask, type ShipmentGuard } from './lock.ts'
import { orderedBarcode } from './scanned-goods.ts'
import { pickingTaskOf } from './tasks.ts'
import type { PackCheck } from './view.ts'

/**
 * The packing check: each picked unit of an order is scanned once more before its parcel is closed. It is
 * optional: a shipment closes without it. No check counts more units of a line than were picked.
 */

export interface CheckScan {
  readonly scanId: string
  readonly orderId: string
  /** A barcode of goods or a marking code, as the scanner sends it. */
  readonly code: string
}

interface CheckedUnit {
  readonly line: number
  readonly barcode: string
  readonly markingCode: string | null
}

/**
 * Checks one unit. Returns false for a scan that was recorded before. Throws validation_error for goods that are
 * not in the order, conflict for a unit that was not picked or that is one too many, and not_found.
 */
export async function checkUnit(
  work: Work,
  clientId: string,
  shipmentId: string,
  { scanId, orderId, code }: CheckScan,
  guard?: ShipmentGuard,
): Promise<boolean> {
  const { tx } = work
  const taskId = await pickingTaskOf(work, clientId, shipmentId)
  if (await isRecorded(tx, clientId, taskId, scanId)) return false
  const lock = { taskId, verb: 'check', orderIds: [orderId], guard } as const
  const order = (await lockOrdersOfTask(work, clientId, lock)).get(orderId)
  const lines = await linesOf(work, clientId, [orderId])
  const unit = await unitOf(work, clientId, {
    orderId,
    code,
    number: order?.external_id ?? '',
    lines,
  })
  const recorded = await tx`
    insert into pack_checks
      (client_id, task_id, scan_id, order_id, line, barcode, marking_code, at, actor)
    values (${clientId}, ${taskId}, ${scanId}, ${orderId}, ${unit.line}, ${unit.barcode},
      ${unit.markingCode}, ${work.at}, ${actorText(work.actor)})
    on conflict do nothing returning scan_id`
  return recorded.length > 0
}

async function isRecorded(tx: Queryable, clientId: string, taskId: string, scanId: string) {
  const [known] = await tx`
    select scan_id from pack_checks
    where client_id = ${clientId} and task_id = ${taskId} and scan_id = ${scanId}`
  return known !== undefined
}

interface Parcel {
  readonly orderId: string
  readonly number: string
  readonly code: string
  readonly lines: readonly OrderLine[]
}

async function unitOf(work: Work, clientId: string, parcel: Parcel): Promise<CheckedUnit> {
  const { orderId, code, lines, number } = parcel
  const read = readMarkingCode(code)
  const marked = read.ok ? await markedUnit(work, clientId, parcel, read) : undefined
  if (marked !== undefined) return marked
  const barcode = read.ok
    ? (lines.find((line) => gtinOf(line.barcode) === read.gtin)?.barcode ?? read.gtin)
    : orderedBarcode(code, lines)
  const own = lines.filter((line) => line.barcode === barcode)
  if (own.length === 0) {
    throw invalidField(
      'code',
      `товара ${excerpt(barcode)} в заказе ${number} нет: он из другого заказа`,
    )
  }
  const checked = await checkedByLine(work.tx, clientId, orderId)
  const line = own.find((each) => (checked.get(each.line) ?? 0) < each.picked)
  if (line === undefined) throw oneTooMany(own, barcode, number)
  return { line: line.line, barcode, markingCode: read.ok ? read.identity : null }
}

/** The unit that was picked with this marking code; undefined where only goods without codes may be meant. */
async function markedUnit(
  { tx }: Work,
  clientId: string,
  { orderId, number }: Parcel,
  { identity, gtin }: MarkingCode,
): Promise<CheckedUnit | undefined> {
  const [known] = await tx`
    select scan_id from pack_checks
    where client_id = ${clientId} and order_id = ${orderId} and undone_at is null
      and marking_code = ${identity}`
  if (known !== undefined) throw conflict(`Эту единицу заказа ${number} уже проверили`)
  const picks = await tx<{ line: number; barcode: string; code: string | null }[]>`
    select line, barcode, marking_code as code from picks
    where client_id = ${clientId} and order_id = ${orderId} and undone_at is null`
  const unit = picks.find(({ code }) => code === identity)
  if (unit !== undefined) return { line: unit.line, barcode: unit.barcode, markingCode: identity }
  const alike = picks.filter(({ barcode }) => gtinOf(barcode) === gtin)
  if (alike.length === 0 || alike.some(({ code }) => code === null)) return undefined
  throw invalidField(
    'code',
    `единицы с этим кодом маркировки в заказе ${number} нет: она из другого заказа`,
  )
}

function oneTooMany(lines: readonly OrderLine[], barcode: string, number: string): Error {
  const isPicked = lines.every((line) => line.picked >= line.units)
  return conflict(
    isPicked
      ? `Товара ${excerpt(barcode)} в заказе ${number} больше, чем нужно: лишнюю единицу верните на полку`
      : `Товар ${excerpt(barcode)} в заказ ${number} ещё не собран: сначала соберите его`,
  )
}

async function checkedByLine(
  db: Queryable,
  clientId: string,
  orderId: string,
): Promise<ReadonlyMap<number, number>> {
  const rows = await db<{ line: number; units: number }[]>`
    select line, count(*)::integer as units from pack_checks
    where client_id = ${clientId} and order_id = ${orderId} and undone_at is null group by line`
  return new Map(rows.map(({ line, units }) => [line, units]))
}

interface CheckRow {
  readonly scan_id: string
  readonly undone: boolean
  readonly order_id: string
  readonly order_external_id: string
  readonly barcode: string
}

/** The result of a recorded check, or undefined where the shipment has no such scan. */
export async function findCheck(
  db: Queryable,
  clientId: string,
  shipmentId: string,
  scanId: string,
): Promise<Omit<PackCheck, 'repeated'> | undefined> {
  const [row] = await db<CheckRow[]>`
    select c.scan_id, c.undone_at is not null as undone, c.order_id,
      o.external_id as order_external_id, c.barcode
    from picking_tasks t
    join pack_checks c on c.client_id = t.client_id and c.task_id = t.id
    join orders o on o.client_id = c.client_id and o.id = c.order_id
    where t.client_id = ${clientId} and t.shipment_id = ${shipmentId} and c.scan_id = ${scanId}`
  if (row === undefined) return undefined
  const checked = await checkedByLine(db, clientId, row.order_id)
  const lines = await db<{ line: number; barcode: string; name: string; units: number }[]>`
    select l.line, l.barcode, p.name, l.quantity as units
    from order_lines l
    join products p on p.client_id = l.client_id and p.barcode = l.barcode
    where l.client_id = ${clientId} and l.order_id = ${row.order_id} order by l.line`
  const missing = lines.flatMap(({ line, barcode, name, units }) => {
    const qty = units - (checked.get(line) ?? 0)
    return qty > 0 ? [{ barcode, name, qty }] : []
  })
  const units = lines.reduce((sum, line) => sum + line.units, 0)
  const done = units - missing.reduce((sum, { qty }) => sum + qty, 0)
  return { ...row, units, checked: done, complete: missing.length === 0, missing }
}
