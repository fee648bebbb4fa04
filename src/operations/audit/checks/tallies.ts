import type { Queryable } from '../../../platform/db/connection.ts'
import { type Check, check, type Own } from '../check.ts'

/** Tallies, which triggers keep, against the rows that they count: by day, by month, and of all time. */

const spanWords = (db: Queryable) => db`
  case span when 'all' then 'of all time' when 'day' then 'on the day ' || day else 'in the month from ' || day end`

/** The spans s that a day d belongs to. */
const spans = (db: Queryable) => db`
  lateral (values ('day', d.day), ('month', month_of(d.day)), ('all', '-infinity'::date)) s (span, day)`

/** What lines of orders and movements count for as sales. Units come back to the cabinet of their order, else of their batch. */
const sold = (db: Queryable, own: Own) => db`
  select o.client_id, moscow_day(o.created_at) as day, o.cabinet_id, coalesce(l.barcode, '') as barcode,
    l.quantity as ordered, case when o.status = 'CANCELLED' then l.quantity else 0 end as cancelled,
    0 as shipped, 0 as returned
  from orders o join order_lines l on l.client_id = o.client_id and l.order_id = o.id
  where ${own('o')} and ${own('l')} and not o.observed
  union all
  select m.client_id, moscow_day(m.at),
    coalesce(o.cabinet_id, s.cabinet_id, b.cabinet_id, '00000000-0000-0000-0000-000000000000'), m.barcode, 0, 0,
    case m.kind when 'shipment' then -m.delta else 0 end, case m.kind when 'return' then m.delta else 0 end
  from stock_movements m
  left join orders o on o.client_id = m.client_id and o.id = m.order_id and ${own('o')}
  left join shipments s on s.client_id = m.client_id and s.id = m.shipment_id and ${own('s')}
  left join return_batches b on b.client_id = m.client_id and b.id = m.return_id and ${own('b')}
  where ${own('m')} and m.kind in ('shipment', 'return')`

