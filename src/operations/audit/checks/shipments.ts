import { type Check, check } from '../check.ts'

/** Shipments: their counts, and the units that left with them. */
export const shipmentChecks: readonly Check[] = [
  check(
    'shipments count their orders and units',
    (db, own) => db`
      select s.client_id, s.external_id as object, format('%s orders, %s units; found %s and %s',
        s.orders_count, s.units, coalesce(o.orders, 0), coalesce(m.units, 0)) as what
      from shipments s
      left join (
        select o.client_id, o.shipment_id, count(*) as orders
        from orders o where ${own('o')} and o.shipment_id is not null group by 1, 2
      ) o on o.client_id = s.client_id and o.shipment_id = s.id
      left join (
        select m.client_id, m.shipment_id, -sum(m.delta) as units
        from stock_movements m
        where ${own('m')} and m.shipment_id is not null and m.kind = 'shipment' group by 1, 2
      ) m on m.client_id = s.client_id and m.shipment_id = s.id
      where ${own('s')}
        and (s.orders_count <> coalesce(o.orders, 0) or s.units <> coalesce(m.units, 0))`,
  ),
  check(
    // An order that was cancelled before the closing stays here completely.
    'a shipment made here takes all goods of its orders from the ledger',
    (db, own) => db`
      select client_id, format('shipment %s, order %s, %s', shipment_id, order_id, barcode) as object,
        format('%s left, the order needs %s', sum(gone), sum(needed)) as what
      from (
        select o.client_id, o.shipment_id, l.order_id, l.barcode, l.quantity as needed, 0 as gone,
          o.status = 'CANCELLED' as cancelled
        from orders o
        join shipments s on s.client_id = o.client_id and s.id = o.shipment_id and ${own('s')}
        join order_lines l on l.client_id = o.client_id and l.order_id = o.id and ${own('l')}
        where ${own('o')} and s.closed_at is not null and not s.mirrored
        union all
        select m.client_id, m.shipment_id, m.order_id, m.barcode, 0, -m.delta, false
        from stock_movements m
        join shipments s on s.client_id = m.client_id and s.id = m.shipment_id and ${own('s')}
        where ${own('m')} and m.kind = 'shipment' and not s.mirrored and not exists (
          select from reshipments r
          where ${own('r')} and r.client_id = m.client_id and r.order_id = m.order_id
            and r.shipment_id = m.shipment_id)
      ) u
      group by client_id, shipment_id, order_id, barcode
      having sum(gone) <> sum(needed) and not (bool_or(cancelled) and sum(gone) = 0)`,
  ),
  check(
    // A shipment that was closed before the cabinet was connected has no movements and no shortages.
    'a mirrored shipment lists the units that it did not take from the ledger',
    (db, own) => db`
      with mirrored as (
        select s.client_id, s.id, s.external_id, s.closed_at from shipments s
        where ${own('s')} and s.mirrored
      ), moved as (
        select m.client_id, m.shipment_id, m.order_id, -sum(m.delta) as units
        from stock_movements m
        where ${own('m')} and m.kind = 'shipment'
          and (m.client_id, m.shipment_id) in (select client_id, id from mirrored)
          and not exists (
            select from reshipments r
            where ${own('r')} and r.client_id = m.client_id and r.order_id = m.order_id
              and r.shipment_id = m.shipment_id)
        group by 1, 2, 3
      ), missing as (
        select x.client_id, x.shipment_id, x.order_id, sum(x.units) as units
        from shipment_shortages x where ${own('x')} group by 1, 2, 3
      ), known as (
        select client_id, shipment_id from moved union select client_id, shipment_id from missing
      ), needed as (
        select o.client_id, o.shipment_id, o.id as order_id, o.status, sum(l.quantity) as units
        from mirrored s
        join orders o on o.client_id = s.client_id and o.shipment_id = s.id and ${own('o')}
        join order_lines l on l.client_id = o.client_id and l.order_id = o.id and ${own('l')}
        where s.closed_at is not null
          and (s.client_id, s.id) in (select client_id, shipment_id from known)
        group by 1, 2, 3, 4
      )
      select client_id, format('shipment %s, order %s', shipment_id, order_id) as object,
        format('%s left, %s missing, the order needs %s', coalesce(moved.units, 0),
          coalesce(missing.units, 0), coalesce(needed.units, 0)) as what
      from needed full join moved using (client_id, shipment_id, order_id)
      full join missing using (client_id, shipment_id, order_id)
      where coalesce(moved.units, 0) + coalesce(missing.units, 0) <> coalesce(needed.units, 0)
        and not (coalesce(needed.status = 'CANCELLED', false)
          and coalesce(moved.units, missing.units) is null)`,
  ),
  check(
    'an order that came back to be handed over again left its shipment with all of its units',
    (db, own) => db`
      select r.client_id, format('order %s, supply %s', o.external_id, r.supply) as object,
        case when o.shipment_id = r.shipment_id then 'still in its shipment'
          else format('%s units did not come back', m.units) end as what
      from reshipments r
      join orders o on o.client_id = r.client_id and o.id = r.order_id and ${own('o')}
      left join (
        select m.client_id, m.order_id, m.shipment_id, -sum(m.delta) as units
        from stock_movements m
        where ${own('m')} and m.shipment_id is not null group by 1, 2, 3
      ) m on m.client_id = r.client_id and m.order_id = r.order_id and m.shipment_id = r.shipment_id
      where ${own('r')} and (o.shipment_id = r.shipment_id or coalesce(m.units, 0) <> 0)
      union all
      select o.client_id, format('order %s', o.external_id),
        'to be handed over again, and left no shipment for that'
      from orders o
      where ${own('o')} and o.reship_since is not null and (
        o.status in ('COMPLETED', 'CANCELLED') or not exists (
          select from reshipments r where r.client_id = o.client_id and r.order_id = o.id))`,
  ),
]
