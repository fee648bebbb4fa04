import Fastify from 'fastify'
import { openDatabase } from '../src/db/connection.ts'
import { startEmbedded } from '../src/db/embedded/supervisor.ts'

/**
 * The baseline: node bare.ts <data directory> <client id>. Each route runs one statement on the same database server,
 * through the same driver with as many connections, and answers its rows as JSON. It has no keys, buckets, journal,
 * totals, views or hooks. What it writes goes to tables of its own, without triggers. The statements are fixed here, so that a change of the service shows in the ratio.
 */

const [dataDir = '', clientId = ''] = process.argv.slice(2)
const { target, stop } = await startEmbedded({ dataDir, as: 'command' })
const db = openDatabase(target, { max: 10, applicationName: 'bench bare' })
const app = Fastify()

/** Copies of the service's tables with their indexes, empty but for the client's counter. */
await db`create schema if not exists bare`
for (const table of ['client_counters', 'receipts', 'receipt_items']) {
  const name = db(table)
  await db`create table if not exists bare.${name} (like ${name} including defaults including indexes)`
}
await db`insert into bare.client_counters (client_id) values (${clientId}) on conflict do nothing`

const stockColumns = db`
  p.barcode, p.article, p.name, b.quantity, b.in_question, b.reserved, b.updated_at,
  f.boxes, f.pallets, f.marketplace_stock`
const stockTables = db`
  products p join stock_balances b on b.client_id = p.client_id and b.barcode = p.barcode
  left join stock_figures f on f.client_id = p.client_id and f.barcode = p.barcode`

app.get<{ Params: { barcode: string } }>('/stock/:barcode', async (request, reply) => {
  const [row] = await db`
    select ${stockColumns} from ${stockTables}
    where p.client_id = ${clientId} and p.barcode = ${request.params.barcode}`
  return reply.type('application/json').send(JSON.stringify(row))
})

app.get<{ Querystring: { limit: string } }>('/stock', async (request, reply) => {
  const rows = await db`
    select ${stockColumns} from ${stockTables}
    where p.client_id = ${clientId} order by p.barcode limit ${request.query.limit}`
  return reply.type('application/json').send(JSON.stringify(rows))
})

app.get('/stock-version', async (_request, reply) => {
  const [row] = await db<[{ version: number }]>`
    select sum(version)::bigint as version from stock_versions where client_id = ${clientId}`
  return reply.header('ETag', `"${row.version}"`).code(304).send()
})

const orderColumns = db`
  select o.id, o.marketplace, o.external_id, o.status, o.supplier_status, o.buyer_status,
    o.status_changed_at, o.article, o.barcode, o.nm_id, o.is_b2b, o.shipment_id,
    s.external_id as shipment_external_id, o.created_at, o.packed_at, o.synced_at
  from orders o left join shipments s on s.client_id = o.client_id and s.id = o.shipment_id`

app.get<{ Params: { id: string } }>('/orders/:id', async (request, reply) => {
  const [row] = await db`
    ${orderColumns} where o.client_id = ${clientId} and o.id = ${request.params.id} and not o.observed`
  return reply.type('application/json').send(JSON.stringify(row))
})

interface OrderPlace {
  limit: string
  /** The creation of the order that the page follows, and its id. */
  at?: string
  id?: string
  before?: string
}

app.get<{ Querystring: OrderPlace }>('/orders', async (request, reply) => {
  const { limit, at, id, before } = request.query
  const rows = await db`
    ${orderColumns}
    where o.client_id = ${clientId} and not o.observed
      ${before === undefined ? db`` : db`and o.created_at < ${before}`}
      ${at === undefined ? db`` : db`and (o.created_at, o.id) < (${at}::timestamptz, ${id ?? ''}::uuid)`}
    order by o.created_at desc, o.id desc limit ${limit}`
  return reply.type('application/json').send(JSON.stringify(rows))
})

const receiptColumns = db`
  r.id, r.number, r.status, r.source, r.external_ref, r.comment, r.planned_date, r.expected_qty,
  r.accepted_qty, r.discrepancy_qty, r.created_at, r.confirmed_at, r.completed_at`