export const tallyChecks: readonly Check[] = [
  check(
    'movement tallies equal the movements',
    (db, own) => db`
      select client_id, format('%s %s', kind, ${spanWords(db)}) as object,
        format('tally %s, movements %s', coalesce(t.units, 0), coalesce(m.units, 0)) as what
      from (
        select t.client_id, t.kind, t.span, t.day, sum(t.units) as units
        from movement_tallies t where ${own('t')} group by 1, 2, 3, 4
      ) t
      full join (
        select d.client_id, d.kind, s.span, s.day, sum(d.units) as units
        from (
          select m.client_id, m.kind, moscow_day(m.at) as day, sum(m.delta) as units
          from stock_movements m where ${own('m')} group by 1, 2, 3
        ) d, ${spans(db)} where s.span <> 'all' group by 1, 2, 3, 4
      ) m using (client_id, kind, span, day)
      where coalesce(t.units, 0) <> coalesce(m.units, 0)`,
  ),
  check(
    'warehouse tallies equal the receipts, shipments and misses',
    (db, own) => db`
      select client_id, concat_ws(' ', figure, nullif(reason, ''), ${spanWords(db)}) as object,
        format('tally %s, rows %s', coalesce(t.amount, 0), coalesce(w.amount, 0)) as what
      from (select t.* from warehouse_tallies t where ${own('t')}) t
      full join (
        select d.client_id, d.figure, d.reason, s.span, s.day, sum(d.amount) as amount
        from (
          select w.client_id, w.figure, w.reason, moscow_day(w.at) as day, sum(w.amount) as amount
          from warehouse_figures w where ${own('w')} group by 1, 2, 3, 4
        ) d, ${spans(db)} where s.span <> 'all' group by 1, 2, 3, 4, 5
      ) w using (client_id, figure, reason, span, day)
      where coalesce(t.amount, 0) <> coalesce(w.amount, 0)`,
  ),
  check(
    'sales tallies equal the lines of orders and the movements',
    (db, own) => db`
      with days as (
        select client_id, day, cabinet_id, barcode, sum(ordered) as ordered, sum(cancelled) as cancelled,
          sum(shipped) as shipped, sum(returned) as returned
        from (${sold(db, own)}) s group by 1, 2, 3, 4
      ), counted as (
        select client_id, 'day' as span, day, cabinet_id, barcode, ordered, cancelled, shipped, returned from days
        union all
        select client_id, 'month', month_of(day), cabinet_id, barcode, sum(ordered)::bigint, sum(cancelled)::bigint,
          sum(shipped)::bigint, sum(returned)::bigint
        from days group by 1, 3, 4, 5
      )
      select client_id, format('%s of cabinet %s %s', barcode, cabinet_id, ${spanWords(db)}) as object,
        format('tally %s, rows %s', concat_ws('/', t.ordered, t.cancelled, t.shipped, t.returned),
          concat_ws('/', r.ordered, r.cancelled, r.shipped, r.returned)) as what
      from (
        select t.* from sales_tallies t
        where ${own('t')} and (t.ordered, t.cancelled, t.shipped, t.returned) <> (0, 0, 0, 0)
      ) t
      full join (
        select c.* from counted c where (c.ordered, c.cancelled, c.shipped, c.returned) <> (0, 0, 0, 0)
      ) r using (client_id, span, day, cabinet_id, barcode)
      where (t.ordered, t.cancelled, t.shipped, t.returned)
        is distinct from (r.ordered, r.cancelled, r.shipped, r.returned)`,
  ),
  check(
    'sales of days equal the sales of their goods',
    (db, own) => db`
      select client_id, format('cabinet %s on the day %s', cabinet_id, day) as object,
        format('day %s, goods %s', d.units, t.units) as what
      from (
        select s.client_id, s.day, s.cabinet_id,
          concat_ws('/', sum(s.ordered), sum(s.cancelled), sum(s.shipped), sum(s.returned)) as units
        from sales_days s where ${own('s')} group by 1, 2, 3
      ) d
      full join (
        select s.client_id, s.day, s.cabinet_id,
          concat_ws('/', sum(s.ordered), sum(s.cancelled), sum(s.shipped), sum(s.returned)) as units
        from sales_tallies s where ${own('s')} and s.span = 'day' group by 1, 2, 3
      ) t using (client_id, day, cabinet_id)
      where coalesce(d.units, '0/0/0/0') <> coalesce(t.units, '0/0/0/0')`,
  ),
  check(
    'sales of years equal the lines of orders and the movements',
    (db, own) => db`
      select client_id, format('%s %s of cabinet %s in the year from %s', barcode, figure, cabinet_id, year) as object,
        format('year %s, rows %s', coalesce(y.units, 0), coalesce(c.units, 0)) as what
      from (select s.* from sales_years s where ${own('s')}) y
      full join (
        select s.client_id, s.year, s.cabinet_id, f.figure, s.barcode, f.units
        from (
          select client_id, year_of(day) as year, cabinet_id, barcode, sum(ordered) as ordered,
            sum(cancelled) as cancelled, sum(greatest(shipped, 0)) as shipped, sum(greatest(returned, 0)) as returned
          from (${sold(db, own)}) s group by 1, 2, 3, 4
        ) s, lateral (
          values ('ordered', s.ordered), ('cancelled', s.cancelled), ('shipped', s.shipped), ('returned', s.returned)
        ) f (figure, units)
      ) c using (client_id, year, cabinet_id, figure, barcode)
      where coalesce(y.units, 0) <> coalesce(c.units, 0)`,
  ),
  check(
    'order tallies equal the orders',
    (db, own) => db`
      select client_id, format('%s %s %s %s', marketplace, status, case when delivered
        then 'delivered' when sorted then 'sorted' else 'not sorted' end, ${spanWords(db)}) as object,
        format('tally %s, orders %s', coalesce(t.orders, 0), coalesce(o.orders, 0)) as what
      from (select t.* from order_tallies t where ${own('t')}) t
      full join (
        select d.client_id, s.span, s.day, d.marketplace, d.status, d.sorted, d.delivered,
          sum(d.orders) as orders
        from (
          select o.client_id, moscow_day(o.created_at) as day, o.marketplace, o.status, o.sorted,
            o.delivered, count(*) as orders
          from orders o where ${own('o')} and not o.observed group by 1, 2, 3, 4, 5, 6
        ) d, ${spans(db)} group by 1, 2, 3, 4, 5, 6, 7
      ) o using (client_id, span, day, marketplace, status, sorted, delivered)
      where coalesce(t.orders, 0) <> coalesce(o.orders, 0)`,
  ),
  check(
    'milestone tallies equal the orders',
    (db, own) => db`
      select client_id, format('%s %s', milestone, ${spanWords(db)}) as object,
        format('tally %s, orders %s', coalesce(t.orders, 0), coalesce(o.orders, 0)) as what
      from (select t.* from milestone_tallies t where ${own('t')}) t
      full join (
        select d.client_id, d.milestone, s.span, s.day, sum(d.orders) as orders
        from (
          select o.client_id, milestone, moscow_day(at) as day, count(*) as orders
          from orders o, lateral (
            values ('sorted', o.sorted_at), ('delivered', o.delivered_at)
          ) m (milestone, at)
          where ${own('o')} and not o.observed and at is not null group by 1, 2, 3
        ) d, ${spans(db)} where s.span <> 'all' group by 1, 2, 3, 4
      ) o using (client_id, milestone, span, day)
      where coalesce(t.orders, 0) <> coalesce(o.orders, 0)`,
  ),
  check(
    'tallies of sorted and delivered days equal the orders',
    (db, own) => db`
      select client_id, format('sorted on %s, delivered %s', sorted_day, ${spanWords(db)}) as object,
        format('tally %s, orders %s', coalesce(t.orders, 0), coalesce(o.orders, 0)) as what
      from (select t.* from sorted_delivered_tallies t where ${own('t')}) t
      full join (
        select d.client_id, s.span, s.day, d.sorted_day, sum(d.orders) as orders
        from (
          select o.client_id, moscow_day(o.delivered_at) as day,
            coalesce(moscow_day(o.sorted_at), '-infinity') as sorted_day, count(*) as orders
          from orders o where ${own('o')} and not o.observed and o.delivered_at is not null group by 1, 2, 3
        ) d, ${spans(db)}
        where s.span = 'day' and d.sorted_day <> d.day
          or s.span = 'month' and month_of(d.sorted_day) <> s.day group by 1, 2, 3, 4
      ) o using (client_id, span, day, sorted_day)
      where coalesce(t.orders, 0) <> coalesce(o.orders, 0)`,
  ),
]
