import Fastify from 'fastify'
import pg from 'pg'
import { readHosts } from '../src/platform/db/connections/address.ts'
import { startEmbedded } from '../src/platform/postgres/supervisor.ts'

/**
 * The baseline: node bare.ts <data directory> <client id>. Each route is what a stranger would write by the
 * documentation of Fastify and of pg. It sends one statement to the same database server, from a pool of as many
 * connections, and answers with its rows. It has no keys, buckets, journal, totals, views or hooks. What it writes
 * goes to tables of its own, without triggers. The statements are fixed here, so that a change of the service shows
 * in the ratio.
 */

const [dataDir = '', clientId = ''] = process.argv.slice(2)
const { target, stop } = await startEmbedded({ dataDir, as: 'command' })
const { client } = readHosts(target).current
const pool = new pg.Pool({ ...client, max: 10, application_name: 'bench bare' })
const app = Fastify()

/** Copies of the service's tables with their indexes, empty but for the client's counter. */
await pool.query('create schema if not exists bare')
for (const table of ['client_counters', 'receipts', 'receipt_items']) {
  await pool.query(
    `create table if not exists bare.${table} (like ${table} including defaults including indexes)`,
  )
}
await pool.query(
  'insert into bare.client_counters (client_id) values ($1) on conflict do nothing',
  [clientId],
)

const stockItems = `
  select p.barcode, p.article, p.name, b.quantity, b.in_question, b.reserved, b.updated_at,
    f.boxes, f.pallets, f.marketplace_stock
  from products p join stock_balances b on b.client_id = p.client_id and b.barcode = p.barcode
  left join stock_figures f on f.client_id = p.client_id and f.barcode = p.barcode`

app.get<{ Params: { barcode: string } }>('/stock/:barcode', async ({ params }) => {
  const { rows } = await pool.query(`${stockItems} where p.client_id = $1 and p.barcode = $2`, [
    clientId,
    params.barcode,
  ])
  return rows[0]
})

app.get<{ Querystring: { limit: string } }>('/stock', async ({ query }) => {
  const { rows } = await pool.query(
    `${stockItems} where p.client_id = $1 order by p.barcode limit $2`,
    [clientId, query.limit],
  )
  return rows
})

app.get('/stock-version', async (_request, reply) => {
  const { rows } = await pool.query(
    'select sum(version) as version from stock_versions where client_id = $1',
    [clientId],
  )
  return reply.header('ETag', `"${rows[0].version}"`).code(304).send()
})

const orders = `
  select o.id, o.marketplace, o.external_id, o.status, o.supplier_status, o.buyer_status,
    o.status_changed_at, o.article, o.barcode, o.nm_id, o.is_b2b, o.shipment_id,
    s.external_id as shipment_external_id, o.created_at, o.packed_at, o.synced_at
  from orders o left join shipments s on s.client_id = o.client_id and s.id = o.shipment_id
  where o.client_id = $1 and not o.observed`

app.get<{ Params: { id: string } }>('/orders/:id', async ({ params }) => {
  const { rows } = await pool.query(`${orders} and o.id = $2`, [clientId, params.id])
  return rows[0]
})

interface OrderPlace {
  limit: string
  /** The creation of the order that the page follows, and its id. */
  at?: string
  id?: string
  before?: string
}

app.get<{ Querystring: OrderPlace }>('/orders', async ({ query: { limit, at, id, before } }) => {
  const values = [clientId, limit]
  let where = ''
  if (before !== undefined) where += ` and o.created_at < $${values.push(before)}`
  if (at !== undefined && id !== undefined) {
    where += ` and (o.created_at, o.id) < ($${values.push(at)}, $${values.push(id)})`
  }
  const { rows } = await pool.query(
    `${orders} ${where} order by o.created_at desc, o.id desc limit $2`,
    values,
  )
  return rows
})

const receiptColumns = `
  r.id, r.number, r.status, r.source, r.external_ref, r.comment, r.planned_date, r.expected_qty,
  r.accepted_qty, r.discrepancy_qty, r.created_at, r.confirmed_at, r.completed_at`

