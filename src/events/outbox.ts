import type { Work } from '../db/work.ts'
import { newId } from '../kernel/ids.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import type { EventType, SubscribableType } from './catalogue.ts'

/**
 * The outbox: an event and its deliveries are written in the transaction of the change. So no change
 * is announced that did not happen, and none that happened is forgotten. The body is rendered once,
 * here, by the same view as GET, and these bytes are sent on every attempt.
 */

/** Heard by the dispatchers, with the id of the client; what is due is in the table, this only wakes them. */
export const deliveriesChannel = 'sklad_deliveries'

export interface Announced {
  /** The object as the corresponding GET shows it after the change. */
  readonly object: object
  /** For *.status_changed: the status before. */
  readonly previousStatus?: string
}

/**
 * Announces changes of one type to whoever subscribed to it. `render` is called only where somebody
 * did; it reads in the work's transaction, after the change.
 */
export async function announce(
  work: Work,
  clientId: string,
  type: SubscribableType,
  render: () => Promise<readonly Announced[]>,
): Promise<void> {
  // The share lock keeps a subscription from being deleted before its deliveries are there.
  const subscribers = await work.tx<{ id: string }[]>`
    select id from webhooks
    where client_id = ${clientId} and disabled_at is null and ${type} = any(events)
    order by id for key share`
  if (subscribers.length === 0) return
  const events = (await render()).map((announced) =>
    makeEvent(work.at, type, dataOf(type, announced)),
  )
  await writeEvents(
    work,
    clientId,
    type,
    events,
    subscribers.map(({ id }) => id),
  )
}

/** *.status_changed carries the object beside its status before, the others the object itself. */
function dataOf(type: SubscribableType, { object, previousStatus }: Announced): object {
  return type.endsWith('.status_changed') ? { object, previous_status: previousStatus } : object
}

export interface WrittenEvent {
  readonly id: string
  readonly body: string
}

export function makeEvent(at: Timestamp, type: EventType, data: object): WrittenEvent {
  const id = newId()
  return { id, body: JSON.stringify({ id, type, occurred_at: at, data }) }
}

/** Writes events with a delivery for each of the subscriptions, due at once. */
export async function writeEvents(
  work: Work,
  clientId: string,
  type: EventType,
  events: readonly WrittenEvent[],
  webhookIds: readonly string[],
): Promise<void> {
  if (events.length === 0) return
  const { tx } = work
  await insertEvents(work, clientId, type, events)
  const deliveries = events.flatMap((event) =>
    webhookIds.map((webhookId) => ({ id: newId(), event_id: event.id, webhook_id: webhookId })),
  )
  await tx`
    insert into deliveries
      (client_id, event_type, status, created_at, next_attempt_at, id, event_id, webhook_id)
    select ${clientId}, ${type}, 'PENDING', ${work.at}, ${work.at}, d.*
    from jsonb_to_recordset(${tx.json(deliveries)}) as d (id uuid, event_id uuid, webhook_id uuid)`
  await tx`select pg_notify(${deliveriesChannel}, ${clientId})`
}

export async function insertEvents(
  work: Work,
  clientId: string,
  type: EventType,
  events: readonly WrittenEvent[],
): Promise<void> {
  const { tx } = work
  const ids = events.map(({ id }) => id)
  const bodies = events.map(({ body }) => body)
  await tx`
    insert into events (client_id, id, type, occurred_at, body)
    select ${clientId}, e.id, ${type}, ${work.at}, e.body
    from unnest(${ids}::uuid[], ${bodies}::text[]) as e (id, body)`
}
