// A statement that a connection has planned once serves every client, and what was empty when it was planned. It must read
// the rows that it looks up and no others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dueDeliveries } from '../../src/exchange/webhooks/due-deliveries.ts'
import { releaseLeases, renewLeases } from '../../src/exchange/webhooks/leases.ts'
import { recordOutcomes } from '../../src/exchange/webhooks/record-outcomes.ts'
import { standardSchedule } from '../../src/exchange/webhooks/schedule.ts'
import { answeredWith } from '../../src/exchange/webhooks/send.ts'
import { type Database, openDatabase, type Transaction } from '../../src/platform/db/connection.ts'
import { sharedWorkAt, type Work } from '../../src/platform/db/work.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import type { Position } from '../../src/platform/kernel/cursor.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { day, midnight, toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { listCharges } from '../../src/warehouse/billing/charges.ts'
import { findProduct } from '../../src/warehouse/catalogue/products.ts'
import { readMetrics } from '../../src/warehouse/metrics/queries.ts'
import { findStaffOrders } from '../../src/warehouse/orders/staff-queries.ts'
import { requestReceipts } from '../../src/warehouse/receipts/request.ts'
import { registerProducts } from '../../src/warehouse/stock/new-products.ts'
import { listStock } from '../../src/warehouse/stock/queries.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, noon } from '../support/warehouse.ts'

const { db, target } = await testDatabase({ plansForValues: true })
const others = 40

type Counted =
  | 'orders'
  | 'receipts'
  | 'products'
  | 'stock_balances'
  | 'stock_figures'
  | 'webhook_subscriptions'

/** Entries of the table's indexes, and rows without an index, that some work reads in a transaction. */
function entriesReadBy(
  table: Counted,
  work: (tx: Transaction) => Promise<void>,
  planOnce = true,
): Promise<number> {
  return db.begin({ planOnce }, async (tx) => {
    const before = await entriesRead(tx, table)
    await work(tx)
    return (await entriesRead(tx, table)) - before
  })
}

/** The server goes on counting from earlier transactions of the session. */
async function entriesRead(tx: Transaction, table: Counted): Promise<number> {
  const [row] = await tx<[{ read: number }]>`
    select (t.seq_tup_read + (
      select sum(pg_stat_get_xact_tuples_returned(i.indexrelid)) from pg_index i where i.indrelid = t.relid
    ))::int as read
    from pg_stat_xact_user_tables t where t.relname = ${table}`
  return row.read
}

async function clientWithOrders(orders: number, deliveredAfter: string | null = null) {
  const { id, cabinets } = await makeClient(db)
  const cabinetId = cabinets[0] ?? ''
  await db`
    insert into orders (client_id, id, cabinet_id, marketplace, external_id, status, marketplace_status,
      announced_status, created_at, sorted_at, delivered_at)
    select ${id}, gen_random_uuid(), ${cabinetId}, 'WB', ${id}::text || n, 'NEW', 'NEW', 'NEW', made,
      made + ${deliveredAfter}::interval, made + ${deliveredAfter}::interval
    from generate_series(1, ${orders}) n
    cross join lateral (
      select ${new Date(noon).toISOString()}::timestamptz + make_interval(secs => n) as made
    ) m`.affected()
  return { id, cabinetId }
}

test('orders are looked up by their numbers, not among all of a large client', async () => {
  const large = await clientWithOrders(20_000)
  await Promise.all(Array.from({ length: others }, () => clientWithOrders(20)))
  await db`analyze orders`.affected()
  const keys = ['7', '19999', '8', '7', 'unknown'].map((externalId) => ({
    cabinetId: large.cabinetId,
    externalId: `${large.id}${externalId}`,
  }))
  const read = await entriesReadBy('orders', async (tx) => {
    const found = await findStaffOrders(tx, large.id, keys)
    assert.deepEqual(
      found.map(({ external_id }) => external_id),
      [0, 1, 2, 3].map((place) => keys[place]?.externalId),
    )
  })
  assert.ok(read <= keys.length, `${read} entries were read`)
})

test('many orders of a client whom no statistics know are not looked for among each other', async () => {
  await Promise.all(Array.from({ length: others }, () => clientWithOrders(200)))
  await db`analyze orders`.affected()
  const count = 500
  const young = await clientWithOrders(count)
  const keys = Array.from({ length: count }, (_, n) => ({
    cabinetId: young.cabinetId,
    externalId: `${young.id}${n + 1}`,
  }))
  for (const planOnce of [false, true]) {
    const look = async (tx: Transaction) =>
      assert.equal((await findStaffOrders(tx, young.id, keys)).length, count)
    const read = await entriesReadBy('orders', look, planOnce)
    assert.ok(read <= 4 * count, `${read} entries were read`)
  }
})

test('metrics read the orders of the days that a period cuts, not all that were delivered in it', async () => {
  const { id } = await clientWithOrders(5_000, '10 days')
  await Promise.all(Array.from({ length: others }, () => clientWithOrders(20, '10 days')))
  await db`analyze orders`.affected()
  const period = { from: noon - 30 * day, to: noon + 30 * day }
  const read = await entriesReadBy('orders', async (tx) => {
    assert.equal((await readMetrics(tx, id, period)).funnel.in_storage, 0)
  })
  assert.ok(read <= 10, `${read} entries were read`)
})

test('a request finds its pending receipt by its number, not among all that became pending since', async () => {
  const clients = await Promise.all(Array.from({ length: others }, () => makeClient(db)))
  const [seller] = clients
  assert.ok(seller)
  await db`
    insert into receipts (client_id, id, number, status, announced_status, source, external_ref, expected_qty, created_at)
    select c.id, gen_random_uuid(), n::text, 'EXPECTED', 'EXPECTED', 'manual', null, 1, ${new Date(noon).toISOString()}
    from unnest(${clients.map(({ id }) => id)}::uuid[]) as c (id), generate_series(1, 100) n`.affected()
  await db`vacuum (analyze) receipts`.affected()
  const asked = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, n) => ({
      requester: { clientId: seller.id, keyId: newId(), requestId: newId() },
      draft: {
        external_ref: `${prefix} ${n}`,
        items: [{ barcode: 'b', name: 'Товар', qty: 1, honest_mark: false }],
      },
    }))
  // Statistics know of nothing that is pending, so the smallest index looks best: the one of all that is to be confirmed.
  await at(db, noon, (work) => requestReceipts(work, asked(200, 'первые')))
  await db.begin({ planOnce: true }, async (tx) => {
    const work = sharedWorkAt(tx, noon)
    await requestReceipts(work, asked(300, 'много'))
    const before = await entriesRead(tx, 'receipts')
    const [verdict] = await requestReceipts(work, asked(1, 'много'))
    assert.ok(verdict?.kind === 'done' && !verdict.result.created)
    assert.ok((await entriesRead(tx, 'receipts')) - before < 10)
  })
})

