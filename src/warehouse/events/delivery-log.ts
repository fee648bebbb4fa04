import type { Queryable, Transaction } from '../../platform/db/connection.ts'
import { isStaying } from '../../platform/db/leaving.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { firstIdAt, newId } from '../../platform/kernel/ids.ts'
import { fromTimestamp, type Instant, type Timestamp } from '../../platform/kernel/moscow-time.ts'
import type { EventType } from './catalogue.ts'

/**
 * Webhook deliveries: one for each event and subscription. The queue, `pending_deliveries`, has what is still to be sent; the log,
 * `ended_deliveries`, the rest. The views `webhook_deliveries` and `webhook_attempts` show both together. This file is their
 * only writer, and triggers count the log in `delivery_tallies`; which status follows an attempt is decided in `exchange/webhooks/`.
 *
 *     PENDING --2xx--------------------------> DELIVERED
 *     PENDING --failure----------------------> PENDING, until next_attempt_at
 *     PENDING --failure of the 8th attempt---> FAILED
 *     PENDING --its subscription is disabled-> FAILED
 *
 * DELIVERED and FAILED are terminal, with one exception. An attempt that was under way when its subscription was
 * disabled is added to the failed delivery, and may turn it into a delivered one. Rows are deleted with their
 * subscription, or with their event (`rotateEvents`).
 */
export interface NewDelivery {
  readonly id: string
  readonly eventId: string
  readonly webhookId: string
}

export function newDelivery(of: Omit<NewDelivery, 'id'>): NewDelivery {
  return { id: newId(), ...of }
}

/** The statement that inserts deliveries, due at once. */
export function insertionOfPending(
  { tx, at }: SharedWork,
  clientId: string,
  type: EventType,
  deliveries: readonly NewDelivery[],
): Fragment {
  const ids = deliveries.map(({ id }) => id)
  const eventIds = deliveries.map(({ eventId }) => eventId)
  const webhookIds = deliveries.map(({ webhookId }) => webhookId)
  return tx`
    insert into pending_deliveries
      (client_id, event_type, created_at, next_attempt_at, id, event_id, webhook_id)
    select ${clientId}, ${type}, ${at}, ${at}, d.*
    from unnest(${ids}::uuid[], ${eventIds}::uuid[], ${webhookIds}::uuid[]) as d`
}

export interface FirstDelivery extends NewDelivery {
  readonly statusCode: number
  readonly durationMs: number
}

/** Writes a delivery that has succeeded already, with its one attempt. */
export async function insertDelivered(
  { tx, at }: Work,
  clientId: string,
  type: EventType,
  { id, eventId, webhookId, statusCode, durationMs }: FirstDelivery,
): Promise<void> {
  await tx`
    insert into ended_deliveries (client_id, id, webhook_id, event_id, event_type, status, attempts,
      last_attempt_at, last_status_code, last_duration_ms, created_at)
    values (${clientId}, ${id}, ${webhookId}, ${eventId}, ${type}, 'DELIVERED', 1, ${at},
      ${statusCode}, ${durationMs}, ${at})`
}

/** A type, not an interface: it is sent as JSON. */
export type RecordedAttempt = {
  readonly client_id: string
  /** The delivery. */
  readonly id: string
  readonly event_id: string
  /** How many attempts there are with this one. */
  readonly attempts: number
  /** The delivery's status from now on. */
  readonly status: 'PENDING' | 'DELIVERED' | 'FAILED'
  /** Of a pending delivery only. */
  readonly next_attempt_at: Timestamp | null
  readonly at: Timestamp
  /** 0: no answer. */
  readonly status_code: number
  readonly error: string | null
  readonly duration_ms: number
}

/** Adds attempts, each of another delivery, and moves the deliveries on. The caller holds the locks of their subscriptions. */
export async function recordAttempts(
  tx: Transaction,
  attempts: readonly RecordedAttempt[],
): Promise<void> {
  const ofDelivery = byKey(tx, 'a')
  const attempt = tx`
    attempts = a.attempts, last_attempt_at = a.at, last_status_code = a.status_code, last_error = a.error,
    last_duration_ms = a.duration_ms, earlier_attempts = ${attemptsSoFar(tx)}`
  await tx`
    with made as (
      select * from jsonb_to_recordset(${tx.json(attempts)}) as a
        (client_id uuid, id uuid, event_id uuid, attempts integer, status text, next_attempt_at timestamptz,
         at timestamptz, status_code integer, error text, duration_ms integer)
    ), repeated as (
      update pending_deliveries d set ${attempt}, next_attempt_at = a.next_attempt_at
      from made a where ${ofDelivery} and a.status = 'PENDING'
    ), taken as (
      delete from pending_deliveries d using made a where ${ofDelivery} and a.status <> 'PENDING'
      returning d.client_id, d.id, d.webhook_id, d.event_id, d.event_type, a.status, a.attempts, a.at, a.status_code, a.error,
        a.duration_ms, ${attemptsSoFar(tx)}, d.created_at
    ), ended as (
      insert into ended_deliveries (${loggedColumns(tx)}) select * from taken
    )
    update ended_deliveries d set ${attempt},
      status = case when a.status = 'DELIVERED' then a.status else d.status end
    from made a where ${ofDelivery} and d.event_id = a.event_id`
}

/**
 * The delivery `d` is that of a row of `table`. Vacuum finds the queue empty several times an hour, and a plan made
 * then would go through the whole index for each row, because it looks like one page. Comparing the client in this way
 * leaves the server the key alone.
 */
function byKey(db: Queryable, table: string): Fragment {
  return db`d.client_id = any(array[${db(`${table}.client_id`)}]) and d.id = ${db(`${table}.id`)}`
}

