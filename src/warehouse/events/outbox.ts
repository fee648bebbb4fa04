import type { Database } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { SharedWork } from '../../platform/db/work.ts'
import { newIdAt } from '../../platform/kernel/ids.ts'
import {
  day,
  fromTimestamp,
  type Instant,
  type Timestamp,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import type { EventType, SubscribableType } from './catalogue.ts'
import { insertionOfPending, newDelivery } from './delivery-log.ts'
import { isRecorded } from './recording.ts'

/**
 * The transactional outbox. An event and its deliveries are written in the transaction of the change
 * that they announce: no event without its change, and no change of a subscribed type without its
 * event. The body is rendered once, here, by the view that GET uses; every attempt sends these bytes.
 *
 * The promise of this file ends with the commit. Sending is the dispatcher's part (`exchange/webhooks/`).
 */

/** Dispatchers listen here for ids of clients with new deliveries. It only wakes them; the table decides. */
export const deliveriesChannel = 'sklad_deliveries'

/** Held polls of the feed listen here for ids of clients with new events. It only wakes them. */
export const eventsChannel = 'sklad_events'

export interface Announced {
  /** The object as the corresponding GET shows it after the change. */
  readonly object: object
  /** Of *.status_changed only: the status before the change. */
  readonly previousStatus?: string
}

/**
 * Announces changes of one type to the client's subscriptions and its feed. `render` runs in the
 * transaction, after the change, and only where somebody gets the event.
 */
export async function announce(
  work: SharedWork,
  clientId: string,
  type: SubscribableType,
  render: () => Promise<readonly Announced[]>,
): Promise<void> {
  const [feed, subscribers] = await Promise.all([
    isRecorded(work.tx, clientId),
    // The lock keeps a subscription from being deleted before its deliveries are committed.
    work.tx<{ id: string }[]>`
      select id from webhook_subscriptions
      where client_id = ${clientId} and disabled_at is null and ${type} = any(events)
      order by id for key share`,
  ])
  if (!feed && subscribers.length === 0) return
  const events = (await render()).map((announced) =>
    makeEvent(work.at, type, dataOf(type, announced)),
  )
  const webhookIds = subscribers.map(({ id }) => id)
  await writeEvents(work, clientId, type, events, webhookIds)
}

/** *.status_changed has the object beside its status before; other types are the object itself. */
function dataOf(type: SubscribableType, { object, previousStatus }: Announced): object {
  return type.endsWith('.status_changed') ? { object, previous_status: previousStatus } : object
}

/** The status of an object that was announced last. */
interface Unannounced<Status> {
  readonly client_id: string
  readonly id: string
  readonly before: Status
}

/** Up to `limit` rows of a table of objects, locked, whose status differs from the one last announced. */
export function unannounced<Status>(
  { tx }: SharedWork,
  table: 'orders' | 'receipts' | 'shipments',
  limit: number,
): Promise<Unannounced<Status>[]> {
  return tx<Unannounced<Status>[]>`
    select client_id, id, announced_status as before from ${tx(table)}
    where status <> announced_status order by client_id, id limit ${limit} for update skip locked`
}

export interface OutboxEvent {
  readonly id: string
  /** The bytes that are sent, as text. */
  readonly body: string
}

/** The id begins with the moment: it says in which partition the event and its deliveries are. */
export function makeEvent(at: Timestamp, type: EventType, data: object): OutboxEvent {
  const id = newIdAt(fromTimestamp(at))
  return { id, body: JSON.stringify({ id, type, occurred_at: at, data }) }
}

/**
 * Writes events with a pending delivery for each of the subscriptions, and wakes who waits for them. One statement: each
 * change of a client with subscriptions pays for it.
 */
export async function writeEvents(
  work: SharedWork,
  clientId: string,
  type: EventType,
  events: readonly OutboxEvent[],
  webhookIds: readonly string[],
): Promise<void> {
  if (events.length === 0) return
  const { tx } = work
  const deliveries = events.flatMap(({ id: eventId }) =>
    webhookIds.map((webhookId) => newDelivery({ eventId, webhookId })),
  )
  const written = tx`written as (${insertionOfEvents(work, clientId, type, events)})`
  const wakesReaders = tx`pg_notify(${eventsChannel}, ${clientId})`
  await (deliveries.length === 0
    ? tx`with ${written} select ${wakesReaders}`
    : tx`
      with ${written}, pending as (${insertionOfPending(work, clientId, type, deliveries)})
      select ${wakesReaders}, pg_notify(${deliveriesChannel}, ${clientId})`)
}

/** The statement that inserts events. */
export function insertionOfEvents(
  { tx, at }: SharedWork,
  clientId: string,
  type: EventType,
  events: readonly OutboxEvent[],
): Fragment {
  const ids = events.map(({ id }) => id)
  const bodies = events.map(({ body }) => body)
  return tx`
    insert into events (client_id, id, type, occurred_at, body)
    select ${clientId}, e.id, ${type}, ${at}, e.body
    from unnest(${ids}::uuid[], ${bodies}::text[]) as e (id, body)`
}

/**
 * Opens partitions of events and their deliveries ahead of time. Drops those whose events are all older than the
 * retention, with the deliveries that still wait. A partition holds a tenth of the retention that there was when it
 * was opened, in whole days, so an event may stay that much longer. Several processes may do it at once. `reached` is
 * the moment of the retention clock: what is older than the retention at that moment is dropped.
 */
export async function rotateEvents(
  db: Database,
  now: Instant,
  retentionDays: number,
  reached: Instant = now,
): Promise<void> {
  const [{ opened }] = await db<[{ opened: number }]>`
    select open_event_partitions(${toTimestamp(now)}::timestamptz, ${retentionDays}::integer) as opened`
  // The server itself analyzes partitions only, never the tables that statements name.
  if (opened > 0) await db`analyze events, ended_deliveries`
  await db`select drop_old_events(${toTimestamp(reached - retentionDays * day)}::timestamptz)`
}
