import type { Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { conflict, excerpt, invalidField } from '../../platform/kernel/errors.ts'
import { linesOf } from '../orders/lines.ts'
import { lockOrdersOfTask, type ShipmentGuard } from './lock.ts'

export interface MissReport {
  readonly orderId: string
  /** A code of the curated list of reasons, kind not_found. */
  readonly reason: string
  readonly scanId?: string
}

interface MissingUnits {
  readonly barcode: string
  readonly units: number
}

/**
 * Reports what an order still needs as not found. The order stays in the task: somebody finds the
 * goods later or removes the order. Returns false for a repeated report: the same scan, or the same
 * missing goods for the same reason with no pick in between. Throws validation_error for an unknown
 * reason and conflict for a packed order.
 */
export async function reportNotFound(
  work: Work,
  clientId: string,
  taskId: string,
  { orderId, reason, scanId }: MissReport,
  guard?: ShipmentGuard,
): Promise<boolean> {
  const lock = { taskId, verb: 'report', orderIds: [orderId], guard } as const
  const orders = await lockOrdersOfTask(work, clientId, lock)
  if (scanId !== undefined && (await isReported(work, clientId, taskId, scanId))) return false
  await refuseUnknownReason(work, reason)
  const lines = await linesOf(work, clientId, [orderId])
  const missing = lines
    .filter((line) => line.picked < line.units)
    .map(({ barcode, units, picked }) => ({ barcode, units: units - picked }))
  if (missing.length === 0) {
    throw conflict(`Заказ ${orders.get(orderId)?.external_id} уже собран`)
  }
  const report = { orderId, reason, ...(scanId === undefined ? {} : { scanId }) }
  return (await recordMisses(work, clientId, taskId, report, missing)) > 0
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

async function refuseUnknownReason({ tx }: Work, reason: string): Promise<void> {
  const [known] = await tx`select code from reasons where kind = 'not_found' and code = ${reason}`
  if (known === undefined) throw invalidField('reason', `нет причины с кодом ${excerpt(reason)}`)
}

/** Records missing goods unless the last report of them says the same. Returns how many were new. */
async function recordMisses(
  work: Work,
  clientId: string,
  taskId: string,
  { orderId, reason, scanId }: MissReport,
  missing: readonly MissingUnits[],
): Promise<number> {
  const { tx } = work
  const added = await tx`
    insert into pick_misses
      (client_id, task_id, order_id, barcode, units, reason, scan_id, at, actor)
    select ${clientId}, ${taskId}, ${orderId}, m.barcode, m.units, ${reason}, ${scanId ?? null},
      ${work.at}, ${actorText(work.actor)}
    from (
      select barcode, sum(units)::integer as units
      from jsonb_to_recordset(${tx.json(missing.map((units) => ({ ...units })))}) as r (barcode text, units integer) group by 1
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
        and p.barcode = m.barcode and greatest(p.at, p.undone_at) >= last.at)
    returning id`
  return added.length
}