async function clientWithGoods(goods: number, firstBarcode: number): Promise<string> {
  const { id } = await makeClient(db)
  await db`
    insert into products (client_id, barcode, name, name_folded, created_at)
    select ${id}, (${firstBarcode}::bigint + n)::text, 'Товар', 'товар', ${toTimestamp(noon)}
    from generate_series(1, ${goods}) n`.affected()
  await db`
    insert into stock_balances (client_id, barcode, quantity, updated_at)
    select client_id, barcode, 1, created_at from products where client_id = ${id}`.affected()
  return id
}

test('a page of stock reads a stretch of its own client, wherever it is in the list and whatever others have', async () => {
  const small = await clientWithGoods(120, 1_000_000)
  const large = await clientWithGoods(20_000, 2_000_000)
  await Promise.all(Array.from({ length: others }, (_, n) => clientWithGoods(20, 3_000_000 + n)))
  const tables = ['products', 'stock_balances', 'stock_figures'] as const
  for (const table of tables) await db.unsafe(`vacuum (analyze) ${table}`)
  const filter = { selection: undefined, barcode: undefined, search: undefined }
  const pages = [
    { client: small, after: undefined, items: 100, total: 120 },
    { client: small, after: ['1000060'], items: 60, total: 120 },
    { client: large, after: undefined, items: 100, total: 20_000 },
    { client: large, after: ['2015000'], items: 100, total: 20_000 },
  ]
  for (const { client, after, items, total } of pages) {
    for (const table of tables) {
      const read = await entriesReadBy(table, async (tx) => {
        const page = await listStock(tx, client, filter, { limit: 100, after })
        assert.deepEqual([page.items.length, page.total], [items, total])
      })
      assert.ok(read <= items + 2, `${read} entries of ${table} were read`)
    }
  }
})

