import type { Database } from '../db/connection.ts'

interface Check {
  readonly name: string
  /** Rows (client_id, what), one a difference. */
  readonly differences: ReturnType<Database>
}

export function checks(db: Database): Check[] {
  return [
    {
      name: 'balances are the sums of movements',
      differences: db`
        select client_id, format('%s: quantity %s, in question %s; movements say %s and %s',
          barcode, b.quantity, b.in_question, coalesce(m.quantity, 0), coalesce(m.in_question, 0)) as what
        from stock_balances b
        full join (
          select client_id, barcode, sum(delta) as quantity, sum(question_delta) as in_question
          from stock_movements group by 1, 2
        ) m using (client_id, barcode)
        where b.quantity is distinct from coalesce(m.quantity, 0)
          or b.in_question is distinct from coalesce(m.in_question, 0)`,
    },
    {
      name: 'reserved units are those of orders in open shipments',
      differences: db`
        select client_id, format('%s: reserved %s, orders need %s', barcode, b.reserved,
          coalesce(l.units, 0)) as what
        from stock_balances b
        full join (
          select o.client_id, l.barcode, sum(l.quantity) as units
          from shipments s
          join orders o on o.client_id = s.client_id and o.shipment_id = s.id
          join order_lines l on l.client_id = o.client_id and l.order_id = o.id
          where s.status = 'ASSEMBLING' and o.status <> 'CANCELLED'
          group by 1, 2
        ) l using (client_id, barcode)
        where b.reserved is distinct from coalesce(l.units, 0)`,
    },
    {
      name: 'boxes hold no more than there is',
      differences: db`
        select c.client_id, format('%s: %s in boxes, quantity %s', c.barcode, c.units,
          coalesce(b.quantity, 0)) as what
        from (
          select client_id, barcode, sum(quantity) as units from box_contents group by 1, 2
        ) c
        left join stock_balances b using (client_id, barcode)
        where c.units > coalesce(b.quantity, 0)`,
    },
    {
      name: 'tallies of movements',
      differences: db`
        select client_id, format('%s on %s: tally %s, movements %s', kind, day,
          coalesce(t.units, 0), coalesce(m.units, 0)) as what
        from (
          select client_id, kind, day, sum(units) as units from movement_tallies group by 1, 2, 3
        ) t
        full join (
          select client_id, kind, moscow_day(at) as day, sum(delta) as units
          from stock_movements group by 1, 2, 3
        ) m using (client_id, kind, day)
        where coalesce(t.units, 0) <> coalesce(m.units, 0)`,
    },
    {
      name: 'tallies of orders',
      differences: db`
        select client_id, format('%s %s %s on %s: tally %s, orders %s', marketplace, status,
          case when delivered then 'delivered' when sorted then 'sorted' else 'not sorted' end, day,
          coalesce(t.orders, 0), coalesce(o.orders, 0)) as what
        from order_tallies t
        full join (
          select client_id, moscow_day(created_at) as day, marketplace, status, sorted, delivered,
            count(*) as orders
          from orders group by 1, 2, 3, 4, 5, 6
        ) o using (client_id, day, marketplace, status, sorted, delivered)
        where coalesce(t.orders, 0) <> coalesce(o.orders, 0)`,
    },
    {
      name: 'tallies of milestones',
      differences: db`
        select client_id, format('%s on %s: tally %s, orders %s', milestone, day,
          coalesce(t.orders, 0), coalesce(o.orders, 0)) as what
        from milestone_tallies t
        full join (
          select client_id, milestone, moscow_day(at) as day, count(*) as orders
          from orders, lateral (values ('sorted', sorted_at), ('delivered', delivered_at)) m (milestone, at)
          where at is not null group by 1, 2, 3
        ) o using (client_id, milestone, day)
        where coalesce(t.orders, 0) <> coalesce(o.orders, 0)`,
    },
    {
      name: 'totals of receipts',
      differences: db`
        select r.client_id, format('%s: expected %s, accepted %s, missing %s; lines say %s and %s',
          r.number, r.expected_qty, r.accepted_qty, r.discrepancy_qty, i.expected, i.accepted) as what
        from receipts r
        join (
          select client_id, receipt_id, sum(expected_qty) as expected, sum(accepted_qty) as accepted
          from receipt_items group by 1, 2
        ) i on i.client_id = r.client_id and i.receipt_id = r.id
        where r.expected_qty <> i.expected or r.completed_at is not null and (
          r.accepted_qty <> i.accepted or r.discrepancy_qty <> greatest(0, i.expected - i.accepted))`,
    },
    {
      name: 'lines of receipts are the sums of their scans and movements',
      differences: db`
        select i.client_id, format('receipt %s, %s: accepted %s, scans %s, movements %s', i.receipt_id,
          i.barcode, i.accepted_qty, coalesce(s.units, 0), coalesce(m.units, 0)) as what
        from receipt_items i
        left join (
          select client_id, receipt_id, barcode, sum(quantity) as units
          from receipt_scans where undone_at is null group by 1, 2, 3
        ) s using (client_id, receipt_id, barcode)
        left join (
          select client_id, receipt_id, barcode, sum(delta) as units
          from stock_movements where receipt_id is not null group by 1, 2, 3
        ) m using (client_id, receipt_id, barcode)
        where i.accepted_qty <> coalesce(s.units, 0) or i.accepted_qty <> coalesce(m.units, 0)`,
    },
    {
      name: 'shipments count their orders and units',
      differences: db`
        select s.client_id, format('%s: %s orders, %s units; found %s and %s', s.external_id,
          s.orders_count, s.units, coalesce(o.orders, 0), coalesce(m.units, 0)) as what
        from shipments s
        left join (
          select client_id, shipment_id, count(*) as orders
          from orders where shipment_id is not null group by 1, 2
        ) o on o.client_id = s.client_id and o.shipment_id = s.id
        left join (
          select client_id, shipment_id, -sum(delta) as units
          from stock_movements where shipment_id is not null group by 1, 2
        ) m on m.client_id = s.client_id and m.shipment_id = s.id
        where s.orders_count <> coalesce(o.orders, 0) or s.units <> coalesce(m.units, 0)`,
    },
    {
      name: 'statuses of orders agree with their shipments',
      differences: db`
        select o.client_id, format('%s: %s, marketplace says %s, shipment %s', o.external_id, o.status,
          o.marketplace_status, coalesce(s.status, 'none')) as what
        from orders o
        left join shipments s on s.client_id = o.client_id and s.id = o.shipment_id
        where o.status <> case
          when o.marketplace_status in ('COMPLETED', 'CANCELLED') then o.marketplace_status
          when s.status = 'ASSEMBLING' then 'ASSEMBLING'
          when s.status is not null then 'IN_DELIVERY'
          else o.marketplace_status end`,
    },
    {
      name: 'history of orders ends where they are',
      differences: db`
        select o.client_id, format('%s: %s, history ends with %s', o.external_id, o.status,
          coalesce(h.status, 'nothing')) as what
        from orders o
        left join lateral (
          select status from order_status_history h
          where h.client_id = o.client_id and h.order_id = o.id order by id desc limit 1
        ) h on true
        join clients c on c.id = o.client_id
        where h.status is distinct from o.status and (h.status is not null or c.mode = 'live')`,
    },
    {
      name: 'movements, picks and history belong to something',
      differences: db`
        select client_id, format('movement %s of unknown goods %s', id, barcode) as what
        from stock_movements m
        where not exists (
          select from products p where p.client_id = m.client_id and p.barcode = m.barcode)
        union all
        select client_id, format('pick %s of unknown task %s', scan_id, task_id)
        from picks p
        where not exists (
          select from picking_tasks t where t.client_id = p.client_id and t.id = p.task_id)
        union all
        select client_id, format('history of unknown order %s', order_id)
        from order_status_history h
        where not exists (
          select from orders o where o.client_id = h.client_id and o.id = h.order_id)`,
    },
    {
      name: 'requests of sellers are in the journal',
      differences: db`
        select r.client_id, format('receipt %s is in no journal entry', r.number) as what
        from receipts r
        join clients c on c.id = r.client_id
        where r.source = 'api' and c.mode = 'live' and not exists (
          select from receipt_journal j
          where j.client_id = r.client_id and j.receipt_id = r.id and j.outcome = 'created')`,
    },
  ]
}
