import type { Database, Queryable, Transaction } from '../db/connection.ts'
import type { Fragment } from '../db/fragment.ts'
import type { SharedWork, Work } from '../db/work.ts'
import { newId } from '../kernel/ids.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import type { EventType } from './catalogue.ts'

/**
 * The log of webhook deliveries, which is also the queue of what is still to be sent: one row for each
 * event and subscription, and one for each attempt. This file is its only writer; which status follows
 * an attempt is decided in `webhooks/`.
 *
 *     PENDING --2xx--------------------------> DELIVERED
 *     PENDING --failure----------------------> PENDING, until next_attempt_at
 *     PENDING --failure of the 8th attempt---> FAILED
 *     PENDING --its subscription is disabled-> FAILED
 *
 * DELIVERED and FAILED are terminal. Rows are deleted with their subscription, or with their event
 * (`retention.ts`).
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
    insert into webhook_deliveries
      (client_id, event_type, status, created_at, next_attempt_at, id, event_id, webhook_id)
    select ${clientId}, ${type}, 'PENDING', ${at}, ${at}, d.*
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
    with attempt as (
      insert into webhook_attempts
        (client_id, delivery_id, attempt, at, status_code, error, duration_ms)
      values (${clientId}, ${id}, 1, ${at}, ${statusCode}, null, ${durationMs})
    )
    insert into webhook_deliveries (client_id, id, webhook_id, event_id, event_type, status, attempts,
      last_attempt_at, last_status_code, created_at)
    values (${clientId}, ${id}, ${webhookId}, ${eventId}, ${type}, 'DELIVERED', 1, ${at},
      ${statusCode}, ${at})`
}

/** A type, not an interface: it is sent as JSON. */
export type RecordedAttempt = {
  readonly client_id: string
  /** The delivery. */
  readonly id: string
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

/** Adds attempts, each of another delivery, and moves the deliveries on. */
export async function recordAttempts(
  tx: Transaction,
  attempts: readonly RecordedAttempt[],
): Promise<void> {
  await tx`
    with made as (
      select * from jsonb_to_recordset(${tx.json(attempts)}) as a
        (client_id uuid, id uuid, attempts integer, status text, next_attempt_at timestamptz,
         at timestamptz, status_code integer, error text, duration_ms integer)
    ), logged as (
      insert into webhook_attempts
        (client_id, delivery_id, attempt, at, status_code, error, duration_ms)
      select client_id, id, attempts, at, status_code, error, duration_ms from made
    )
    update webhook_deliveries d set status = a.status, attempts = a.attempts, last_attempt_at = a.at,
      last_status_code = a.status_code, last_error = a.error, next_attempt_at = a.next_attempt_at
    from made a where d.client_id = a.client_id and d.id = a.id`
}

/**
 * Has no pending delivery wait longer than until the moment that stands at its number of attempts, but those that
 * another transaction holds.
 */
export async function bringForward(db: Queryable, latest: readonly Timestamp[]): Promise<void> {
  const moments = latest.map((at, attempts) => ({ attempts, at }))
  await db`
    with late as (
      select d.client_id, d.id, m.at from webhook_deliveries d
      join jsonb_to_recordset(${db.json(moments)}) as m (attempts integer, at timestamptz) using (attempts)
      where d.status = 'PENDING' and d.next_attempt_at > m.at
      for no key update of d skip locked
    )
    update webhook_deliveries d set next_attempt_at = l.at
    from late l where d.client_id = l.client_id and d.id = l.id`
}

/** A type, not an interface: it is sent as JSON. */
export type DeliveredAttempt = Pick<
  RecordedAttempt,
  'client_id' | 'id' | 'attempts' | 'at' | 'status_code' | 'duration_ms'
> & { readonly webhook_id: string; readonly lease: string }

/**
 * Defines CTEs that add attempts `a`, as far as `condition` joins them, and move their deliveries on to DELIVERED; `made`
 * are the attempts that were added.
 */
export function deliveredAttempts(
  db: Queryable,
  attempts: readonly DeliveredAttempt[],
  condition: Fragment,
): Fragment {
  return db`made as materialized (
      select a.* from jsonb_to_recordset(${db.json(attempts)}) as a
        (client_id uuid, id uuid, webhook_id uuid, lease uuid, attempts integer, at timestamptz, status_code integer, duration_ms integer)
      ${condition}
    ), logged as (
      insert into webhook_attempts
        (client_id, delivery_id, attempt, at, status_code, error, duration_ms)
      select client_id, id, attempts, at, status_code, null, duration_ms from made
    ), delivered as (
      update webhook_deliveries d set status = 'DELIVERED', attempts = m.attempts, last_attempt_at = m.at,
        last_status_code = m.status_code, last_error = null, next_attempt_at = null
      from made m where d.client_id = m.client_id and d.id = m.id
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
  const ofEvent = tx`
    select from webhook_deliveries d
    where d.client_id = e.client_id and d.event_id = e.id and d.webhook_id = ${webhookId}`
  return tx`
    insert into webhook_deliveries
      (client_id, id, webhook_id, event_id, event_type, status, created_at, next_attempt_at)
    select e.client_id, gen_random_uuid(), ${webhookId}, e.id, e.type, 'PENDING', ${at}, ${at}
    from events e
    where e.client_id = ${clientId} and e.type = any(${types})
      and e.occurred_at >= ${since} and e.occurred_at < ${until}
      and not exists (${ofEvent} and d.status in ('PENDING', 'DELIVERED'))
      ${failedOnly ? tx`and exists (${ofEvent} and d.status = 'FAILED')` : tx``}
    order by e.occurred_at, e.number limit ${limit}`.affected()
}

/**
 * Ends the pending deliveries of a subscription; returns how many there were. A delivery keeps the reason of
 * its last attempt, and gets the given one where it had none.
 */
export async function failPending(
  tx: Transaction | Database,
  clientId: string,
  webhookId: string,
  error: string,
): Promise<number> {
  return tx`
    update webhook_deliveries set status = 'FAILED', next_attempt_at = null,
      last_error = coalesce(last_error, ${error})
    where client_id = ${clientId} and webhook_id = ${webhookId} and status = 'PENDING'`.affected()
}

/** Deletes the log of a subscription. */
export async function deleteLog(
  tx: Transaction,
  clientId: string,
  webhookId: string,
): Promise<void> {
  await tx`
    delete from webhook_attempts a using webhook_deliveries d
    where d.client_id = ${clientId} and d.webhook_id = ${webhookId}
      and a.client_id = d.client_id and a.delivery_id = d.id`
  await tx`delete from webhook_deliveries where client_id = ${clientId} and webhook_id = ${webhookId}`
}
