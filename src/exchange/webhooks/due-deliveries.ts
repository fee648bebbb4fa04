import type { Queryable } from '../../platform/db/connection.ts'
import { isStaying } from '../../platform/db/leaving.ts'
import { type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { webhooksAreOn } from '../../platform/process/switches.ts'
import type { EventType } from '../../warehouse/events/catalogue.ts'
import type { SubscriptionQueue } from './leases.ts'

/** The due deliveries of one queue, and their target. */
export interface DueDeliveries {
  readonly target: QueueTarget
  /** In the order of sending. */
  readonly deliveries: readonly DueDelivery[]
  /** Nothing else of the queue is due. Never true of a queue with a failure: its next outcome changes what is due. */
  readonly isAll: boolean
}

export interface QueueTarget {
  readonly url: string
  readonly mode: 'live' | 'test'
  /** The signing secret, sealed. */
  readonly secret: Buffer
}

export interface DueDelivery {
  readonly id: string
  readonly event_id: string
  readonly event_type: EventType
  /** Attempts so far. */
  readonly attempts: number
  /** JSON, as it is sent. */
  readonly body: Buffer
}

/** A leased queue that can send more. */
export interface DueRequest {
  readonly queue: SubscriptionQueue
  /** Attempts on their way. */
  readonly sending: number
  /** Deliveries that a healthy queue wants: the places that are free, and more to send after them. */
  readonly room: number
  /** The deliveries of these attempts, and of those that are being recorded: they are not due again. */
  readonly inProgress: readonly string[]
}

/** The first row of a queue has its target, and each further one a delivery; the rest is null. */
interface DueRow {
  readonly place: number
  readonly healthy: boolean | null
  readonly url: string | null
  readonly secret: Buffer | null
  readonly mode: QueueTarget['mode'] | null
  readonly id: string | null
  readonly event_id: string | null
  readonly event_type: EventType | null
  readonly attempts: number | null
  /** Null, too, where the event is gone: the audit reports it, and nothing is sent. */
  readonly body: string | null
}

/**
 * What is due, for each of the queues, in the order of the requests: pings that the client asked for,
 * then first attempts, then repeats. A queue with a failure gets one delivery at a time. A paused queue
 * gets pings and, while one delivery alone has failed, first attempts of others. Undefined where another
 * process holds the lease now, the subscription is disabled or deleted, its client leaves, or webhooks are switched off.
 *
 * One statement serves many queues, so that they share a round trip. Subscriptions and events are looked up by their
 * keys, one by one: joined, they would be read whole where the server takes their tables for small. Deliveries are looked up by
 * their subscription alone, which is one client's: by the client, too, another index would fit
 * (docs/decisions/0058-lookups-by-a-key-name-the-key-alone.md).
 */
export async function dueDeliveries(
  db: Queryable,
  requests: readonly DueRequest[],
  now: Instant,
): Promise<(DueDeliveries | undefined)[]> {
  const at = toTimestamp(now)
  const rows = requests.map(({ queue, ...rest }, place) => ({ place, at, ...queue, ...rest }))
  const waiting = db`
    from pending_deliveries d where d.webhook_id = q.id and d.id <> all(q.in_progress)`
  const columns = db`d.id, d.event_type, d.attempts, d.event_id, d.next_attempt_at`
  const none = db`null::uuid as id, null::text as event_type, null::int as attempts, null::uuid as event_id,
    null::timestamptz as next_attempt_at`
  const ofTarget = (column: string) =>
    db`case d.turn when 0 then q.${db(column)} end as ${db(column)}`
  const due = await db<DueRow[]>`
    with queues as (
      select r.place, r.at, r."inProgress" as in_progress, w.client_id, w.id, w.url, w.secret, w.mode,
        coalesce(w.paused_until > r.at, false) as paused, w.sole_failing_delivery is not null as sole_failing,
        w.failures_in_row = 0 as healthy, case when w.failures_in_row > 0 then 1 - r.sending else r.room end as room
      from jsonb_to_recordset(${db.json(rows)}) as r
        (place int, at timestamptz, "clientId" uuid, "webhookId" uuid, lease uuid, sending int, room int,
         "inProgress" uuid[])
      cross join lateral (
        select w.*, (select mode from clients c where c.id = w.client_id) as mode from webhook_subscriptions w
        where w.client_id = r."clientId" and w.id = r."webhookId" and w.lease = r.lease limit 1
      ) w
      where w.disabled_at is null and ${webhooksAreOn(db)} and ${isStaying(db, 'w.client_id')}
    )
    select q.place, ${ofTarget('healthy')}, ${ofTarget('url')}, ${ofTarget('secret')}, ${ofTarget('mode')},
      d.id, d.event_id, d.event_type, d.attempts,
      (select body from events e where e.client_id = q.client_id and e.id = d.event_id) as body
    from queues q
    cross join lateral (
      (select 0 as turn, ${none})
      union all
      (select 1, ${columns} ${waiting}
        and d.event_type = 'webhook.ping' and d.attempts = 0 and d.next_attempt_at <= q.at
        order by d.next_attempt_at limit greatest(0, q.room))
      union all
      (select 2, ${columns} ${waiting} and (q.sole_failing or not q.paused)
        and (d.attempts > 0) is false and d.next_attempt_at <= q.at
        and d.event_type <> 'webhook.ping'
        order by d.next_attempt_at limit greatest(0, q.room))
      union all
      (select 3, ${columns} ${waiting} and not q.paused
        and (d.attempts > 0) is true and d.next_attempt_at <= q.at
        order by d.next_attempt_at limit greatest(0, q.room))
      order by turn, attempts, next_attempt_at, id limit 1 + greatest(0, q.room)
    ) d
    order by q.place, d.turn, d.attempts, d.next_attempt_at, d.id`.planOnce()
  return byRequest(requests, due)
}

function byRequest(
  requests: readonly DueRequest[],
  rows: readonly DueRow[],
): (DueDeliveries | undefined)[] {
  const byPlace = Map.groupBy(rows, ({ place }) => place)
  return requests.map(({ room }, place) => {
    const ofQueue = byPlace.get(place)
    return ofQueue && dueOf(ofQueue, room)
  })
}

function dueOf([first, ...rest]: readonly DueRow[], room: number): DueDeliveries | undefined {
  const target = first && targetOf(first)
  if (target === undefined) return undefined
  const deliveries = rest.flatMap((row) => deliveryOf(row) ?? [])
  return { target, deliveries, isAll: first?.healthy === true && deliveries.length < room }
}

function targetOf({ url, mode, secret }: DueRow): QueueTarget | undefined {
  return url === null || mode === null || secret === null ? undefined : { url, mode, secret }
}

function deliveryOf(row: DueRow): DueDelivery | undefined {
  const { id, event_id, event_type, attempts, body } = row
  if (id === null || event_id === null || event_type === null) return undefined
  if (attempts === null || body === null) return undefined
  return { id, event_id, event_type, attempts, body: Buffer.from(body) }
}
