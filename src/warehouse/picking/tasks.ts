import type { Transaction } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { conflict, notFound, type ServiceError } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { clearPickedUnits } from '../orders/lines.ts'
import { dropProofsOfOrder, dropProofsOfTask } from './mark-proofs.ts'
import { closeMissesOfOrder, closeMissesOfTask } from './miss-endings.ts'
import { allowsPickingVerb, type PickingTaskStatus, type PickingTaskVerb } from './state.ts'
import { releaseUnitMarks } from './unit-marks.ts'

/**
 * The life of picking tasks: each shipment that is made here has one, and the shipment's verbs open,
 * complete and delete it. Pickers lock the task shared, so several of them work at once; a verb of
 * the shipment locks it exclusively. The lock comes after the shipment's and before the orders'.
 */

export async function openPickingTask(
  { tx, at }: Work,
  clientId: string,
  shipmentId: string,
): Promise<void> {
  await tx`
    insert into picking_tasks (client_id, id, shipment_id, status, opened_at)
    values (${clientId}, ${newId()}, ${shipmentId}, 'OPEN', ${at})`
}

/** The picking tasks of shipments, by shipment id. */
export async function pickingTasksOf(
  { tx }: SharedWork,
  shipments: readonly { readonly clientId: string; readonly shipmentId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = shipments.map(({ clientId, shipmentId }) => ({
    client_id: clientId,
    shipment_id: shipmentId,
  }))
  const rows = await tx<{ shipment_id: string; id: string }[]>`
    select t.shipment_id, t.id
    from jsonb_to_recordset(${tx.json(wanted)}) as w (client_id uuid, shipment_id uuid)
    join picking_tasks t on t.client_id = w.client_id and t.shipment_id = w.shipment_id`
  return new Map(rows.map(({ shipment_id, id }) => [shipment_id, id]))
}

/** The picking task of a shipment. Throws not_found where the shipment has none. */
export async function pickingTaskOf(
  { tx }: Work,
  clientId: string,
  shipmentId: string,
): Promise<string> {
  const [task] = await tx<{ id: string }[]>`
    select id from picking_tasks where client_id = ${clientId} and shipment_id = ${shipmentId}`
  if (task === undefined) throw unknownTask()
  return task.id
}

/** Makes pickers of the shipment wait until the transaction ends. */
export async function lockPicking(
  { tx }: Work,
  clientId: string,
  shipmentId: string,
): Promise<void> {
  await tx`
    select id from picking_tasks
    where client_id = ${clientId} and shipment_id = ${shipmentId} for no key update`
}

export interface SharedTask {
  readonly shipmentId: string
  /** The last claim, which may have ended since. */
  readonly claim: TaskClaim | undefined
}

export interface TaskClaim {
  readonly userId: string
  readonly name: string
}

/**
 * Locks a task together with other pickers, but against its completion. Throws not_found, and conflict
 * where the task does not allow the verb.
 */
export function shareTask(
  { tx }: SharedWork,
  clientId: string,
  taskId: string,
  verb: PickingTaskVerb,
): Promise<SharedTask> {
  return allowedTask(tx, clientId, taskId, verb, tx`for share of t`)
}

/** Locks a task against all who pick. Throws as `shareTask` does. */
export function lockTask(
  { tx }: Work,
  clientId: string,
  taskId: string,
  verb: PickingTaskVerb,
): Promise<SharedTask> {
  return allowedTask(tx, clientId, taskId, verb, tx`for no key update of t`)
}

interface TaskRow {
  readonly status: PickingTaskStatus
  readonly shipment_id: string
  readonly claimed_by: string | null
  readonly name: string | null
}

async function allowedTask(
  tx: Transaction,
  clientId: string,
  taskId: string,
  verb: PickingTaskVerb,
  lock: Fragment,
): Promise<SharedTask> {
  const [task] = await tx<TaskRow[]>`
    select t.status, t.shipment_id, t.claimed_by, case when t.claimed_by is not null then (
      select u.shown_name from staff_users u where u.id = t.claimed_by) end as name
    from picking_tasks t where client_id = ${clientId} and id = ${taskId} ${lock}`
  if (task === undefined) throw unknownTask()
  if (!allowsPickingVerb(task.status, verb)) {
    throw conflict('Сборка закончена: отгрузка «Передана маркетплейсу»')
  }
  const { shipment_id: shipmentId, claimed_by: userId, name } = task
  return { shipmentId, claim: userId === null ? undefined : { userId, name: name ?? userId } }
}

/** Undoes all picks of an order that leaves its task; they stay on record. Its misses end. */
export async function undoPicks(work: Work, clientId: string, orderId: string): Promise<void> {
  await clearPickedUnits(work, clientId, orderId)
  await releaseUnitMarks(work, clientId, [orderId])
  await dropProofsOfOrder(work, clientId, orderId)
  await work.tx`
    update picks set undone_at = ${work.at}
    where client_id = ${clientId} and order_id = ${orderId} and undone_at is null`
  await undoChecks(work, clientId, orderId)
  await closeMissesOfOrder(work, clientId, orderId)
}

/** The shipment leaves with `shippedCount` orders, all of them packed. */
export async function completePickingTask(
  work: Work,
  clientId: string,
  shipmentId: string,
  shippedCount: number,
): Promise<void> {
  const { tx, at } = work
  const [task] = await tx<{ id: string }[]>`
    update picking_tasks set status = 'DONE', done_at = ${at}, shipped_count = ${shippedCount},
      claimed_by = null, claimed_at = null
    where client_id = ${clientId} and shipment_id = ${shipmentId} returning id`
  if (task === undefined) return
  await dropProofsOfTask(work, clientId, task.id)
  await closeMissesOfTask(work, clientId, task.id)
}

/**
 * Deletes the task of a shipment without orders, and its picks and checks, which were all undone when the
 * orders left. Reports of missing goods stay: metrics count them.
 */
export async function deletePickingTask(
  work: Work,
  clientId: string,
  shipmentId: string,
): Promise<void> {
  const { tx } = work
  const taskId = await pickingTaskOf(work, clientId, shipmentId)
  await dropProofsOfTask(work, clientId, taskId)
  await tx`delete from picks where client_id = ${clientId} and task_id = ${taskId}`
  await tx`delete from pack_checks where client_id = ${clientId} and task_id = ${taskId}`
  await tx`
    update pick_misses set task_id = null where client_id = ${clientId} and task_id = ${taskId}`
  await tx`delete from picking_tasks where client_id = ${clientId} and id = ${taskId}`
}

export function unknownTask(): ServiceError {
  return notFound('Задание на сборку не найдено')
}

/** An order's content changed: its packing check begins again. The caller has locked the order. */
export async function undoChecks(work: Work, clientId: string, orderId: string): Promise<void> {
  await work.tx`
    update pack_checks set undone_at = ${work.at}
    where client_id = ${clientId} and order_id = ${orderId} and undone_at is null`
}