test('a product is looked up in its own client, though others have the same barcode', async () => {
  const clients = await Promise.all(
    Array.from({ length: others }, () => clientWithGoods(1, 9_000_000)),
  )
  await clientWithGoods(20_000, 4_000_000)
  await db`vacuum (analyze) products`.affected()
  const [client = ''] = clients
  const filter = { selection: undefined, barcode: '9000001', search: undefined }
  const read = await entriesReadBy('products', async (tx) => {
    assert.equal((await findProduct(tx, client, '9000001'))?.barcode, '9000001')
    const page = await listStock(tx, client, filter, { limit: 100, after: undefined })
    assert.deepEqual([page.items.length, page.total], [1, 1])
  })
  assert.ok(read <= 3, `${read} entries were read`)
})

test('thousands of new products check their references by index, though their session has known but a few', async (t) => {
  const { db } = await testDatabase({ plansForValues: true, max: 1 })
  const { id } = await makeClient(db)
  const register = (work: Work, first: number, count: number) =>
    registerProducts(
      work,
      id,
      Array.from({ length: count }, (_, n) => ({ barcode: `B${first + n}`, name: 'Товар' })),
    )
  await db`analyze products`
  for (let n = 0; n < 8; n++) await at(db, noon, (work) => register(work, n, 1))
  const rows = await at(db, noon, async (work) => {
    await register(work, 1000, 1000)
    const [row] = await work.tx<[{ read: number }]>`
      select seq_tup_read::int as read from pg_stat_xact_user_tables where relname = 'products'`
    return row.read
  })
  t.diagnostic(`${rows} rows read one after the other`)
  assert.ok(rows < 10_000, `${rows} rows`)
})

test('queues at work are looked up by their keys, not among all subscriptions', async () => {
  const { id } = await makeClient(db)
  const lease = newId()
  await db`
    insert into webhook_subscriptions (client_id, id, url, events, secret, created_at, lease)
    select ${id}, gen_random_uuid(), 'https://example.com', '{}', '', ${toTimestamp(noon)}, ${lease}
    from generate_series(1, 2000) n`.affected()
  await db`vacuum (analyze) webhook_subscriptions`.affected()
  const held = await db<{ id: string }[]>`select id from webhook_subscriptions limit 3`
  const queues = held.map((row) => ({ clientId: id, webhookId: row.id, lease }))
  const requests = queues.map((queue) => ({ queue, sending: 0, room: 16, inProgress: [] }))
  const read = await entriesReadBy('webhook_subscriptions', async (tx) => {
    const due = await dueDeliveries(tx, requests, noon)
    assert.equal(due.filter((found) => found !== undefined).length, queues.length)
    await renewLeases(tx, queues, noon + 10_000)
    await releaseLeases(tx, queues)
  })
  assert.ok(read < 20, `${read} entries were read`)
})

/** Entries of the queue's indexes that all connections have read so far, this one's included. */
async function pendingEntriesRead(one: Database): Promise<number> {
  await one`select pg_stat_force_next_flush()`
  const [row] = await one<[{ read: number }]>`
    select (t.seq_tup_read + sum(i.idx_tup_read))::int as read
    from pg_stat_user_tables t join pg_stat_user_indexes i using (relid)
    where t.relname = 'pending_deliveries' group by t.seq_tup_read`
  return row.read
}