app.get<{ Querystring: { limit: string } }>('/receipts', async (request, reply) => {
  const rows = await db`
    select ${receiptColumns} from receipts r
    where r.client_id = ${clientId} order by r.created_at desc, r.id desc limit ${request.query.limit}`
  return reply.type('application/json').send(JSON.stringify(rows))
})

app.get<{ Params: { id: string } }>('/receipts/:id', async (request, reply) => {
  const [row] = await db`
    select ${receiptColumns}, (
      select json_agg(json_build_object('barcode', i.barcode, 'article', i.article, 'name', i.name,
        'honest_mark', i.honest_mark, 'expected_qty', i.expected_qty, 'accepted_qty', i.accepted_qty) order by i.line)
      from receipt_items i where i.client_id = r.client_id and i.receipt_id = r.id
    ) as items
    from receipts r where r.client_id = ${clientId} and r.id = ${request.params.id}`
  return reply.type('application/json').send(JSON.stringify(row))
})

const shipmentColumns = db`
  s.id, s.marketplace, s.external_id, s.name, s.status, s.orders_count, s.created_at, s.closed_at,
  s.accepted_at`

app.get<{ Querystring: { limit: string } }>('/shipments', async (request, reply) => {
  const rows = await db`
    select ${shipmentColumns} from shipments s
    where s.client_id = ${clientId} and not s.observed
    order by s.created_at desc, s.id desc limit ${request.query.limit}`
  return reply.type('application/json').send(JSON.stringify(rows))
})

app.get<{ Params: { id: string } }>('/shipments/:id', async (request, reply) => {
  const rows = await db`
    ${orderColumns}
    where o.client_id = ${clientId} and o.shipment_id = ${request.params.id} and not o.observed
    order by o.created_at desc, o.id desc`
  return reply.type('application/json').send(JSON.stringify(rows))
})

app.get('/me', async (_request, reply) => {
  const rows = await db`
    select c.id, c.name, c.inn, b.id as cabinet_id, b.marketplace, b.name as cabinet_name, b.active, b.synced_at
    from clients c join cabinets b on b.client_id = c.id where c.id = ${clientId}`
  return reply.type('application/json').send(JSON.stringify(rows))
})

/** The main sums of whole days, from the tallies. */
app.get<{ Querystring: { days: string; client?: string } }>('/metrics', async (request, reply) => {
  const { days, client = clientId } = request.query
  const rows = await db`
    with since as (select moscow_day(now()) - ${days}::int as day)
    select status, sum(orders)::bigint as orders,
      (select sum(units)::bigint from movement_tallies t, since
        where t.client_id = ${client} and t.kind = 'acceptance' and t.span = 'day' and t.day >= since.day) as accepted,
      (select sum(quantity)::bigint from stock_balances b where b.client_id = ${client}) as stored
    from order_tallies o, since
    where o.client_id = ${client} and o.span = 'day' and o.day >= since.day group by status`
  return reply.type('application/json').send(JSON.stringify(rows))
})

interface Receipt {
  external_ref: string
  cabinet_id: string
  items: { barcode: string; qty: number }[]
}

app.post<{ Body: Receipt }>('/receipts', async (request, reply) => {
  const { external_ref: reference, cabinet_id: cabinet, items } = request.body
  const expected = items.reduce((sum, { qty }) => sum + qty, 0)
  const [row] = await db`
    with numbered as (
      update bare.client_counters set receipts = receipts + 1 where client_id = ${clientId} returning receipts
    ), added as (
      insert into bare.receipts (client_id, id, number, cabinet_id, status, source, external_ref, expected_qty, created_at)
      select ${clientId}, uuidv7(), 'R-' || lpad(receipts::text, 6, '0'), ${cabinet}, 'EXPECTED', 'manual', ${reference}, ${expected}, now()
      from numbered returning *
    ), listed as (
      insert into bare.receipt_items (client_id, receipt_id, barcode, line, name, honest_mark, expected_qty)
      select a.client_id, a.id, i.barcode, row_number() over (), i.barcode, false, i.qty
      from added a, jsonb_to_recordset(${db.json(items)}) i (barcode text, qty bigint)
    )
    select id, number, created_at from added`
  return reply.code(201).type('application/json').send(JSON.stringify(row))
})

process.on('SIGTERM', async () => {
  await app.close()
  await db.end({ timeout: 5 })
  await stop()
})
console.log(`ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
