import type { Work } from '../db/work.ts'
import { fromTimestamp, hour, type Timestamp } from '../kernel/moscow-time.ts'

/** A marketplace may not show yet what has just been created. */
const newMs = hour

export interface Gone {
  readonly id: string
  readonly cabinet_id: string
  readonly mirrored: boolean
  readonly created_at: Timestamp
}

/**
 * The marketplace has this open shipment no more: it goes here too, as soon as no orders are in it and
 * nothing is asked of the marketplace for it. One of ours only goes where its number is the
 * marketplace's own, and not while it is new; what was typed in by hand may never have been there.
 */
export async function dropGone(work: Work, clientId: string, shipment: Gone): Promise<void> {
  const { id, mirrored } = shipment
  if (!(await isIdle(work, clientId, id))) return
  if (!mirrored) {
    if (isNew(work, shipment) || !(await takeBackCreation(work, clientId, shipment))) return
    await dropPicking(work, clientId, id)
  }
  await work.tx`delete from shipments where client_id = ${clientId} and id = ${id}`
}

async function isIdle(work: Work, clientId: string, id: string): Promise<boolean> {
  const idle = await work.tx`
    select id from shipments s
    where client_id = ${clientId} and id = ${id} and orders_count = 0 and not exists (
      select from cabinet_tasks t
      where t.client_id = s.client_id and t.shipment_id = s.id and t.state = 'asked')`
  return idle.length > 0
}

function isNew(work: Work, { created_at: createdAt }: Gone): boolean {
  return fromTimestamp(createdAt) > work.now - newMs
}

/** What was created is there no more, so the worker's number of it may be used again. */
async function takeBackCreation(
  work: Work,
  clientId: string,
  { id, cabinet_id: cabinetId }: Gone,
): Promise<boolean> {
  const why = 'Отгрузку удалили или отменили на маркетплейсе; пустая, она убрана и здесь'
  const taken = await work.tx`
    update cabinet_tasks set state = 'refused', error = ${why}
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and shipment_id = ${id}
      and kind = 'create' and state = 'done' returning id`
  return taken.length > 0
}

/** Its scans count no more since its orders were taken out; what was not found stays on record. */
async function dropPicking({ tx }: Work, clientId: string, shipmentId: string): Promise<void> {
  const [task] = await tx<{ id: string }[]>`
    select id from picking_tasks where client_id = ${clientId} and shipment_id = ${shipmentId}`
  if (task === undefined) return
  await tx`delete from picks where client_id = ${clientId} and task_id = ${task.id}`
  await tx`
    update pick_misses set task_id = null where client_id = ${clientId} and task_id = ${task.id}`
  await tx`delete from picking_tasks where client_id = ${clientId} and id = ${task.id}`
}
