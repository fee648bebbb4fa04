import type { Database, Queryable } from '../../db/connection.ts'
import type { Work } from '../../db/work.ts'
import { conflict } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Timestamp } from '../../kernel/moscow-time.ts'
import { leavingWords } from '../../shipments/lock.ts'
import type { Cabinet } from '../connection.ts'

/**
 * What is asked of a cabinet for a shipment. A task is written before the marketplace is called, and
 * ended in the transaction that takes over what came of it; so after a crash in between it is known
 * what may have happened there, and the marketplace is asked before anything is done again. Until it
 * has ended it claims its orders, and a shipment that leaves does not change (shipments/lock.ts).
 *
 *   asked --> done | refused
 */
export interface CreateTask {
  readonly kind: 'create'
  readonly detail: {
    /** The worker's number of the request: the same again is the same shipment. */
    readonly externalId: string
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
export interface RemoveTask {
  readonly kind: 'remove'
  readonly shipmentId: string
  readonly detail: { readonly orderId: string }
}
export interface DeliverTask {
  readonly kind: 'deliver'
  readonly shipmentId: string
  readonly detail: Readonly<Record<string, never>>
}
export type TaskDraft = CreateTask | FillTask | RemoveTask | DeliverTask

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

/**
 * Writes down what is about to be asked. The same that nobody has ended is that task again, and so is
 * a creation by the same number that is done. Throws conflict for what another task is about.
 */
export async function askTask<Draft extends TaskDraft>(
  work: Work,
  cabinet: Cabinet,
  draft: Draft,
): Promise<Task<Draft>> {
  const { tx } = work
  const { clientId, id: cabinetId } = cabinet
  // Two workers may ask for the same at once.
  await tx`
    select id from cabinets where client_id = ${clientId} and id = ${cabinetId} for no key update`
  const known = await findSame(tx, cabinet, draft)
  if (known !== undefined) return known
  await refuseOverlap(tx, cabinet, draft)
  const { actor, at: askedAt } = work
  const task: Task<Draft> = { ...draft, id: newId(), clientId, cabinetId, actor, askedAt }
  const shipmentId = draft.kind === 'create' ? null : draft.shipmentId
  await tx`
    insert into cabinet_tasks
      (client_id, id, cabinet_id, shipment_id, kind, detail, state, actor, asked_at)
    values (${clientId}, ${task.id}, ${cabinetId}, ${shipmentId}, ${draft.kind},
      ${tx.json({ ...draft.detail })}, 'asked', ${actor}, ${askedAt})`
  return task
}

function columns(db: Queryable) {
  return db`
    id, client_id as "clientId", cabinet_id as "cabinetId", shipment_id as "shipmentId", kind,
    detail, actor, asked_at as "askedAt"`
}

async function findSame<Draft extends TaskDraft>(
  db: Queryable,
  { clientId, id: cabinetId }: Cabinet,
  draft: Draft,
): Promise<Task<Draft> | undefined> {
  const same =
    draft.kind === 'create'
      ? db`state <> 'refused' and detail ->> 'externalId' = ${draft.detail.externalId}`
      : db`
        state = 'asked' and shipment_id = ${draft.shipmentId}
        and detail = ${db.json({ ...draft.detail })}`
  const [known] = await db<Task<Draft>[]>`
    select ${columns(db)} from cabinet_tasks
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and kind = ${draft.kind}
      and ${same}
    order by asked_at desc limit 1`
  return known
}

/**
 * Orders join or leave one shipment at a time, and a shipment leaves when nothing joins or leaves it
 * any more.
 */
async function refuseOverlap(
  db: Queryable,
  { clientId, id: cabinetId }: Cabinet,
  draft: TaskDraft,
): Promise<void> {
  if (draft.kind === 'create') return
  const { shipmentId } = draft
  const orderIds = ordersOf(draft)
  const overlapping =
    draft.kind === 'deliver'
      ? db`kind in ('fill', 'remove') and shipment_id = ${shipmentId}`
      : db`
        kind = 'fill' and detail -> 'orderIds' ?| ${orderIds}::text[]
        or kind = 'remove' and detail ->> 'orderId' = any(${orderIds}::text[])
        or kind = 'deliver' and shipment_id = ${shipmentId}`
  const [other] = await db<{ kind: keyof typeof underWayWords }[]>`
    select kind from cabinet_tasks
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and state = 'asked'
      and (${overlapping}) limit 1`
  if (other !== undefined) throw conflict(underWayWords[other.kind])
}

function ordersOf(draft: FillTask | RemoveTask | DeliverTask): string[] {
  if (draft.kind === 'fill') return [...draft.detail.orderIds]
  return draft.kind === 'remove' ? [draft.detail.orderId] : []
}

const underWayWords = {
  fill: 'Заказы как раз добавляют в отгрузку: повторите, когда маркетплейс ответит',
  remove: 'Заказ как раз убирают из отгрузки: повторите, когда маркетплейс ответит',
  deliver: leavingWords,
} as const

export interface Outcome {
  readonly state: 'asked' | 'done' | 'refused'
  /** The marketplace may have been asked before. */
  readonly tried: boolean
  readonly shipmentId: string | null
  readonly message: string | null
}

/** What has come of a task so far, whoever was at it. */
export async function outcomeOf(db: Queryable, { clientId, id }: Task): Promise<Outcome> {
  const [row] = await db<Outcome[]>`
    select state, tried_at is not null as tried, shipment_id as "shipmentId", error as message
    from cabinet_tasks where client_id = ${clientId} and id = ${id}`
  return row ?? { state: 'refused', tried: true, shipmentId: null, message: null }
}

/** From here on the marketplace may have done it. */
export async function noteTry(db: Queryable, { clientId, id }: Task): Promise<void> {
  await db`
    update cabinet_tasks set tried_at = now() where client_id = ${clientId} and id = ${id}`
}

/** Between writing a task down and holding it passes a moment. */
export const strandedSeconds = 2

/** Tasks of a cabinet that may be left over, the oldest first: whoever is at one, holds it. */
export async function strandedTasks(
  db: Database,
  clientId: string,
  cabinetId: string,
): Promise<Task[]> {
  return db<Task[]>`
    select ${columns(db)} from cabinet_tasks
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and state = 'asked'
      and asked_at < now() - make_interval(secs => ${strandedSeconds})
    order by asked_at limit 100`
}

/** What a task ended in, beside its state. */
export interface Completion {
  /** What was created. */
  readonly shipmentId?: string
  /** What managers should know of it, in Russian. */
  readonly note?: string | undefined
}

/**
 * The marketplace and we have done it, even where somebody had given it up meanwhile. Throws conflict
 * where it was done already.
 */
export async function completeTask(
  work: Work,
  task: Task,
  { shipmentId, note }: Completion = {},
): Promise<void> {
  const ended = await work.tx`
    update cabinet_tasks set
      state = 'done', ended_at = ${work.at}, error = ${note ?? null},
      shipment_id = coalesce(${shipmentId ?? null}, shipment_id)
    where client_id = ${task.clientId} and id = ${task.id} and state <> 'done' returning id`
  if (ended.length === 0) throw conflict('Это уже сделано: обновите список')
}

/** Whether the marketplace may have a shipment by now that was asked for here. */
export async function isCreating(
  db: Queryable,
  clientId: string,
  cabinetId: string,
): Promise<boolean> {
  const asked = await db`
    select id from cabinet_tasks
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and kind = 'create'
      and state = 'asked' limit 1`
  return asked.length > 0
}

/** Marks of shipments that were asked for since then, and given up, though they may still be made. */
export async function givenUpMarks(
  db: Queryable,
  clientId: string,
  cabinetId: string,
  since: Timestamp,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from cabinet_tasks
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and kind = 'create'
      and state = 'refused' and asked_at >= ${since} and tried_at is not null`
  return rows.map(markOf)
}

/** A shipment that the marketplace has too was closed here alone: managers should know. */
export async function noteClosedAlone(
  work: Work,
  clientId: string,
  shipmentId: string,
): Promise<void> {
  const note = 'Кабинет отключён: передайте эту отгрузку в кабинете маркетплейса сами'
  await work.tx`
    insert into cabinet_tasks (client_id, id, cabinet_id, shipment_id, kind, detail, state, actor,
      asked_at, ended_at, error)
    select client_id, ${newId()}, cabinet_id, shipment_id, 'deliver', '{}', 'done', ${work.actor},
      ${work.at}, ${work.at}, ${note}
    from cabinet_tasks
    where client_id = ${clientId} and shipment_id = ${shipmentId} and kind = 'create'
      and state = 'done'`
}

export async function refuseTask(work: Work, task: Task, reason: string): Promise<void> {
  await work.tx`
    update cabinet_tasks set state = 'refused', error = ${reason}, ended_at = ${work.at}
    where client_id = ${task.clientId} and id = ${task.id} and state = 'asked'`
}
