import type { Transaction } from '../src/platform/db/connection.ts'

/** Inserts the products of a client. Everything else refers to them. */
export async function insertGoods(tx: Transaction): Promise<void> {
  await tx`
    create temp table goods on commit drop as
    select n, '460' || lpad((n::bigint * 7919)::text, 10, '0') as barcode,
      (array['Футболка', 'Кружка', 'Чехол', 'Рюкзак', 'Лампа', 'Плед', 'Термос', 'Зонт'])[1 + n % 8]
        || ', вид ' || n as name,
      'ART-' || lpad(n::text, 6, '0') as article
    from spec s, generate_series(1, s.products) n`
  await tx`
    insert into products (client_id, barcode, name, article, honest_mark, name_folded, article_folded, created_at)
    select s.client_id, g.barcode, g.name, g.article, g.n % 9 = 0, lower(g.name), lower(g.article),
      s.start - interval '10 days'
    from spec s, goods g order by g.barcode`
  await tx`
    insert into barcode_aliases (client_id, spelling, barcode)
    select s.client_id, a.spelling, g.barcode from spec s, goods g, gtin_spellings(g.barcode) a (spelling)`
  await tx`analyze goods`
}

/** Receives enough units to cover what shipments took or reserve, and puts the remaining units into boxes. */
export async function fillGoods(tx: Transaction): Promise<void> {
  await draftReceipts(tx)
  await insertReceipts(tx)
  await insertBalances(tx)
  await insertStorage(tx)
  await insertMarketplaceStock(tx)
}

const linesOfReceipt = 30

/** Spreads goods over receipts, so that each barcode is received several times a year. */
async function draftReceipts(tx: Transaction): Promise<void> {
  await tx`
    create temp table arrivals on commit drop as
    with lines_in as (
      select r as receipt, l as line, ((r - 1) * ${linesOfReceipt}::int + l - 1) % s.products + 1 as good
      from spec s,
        generate_series(1, greatest(2 * s.products / ${linesOfReceipt}::int + 1, s.orders / 300)) r,
        generate_series(1, ${linesOfReceipt}::int) l
    ), needed as (
      select g.n as good, 5 + g.n % 40 + coalesce(sum(l.quantity), 0) as units
      from goods g left join lines l on l.barcode = g.barcode and (l.shipped or l.fate = 'assembling')
      group by g.n
    )
    select i.receipt, i.line, g.barcode, g.name, g.article,
      ceil(n.units / count(*) over (partition by i.good)::numeric)::bigint as accepted,
      case when i.receipt % 10 = 0 and i.line <= 3 then i.line else 0 end as missing
    from lines_in i join needed n on n.good = i.good join goods g on g.n = i.good`
  await tx`
    create temp table deliveries on commit drop as
    select receipt, uuidv7(created_at - clock_timestamp()) as id, created_at, accepted, missing
    from (
      select a.receipt, sum(a.accepted) as accepted, sum(a.missing) as missing,
        (s.start + make_interval(days => s.days - 6) * (a.receipt::float8 / max(a.receipt) over ()))::timestamptz(3) as created_at
      from spec s, arrivals a group by a.receipt, s.start, s.days
    ) d`
}

async function insertReceipts(tx: Transaction): Promise<void> {
  await tx`
    insert into receipts (client_id, id, number, cabinet_id, status, source, expected_qty,
      accepted_qty, discrepancy_qty, created_at, completed_at)
    select s.client_id, d.id, 'R-' || lpad(d.receipt::text, 6, '0'), s.wb,
      case when d.missing > 0 then 'RECEIVED_WITH_DISCREPANCY' else 'RECEIVED' end,
      case when d.receipt % 2 = 0 then 'file' else 'manual' end,
      d.accepted + d.missing, d.accepted, d.missing, d.created_at, d.created_at + interval '6 hours'
    from spec s, deliveries d order by d.receipt`
  await tx`
    insert into receipt_items (client_id, receipt_id, barcode, line, name, article, honest_mark,
      expected_qty, accepted_qty, shortage_reason)
    select s.client_id, d.id, a.barcode, a.line, a.name, a.article, false, a.accepted + a.missing, a.accepted,
      case a.missing when 0 then null when 1 then 'NOT_DELIVERED' when 2 then 'DAMAGED' else 'NO_BARCODE' end
    from spec s, deliveries d join arrivals a using (receipt) order by d.receipt, a.line`
  await tx`
    insert into receipt_scans (client_id, receipt_id, scan_id, barcode, quantity, at, actor)
    select s.client_id, d.id, 'scan-' || a.line, a.barcode, a.accepted, d.created_at + interval '5 hours', 'staff:bench'
    from spec s, deliveries d join arrivals a using (receipt) order by d.receipt, a.line`
  await tx`
    insert into stock_movements (client_id, barcode, kind, delta, at, actor, receipt_id)
    select s.client_id, a.barcode, 'acceptance', a.accepted, d.created_at + interval '5 hours', 'staff:bench', d.id
    from spec s, deliveries d join arrivals a using (receipt) order by d.receipt, a.line`
  await tx`
    update client_counters c set receipts = d.receipts
    from spec s, (select max(receipt) as receipts from deliveries) d where c.client_id = s.client_id`
}

