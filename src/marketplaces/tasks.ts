import type { Database, Queryable } from '../db/connection.ts'
import type { Work } from '../db/work.ts'
import { conflict } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { Cabinet } from './connection.ts'

/**
 * What is asked of a cabinet for a shipment. A task is written before the marketplace is called, and
 * ended in the transaction that takes over what came of it; so after a crash in between it is known
 * what may have happened there, and the marketplace is asked before anything is done again.
 *
 *   asked --> done | refused
 */
export interface CreateTask {
  readonly kind: 'create'
  readonly detail: { readonly externalId: string; readonly name: string }
}
export interface FillTask {
  readonly kind: 'fill'
  readonly shipmentId: string
  readonly detail: { readonly orderIds: readonly string[] }
}
export interface DeliverTask {
  readonly kind: 'deliver'
  readonly shipmentId: string
  readonly detail: Readonly<Record<string, never>>
}
export type TaskDraft = CreateTask | FillTask | DeliverTask

export type Task = TaskDraft & {
  readonly id: string
  readonly clientId: string
  readonly cabinetId: string
  readonly actor: string
}

/** By this a shipment that was created for a task is found again. */
export function markOf(task: Pick<Task, 'id'>): string {
  return `SK-${task.id.replaceAll('-', '').slice(-12).toUpperCase()}`
}

/**
 * Writes down what is about to be asked. A shipment of the same number that is being created already
 * is that same task again; throws conflict where it was created.
 */
export async function askTask(
  work: Work,
  cabinet: Cabinet,
  draft: TaskDraft,
): Promise<{ readonly task: Task; readonly again: boolean }> {
  const { tx } = work
  const { clientId, id: cabinetId } = cabinet
  if (draft.kind === 'create') {
    // Two workers may ask for the same shipment at once.
    await tx`
      select id from cabinets where client_id = ${clientId} and id = ${cabinetId} for no key update`
    const known = await findCreation(tx, clientId, cabinetId, draft.detail.externalId)
    if (known?.state === 'done') throw conflict(`Отгрузка ${draft.detail.externalId} уже есть`)
    if (known !== undefined) return { task: known, again: true }
  }
  const task: Task = { ...draft, id: newId(), clientId, cabinetId, actor: work.actor }
  const shipmentId = draft.kind === 'create' ? null : draft.shipmentId
  await tx`
    insert into cabinet_tasks
      (client_id, id, cabinet_id, shipment_id, kind, detail, state, actor, asked_at)
    values (${clientId}, ${task.id}, ${cabinetId}, ${shipmentId}, ${draft.kind},
      ${tx.json({ ...draft.detail })}, 'asked', ${work.actor}, ${work.at})`
  return { task, again: false }
}

type Known = Task & { readonly state: 'asked' | 'done' | 'refused' }

function columns(db: Queryable) {
  return db`
    id, client_id as "clientId", cabinet_id as "cabinetId", shipment_id as "shipmentId", kind,
    detail, actor, state`
}

async function findCreation(
  db: Queryable,
  clientId: string,
  cabinetId: string,
  externalId: string,
): Promise<Known | undefined> {
  const [known] = await db<Known[]>`
    select ${columns(db)} from cabinet_tasks
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and kind = 'create'
      and state <> 'refused' and detail ->> 'externalId' = ${externalId}`
  return known
}

/**
 * Whoever asked may still be at it before. Filling and handing over hold their task meanwhile, so
 * looking early does no harm; creating can't.
 */
const strandedSeconds = { create: 60, others: 5 }

/** Tasks of a cabinet that nobody has ended, the oldest first. */
export async function strandedTasks(
  db: Database,
  clientId: string,
  cabinetId: string,
): Promise<Task[]> {
  return db<Task[]>`
    select ${columns(db)} from cabinet_tasks
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and state = 'asked'
      and asked_at < now() - make_interval(secs => case kind
        when 'create' then ${strandedSeconds.create}::int else ${strandedSeconds.others}::int end)
    order by asked_at limit 100`
}

/** Holds the task until the transaction ends; false where somebody has ended it. */
export async function holdTask(work: Work, task: Task): Promise<boolean> {
  const held = await work.tx`
    select id from cabinet_tasks
    where client_id = ${task.clientId} and id = ${task.id} and state = 'asked' for update`
  return held.length > 0
}

export async function endTask(
  work: Work,
  task: Task,
  state: 'done' | 'refused',
  reason?: string,
): Promise<void> {
  await work.tx`
    update cabinet_tasks set state = ${state}, error = ${reason ?? null}, ended_at = ${work.at}
    where client_id = ${task.clientId} and id = ${task.id} and state = 'asked'`
}
