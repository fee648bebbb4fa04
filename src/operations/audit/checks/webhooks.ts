import { toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import { type Check, check } from '../check.ts'

/** Maintenance repairs such findings every minute; only older ones are reported. */
const patienceMs = 10 * 60_000

/** Events, their deliveries and feeds, and whether every status change was announced. */
export const webhookChecks: readonly Check[] = [
  check(
    'deliveries have their event and a subscription that is on',
    (db, own, { now }) => db`
      select d.client_id, format('delivery %s', d.id) as object, case
        when e.id is null then format('%s, of unknown event %s', d.status, d.event_id)
        when w.id is null then format('%s, of unknown subscription %s', d.status, d.webhook_id)
        else format('waits for subscription %s, which is disabled', w.id) end as what
      from webhook_deliveries d
      left join events e on e.client_id = d.client_id and e.id = d.event_id and ${own('e')}
        and e.type = d.event_type
      left join webhook_subscriptions w on w.client_id = d.client_id and w.id = d.webhook_id and ${own('w')}
      where ${own('d')} and (e.id is null or w.id is null or d.status = 'PENDING'
        and w.disabled_at < ${toTimestamp(now - patienceMs)}
        and d.created_at < ${toTimestamp(now - patienceMs)})`,
  ),
  check(
    'attempts are counted',
    (db, own) => db`
      select d.client_id, format('delivery %s', d.id) as object,
        format('%s, %s attempts, %s in the log', d.status, d.attempts, a.logged) as what
      from webhook_deliveries d cross join lateral (
        select coalesce(jsonb_array_length(d.earlier_attempts), 0) + num_nonnulls(d.last_attempt_at) as logged
      ) a
      where ${own('d')} and (d.attempts <> a.logged or d.status = 'DELIVERED' and d.attempts = 0)`,
  ),
  check(
    'a delivery waits or has ended',
    (db, own) => db`
      select d.client_id, format('delivery %s', d.id) as object, format('waits, and is %s', e.status) as what
      from pending_deliveries d join ended_deliveries e on e.client_id = d.client_id and e.id = d.id and ${own('e')}
      where ${own('d')}`,
  ),
  check(
    'delivery tallies equal the log',
    (db, own) => db`
      select client_id, format('subscription %s, events of %s', webhook_id, day) as object,
        format('tally %s delivered and %s failed, log %s and %s', coalesce(t.delivered, 0), coalesce(t.failed, 0),
          coalesce(e.delivered, 0), coalesce(e.failed, 0)) as what
      from (select t.* from delivery_tallies t where ${own('t')}) t
      full join (
        select e.client_id, e.webhook_id, day_of_id(e.event_id) as day,
          count(*) filter (where e.status = 'DELIVERED') as delivered, count(*) filter (where e.status = 'FAILED') as failed
        from ended_deliveries e where ${own('e')} group by 1, 2, 3
      ) e using (client_id, webhook_id, day)
      where (coalesce(t.delivered, 0), coalesce(t.failed, 0)) <> (coalesce(e.delivered, 0), coalesce(e.failed, 0))`,
  ),
  check(
    'events say what they are',
    (db, own) => db`
      select e.client_id, format('event %s', e.id) as object,
        format('%s; the body begins with %s', e.type, left(e.body, 80)) as what
      from events e
      where ${own('e')} and not starts_with(e.body, format('{"id":"%s","type":"%s",', e.id, e.type))`,
  ),
  check(
    'a feed has an event at each position that it keeps',
    (db, own) => db`
      select f.client_id, 'feed' as object, format('%s events from position %s to %s, the highest %s',
        e.kept, f.dropped_position + 1, f.last_position, coalesce(e.highest, 0)) as what
      from (select * from event_feeds f where ${own('f')}) f
      left join lateral (
        select max(e.position) as highest,
          count(*) filter (where e.position > f.dropped_position) as kept,
          count(distinct e.position) filter (where e.position > f.dropped_position) as positions
        from events e where e.client_id = f.client_id and e.position is not null
      ) e on true
      where e.kept <> f.last_position - f.dropped_position or e.positions <> e.kept
        or coalesce(e.highest, 0) > f.last_position`,
  ),
  check(
    'every status was announced',
    (db, own, { now }) => db`
      select r.client_id, r.number as object, format('receipt %s, announced %s', r.status, r.announced_status) as what
      from receipts r
      where ${own('r')} and r.status <> r.announced_status and
        coalesce(r.completed_at, r.confirmed_at, r.created_at) < ${toTimestamp(now - patienceMs)}
      union all
      select s.client_id, s.external_id, format('shipment %s, announced %s', s.status, s.announced_status)
      from shipments s
      where ${own('s')} and s.status <> s.announced_status and
        coalesce(s.accepted_at, s.closed_at, s.created_at) < ${toTimestamp(now - patienceMs)}
      union all
      select o.client_id, o.external_id, format('order %s, announced %s', o.status, o.announced_status)
      from orders o
      where ${own('o')} and o.status <> o.announced_status and coalesce((
          select max(h.at) from order_status_history h
          where h.client_id = o.client_id and h.order_id = o.id
        ), o.created_at) < ${toTimestamp(now - patienceMs)}`,
  ),
]
