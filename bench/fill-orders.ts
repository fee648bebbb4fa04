import type { Transaction } from '../src/platform/db/connection.ts'

/**
 * A client's orders, spread evenly over the years, in these final situations: `new`, `assembling`,
 * `on the way`, `received`, `refused` at receipt, `cancelled` before any shipment, `other`. Each
 * cabinet has one shipment a day with the orders of the previous day.
 */
export async function draftOrders(tx: Transaction): Promise<void> {
  await tx`
    create temp table drafts on commit drop as
    with chance as materialized (
      select n, s.finish, s.start, s.days,
        (s.start + (s.finish - s.start) * ((n - random()) / s.orders))::timestamptz(3) as created_at,
        random() as luck, case when random() < 0.65 then 'WB' else 'OZON' end as marketplace,
        1 + floor(s.products * power(random(), 2))::int as good,
        1 + floor(s.products * random())::int as second_good, random() as size
      from spec s, generate_series(1, s.orders) n
    )
    select n, created_at, marketplace, good, luck,
      least(floor(extract(epoch from created_at - start) / 86400), days - 1)::int as day,
      uuidv7(created_at - clock_timestamp()) as id,
      case when marketplace = 'OZON' and size < 0.15 then 2 else 1 end as quantity,
      case when marketplace = 'OZON' and size > 0.92 then second_good end as second_good,
      case
        when finish - created_at < interval '3 hours' then
          case when luck < 0.02 then 'cancelled' else 'new' end
        when luck < 0.04 then 'cancelled'
        when finish - created_at < interval '1 day' then 'assembling'
        when luck < 0.045 then 'other'
        when luck < 0.055 or finish - created_at < interval '7 days' then 'on the way'
        when luck < 0.12 then 'refused'
        else 'received'
      end as fate,
      finish - created_at > interval '3 days' as old_enough_for_sorting
    from chance`
  await tx`
    create temp table batches on commit drop as
    select uuidv7(opened - clock_timestamp()) as id, marketplace, day, opened, orders,
      case when opened + interval '9 hours' < finish then opened + interval '9 hours' end as closed,
      case when opened + interval '29 hours' < finish then opened + interval '29 hours' end as accepted
    from (
      select d.marketplace, d.day, count(*)::int as orders, s.finish,
        (s.start + make_interval(days => d.day + 1) - interval '3 hours')::timestamptz(3) as opened
      from spec s, drafts d
      where d.fate in ('assembling', 'on the way', 'refused', 'received')
      group by d.marketplace, d.day, s.start, s.finish
    ) b`
  await tx`
    create temp table lines on commit drop as
    select d.id as order_id, d.n, l.line, g.barcode, g.article, l.quantity, d.fate, b.id as shipment_id,
      b.closed, d.fate not in ('new', 'cancelled', 'other', 'assembling') as shipped,
      d.fate = 'assembling' and d.luck < 0.5 as collected
    from drafts d
    cross join lateral (
      select 1 as line, d.good as good, d.quantity
      union all select 2, d.second_good, 1 where d.second_good is not null
    ) l
    join goods g on g.n = l.good
    left join batches b on b.marketplace = d.marketplace and b.day = d.day
      and d.fate in ('assembling', 'on the way', 'refused', 'received')`
  await tx`analyze drafts, batches, lines`
}

const ordersAtOnce = 50_000

export async function insertOrders(tx: Transaction, orders: number): Promise<void> {
  await insertShipments(tx)
  for (let from = 1; from <= orders; from += ordersAtOnce) {
    const to = from + ordersAtOnce
    await insertSomeOrders(tx, from, to)
    await insertLines(tx, from, to)
    await insertHistory(tx, from, to)
  }
  await insertMisses(tx)
}

/** Goods that were not found: those of a closed shipment were found in the end, the others wait, once an order and product. */
async function insertMisses(tx: Transaction): Promise<void> {
  await tx`
    insert into pick_misses (client_id, task_id, order_id, barcode, units, reason, at, actor, outcome, ended_at, ended_by)
    select distinct on (l.order_id, l.barcode) s.client_id, b.id, l.order_id, l.barcode, 1,
      (array['COULD_NOT_LOCATE', 'EMPTY_LOCATION', 'DAMAGED', 'MISPLACED'])[1 + l.n % 4],
      b.opened + interval '2 hours', 'staff:bench',
      case when b.closed is not null then 'found' end, b.closed,
      case when b.closed is not null then 'staff:bench' end
    from spec s, lines l join batches b on b.id = l.shipment_id where l.n % 500 = 0
    order by l.order_id, l.barcode`
}

/** A picking task has the id of its shipment. Only misses refer to it here. */
async function insertShipments(tx: Transaction): Promise<void> {
  await tx`
    insert into shipments (client_id, id, cabinet_id, marketplace, external_id, status, orders_count,
      units, created_at, closed_at, accepted_at)
    select s.client_id, b.id, case b.marketplace when 'WB' then s.wb else s.ozon end, b.marketplace,
      case b.marketplace when 'WB' then 'WB-GI-' else 'OZ-' end || 100000000 + b.day,
      case when b.closed is null then 'ASSEMBLING' when b.accepted is null then 'HANDED_OVER' else 'ACCEPTED' end,
      b.orders, coalesce(u.units, 0), b.opened, b.closed, b.accepted
    from spec s, batches b
    left join (
      select shipment_id, sum(quantity) as units from lines where shipped group by 1
    ) u on u.shipment_id = b.id
    order by b.opened`
  await tx`
    insert into picking_tasks (client_id, id, shipment_id, status, opened_at, done_at)
    select s.client_id, b.id, b.id, case when b.closed is null then 'OPEN' else 'DONE' end, b.opened, b.closed
    from spec s, batches b order by b.opened`
}