async function insertBalances(tx: Transaction): Promise<void> {
  await tx`
    insert into stock_movements (client_id, barcode, kind, delta, question_delta, at, actor, reason)
    select s.client_id, g.barcode, 'question', 0, 1, s.finish - interval '5 days', 'staff:bench', 'COUNT'
    from spec s, goods g where g.n % 50 = 0`
  await tx`
    insert into stock_balances
      (client_id, barcode, quantity, in_question, reserved, outside, updated_at)
    select s.client_id, m.barcode, m.quantity, m.in_question, coalesce(r.units, 0), m.outside, m.at
    from spec s, (
      select barcode, sum(delta) as quantity, sum(question_delta) as in_question,
        coalesce(-sum(delta) filter (where kind in ('shipment', 'return')), 0) as outside, max(at) as at
      from stock_movements where client_id = (select client_id from spec) group by 1
    ) m
    left join (
      select barcode, sum(quantity) as units from lines where fate = 'assembling' group by 1
    ) r using (barcode)
    order by m.barcode`
}

/** One to three boxes per barcode, twenty boxes per pallet. */
async function insertStorage(tx: Transaction): Promise<void> {
  await tx`
    create temp table shelved on commit drop as
    select b.barcode, (g.n * 2 + i * 7) % (2 * s.products) as box,
      greatest(1, b.quantity / (1 + g.n % 3)) as quantity
    from spec s, goods g join stock_balances b on b.barcode = g.barcode
      and b.client_id = (select client_id from spec),
      generate_series(1, 1 + g.n % 3) i
    where b.quantity >= 3`
  await tx`
    create temp table places on commit drop as
    select box, uuidv7() as id, dense_rank() over (order by box / 20) as pallet
    from (select distinct box from shelved) b`
  await tx`
    create temp table stacks on commit drop as
    select pallet, uuidv7() as id from (select distinct pallet from places) p`
  await tx`
    insert into pallets (client_id, id, created_at) select s.client_id, p.id, s.start from spec s, stacks p`
  await tx`
    insert into boxes (client_id, id, pallet_id, created_at)
    select s.client_id, b.id, p.id, s.start from spec s, places b join stacks p using (pallet)`
  await tx`
    insert into box_contents (client_id, box_id, barcode, quantity)
    select s.client_id, p.id, h.barcode, h.quantity from spec s, shelved h join places p using (box)`
}

/** WB reports a figure per warehouse, OZON one in all. */
async function insertMarketplaceStock(tx: Transaction): Promise<void> {
  await tx`
    insert into marketplace_stock
      (client_id, barcode, cabinet_id, item_id, product, warehouse_id, warehouse_name, quantity,
        synced_at)
    select s.client_id, b.barcode, case m.marketplace when 'WB' then s.wb else s.ozon end,
      g.n, g.n, m.warehouse, m.name, b.quantity / 2, s.finish - interval '3 minutes'
    from spec s join stock_balances b on b.client_id = s.client_id join goods g using (barcode), (values
      ('WB', 507101, 'Подольск FBS'), ('WB', 507102, 'Казань FBS'), ('OZON', 0, null)
    ) m (marketplace, warehouse, name)
    order by b.barcode`
  await tx`
    update cabinets k set synced_at = s.finish - interval '3 minutes' from spec s where k.client_id = s.client_id`
}
