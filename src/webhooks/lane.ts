import type { Database } from '../db/connection.ts'
import type { EventType } from '../events/catalogue.ts'
import { type Instant, type Timestamp, toTimestamp } from '../kernel/moscow-time.ts'

/**
 * A lane is a subscription as the dispatchers see it: a row that one of them leases, and the
 * deliveries that are due for it.
 */
export interface Lane {
  readonly clientId: string
  readonly webhookId: string
  readonly lease: string
}

export interface LaneState {
  readonly url: string
  readonly mode: 'live' | 'test'
  readonly secret: Buffer
  readonly failures_in_row: number
  readonly last_failure_at: Timestamp | null
}

export interface DueDelivery {
  readonly id: string
  readonly event_type: EventType
  readonly attempts: number
  readonly body: string
}

/**
 * Leases subscriptions with deliveries that are due and that nobody else holds. Each pending lane
 * costs one look into the index of pending deliveries, however many wait there.
 */
export async function leaseLanes(
  db: Database,
  lease: string,
  now: Instant,
  until: Instant,
  lanesMax: number,
): Promise<Lane[]> {
  const rows = await db<{ client_id: string; id: string }[]>`
    with recursive lanes as (
      (select client_id, webhook_id from deliveries where status = 'PENDING'
        order by client_id, webhook_id limit 1)
      union all
      select n.client_id, n.webhook_id from lanes l, lateral (
        select client_id, webhook_id from deliveries
        where status = 'PENDING' and (client_id, webhook_id) > (l.client_id, l.webhook_id)
        order by client_id, webhook_id limit 1
      ) n
    ), ready as (
      select w.client_id, w.id
      from lanes l
      join webhooks w on w.client_id = l.client_id and w.id = l.webhook_id
      cross join lateral (
        select next_attempt_at from deliveries d
        where d.client_id = w.client_id and d.webhook_id = w.id and d.status = 'PENDING'
        order by next_attempt_at limit 1
      ) d
      where w.disabled_at is null and d.next_attempt_at <= ${toTimestamp(now)}
        and (w.leased_until is null or w.leased_until < ${toTimestamp(now)})
        and (w.resting_until is null or w.resting_until <= ${toTimestamp(now)} or exists (
          select from deliveries p
          where p.client_id = w.client_id and p.webhook_id = w.id and p.status = 'PENDING'
            and p.event_type = 'webhook.ping' and p.attempts = 0
        ))
      order by d.next_attempt_at limit ${lanesMax}
    ), free as (
      select w.client_id, w.id from webhooks w join ready r using (client_id, id)
      where w.leased_until is null or w.leased_until < ${toTimestamp(now)}
      for no key update of w skip locked
    )
    update webhooks w set lease = ${lease}, leased_until = ${toTimestamp(until)}
    from free f where w.client_id = f.client_id and w.id = f.id
    returning w.client_id, w.id`
  return rows.map(({ client_id, id }) => ({ clientId: client_id, webhookId: id, lease }))
}

/** Holds the lease for longer; undefined where it is no longer ours, or the subscription is gone. */
export async function renewLease(
  db: Database,
  lane: Lane,
  until: Instant,
): Promise<LaneState | undefined> {
  const [state] = await db<LaneState[]>`
    update webhooks w set leased_until = ${toTimestamp(until)}
    from clients c
    where c.id = w.client_id and w.client_id = ${lane.clientId} and w.id = ${lane.webhookId}
      and w.lease = ${lane.lease} and w.disabled_at is null
    returning w.url, c.mode, w.secret, w.failures_in_row, w.last_failure_at`
  return state
}

export async function releaseLease(db: Database, lane: Lane): Promise<void> {
  await db`
    update webhooks set lease = null, leased_until = null
    where client_id = ${lane.clientId} and id = ${lane.webhookId} and lease = ${lane.lease}`
}

/** What is due: first attempts before retries; on rest only pings that were asked for. */
export function dueDeliveries(
  db: Database,
  lane: Lane,
  now: Instant,
  asked: { readonly limit: number; readonly pingsOnly: boolean },
): Promise<DueDelivery[]> {
  return db<DueDelivery[]>`
    select d.id, d.event_type, d.attempts, e.body
    from deliveries d
    join events e on e.client_id = d.client_id and e.id = d.event_id
    where d.client_id = ${lane.clientId} and d.webhook_id = ${lane.webhookId}
      and d.status = 'PENDING' and d.next_attempt_at <= ${toTimestamp(now)}
      ${asked.pingsOnly ? db`and d.event_type = 'webhook.ping' and d.attempts = 0` : db``}
    order by d.event_type = 'webhook.ping' and d.attempts = 0 desc, d.attempts, d.next_attempt_at, d.id
    limit ${asked.limit}`
}