app.get<{ Querystring: { limit: string } }>('/receipts', async ({ query }) => {
  const { rows } = await pool.query(
    `select ${receiptColumns} from receipts r
    where r.client_id = $1 order by r.created_at desc, r.id desc limit $2`,
    [clientId, query.limit],
  )
  return rows
})

app.get<{ Params: { id: string } }>('/receipts/:id', async ({ params }) => {
  const { rows } = await pool.query(
    `select ${receiptColumns}, (
      select json_agg(json_build_object('barcode', i.barcode, 'article', i.article, 'name', i.name,
        'honest_mark', i.honest_mark, 'expected_qty', i.expected_qty, 'accepted_qty', i.accepted_qty) order by i.line)
      from receipt_items i where i.client_id = r.client_id and i.receipt_id = r.id
    ) as items
    from receipts r where r.client_id = $1 and r.id = $2`,
    [clientId, params.id],
  )
  return rows[0]
})

app.get<{ Querystring: { limit: string } }>('/shipments', async ({ query }) => {
  const { rows } = await pool.query(
    `select s.id, s.marketplace, s.external_id, s.name, s.status, s.orders_count, s.created_at, s.closed_at,
      s.accepted_at
    from shipments s where s.client_id = $1 and not s.observed
    order by s.created_at desc, s.id desc limit $2`,
    [clientId, query.limit],
  )
  return rows
})

app.get<{ Params: { id: string } }>('/shipments/:id', async ({ params }) => {
  const { rows } = await pool.query(
    `${orders} and o.shipment_id = $2 order by o.created_at desc, o.id desc`,
    [clientId, params.id],
  )
  return rows
})

app.get('/me', async () => {
  const { rows } = await pool.query(
    `select c.id, c.name, c.inn, b.id as cabinet_id, b.marketplace, b.name as cabinet_name, b.active, b.synced_at
    from clients c join cabinets b on b.client_id = c.id where c.id = $1`,
    [clientId],
  )
  return rows
})

/** The main sums of whole days, from the tallies. */
app.get<{ Querystring: { days: string; client?: string } }>('/metrics', async ({ query }) => {
  const { rows } = await pool.query(
    `with since as (select moscow_day(now()) - $2::int as day)
    select status, sum(orders) as orders,
      (select sum(units) from movement_tallies t, since
        where t.client_id = $1 and t.kind = 'acceptance' and t.span = 'day' and t.day >= since.day) as accepted,
      (select sum(quantity) from stock_balances b where b.client_id = $1) as stored
    from order_tallies o, since
    where o.client_id = $1 and o.span = 'day' and o.day >= since.day group by status`,
    [query.client ?? clientId, query.days],
  )
  return rows
})

interface Receipt {
  external_ref: string
  cabinet_id: string
  items: { barcode: string; qty: number }[]
}

app.post<{ Body: Receipt }>('/receipts', async ({ body }, reply) => {
  const expected = body.items.reduce((sum, { qty }) => sum + qty, 0)
  const { rows } = await pool.query(
    `with numbered as (
      update bare.client_counters set receipts = receipts + 1 where client_id = $1 returning receipts
    ), added as (
      insert into bare.receipts (client_id, id, number, cabinet_id, status, source, external_ref, expected_qty, created_at)
      select $1, uuidv7(), 'R-' || lpad(receipts::text, 6, '0'), $2::uuid, 'EXPECTED', 'manual', $3::text, $4::bigint, now()
      from numbered returning *
    ), listed as (
      insert into bare.receipt_items (client_id, receipt_id, barcode, line, name, honest_mark, expected_qty)
      select a.client_id, a.id, i.barcode, row_number() over (), i.barcode, false, i.qty
      from added a, jsonb_to_recordset($5::jsonb) i (barcode text, qty bigint)
    )
    select id, number, created_at from added`,
    [clientId, body.cabinet_id, body.external_ref, expected, JSON.stringify(body.items)],
  )
  return reply.code(201).send(rows[0])
})

process.on('SIGTERM', async () => {
  await app.close()
  await pool.end()
  await stop()
})
console.log(`ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
