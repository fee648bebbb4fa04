import type { Database, Queryable } from '../db/connection.ts'
import { type Instant, toTimestamp } from '../kernel/moscow-time.ts'
import { switchedOn } from '../switches/switches.ts'

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
 * deliveries costs two looks into the partial index of pending deliveries, however many wait there.
 */
export function leaseQueues(db: Database, lease: NewLease): Promise<SubscriptionQueue[]> {
  return leaseAmong(
    db,
    lease,
    db`
      recursive pending_queues as (
        (select client_id, webhook_id from webhook_deliveries where status = 'PENDING'
          order by client_id, webhook_id limit 1)
        union all
        select n.client_id, n.webhook_id from pending_queues q, lateral (
          select client_id, webhook_id from webhook_deliveries
          where status = 'PENDING' and (client_id, webhook_id) > (q.client_id, q.webhook_id)
          order by client_id, webhook_id limit 1
        ) n
      ), candidates as (
        select w.* from pending_queues q
        join webhook_subscriptions w on w.client_id = q.client_id and w.id = q.webhook_id
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
  const pending = db`d.client_id = w.client_id and d.webhook_id = w.id and d.status = 'PENDING'`
  // With the moment among its values the server would plan it anew each time, which takes ten times as long as to run it.
  const rows = await db<{ client_id: string; id: string }[]>`
    with ${candidates}, ready as (
      select w.client_id, w.id
      from candidates w
      cross join lateral (
        select min(next_attempt_at) as next_attempt_at from (
          (select next_attempt_at from webhook_deliveries d where ${pending} and (d.attempts > 0) is false
            order by next_attempt_at limit 1)
          union all
          (select next_attempt_at from webhook_deliveries d where ${pending} and (d.attempts > 0) is true
            order by next_attempt_at limit 1)
        ) d
      ) first
      where w.disabled_at is null and ${switchedOn(db, 'webhooks')} and first.next_attempt_at <= ${at}
        and (w.leased_until is null or w.leased_until < ${at})
        and (w.paused_until is null or w.paused_until <= ${at} or exists (
          select from webhook_deliveries d
          where ${pending} and d.event_type = 'webhook.ping' and d.attempts = 0
        ) or w.sole_failing_delivery is not null and exists (
          select from webhook_deliveries d
          where ${pending} and (d.attempts > 0) is false and d.next_attempt_at <= ${at}
        ))
      order by first.next_attempt_at limit ${queuesMax}
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

/** Defines the CTE `held`: the rows of the queues whose lease is unchanged, locked. */
export function heldQueues(db: Queryable, queues: readonly SubscriptionQueue[]) {
  const keys = queues.map(({ clientId, webhookId, lease }) => [clientId, webhookId, lease])
  const column = (index: number) => keys.map((key) => key[index] ?? '')
  return db`
    held as (
      select w.* from webhook_subscriptions w
      join unnest(${column(0)}::uuid[], ${column(1)}::uuid[], ${column(2)}::uuid[])
        as k (client_id, id, lease) using (client_id, id, lease)
      order by w.client_id, w.id for no key update of w
    )`
}
