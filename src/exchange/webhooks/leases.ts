import type { Database, Queryable } from '../../platform/db/connection.ts'
import { isStaying } from '../../platform/db/leaving.ts'
import { type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { webhooksAreOn } from '../../platform/process/switches.ts'

/**
 * Leases of subscription queues: two columns of the subscription's row, `lease` and `leased_until`. A
 * queue is free when it was never leased, or its lease was released or has expired. Statements that
 * lock several rows do so in the order of their keys, or skip locked ones.
 */
export interface SubscriptionQueue {
  readonly clientId: string
  readonly webhookId: string
  /** The id of the lease under which this process holds the queue. */
  readonly lease: string
}

export interface NewLease {
  readonly id: string
  readonly now: Instant
  readonly until: Instant
  readonly queuesMax: number
}

/**
 * Leases free queues that have something due, over all clients. A scan: each queue with pending
 * deliveries costs two looks into the index of their order, however many wait there.
 */
export function leaseQueues(db: Database, lease: NewLease): Promise<SubscriptionQueue[]> {
  return leaseAmong(
    db,
    lease,
    db`
      recursive pending_queues as (
        (select webhook_id from pending_deliveries order by webhook_id limit 1)
        union all
        select (
          select d.webhook_id from pending_deliveries d where d.webhook_id > q.webhook_id order by d.webhook_id limit 1
        ) from pending_queues q where q.webhook_id is not null
      ), candidates as (
        select w.* from pending_queues q join webhook_subscriptions w on w.id = q.webhook_id
      )`,
  )
}

/** The same among the queues of some clients. The cost does not depend on the backlog of others. */
export function leaseQueuesOf(
  db: Database,
  clientIds: readonly string[],
  lease: NewLease,
): Promise<SubscriptionQueue[]> {
  return leaseAmong(
    db,
    lease,
    db`candidates as (select * from webhook_subscriptions where client_id = any(${[...clientIds]}::uuid[]))`,
  )
}

/** `candidates` defines that CTE: rows of subscriptions. Nothing is leased while webhooks are switched off. */
async function leaseAmong(
  db: Database,
  { id: lease, now, until, queuesMax }: NewLease,
  candidates: ReturnType<Database>,
): Promise<SubscriptionQueue[]> {
  const at = toTimestamp(now)
  const ofQueue = db`d.webhook_id = w.id`
  const firstOf = (isRepeat: boolean) => db`(
    select next_attempt_at from pending_deliveries d where ${ofQueue} and (d.attempts > 0) is ${isRepeat ? db`true` : db`false`}
    order by next_attempt_at limit 1)`
  // With the moment among its values the server would plan it anew each time, which takes ten times as long as to run it.
  const rows = await db<{ client_id: string; id: string }[]>`
    with ${candidates}, ready as (
      select w.client_id, w.id, least(due.first, due.repeat) as next_attempt_at
      from candidates w
      cross join lateral (select ${firstOf(false)} as first, ${firstOf(true)} as repeat offset 0) due
      where w.disabled_at is null and ${webhooksAreOn(db)} and ${isStaying(db, 'w.client_id')} and least(due.first, due.repeat) <= ${at}
        and (w.leased_until is null or w.leased_until < ${at})
        and (w.paused_until is null or w.paused_until <= ${at} or exists (
          select from pending_deliveries d
          where ${ofQueue} and d.event_type = 'webhook.ping' and d.attempts = 0
        ) or w.sole_failing_delivery is not null and due.first <= ${at})
      order by next_attempt_at limit ${queuesMax}
    ), free as (
      select w.client_id, w.id from webhook_subscriptions w join ready r using (client_id, id)
      where w.leased_until is null or w.leased_until < ${at}
      for no key update of w skip locked
    )
    update webhook_subscriptions w set lease = ${lease}, leased_until = ${toTimestamp(until)}
    from free f where w.client_id = f.client_id and w.id = f.id
    returning w.client_id, w.id`.planOnce()
  return rows.map(({ client_id, id }) => ({ clientId: client_id, webhookId: id, lease }))
}

/** Extends the leases that this process still holds. */
export async function renewLeases(
  db: Queryable,
  queues: readonly SubscriptionQueue[],
  until: Instant,
): Promise<void> {
  await db`
    with ${heldQueues(db, queues)}
    update webhook_subscriptions w set leased_until = ${toTimestamp(until)}
    from held h where w.client_id = h.client_id and w.id = h.id`.planOnce()
}

export async function releaseLeases(
  db: Queryable,
  queues: readonly SubscriptionQueue[],
): Promise<void> {
  await db`
    with ${heldQueues(db, queues)}
    update webhook_subscriptions w set lease = null, leased_until = null
    from held h where w.client_id = h.client_id and w.id = h.id`.planOnce()
}

/**
 * Defines the CTE `held`: the rows of the queues whose lease is unchanged, locked. `place` is that of the queue in the
 * list, from 1.
 */
export function heldQueues(db: Queryable, queues: readonly SubscriptionQueue[]) {
  const keys = queues.map(({ clientId, webhookId, lease }) => [clientId, webhookId, lease])
  const column = (index: number) => keys.map((key) => key[index] ?? '')
  return db`
    held as (
      select w.*, k.place from webhook_subscriptions w
      join unnest(${column(0)}::uuid[], ${column(1)}::uuid[], ${column(2)}::uuid[]) with ordinality
        as k (client_id, id, lease, place) using (client_id, id, lease)
      order by w.client_id, w.id for no key update of w
    )`
}
