import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { type BillingScope, warehouseVersions } from './scope.ts'

/**
 * What lies there at the end of each ended day: a row per day, by the client's way of storage. The units are the
 * balance without the movements since then, so the cost follows what moved since the month began. Free days: the first
 * units in are the first out, so the newest units lie there. As many units of a product are free as came in within the
 * free days, at most all that lie there.
 */
export function storageFacts(db: Queryable, scope: BillingScope): Fragment {
  const { clientId } = scope
  return db`
    select 'STORAGE_' || upper(s.way) || '_DAY', s.day, (s.day + 1)::timestamptz - interval '1 millisecond',
      'storage:' || s.day, s.quantity, null::bigint
    from (
      with days as (${days(db, scope)}), moved as (${movedUnits(db, scope)}), ends as (${dayEnds(db, scope)}),
      lying as (${chargedUnits(db, clientId)})
      select day, way, case way when 'unit' then sum(units) else sum(litres) end::numeric as quantity
      from lying group by 1, 2
      union all
      select d.day, d.way, case d.way when 'box' then k.boxes else k.pallets end::numeric
      from days d join storage_days k on k.client_id = ${clientId} and k.day = d.day
      where d.way in ('box', 'pallet')
    ) s
    where s.quantity > 0`
}

/** Days of the month that have ended, each with what holds on it. */
function days(db: Queryable, scope: BillingScope): Fragment {
  const { clientId, from, to, asOf } = scope
  return db`
    select d.day::date as day, coalesce(t.way, 'unit') as way, t.assumed_litres,
      coalesce(c.free_days, w.free_days, 0) as free_days
    from generate_series(moscow_day(${from})::timestamp, least(moscow_day(${to}), moscow_day(${asOf})) - 1,
      interval '1 day') d (day)
    left join lateral (
      select way, assumed_litres from storage_terms
      where client_id = ${clientId} and first_day <= d.day order by first_day desc limit 1
    ) t on true
    left join lateral (
      select free_days from client_tariffs
      where client_id = ${clientId} and first_day <= d.day order by first_day desc, version desc limit 1
    ) c on true
    left join lateral (
      select free_days from warehouse_tariffs
      where ${warehouseVersions(db, scope, db`d.day`)} order by first_day desc, version desc limit 1
    ) w on true`
}

/**
 * By product and day, from the earliest free day on; an acceptance or a return that was undone on its day never came
 * in.
 */
function movedUnits(db: Queryable, { clientId, from }: BillingScope): Fragment {
  return db`
    select m.barcode, moscow_day(m.at) as day, sum(m.delta) as delta, greatest(0, coalesce(
      sum(m.delta) filter (where m.kind in ('acceptance', 'return') or m.kind = 'correction' and m.delta > 0), 0)) as came
    from stock_movements m
    where m.client_id = ${clientId}
      and m.at >= ${from}::timestamptz - make_interval(days => (select coalesce(max(free_days), 0) from days))
    group by 1, 2`
}

/**
 * Units of each product at the end of each day, and how many of them came within the free days of that day. The rows
 * are added up, not joined: the server does not know how many there will be, and a join row by row would cost their
 * square.
 */
function dayEnds(db: Queryable, { clientId, from, to }: BillingScope): Fragment {
  return db`
    select barcode, day, max(way) as way, max(assumed_litres) as assumed_litres,
      sum(sum(delta)::bigint) over (partition by barcode order by day) as units, sum(came)::bigint as came
    from (
      with opening as (
        select barcode, sum(units) as units
        from (
          select barcode, quantity as units, quantity > 0 as counts from stock_balances where client_id = ${clientId}
          union all
          select barcode, case when day >= moscow_day(${from}) then -delta else 0 end, true from moved
        ) u
        group by barcode having bool_or(counts)
      )
      select barcode, moscow_day(${from}) - 1 as day, units as delta, 0 as came, null as way, null::numeric as assumed_litres
      from opening
      union all
      select o.barcode, d.day, 0, 0, d.way, d.assumed_litres from opening o cross join days d
      where d.way in ('unit', 'litre')
      union all
      select barcode, day, delta, 0, null, null from moved where day >= moscow_day(${from}) and day < moscow_day(${to})
      union all
      select m.barcode, d.day, 0, m.came, null, null
      from days d join moved m on m.came > 0 and m.day > d.day - d.free_days and m.day <= d.day
      where d.free_days > 0
    ) changes
    group by barcode, day`
}

/**
 * Litres of a unit are rounded up to 0.1; those of goods without measures are assumed. Days that are not counted by
 * goods have no way.
 */
function chargedUnits(db: Queryable, clientId: string): Fragment {
  return db`
    select e.day, e.way, e.units - least(e.units, e.came) as units,
      (e.units - least(e.units, e.came)) * coalesce(p.litres, e.assumed_litres, 0) as litres
    from ends e
    left join lateral (
      select ceil(m.length_mm::numeric * m.width_mm * m.height_mm / 100000) / 10 as litres from product_measures m
      where e.way = 'litre' and m.client_id = ${clientId} and m.barcode = e.barcode and m.first_day <= e.day
      order by m.first_day desc limit 1
    ) p on true
    where e.units > 0 and e.way is not null`
}
