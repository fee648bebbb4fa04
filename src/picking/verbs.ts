import type { Work } from '../db/work.ts'
import { conflict, excerpt, invalidField, notFound } from '../kernel/errors.ts'
import type { MarkingCode } from '../kernel/marking-code.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import type { LockedOrder } from '../orders/change.ts'
import { linesOf, type OrderLine } from '../orders/lines.ts'
import { type BoxedUnits, takeFromBoxes } from '../stock/storage.ts'
import { goodsOfPicks, type PickOfGoods, pickMarks } from './goods.ts'
import { lockOrdersOfTask } from './lock.ts'

/** Collecting the orders of an open shipment, unit by unit. */

export interface Pick {
  /** Made by the handheld; the same id again changes nothing. */
  readonly scanId: string
  readonly orderId: string
  /** May be left out where the marking code tells the goods. */
  readonly barcode?: string
  readonly markingCode?: MarkingCode
  /** The box that the unit is taken from, if it lay in one. */
  readonly boxId?: string
}

/** A unit that was picked now. */
export interface Picked {
  readonly scanId: string
  readonly orderId: string
  readonly barcode: string
  /** Undefined while its order needs more. */
  readonly packedAt: Timestamp | undefined
}

/**
 * Units are picked for orders of one task, as many scans as the handheld has gathered; an order is
 * packed with its last unit. Answers the scans that were new. Throws validation_error for goods that
 * an order does not have, conflict for those it does not need any more, and then none is taken.
 */
export async function pickUnits(
  work: Work,
  clientId: string,
  taskId: string,
  picks: readonly Pick[],
): Promise<Picked[]> {
  // A scan that was taken stays taken, whatever has become of its order since.
  const unknown = await withoutTaken(work, clientId, taskId, picks)
  if (unknown.length === 0) return []
  const ids = [...new Set(unknown.map((pick) => pick.orderId))]
  const orders = await lockOrdersOfTask(work, clientId, taskId, ids)
  const [fresh, lines] = await Promise.all([
    withoutTaken(work, clientId, taskId, unknown),
    linesOf(work, clientId, ids),
  ])
  if (fresh.length === 0) return []
  const known = await goodsOfPicks(work, clientId, fresh, lines)
  const placed = known.map((pick) => placeOnLine(pick, lines, orders))
  const unpacked = new Set(
    lines.filter((line) => line.picked < line.units).map((line) => line.order_id),
  )
  await Promise.all([
    recordPicks(work, clientId, taskId, placed),
    pack(
      work,
      clientId,
      ids.filter((id) => !unpacked.has(id)),
    ),
  ])
  await pickMarks(work, clientId, placed)
  await takeFromBoxes(work, clientId, boxesOf(placed))
  return placed.map(({ scanId, orderId, barcode }) => ({
    scanId,
    orderId,
    barcode,
    packedAt: unpacked.has(orderId) ? undefined : (orders.get(orderId)?.packed_at ?? work.at),
  }))
}

interface PlacedPick extends PickOfGoods {
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
  pick: PickOfGoods,
  lines: OrderLine[],
  orders: ReadonlyMap<string, LockedOrder>,
): PlacedPick {
  const number = orders.get(pick.orderId)?.external_id
  const isFit = (line: OrderLine) => line.order_id === pick.orderId && line.barcode === pick.barcode
  if (!lines.some(isFit)) {
    const field = pick.barcodeTold ? 'barcode' : 'marking_code'
    throw invalidField(field, `товара ${pick.barcode} в заказе ${number} нет`)
  }
  const at = lines.findIndex((line) => isFit(line) && line.picked < line.units)
  const line = lines[at]
  if (line === undefined) throw conflict(`Заказу ${number} товар ${pick.barcode} больше не нужен`)
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
    mark: pick.markingCode?.identity ?? null,
  }))
  const [{ taken }] = await tx<[{ taken: number }]>`
    with placed as materialized (
      select * from jsonb_to_recordset(${tx.json(rows)}) as p
        (scan_id text, order_id uuid, line integer, barcode text, box_id uuid, mark text)
    ), taken as (
      insert into picks (client_id, task_id, at, actor, scan_id, order_id, line, barcode, box_id,
        mark)
      select ${clientId}, ${taskId}, ${work.at}, ${work.actor}, p.* from placed p
      on conflict do nothing returning scan_id
    ), counted as (
      update order_lines l set picked = l.picked + p.units
      from (select order_id, line, count(*) as units from placed group by 1, 2) p
      where l.client_id = ${clientId} and l.order_id = any(array(select order_id from placed))
        and l.order_id = p.order_id and l.line = p.line
    )
    select count(*) as taken from taken`
  // Only the same scan for another order, at the same moment, gets here.
  if (taken < rows.length) throw conflict('Скан уже принят для другого заказа')
}

async function pack(work: Work, clientId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await work.tx`
    update orders set packed_at = ${work.at}
    where client_id = ${clientId} and id = any(${ids as string[]}::uuid[]) and packed_at is null`
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
 * curated list, kind not_found); the order stays, to be found or to be removed. Returns false for a
 * report that was counted before: the same scan, or the same goods missing for the same reason with
 * no pick in between.
 */
export async function reportNotFound(
  work: Work,
  clientId: string,
  taskId: string,
  miss: { readonly orderId: string; readonly reason: string; readonly scanId?: string },
): Promise<boolean> {
  const { tx } = work
  const { orderId, reason, scanId } = miss
  const orders = await lockOrdersOfTask(work, clientId, taskId, [orderId])
  if (scanId !== undefined && (await isReported(work, clientId, taskId, scanId))) return false
  const [known] = await tx`select code from reasons where kind = 'not_found' and code = ${reason}`
  if (known === undefined) throw invalidField('reason', `нет причины с кодом ${excerpt(reason)}`)
  const lines = await linesOf(work, clientId, [orderId])
  const missing = lines
    .filter((line) => line.picked < line.units)
    .map(({ barcode, units, picked }) => ({ barcode, units: units - picked }))
  if (missing.length === 0) {
    throw conflict(`Заказ ${orders.get(orderId)?.external_id} уже собран`)
  }
  const added = await tx`
    insert into pick_misses
      (client_id, task_id, order_id, barcode, units, reason, scan_id, at, actor)
    select ${clientId}, ${taskId}, ${orderId}, m.barcode, m.units, ${reason}, ${scanId ?? null},
      ${work.at}, ${work.actor}
    from (
      select barcode, sum(units)::integer as units
      from jsonb_to_recordset(${tx.json(missing)}) as r (barcode text, units integer) group by 1
    ) m
    left join lateral (
      select p.units, p.reason, p.at from pick_misses p
      where p.client_id = ${clientId} and p.task_id = ${taskId} and p.order_id = ${orderId}
        and p.barcode = m.barcode
      order by p.id desc limit 1
    ) last on true
    where (last.units, last.reason) is distinct from (m.units, ${reason}) or exists (
      select from picks p
      where p.client_id = ${clientId} and p.order_id = ${orderId} and p.task_id = ${taskId}
        and p.barcode = m.barcode and greatest(p.at, p.undone_at) >= last.at)`
  return added.count > 0
}

async function isReported(
  work: Work,
  clientId: string,
  taskId: string,
  scanId: string,
): Promise<boolean> {
  const [reported] = await work.tx`
    select id from pick_misses
    where client_id = ${clientId} and task_id = ${taskId} and scan_id = ${scanId} limit 1`
  return reported !== undefined
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
