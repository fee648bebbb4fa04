import { type Check, check } from '../check.ts'

/** Orders: their status, history, goods and cabinet. */
export const orderChecks: readonly Check[] = [
  check(
    'statuses of orders agree with their shipments',
    (db, own) => db`
      select o.client_id, o.external_id as object, format('%s; marketplace says %s, shipment %s', o.status,
        o.marketplace_status, coalesce(s.status, 'none')) as what
      from orders o
      left join shipments s on s.client_id = o.client_id and s.id = o.shipment_id and ${own('s')}
      where ${own('o')} and o.status <> case
        when o.marketplace_status in ('COMPLETED', 'CANCELLED') then o.marketplace_status
        when s.mirrored and o.marketplace_status not in ('NEW', 'ASSEMBLING')
          then o.marketplace_status
        when s.status = 'ASSEMBLING' then 'ASSEMBLING'
        when s.status is not null then 'IN_DELIVERY'
        when o.reship_since is not null then 'ASSEMBLING'
        else o.marketplace_status end`,
  ),
  check(
    'the last history entry of an order has its status',
    (db, own) => db`
      select o.client_id, o.external_id as object,
        format('%s, history ends with %s', o.status, coalesce((
          select h.status from order_status_history h
          where h.client_id = o.client_id and h.order_id = o.id order by h.id desc limit 1
        ), 'nothing')) as what
      from orders o
      left join order_status_history h on h.client_id = o.client_id and h.order_id = o.id and ${own('h')}
      where ${own('o')}
      group by o.client_id, o.id
      having max(h.id) is null or max(h.id) is distinct from max(h.id) filter (where h.status = o.status)`,
  ),
  check(
    'orders show the goods of their first line',
    (db, own) => db`
      select o.client_id, o.external_id as object, format('%s, %s; the first line says %s, %s',
        coalesce(o.barcode, 'no barcode'), coalesce(o.article, 'no article'),
        coalesce(l.barcode, 'no barcode'), coalesce(l.article, 'no article')) as what
      from orders o
      left join ordered_lines l
        on l.client_id = o.client_id and l.order_id = o.id and l.line = 1 and ${own('l')}
      where ${own('o')} and (l.line is null or l.barcode is distinct from o.barcode
        or l.article is distinct from o.article)`,
  ),
  check(
    'deadlines of open orders are those reported, else by the rule of the cabinet',
    (db, own) => db`
      select o.client_id, o.external_id as object, format('%s; reported %s, rule of %s hours',
        coalesce(o.deadline_at::text, 'none'), coalesce(f.reported_deadline_at::text, 'none'),
        coalesce(k.deadline_hours::text, 'no')) as what
      from orders o
      join cabinets k on k.client_id = o.client_id and k.id = o.cabinet_id
      left join order_facts f
        on f.client_id = o.client_id and f.order_id = o.id and ${own('f')}
      where ${own('o')} and o.status not in ('COMPLETED', 'CANCELLED')
        and o.deadline_at is distinct from
          coalesce(f.reported_deadline_at, deadline_by_rule(o.created_at, k.deadline_hours))`,
  ),
  check(
    'orders and shipments belong to their cabinet and its marketplace',
    (db, own) => db`
      select o.client_id, o.external_id as object, 'order of another marketplace than its cabinet' as what
      from orders o
      join cabinets k on k.client_id = o.client_id and k.id = o.cabinet_id
      where ${own('o')} and k.marketplace <> o.marketplace
      union all
      select s.client_id, s.external_id, 'shipment of another marketplace than its cabinet'
      from shipments s
      join cabinets k on k.client_id = s.client_id and k.id = s.cabinet_id
      where ${own('s')} and k.marketplace <> s.marketplace
      union all
      select o.client_id, o.external_id, 'order of another cabinet than its shipment'
      from orders o
      join shipments s on s.client_id = o.client_id and s.id = o.shipment_id and ${own('s')}
      where ${own('o')} and s.cabinet_id <> o.cabinet_id`,
  ),
]
