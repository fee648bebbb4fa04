import type { Database, Queryable } from '../db/connection.ts'
import type { Work } from '../db/work.ts'
import { newId } from '../kernel/ids.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
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
  readonly detail: {
    /** The worker's number of the request; without one, the name. */
    readonly externalId: string
    readonly numbered: boolean
    readonly name: string
    /** What will be put into it, where that was told. */
    readonly orderIds?: readonly string[]
  }
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

export type Task<Draft extends TaskDraft = TaskDraft> = Draft & {
  readonly id: string
  readonly clientId: string
  readonly cabinetId: string
  readonly actor: string
  readonly askedAt: Timestamp
}

/** By this a shipment that was created for a task is found again. */
export function markOf(task: Pick<Task, 'id'>): string {
  return `SK-${task.id.replaceAll('-', '').slice(-12).toUpperCase()}`
}

export interface Asked<Draft extends TaskDraft> {
  readonly task: Task<Draft>
  /** It was asked before, and nobody knows what came of it. */
  readonly again: boolean
  /** The shipment that was created by the same number. */
  readonly made?: string
}

/** Writes down what is about to be asked. The same that nobody has ended is that task again. */
export async function askTask<Draft extends TaskDraft>(
  work: Work,
  cabinet: Cabinet,
  draft: Draft,
): Promise<Asked<Draft>> {
  const { tx } = work
  const { clientId, id: cabinetId } = cabinet
  // Two workers may ask for the same at once.
  await tx`
    select id from cabinets where client_id = ${clientId} and id = ${cabinetId} for no key update`
  const known = await findKnown(tx, clientId, cabinetId, draft)
  if (known?.state === 'done') return { task: known, again: true, made: known.shipmentId }
  if (known !== undefined) return { task: known, again: true }
  const { actor, at: askedAt } = work
  const task: Task<Draft> = { ...draft, id: newId(), clientId, cabinetId, actor, askedAt }
  const shipmentId = draft.kind === 'create' ? null : draft.shipmentId
  await tx`
    insert into cabinet_tasks
      (client_id, id, cabinet_id, shipment_id, kind, detail, state, actor, asked_at)
    values (${clientId}, ${task.id}, ${cabinetId}, ${shipmentId}, ${draft.kind},
      ${tx.json({ ...draft.detail })}, 'asked', ${actor}, ${askedAt})`
  return { task, again: false }
}

type Known<Draft extends TaskDraft> = Task<Draft> & {
  readonly state: 'asked' | 'done'
  readonly shipmentId: string
}

function columns(db: Queryable) {
  return db`
    id, client_id as "clientId", cabinet_id as "cabinetId", shipment_id as "shipmentId", kind,
    detail, actor, asked_at as "askedAt", state`
}

async function findKnown<Draft extends TaskDraft>(
  db: Queryable,
  clientId: string,
  cabinetId: string,
  draft: Draft,
): Promise<Known<Draft> | undefined> {
  const same =
    draft.kind === 'create'
      ? db`
        state <> 'refused' and detail ->> 'externalId' = ${draft.detail.externalId}
        and (state = 'asked' or (detail -> 'numbered')::boolean)`
      : db`
        state = 'asked' and shipment_id = ${draft.shipmentId}
        and detail = ${db.json({ ...draft.detail })}`
  const [known] = await db<Known<Draft>[]>`
    select ${columns(db)} from cabinet_tasks
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and kind = ${draft.kind}
      and ${same}
    order by asked_at desc limit 1`
  return known
}

/** Between writing a task down and holding it passes a moment. */
const strandedSeconds = 5

/** Tasks of a cabinet that nobody is at, the oldest first: whoever is, holds them. */
export async function strandedTasks(
  db: Database,
  clientId: string,
  cabinetId: string,
): Promise<Task[]> {
  return db<Task[]>`
    select ${columns(db)} from cabinet_tasks
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and state = 'asked'
      and asked_at < now() - make_interval(secs => ${strandedSeconds})
    order by asked_at limit 100 for update skip locked`
}

/** Holds the task until the transaction ends; false where somebody has ended it. */
export async function holdTask(work: Work, task: Task): Promise<boolean> {
  const held = await work.tx`
    select id from cabinet_tasks
    where client_id = ${task.clientId} and id = ${task.id} and state = 'asked' for update`
  return held.length > 0
}

/** The marketplace and we have done it; `shipmentId` is what was created. */
export async function completeTask(work: Work, task: Task, shipmentId?: string): Promise<void> {
  await work.tx`
    update cabinet_tasks set
      state = 'done', ended_at = ${work.at},
      shipment_id = coalesce(${shipmentId ?? null}, shipment_id)
    where client_id = ${task.clientId} and id = ${task.id} and state = 'asked'`
}

export async function refuseTask(work: Work, task: Task, reason: string): Promise<void> {
  await work.tx`
    update cabinet_tasks set state = 'refused', error = ${reason}, ended_at = ${work.at}
    where client_id = ${task.clientId} and id = ${task.id} and state = 'asked'`
}
