import type { Database, Transaction } from '../src/platform/db/connection.ts'

/** How large the warehouse is. Everything is spread evenly over its clients. */
export interface WarehouseSize {
  readonly clients: number
  readonly orders: number
  readonly boxes: number
}

/** Goods of a client. All clients have the same barcodes, the worst case for a look-up. */
const goodsOfClient = 50
const ordersOfShipment = 10
/** Of a hundred orders two wait for a shipment, and two are in one that is being collected. */
const [waiting, collected] = [2, 2]

/** The barcode of the n-th goods of each client. */
export const barcodeOf = (n: number) => `460${String(n * 7_919).padStart(10, '0')}`
/** The marketplace's number of the n-th order. */
export const numberOf = (n: number) => `N${n}`
/** The printed number of the n-th box. */
export const ssccOf = (n: number) => withCheckDigit(`1460000${String(n).padStart(10, '0')}`)

function withCheckDigit(digits: string): string {
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1),
    0,
  )
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/**
 * Fills a database without clients with a warehouse of many. The rows are as after years of work, but no verb wrote
 * them, and triggers rest meanwhile: this warehouse is for reads alone.
 */
export async function fillWarehouse(db: Database, size: WarehouseSize): Promise<void> {
  await db.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      create function pg_temp.id(kind text, n bigint) returns uuid language sql immutable
      return md5(kind || n)::uuid`
    await insertClients(tx, size)
    await insertStored(tx, size)
    await insertOrders(tx, size)
    await insertShipments(tx, size)
    await insertOtherWork(tx, size)
  })
  await db`vacuum (analyze)`
}

async function insertClients(tx: Transaction, { clients }: WarehouseSize): Promise<void> {
  await tx`
    insert into warehouses (code, name, created_at) values ('BENCH', 'Склад', now())`
  await tx`
    insert into clients (id, mode, name, name_folded, warehouse_code, created_at)
    select pg_temp.id('client', n), 'live', 'Продавец ' || n, 'продавец ' || n, 'BENCH', now()
    from generate_series(1, ${clients}::int) n`
  await tx`
    insert into cabinets (client_id, id, marketplace, name, synced_at, created_at)
    select pg_temp.id('client', n), pg_temp.id(m, n), m, m, now(), now()
    from generate_series(1, ${clients}::int) n, unnest(array['WB', 'OZON']) m`
  const barcodes = Array.from({ length: goodsOfClient }, (_, n) => barcodeOf(n))
  await tx`
    insert into products (client_id, barcode, name, name_folded, created_at)
    select pg_temp.id('client', n), b, 'Товар ' || b, 'товар ' || b, now()
    from generate_series(1, ${clients}::int) n, unnest(${barcodes}::text[]) b`
  // One of fifty has units in question, and one of five is sold out.
  await tx`
    insert into stock_balances (client_id, barcode, quantity, in_question, updated_at)
    select p.client_id, p.barcode, case when g.n % 5 = 0 then 0 else 200 end,
      case when g.n = 1 then 2 else 0 end, now()
    from unnest(${barcodes}::text[]) with ordinality g (barcode, n) join products p using (barcode)`
  await tx`
    insert into stock_movements (client_id, barcode, kind, delta, question_delta, at, actor)
    select client_id, barcode, 'correction', quantity, in_question, now() - interval '9 days', 'service'
    from stock_balances where quantity > 0`
}

async function insertStored(tx: Transaction, { clients, boxes }: WarehouseSize): Promise<void> {
  await tx`
    insert into locations (id, warehouse_code, code, walk_order, created_at)
    select pg_temp.id('location', n), 'BENCH', 'A-' || n, n, now()
    from generate_series(1, ${Math.ceil(boxes / 50)}::int) n`
  await tx`
    insert into boxes (client_id, id, location_id, created_at)
    select pg_temp.id('client', 1 + n % ${clients}::int), pg_temp.id('box', n),
      pg_temp.id('location', 1 + n % ${Math.ceil(boxes / 50)}::int), now()
    from generate_series(1, ${boxes}::int) n`
  const numbers = Array.from({ length: boxes }, (_, n) => ssccOf(n + 1))
  await tx`
    insert into storage_numbers (sscc, client_id, kind, object_id)
    select s.sscc, pg_temp.id('client', 1 + s.n % ${clients}::int), 'box', pg_temp.id('box', s.n)
    from unnest(${numbers}::text[]) with ordinality s (sscc, n)`
  const barcodes = Array.from({ length: goodsOfClient }, (_, n) => barcodeOf(n))
  await tx`
    insert into box_contents (client_id, box_id, barcode, quantity)
    select client_id, id, (${barcodes}::text[])[1 + (row_number() over (order by id)) % ${goodsOfClient}::int], 1
    from boxes`
}

/** The n-th order belongs to the client 1 + n % clients. Its place in a hundred says where it is. */
async function insertOrders(tx: Transaction, { clients, orders }: WarehouseSize): Promise<void> {
  const barcodes = Array.from({ length: goodsOfClient }, (_, n) => barcodeOf(n))
  await tx`
    create temp table drafts on commit drop as
    select n, 1 + n % ${clients}::int as client, (n / ${clients}::int) % 100 as place,
      case when n % 3 = 0 then 'OZON' else 'WB' end as marketplace,
      (${barcodes}::text[])[1 + (n / ${clients}::int) % ${goodsOfClient}::int] as barcode
    from generate_series(1, ${orders}::int) n`
  await tx`
    insert into orders (client_id, id, cabinet_id, marketplace, external_id, status, marketplace_status,
      status_changed_at, article, barcode, deadline_at, shipment_id, created_at, synced_at)
    select pg_temp.id('client', client), pg_temp.id('order', n), pg_temp.id(marketplace, client), marketplace,
      'N' || n, s.status, s.status, now(), 'ART', barcode, now() + n % 2000 * interval '1 minute',
      case when place between ${waiting}::int and ${waiting + collected - 1}::int
        then pg_temp.id('shipment', shipment) end,
      now() - n * interval '10 seconds', now()
    from (
      select *, case when place < ${waiting}::int then 'NEW'
          when place < ${waiting + collected}::int then 'ASSEMBLING'
          when place < 96 then 'COMPLETED' else 'CANCELLED' end as status,
        -- Of one client and one marketplace.
        (client * 10 + case marketplace when 'WB' then 0 else 1 end)::bigint * 1000000
          + (n / ${clients}::int / 100 * ${collected}::int) / ${ordersOfShipment}::int as shipment
      from drafts
    ) s`
  await tx`
    insert into order_lines (client_id, order_id, line, barcode, article, quantity)
    select pg_temp.id('client', client), pg_temp.id('order', n), 1, barcode, 'ART', 1 from drafts`
  await tx`
    insert into order_tallies (client_id, span, day, marketplace, status, sorted, delivered, orders)
    select client_id, s.span, s.day, marketplace, status, sorted, delivered, count(*)
    from orders, lateral (
      values ('all', '-infinity'::date), ('day', moscow_day(created_at)), ('month', month_of(moscow_day(created_at)))
    ) s (span, day) group by 1, 2, 3, 4, 5, 6, 7`
}

/** Open ones of the orders that are being collected, and as many again for each of twenty days. */
async function insertShipments(tx: Transaction, { clients }: WarehouseSize): Promise<void> {
  await tx`
    insert into shipments (client_id, id, cabinet_id, marketplace, external_id, status, orders_count, created_at)
    select client_id, shipment_id, cabinet_id, marketplace, 'S' || shipment_id, 'ASSEMBLING', count(*), now()
    from orders where shipment_id is not null group by 1, 2, 3, 4`
  await tx`
    insert into shipments (client_id, id, cabinet_id, marketplace, external_id, status, created_at, closed_at, accepted_at)
    select pg_temp.id('client', n), pg_temp.id('old' || day, n), pg_temp.id('WB', n), 'WB', 'O' || day || '-' || n,
      'ACCEPTED', now() - day * interval '1 day', now(), now()
    from generate_series(1, ${clients}::int) n, generate_series(1, 20) day`
  await tx`
    insert into picking_tasks (client_id, id, shipment_id, status, opened_at, done_at)
    select client_id, id, id, case when status = 'ASSEMBLING' then 'OPEN' else 'DONE' end, created_at,
      accepted_at
    from shipments`
}

/** Receipts, returns and counts: a few open ones of each client, and many that ended. */
async function insertOtherWork(tx: Transaction, { clients }: WarehouseSize): Promise<void> {
  await tx`
    insert into expected_returns (client_id, id, cabinet_id, external_id, kind, state, units, place_name,
      label_code, created_at, synced_at)
    select pg_temp.id('client', n), pg_temp.id('expected' || r, n), pg_temp.id('WB', n), 'R' || r || '-' || n,
      'REFUSAL', case when r <= 10 then 'READY' when r <= 30 then 'ON_THE_WAY' else 'RECEIVED' end, 1,
      'ПВЗ ' || r % 5, 'L' || r || '-' || n, now() - r * interval '1 hour', now()
    from generate_series(1, ${clients}::int) n, generate_series(1, 60) r`
  await tx`
    insert into return_batches (client_id, id, number, status, created_at, created_by, finished_at, finished_by)
    select pg_temp.id('client', n), pg_temp.id('batch' || b, n), 'В' || b || '-' || n,
      case when b = 1 and n % 10 = 0 then 'OPEN' else 'FINISHED' end, now() - b * interval '1 day', 'service',
      case when b = 1 and n % 10 = 0 then null else now() end,
      case when b = 1 and n % 10 = 0 then null else 'service' end
    from generate_series(1, ${clients}::int) n, generate_series(1, 20) b`
  await tx`
    insert into return_lines (client_id, return_id, line, external_id, units)
    select client_id, id, line, 'R' || line, 1 from return_batches, generate_series(1, 20) line`
  await tx`
    insert into stock_counts (client_id, id, status, blind, barcodes, box_ids, location_ids, created_at, created_by,
      started_at, ended_at, ended_by)
    select pg_temp.id('client', n), pg_temp.id('count' || c, n),
      case when c = 1 and n % 10 = 0 then 'COUNTING' else 'CLOSED' end, true, '{}', '{}', '{}',
      now() - c * interval '7 days', 'service', now(),
      case when c = 1 and n % 10 = 0 then null else now() end,
      case when c = 1 and n % 10 = 0 then null else 'service' end
    from generate_series(1, ${clients}::int) n, generate_series(1, 12) c`
  await tx`
    insert into count_scans (client_id, count_id, scan_id, barcode, units, expected, expected_here, at, actor)
    select c.client_id, c.id, p.barcode, p.barcode, 200, 200, 200, now(), 'service'
    from stock_counts c join products p on p.client_id = c.client_id
    where c.status = 'COUNTING' or c.created_at > now() - interval '20 days'`
  await tx`
    insert into count_goods (client_id, count_id, barcode, units, scans)
    select client_id, count_id, barcode, sum(units), count(*) from count_scans group by 1, 2, 3`
}