/** The attempts of a delivery `d` so far, when one is added; null where there are none. */
function attemptsSoFar(db: Queryable): Fragment {
  return db`case when d.attempts > 0 then coalesce(d.earlier_attempts, '[]') || jsonb_build_object(
    'at', d.last_attempt_at, 'status_code', d.last_status_code, 'error', d.last_error, 'duration_ms', d.last_duration_ms) end`
}

function loggedColumns(db: Queryable): Fragment {
  return db`client_id, id, webhook_id, event_id, event_type, status, attempts, last_attempt_at, last_status_code, last_error,
    last_duration_ms, earlier_attempts, created_at`
}

/**
 * Brings each pending delivery forward to the moment that stands at its number of attempts, unless it is due sooner
 * or another transaction holds it.
 */
export async function bringForward(db: Queryable, latest: readonly Timestamp[]): Promise<void> {
  const moments = latest.map((at, attempts) => ({ attempts, at }))
  await db`
    with late as (
      select d.client_id, d.id, m.at from pending_deliveries d
      join jsonb_to_recordset(${db.json(moments)}) as m (attempts integer, at timestamptz) using (attempts)
      where d.next_attempt_at > m.at and ${isStaying(db, 'd.client_id')}
      for no key update of d skip locked
    )
    update pending_deliveries d set next_attempt_at = l.at
    from late l where d.client_id = l.client_id and d.id = l.id`
}

export interface DeliveredAttempt {
  /** Of its queue in the CTE `healthy`. */
  readonly place: number
  /** The delivery. */
  readonly id: string
  /** How many attempts there are with this one. */
  readonly attempts: number
  readonly at: Instant
  readonly statusCode: number
  readonly durationMs: number
}

/**
 * Defines CTEs that add attempts of the queues in the CTE `healthy` (client_id, place), and move their deliveries from the
 * queue to the log as DELIVERED. Arrays, because the server reads them in half the time of JSON.
 */
export function deliveredAttempts(db: Queryable, attempts: readonly DeliveredAttempt[]): Fragment {
  const column = <Key extends keyof DeliveredAttempt>(key: Key) => attempts.map((each) => each[key])
  return db`made as materialized (
      select h.client_id, a.* from unnest(${column('place')}::int[], ${column('id')}::uuid[], ${column('attempts')}::int[],
        ${column('at')}::timestamptz[], ${column('statusCode')}::int[], ${column('durationMs')}::int[])
        as a (place, id, attempts, at, status_code, duration_ms)
      join healthy h using (place)
    ), taken as (
      delete from pending_deliveries d using made m where ${byKey(db, 'm')}
      returning d.client_id, d.id, d.webhook_id, d.event_id, d.event_type, 'DELIVERED', m.attempts, m.at, m.status_code, null::text,
        m.duration_ms, ${attemptsSoFar(db)}, d.created_at
    ), delivered as (
      insert into ended_deliveries (${loggedColumns(db)}) select * from taken
    )`
}

export interface MissedEvents {
  readonly webhookId: string
  readonly types: readonly EventType[]
  /** Of the time when they occurred; `until` is left out. */
  readonly since: Timestamp
  readonly until: Timestamp
  /** Only events with a delivery that has failed. */
  readonly failedOnly: boolean
  readonly limit: number
}

/**
 * Writes deliveries, due at once, of events that the subscription has neither received nor waiting, the
 * oldest first. Returns how many. The caller holds the subscription's lock, so that no event gets two.
 */
export async function insertMissed(
  { tx, at }: Work,
  clientId: string,
  { webhookId, types, since, until, failedOnly, limit }: MissedEvents,
): Promise<number> {
  const ofEvent = tx`d.client_id = e.client_id and d.event_id = e.id and d.webhook_id = ${webhookId}`
  const withStatus = (status: string) =>
    tx`exists (select from ended_deliveries d where ${ofEvent} and d.status = ${status})`
  return tx`
    insert into pending_deliveries
      (client_id, id, webhook_id, event_id, event_type, created_at, next_attempt_at)
    select e.client_id, gen_random_uuid(), ${webhookId}, e.id, e.type, ${at}, ${at}
    from events e
    where e.client_id = ${clientId} and e.type = any(${types})
      and e.id >= ${firstIdAt(fromTimestamp(since))} and e.id < ${firstIdAt(fromTimestamp(until))}
      and e.id not in (select event_id from pending_deliveries where webhook_id = ${webhookId})
      and not ${withStatus('DELIVERED')} ${failedOnly ? tx`and ${withStatus('FAILED')}` : tx``}
    order by e.id limit ${limit}`.affected()
}

/**
 * Ends the pending deliveries of a subscription as FAILED; returns how many there were. A delivery keeps the reason of
 * its last attempt, and gets the given one where it had none.
 */
export async function failPending(
  tx: Transaction,
  clientId: string,
  webhookId: string,
  error: string,
): Promise<number> {
  return tx`
    with taken as (
      delete from pending_deliveries where client_id = ${clientId} and webhook_id = ${webhookId} returning *
    )
    insert into ended_deliveries (${loggedColumns(tx)})
    select client_id, id, webhook_id, event_id, event_type, 'FAILED', attempts, last_attempt_at, last_status_code,
      coalesce(last_error, ${error}), last_duration_ms, earlier_attempts, created_at
    from taken`.affected()
}

/** Deletes the deliveries of a subscription. */
export async function deleteLog(
  tx: Transaction,
  clientId: string,
  webhookId: string,
): Promise<void> {
  await tx`delete from pending_deliveries where client_id = ${clientId} and webhook_id = ${webhookId}`
  await tx`delete from ended_deliveries where client_id = ${clientId} and webhook_id = ${webhookId}`
  // The triggers have counted them down to zero.
  await tx`delete from delivery_tallies where client_id = ${clientId} and webhook_id = ${webhookId}`
}