async function insertSomeOrders(tx: Transaction, from: number, to: number): Promise<void> {
  await tx`
    insert into orders (client_id, id, cabinet_id, marketplace, external_id, status,
      marketplace_status, supplier_status, buyer_status, status_changed_at, sorted, delivered,
      sorted_at, delivered_at, article, barcode, nm_id, is_b2b, shipment_id, created_at, packed_at, synced_at)
    select s.client_id, d.id, case d.marketplace when 'WB' then s.wb else s.ozon end, d.marketplace,
      case d.marketplace when 'WB' then (3000000000 + d.n)::text
        else lpad(d.n::text, 8, '0') || '-0' || d.n % 1000 || '-1' end,
      f.status, f.status,
      case d.marketplace when 'WB' then f.wb_supplier else f.ozon_supplier end,
      case d.marketplace when 'WB' then f.wb_buyer else f.ozon_buyer end,
      least(s.finish, d.created_at + f.settled), f.was_sorted and d.old_enough_for_sorting, d.fate = 'received',
      case when f.was_sorted and d.old_enough_for_sorting then d.created_at + interval '3 days' end,
      case when d.fate = 'received' then d.created_at + f.settled end,
      g.article, g.barcode, case d.marketplace when 'WB' then 200000000 + d.good end, d.n % 97 = 0,
      b.id, d.created_at,
      case when b.closed is not null then b.opened + interval '3 hours'
        when d.fate = 'assembling' and d.luck < 0.5 then s.finish end,
      s.finish - interval '3 minutes'
    from spec s, drafts d
    join goods g on g.n = d.good
    join (values
      ('new', 'NEW', 'new', 'waiting', 'awaiting_packaging', 'posting_created', interval '0', false),
      ('cancelled', 'CANCELLED', 'cancel', 'canceled', 'cancelled', null, interval '1 hour', false),
      ('other', 'OTHER', 'new', 'unknown', 'arbitration', null, interval '1 hour', false),
      ('assembling', 'ASSEMBLING', 'confirm', 'waiting', 'awaiting_deliver', 'posting_awaiting_passport_data', interval '2 hours', false),
      ('on the way', 'IN_DELIVERY', 'complete', 'sorted', 'delivering', 'posting_on_way_to_city', interval '3 days', true),
      ('refused', 'CANCELLED', 'complete', 'canceled_by_client', 'cancelled', 'posting_returned', interval '6 days', true),
      ('received', 'COMPLETED', 'complete', 'sold', 'delivered', 'posting_received', interval '5 days', true)
    ) f (fate, status, wb_supplier, wb_buyer, ozon_supplier, ozon_buyer, settled, was_sorted) on f.fate = d.fate
    left join batches b on b.marketplace = d.marketplace and b.day = d.day
      and d.fate in ('assembling', 'on the way', 'refused', 'received')
    where d.n >= ${from} and d.n < ${to} order by d.n`
}

async function insertLines(tx: Transaction, from: number, to: number): Promise<void> {
  await tx`
    insert into order_lines (client_id, order_id, line, barcode, article, quantity, picked)
    select s.client_id, l.order_id, l.line, l.barcode, l.article, l.quantity,
      case when l.shipped or l.collected then l.quantity else 0 end
    from spec s, lines l where l.n >= ${from} and l.n < ${to} order by l.n, l.line`
  await tx`
    insert into picks (client_id, task_id, scan_id, order_id, line, barcode, at, actor)
    select s.client_id, l.shipment_id, l.n || '-' || l.line || '-' || unit, l.order_id, l.line, l.barcode,
      b.opened + interval '3 hours', 'staff:bench'
    from spec s, lines l join batches b on b.id = l.shipment_id, generate_series(1, l.quantity) unit
    where (l.shipped or l.collected) and l.n >= ${from} and l.n < ${to} order by l.n, l.line`
  await tx`
    insert into stock_movements (client_id, barcode, kind, delta, at, actor, shipment_id, order_id)
    select s.client_id, l.barcode, 'shipment', -l.quantity, l.closed, 'staff:bench', l.shipment_id, l.order_id
    from spec s, lines l where l.shipped and l.n >= ${from} and l.n < ${to} order by l.closed, l.n, l.line`
}

async function insertHistory(tx: Transaction, from: number, to: number): Promise<void> {
  await tx`
    insert into order_status_history (client_id, order_id, at, status)
    select o.client_id, o.id, h.at, h.status
    from spec s
    join orders o on o.client_id = s.client_id
    join drafts d on d.id = o.id
    left join shipments b on b.client_id = o.client_id and b.id = o.shipment_id
    cross join lateral (values
      (1, o.created_at, 'NEW', true),
      (2, b.created_at, 'ASSEMBLING', b.id is not null),
      (3, b.closed_at, 'IN_DELIVERY', b.closed_at is not null),
      (4, o.status_changed_at, o.status, o.status in ('COMPLETED', 'CANCELLED', 'OTHER'))
    ) h (step, at, status, happened)
    where h.happened and d.n >= ${from} and d.n < ${to} order by d.n, h.step`
}
