import type { Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { conflict, invalidField } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { tell } from '../events/news.ts'
import { linesOf, type MissingUnits, missingUnits } from '../orders/lines.ts'
import { refuseUnknownReason } from '../stock/reasons.ts'
import { lockOrdersOfTask, type ShipmentGuard } from './lock.ts'
import { replaceMisses } from './miss-endings.ts'

export interface MissReport {
  readonly orderId: string
  /** A code of the curated list of reasons, kind not_found. */
  readonly reason: string
  readonly scanId?: string
  /** The goods that were looked for; undefined: all that the order lacks. */
  readonly barcode?: string
  /** Where they were looked for: a box, or the location of loose units. */
  readonly locationId?: string
  readonly boxId?: string
}

/**
 * Reports what an order still needs as not found: each of its goods is a miss, which waits for a manager. The order
 * stays in the task: somebody finds the goods later, or a manager decides. Returns false for a repeated report: the
 * same scan, or the same as the miss that waits, with no pick in between. Throws validation_error for an unknown
 * reason and for goods that the order does not need, and conflict for a packed order.
 */
export async function reportNotFound(
  work: Work,
  clientId: string,
  taskId: string,
  report: MissReport,
  guard?: ShipmentGuard,
): Promise<boolean> {
  const { orderId, reason, scanId } = report
  const lock = { taskId, verb: 'report', orderIds: [orderId], guard } as const
  const orders = await lockOrdersOfTask(work, clientId, lock)
  if (scanId !== undefined && (await isReported(work, clientId, taskId, scanId))) return false
  await refuseUnknownReason(work, 'not_found', reason)
  const missing = missingUnits(await linesOf(work, clientId, [orderId]))
  const name = orders.get(orderId)?.external_id ?? ''
  if (missing.length === 0) throw conflict(`Заказ ${name} уже собран`)
  const sought = missing.filter(({ barcode }) => barcode === (report.barcode ?? barcode))
  if (sought.length === 0) throw invalidField('barcode', 'заказу этот товар больше не нужен')
  const added = await recordMisses(work, clientId, taskId, report, sought)
  const news = added.map((id) => ({ clientId, kind: 'miss', key: id, subject: name }) as const)
  await tell(work, news)
  return added.length > 0
}

async function isReported(
  { tx }: Work,
  clientId: string,
  taskId: string,
  scanId: string,
): Promise<boolean> {
  const [reported] = await tx`
    select id from pick_misses
    where client_id = ${clientId} and task_id = ${taskId} and scan_id = ${scanId} limit 1`
  return reported !== undefined
}

/** Records missing goods unless the miss that waits says the same. Returns the ids of new misses. */
async function recordMisses(
  work: Work,
  clientId: string,
  taskId: string,
  report: MissReport,
  missing: readonly MissingUnits[],
): Promise<string[]> {
  const { tx } = work
  const { orderId, reason, scanId = null, locationId = null, boxId = null } = report
  const waiting = await waitingMisses(work, clientId, orderId)
  const isSame = (miss: WaitingMiss | undefined, units: number) =>
    miss?.units === units &&
    miss.reason === reason &&
    miss.location_id === locationId &&
    miss.box_id === boxId &&
    !miss.picked_since
  const added = missing.filter(({ barcode, units }) => !isSame(waiting.get(barcode), units))
  const replaced = added.flatMap(({ barcode }) => waiting.get(barcode)?.id ?? [])
  await replaceMisses(work, clientId, replaced)
  const rows = added.map((goods) => ({ ...goods, id: newId() }))
  await tx`
    insert into pick_misses (client_id, id, task_id, order_id, barcode, units, reason, scan_id, at,
      actor, location_id, box_id)
    select ${clientId}, m.id, ${taskId}, ${orderId}, m.barcode, m.units, ${reason}, ${scanId},
      ${work.at}, ${actorText(work.actor)}, ${locationId}, ${boxId}
    from jsonb_to_recordset(${tx.json(rows)}) as m (id uuid, barcode text, units integer)`
  return rows.map(({ id }) => id)
}

interface WaitingMiss {
  readonly id: string
  readonly barcode: string
  readonly units: number
  readonly reason: string
  readonly location_id: string | null
  readonly box_id: string | null
  readonly picked_since: boolean
}

/** The open misses of an order, by barcode. */
async function waitingMisses(
  { tx }: Work,
  clientId: string,
  orderId: string,
): Promise<ReadonlyMap<string, WaitingMiss>> {
  const rows = await tx<WaitingMiss[]>`
    select m.id, m.barcode, m.units, m.reason, m.location_id, m.box_id, exists (
        select from picks p
        where p.client_id = m.client_id and p.order_id = m.order_id and p.task_id = m.task_id
          and p.barcode = m.barcode and greatest(p.at, p.undone_at) >= m.at) as picked_since
    from pick_misses m
    where m.client_id = ${clientId} and m.order_id = ${orderId} and m.outcome is null`
  return new Map(rows.map((row) => [row.barcode, row]))
}
