import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { factsOf } from './facts.ts'
import { type BillingScope, warehouseVersions } from './scope.ts'

/**
 * All charges of a month, as rows (day, service, source, step, quantity, price, amount, tariff).
 *
 * Steps of a price follow the quantity of the month, in the order of time and then of the source. A fact that crosses
 * the end of a step has a row for each step.
 */
export function derivedCharges(db: Queryable, scope: BillingScope): Fragment {
  return db`
    select * from (
      with facts (service, day, at, source, quantity, own_price) as materialized (${factsOf(db, scope)}),
      steps as (${stepsInForce(db, scope)}),
      ordered as (
        select f.*, sum(f.quantity) over (
          partition by f.service order by f.at, f.day, f.source rows unbounded preceding) as upto
        from facts f where f.own_price is null
      ),
      priced as (
        select o.day, o.service, o.source, s.step,
          least(o.upto, s.high) - greatest(o.upto - o.quantity, s.low) as quantity, s.price, s.tariff
        from ordered o
        join steps s on s.day = o.day and s.service = o.service and s.low < o.upto
          and coalesce(s.high > o.upto - o.quantity, true)
        union all
        select day, service, source, 0::smallint, quantity, own_price, null from facts where own_price is not null
      ),
      charged as (
        select day, service, source, step, quantity::numeric(15, 3) as quantity, price,
          round(quantity::numeric(15, 3) * price)::bigint as amount, tariff
        from priced
      )
      select * from charged union all ${minimum(db, scope)}
    ) derived`
}

/** Prices of each day, of the client before those of the warehouse, as steps (low, high]; `least` ignores an open end. */
export function stepsInForce(db: Queryable, scope: BillingScope): Fragment {
  const { clientId, from, to } = scope
  return db`
    select p.day, p.service, p.tariff, s.place::smallint as step, (s.step ->> 'price')::bigint as price,
      (s.step ->> 'up_to')::numeric as high,
      coalesce(lag((s.step ->> 'up_to')::numeric) over (partition by p.day, p.service order by s.place), 0) as low
    from (
      select distinct on (d.day, e.key) d.day::date as day, e.key as service, e.value as steps, t.tariff
      from generate_series(moscow_day(${from})::timestamp, moscow_day(${to}) - 1, interval '1 day') d (day)
      cross join lateral (
        (select 'client:' || version as tariff, prices, 1 as rank from client_tariffs
         where client_id = ${clientId} and first_day <= d.day order by first_day desc, version desc limit 1)
        union all
        (select 'warehouse:' || warehouse_code || ':' || version, prices, 2 from warehouse_tariffs
         where ${warehouseVersions(db, scope, db`d.day`)} order by first_day desc, version desc limit 1)
      ) t
      cross join lateral jsonb_each(t.prices) e
      order by d.day, e.key, t.rank
    ) p
    cross join lateral jsonb_array_elements(p.steps) with ordinality s (step, place)`
}

/** What a month that has ended lacks of its minimum. A tariff without one adds nothing, even where charges are negative. */
function minimum(db: Queryable, scope: BillingScope): Fragment {
  const { clientId, from, to, asOf } = scope
  return db`
    select m.day, 'MONTHLY_MINIMUM', 'month:' || moscow_day(${from}), 0::smallint, 1::numeric(15, 3),
      m.minimum - m.amount, m.minimum - m.amount, null
    from (
      select moscow_day(${to}) - 1 as day, coalesce((select sum(amount) from charged), 0)::bigint as amount, coalesce(
        (select monthly_minimum from client_tariffs
         where client_id = ${clientId} and first_day < moscow_day(${to}) order by first_day desc, version desc limit 1),
        (select monthly_minimum from warehouse_tariffs
         where ${warehouseVersions(db, scope, db`moscow_day(${to}) - 1`)}
         order by first_day desc, version desc limit 1), 0) as minimum
    ) m
    where ${asOf}::timestamptz >= ${to}::timestamptz and m.minimum > 0 and m.minimum > m.amount`
}

/**
 * What the charges for the days of a month lack of the derived ones: rows like `derivedCharges`, with the differences
 * in quantity and amount. Charges of periods before the month `before` count; where it is null, all.
 */
export function missingCharges(
  db: Queryable,
  scope: BillingScope,
  before: string | null,
): Fragment {
  const { clientId, from, to } = scope
  return db`
    select m.* from (
      select day, service, source, step, coalesce(d.quantity, 0) - coalesce(k.quantity, 0) as quantity,
        coalesce(d.price, k.price) as price, coalesce(d.amount, 0) - coalesce(k.amount, 0) as amount,
        coalesce(d.tariff, k.tariff) as tariff
      from (${derivedCharges(db, scope)}) d
      full join (
        select day, service, source, step, sum(quantity) as quantity, max(price) as price,
          sum(amount)::bigint as amount, max(tariff) as tariff
        from charges
        where client_id = ${clientId} and day >= moscow_day(${from}) and day < moscow_day(${to})
          and (${before}::date is null or month < ${before}::date)
        group by day, service, source, step
      ) k using (day, service, source, step)
    ) m
    where m.quantity <> 0 or m.amount <> 0`
}
