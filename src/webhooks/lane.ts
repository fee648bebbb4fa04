import type { Database, Queryable } from '../db/connection.ts'
import type { EventType } from '../events/catalogue.ts'
import { type Instant, toTimestamp } from '../kernel/moscow-time.ts'

/**
 * A lane is a subscription as the dispatchers see it: a row that one of them leases, and the
 * deliveries that are due for it. Statements take many lanes at once, so that the cost of a round trip
 * and of a commit is shared; those that lock rows do so in the order of their keys.
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
}

export interface DueDelivery {
  readonly id: string
  readonly event_type: EventType
  readonly attempts: number
  readonly body: string
}

export interface Leasing {
  readonly lease: string
  readonly now: Instant
  readonly until: Instant
  readonly lanesMax: number
}

/**
 * Leases subscriptions with deliveries that are due and that nobody else holds. Each pending lane
 * costs two looks into the index of pending deliveries, however many wait there.
 */
export function leaseLanes(db: Database, leasing: Leasing): Promise<Lane[]> {
  return lease(
    db,
    leasing,
    db`
      recursive lanes as (
        (select client_id, webhook_id from deliveries where status = 'PENDING'
          order by client_id, webhook_id limit 1)
        union all
        select n.client_id, n.webhook_id from lanes l, lateral (
          select client_id, webhook_id from deliveries
          where status = 'PENDING' and (client_id, webhook_id) > (l.client_id, l.webhook_id)
          order by client_id, webhook_id limit 1
        ) n
      ), looked_at as (
        select w.* from lanes l join webhooks w on w.client_id = l.client_id and w.id = l.webhook_id
      )`,
  )
}

/** The same among the subscriptions of some clients, whatever else is pending. */
export function leaseLanesOf(
  db: Database,
  clientIds: readonly string[],
  leasing: Leasing,
): Promise<Lane[]> {
  return lease(
    db,
    leasing,
    db`looked_at as (select * from webhooks where client_id = any(${[...clientIds]}::uuid[]))`,
  )
}

async function lease(
  db: Database,
  { lease, now, until, lanesMax }: Leasing,
  lookedAt: ReturnType<Database>,
): Promise<Lane[]> {
  const at = toTimestamp(now)
  const pending = db`d.client_id = w.client_id and d.webhook_id = w.id and d.status = 'PENDING'`
  const rows = await db<{ client_id: string; id: string }[]>`
    with ${lookedAt}, ready as (
      select w.client_id, w.id
      from looked_at w
      cross join lateral (
        select min(next_attempt_at) as next_attempt_at from (
          (select next_attempt_at from deliveries d where ${pending} and (d.attempts > 0) is false
            order by next_attempt_at limit 1)
          union all
          (select next_attempt_at from deliveries d where ${pending} and (d.attempts > 0) is true
            order by next_attempt_at limit 1)
        ) d
      ) first
      where w.disabled_at is null and first.next_attempt_at <= ${at}
        and (w.leased_until is null or w.leased_until < ${at})
        and (w.resting_until is null or w.resting_until <= ${at} or exists (
          select from deliveries d
          where ${pending} and d.event_type = 'webhook.ping' and d.attempts = 0
        ) or w.failing_alone is not null and exists (
          select from deliveries d
          where ${pending} and (d.attempts > 0) is false and d.next_attempt_at <= ${at}
        ))
      order by first.next_attempt_at limit ${lanesMax}
    ), free as (
      select w.client_id, w.id from webhooks w join ready r using (client_id, id)
      where w.leased_until is null or w.leased_until < ${at}
      for no key update of w skip locked
    )
    update webhooks w set lease = ${lease}, leased_until = ${toTimestamp(until)}
    from free f where w.client_id = f.client_id and w.id = f.id
    returning w.client_id, w.id`
  return rows.map(({ client_id, id }) => ({ clientId: client_id, webhookId: id, lease }))
}

/** Holds the leases for longer, where they are still ours. */
export async function renewLeases(
  db: Database,
  lanes: readonly Lane[],
  until: Instant,
): Promise<void> {
  await db`
    with ${heldLanes(db, lanes)}
    update webhooks w set leased_until = ${toTimestamp(until)}
    from held h where w.client_id = h.client_id and w.id = h.id`
}

export async function releaseLeases(db: Database, lanes: readonly Lane[]): Promise<void> {
  await db`
    with ${heldLanes(db, lanes)}
    update webhooks w set lease = null, leased_until = null
    from held h where w.client_id = h.client_id and w.id = h.id`
}

