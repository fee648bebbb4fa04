import { type Check, check } from '../check.ts'

/** Tallies by day, which triggers keep, against the rows that they count. */
export const tallyChecks: readonly Check[] = [
  check(
    'movement tallies equal the movements',
    (db, own) => db`
      select client_id, format('%s on %s', kind, day) as object, format('tally %s, movements %s',
        coalesce(t.units, 0), coalesce(m.units, 0)) as what
      from (
        select t.client_id, t.kind, t.day, sum(t.units) as units
        from movement_tallies t where ${own('t')} group by 1, 2, 3
      ) t
      full join (
        select m.client_id, m.kind, moscow_day(m.at) as day, sum(m.delta) as units
        from stock_movements m where ${own('m')} group by 1, 2, 3
      ) m using (client_id, kind, day)
      where coalesce(t.units, 0) <> coalesce(m.units, 0)`,
  ),
  check(
    'order tallies equal the orders',
    (db, own) => db`
      select client_id, format('%s %s %s on %s', marketplace, status, case when delivered
        then 'delivered' when sorted then 'sorted' else 'not sorted' end, day) as object,
        format('tally %s, orders %s', coalesce(t.orders, 0), coalesce(o.orders, 0)) as what
      from (select t.* from order_tallies t where ${own('t')}) t
      full join (
        select o.client_id, moscow_day(o.created_at) as day, o.marketplace, o.status, o.sorted,
          o.delivered, count(*) as orders
        from orders o where ${own('o')} and not o.observed group by 1, 2, 3, 4, 5, 6
      ) o using (client_id, day, marketplace, status, sorted, delivered)
      where coalesce(t.orders, 0) <> coalesce(o.orders, 0)`,
  ),
  check(
    'milestone tallies equal the orders',
    (db, own) => db`
      select client_id, format('%s on %s', milestone, day) as object, format('tally %s, orders %s',
        coalesce(t.orders, 0), coalesce(o.orders, 0)) as what
      from (select t.* from milestone_tallies t where ${own('t')}) t
      full join (
        select o.client_id, milestone, moscow_day(at) as day, count(*) as orders
        from orders o, lateral (
          values ('sorted', o.sorted_at), ('delivered', o.delivered_at)
        ) m (milestone, at)
        where ${own('o')} and not o.observed and at is not null group by 1, 2, 3
      ) o using (client_id, milestone, day)
      where coalesce(t.orders, 0) <> coalesce(o.orders, 0)`,
  ),
]