for (const prepared of [true, false]) {
  test(`deliveries are read and recorded by their keys, though their table looks empty, ${prepared ? '' : 'not '}prepared`, async (t) => {
    const one = openDatabase(target, { max: 1, prepared })
    t.after(() => one.end())
    const { id: clientId } = await makeClient(db)
    const [webhookId, lease] = [newId(), newId()]
    await db`
    insert into webhook_subscriptions (client_id, id, url, events, secret, created_at, lease)
    values (${clientId}, ${webhookId}, 'https://example.com', '{}', '', ${toTimestamp(noon)}, ${lease})`
    // What was sent leaves its pages to what comes, where one delivery on the last page still waits.
    const fill = (ids: readonly string[]) =>
      db`
      insert into pending_deliveries (client_id, id, webhook_id, event_id, event_type, next_attempt_at, created_at)
      select ${clientId}, id, ${webhookId}, id, 'receipt.created', ${toTimestamp(noon)}, ${toTimestamp(noon)}
      from unnest(${[...ids]}::uuid[]) as id`.affected()
    const newIds = () => Array.from({ length: 5_000 }, () => newId())
    const sent = newIds()
    await fill(sent)
    await db`delete from pending_deliveries where id <> ${sent.at(-1) ?? ''}`.affected()
    await db`vacuum (analyze) pending_deliveries`.affected()
    const queue = { clientId, webhookId, lease }
    const due = () => dueDeliveries(one, [{ queue, sending: 0, room: 10, inProgress: [] }], noon)
    const options = { db: one, clock: new ManualClock(noon), schedule: standardSchedule }
    const record = (ids: readonly string[], status: number) => {
      const outcomes = ids.map((id) => ({
        queue,
        outcome: {
          delivery: {
            id,
            event_id: id,
            attempts: 0,
            event_type: 'receipt.created' as const,
            body: Buffer.alloc(0),
          },
          startedAt: noon,
          attempt: answeredWith(status),
        },
      }))
      return recordOutcomes({ ...options, chance: () => 0 }, outcomes)
    }
    await due()
    for (const status of [200, 500, 200]) await record([newId()], status)
    const ids = newIds()
    await fill(ids)
    const cost = async (work: () => Promise<unknown>) => {
      const before = await pendingEntriesRead(one)
      await work()
      return (await pendingEntriesRead(one)) - before
    }
    const read = {
      'ten that are due': await cost(due),
      'ten outcomes 200': await cost(() => record(ids.slice(0, 10), 200)),
      'ten outcomes 500': await cost(() => record(ids.slice(10, 20), 500)),
    }
    for (const [work, entries] of Object.entries(read))
      assert.ok(entries <= 40, `${work} read ${entries}`)
    const rows = await db<{ status: string; count: number }[]>`
    select status, count(*)::int as count from webhook_deliveries
    where webhook_id = ${webhookId} and attempts = 1 group by 1 order by 1`
    assert.deepEqual(rows, [
      { status: 'DELIVERED', count: 10 },
      { status: 'PENDING', count: 10 },
    ])
  })
}

/** A year of charges: many a day of one service, one a day of another. */
async function clientWithCharges(perDay: number): Promise<string> {
  const { id } = await makeClient(db)
  await db`
    insert into charges (client_id, month, day, service, source, step, quantity, price, amount)
    select ${id}, month_of(d::date), d::date, s.service, 'order:' || gen_random_uuid(), 1, 1, 100, 100
    from generate_series('2026-01-01'::timestamp, '2026-12-31', '1 day') d
    cross join lateral (
      select 'ORDER_PACKED' as service from generate_series(1, ${perDay}::integer)
      union all select 'STORAGE_UNIT_DAY'
    ) s`.affected()
  return id
}

/** Blocks that a transaction has read so far of charges and their indexes: an index also passes over entries unseen. */
async function chargeBlocks(tx: Transaction): Promise<number> {
  const [row] = await tx<[{ read: number }]>`
    select (pg_stat_get_xact_blocks_fetched('charges'::regclass) + (
      select sum(pg_stat_get_xact_blocks_fetched(indexrelid)) from pg_index where indrelid = 'charges'::regclass
    ))::int as read`
  return row.read
}

test('a page of charges reads its own stretch: of all, of a month, of a service', async () => {
  const id = await clientWithCharges(300)
  for (let n = 0; n < others; n++) await clientWithCharges(1)
  await db`vacuum (analyze) charges`.affected()
  const limit = 50
  const read = (filter: Parameters<typeof listCharges>[2], after?: Position) =>
    db.begin({ planOnce: true }, async (tx) => {
      const before = await chargeBlocks(tx)
      const page = await listCharges(tx, id, filter, { limit, after, counted: false })
      assert.equal(page.items.length, limit)
      return (await chargeBlocks(tx)) - before
    })
  const period = midnight('2026-03-01')
  const middle = ['2026-06-15', 'ORDER_PACKED', 'order:8', 1, '2026-06-01'] as const
  const blocks = {
    all: await read({}),
    next: await read({}, middle),
    month: await read({ period }),
    service: await read({ service: 'STORAGE_UNIT_DAY' }),
    days: await read({ from: period, to: period + 30 * day }),
  }
  for (const [page, count] of Object.entries(blocks)) assert.ok(count < 100, `${page}: ${count}`)
})