/** `held`: those of the lanes whose lease is still the same, locked. */
export function heldLanes(db: Queryable, lanes: readonly Lane[]) {
  const asked = lanes.map(({ clientId, webhookId, lease }) => [clientId, webhookId, lease])
  const column = (at: number) => asked.map((lane) => lane[at] ?? '')
  return db`
    held as (
      select w.* from webhooks w
      join unnest(${column(0)}::uuid[], ${column(1)}::uuid[], ${column(2)}::uuid[])
        as a (client_id, id, lease) using (client_id, id, lease)
      order by w.client_id, w.id for no key update of w
    )`
}

/** What a lane asks for: more, beside what is under way for it. */
export interface Asked {
  readonly lane: Lane
  /** Attempts on their way. */
  readonly sending: number
  /** The deliveries of these and of those that are being recorded. */
  readonly known: readonly string[]
}

export interface Due {
  readonly state: LaneState
  readonly deliveries: readonly DueDelivery[]
}

interface DueRow extends LaneState, DueDelivery {
  readonly place: number
}

/**
 * What is due, for each of the lanes: pings that were asked for, then first attempts, then repeats.
 * A lane with a failure sends one at a time. On rest it sends only pings, and first attempts where one
 * delivery alone has failed: it may be that event which the receiver does not like. Undefined where the
 * lease is no longer ours, or the subscription is over.
 */
export async function dueDeliveries(
  db: Database,
  asked: readonly Asked[],
  now: Instant,
  windowMax: number,
): Promise<(Due | undefined)[]> {
  // The moment stands in the rows: as a parameter of its own it makes the server plan every time.
  const at = toTimestamp(now)
  const lanes = asked.map(({ lane, ...rest }, place) => ({ place, at, ...lane, ...rest }))
  const next = db`
    from deliveries d
    where d.client_id = l.client_id and d.webhook_id = l.id and d.status = 'PENDING'
      and d.id <> all(l.known)`
  const found = db`d.id, d.event_type, d.attempts, d.event_id, d.next_attempt_at`
  const rows = await db<(Omit<DueRow, 'id'> & { id: string | null })[]>`
    with lanes as (
      select a.place, a.at, a.known, w.client_id, w.id, w.url, w.secret, c.mode,
        coalesce(w.resting_until > a.at, false) as rests, w.failing_alone is not null as alone,
        case when w.failures_in_row > 0 then 1 else ${windowMax}::int end
          - a.sending as room
      from jsonb_to_recordset(${db.json(lanes)}) as a
        (place int, at timestamptz, "clientId" uuid, "webhookId" uuid, lease uuid, sending int, known uuid[])
      join webhooks w
        on w.client_id = a."clientId" and w.id = a."webhookId" and w.lease = a.lease
      join clients c on c.id = w.client_id
      where w.disabled_at is null
    )
    select l.place, l.url, l.secret, l.mode, d.id, d.event_type, d.attempts, e.body
    from lanes l
    left join lateral (
      (select 1 as turn, ${found} ${next}
        and d.event_type = 'webhook.ping' and d.attempts = 0 and d.next_attempt_at <= l.at
        order by d.next_attempt_at limit greatest(0, l.room))
      union all
      (select 2, ${found} ${next} and (l.alone or not l.rests)
        and (d.attempts > 0) is false and d.next_attempt_at <= l.at
        and d.event_type <> 'webhook.ping'
        order by d.next_attempt_at limit greatest(0, l.room))
      union all
      (select 3, ${found} ${next} and not l.rests
        and (d.attempts > 0) is true and d.next_attempt_at <= l.at
        order by d.next_attempt_at limit greatest(0, l.room))
      order by turn, attempts, next_attempt_at, id limit greatest(0, l.room)
    ) d on true
    left join events e on e.client_id = l.client_id and e.id = d.event_id
    order by l.place, d.turn, d.attempts, d.next_attempt_at, d.id`
  const byPlace = new Map<number, { state: LaneState; deliveries: DueDelivery[] }>()
  for (const { place, url, mode, secret, id, event_type, attempts, body } of rows) {
    const due = byPlace.get(place) ?? { state: { url, mode, secret }, deliveries: [] }
    byPlace.set(place, due)
    if (id !== null) due.deliveries.push({ id, event_type, attempts, body })
  }
  return asked.map((_, place) => byPlace.get(place))
}
