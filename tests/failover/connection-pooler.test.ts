import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openAdvisoryLocks } from '../../src/exchange/marketplaces/coordination/advisory-locks.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { type Database, openDatabase } from '../../src/platform/db/connection.ts'
import type { DatabaseTarget } from '../../src/platform/db/connections/address.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import { startReceiving } from '../../src/warehouse/receipts/verbs.ts'
import { newSandbox } from '../support/client.ts'
import { testDatabase } from '../support/database.ts'
import { openDatabaseGate } from '../support/database-gate.ts'
import { hasPooler, startPooler } from '../support/pooler.ts'
import { openReceiver } from '../support/receiver.ts'
import { scenarioDatabase } from '../support/scenario.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { at, noon } from '../support/warehouse.ts'

const direct = async (target: DatabaseTarget) => target

function openUnprepared(target: DatabaseTarget, max = 8): Database {
  const db = openDatabase(target, { prepared: false, max, applicationName: 'sklad unprepared' })
  after(() => db.end({ timeout: 1 }))
  return db
}

const settings = {
  RATE_LIMIT_BURST: '1000000',
  RATE_LIMIT_PER_MINUTE: '1000000',
  SANDBOX_KEY_BURST: '1000000',
  SANDBOX_ROBOT: 'off',
  WB_BASE_URL: 'http://127.0.0.1:9',
  OZON_BASE_URL: 'http://127.0.0.1:9',
  WEBHOOK_PRIVATE_TARGETS: 'sandbox',
}

function receiptInCounting(db: Database, client: string): Promise<string> {
  return at(db, noon, async (work) => {
    const items = [{ barcode: 'B', name: 'B', qty: 30 }]
    const id = await registerReceipt(work, client, { source: 'manual', items })
    await startReceiving(work, client, id)
    return id
  })
}

function works(place: (target: DatabaseTarget) => Promise<DatabaseTarget>): void {
  test('nodes that start at once apply each migration once', async () => {
    const { target } = await testDatabase({ empty: true })
    const placed = await place(target)
    const nodes = Array.from({ length: 4 }, () => openUnprepared(placed, 2))
    const results = await Promise.all(nodes.map((node) => migrate(node)))
    const applied = results.flatMap((result) => result.applied)
    assert.ok(applied.length > 5)
    assert.equal(new Set(applied).size, applied.length)
  })

  test('statements keep nothing on the server, and sessions stay at +03', async () => {
    const { target } = await testDatabase()
    const db = openUnprepared(await place(target))
    const reads = Array.from({ length: 40 }, async (_, n) => {
      const [row] = await db<[{ n: number; zone: string; prepared: number }]>`
        select ${n}::int as n, current_setting('TimeZone') as zone,
          (select count(*) from pg_prepared_statements) as prepared`
      assert.deepEqual(row, { n, zone: '<+03>-03', prepared: 0 })
    })
    await Promise.all(reads)
    const [inside] = await db.begin(
      (tx) => tx`select current_setting('idle_in_transaction_session_timeout') as idle`,
    )
    assert.deepEqual(inside, { idle: '2min' })
  })

  test('scans and picks of many workers share transactions', async () => {
    const service = await startService(settings, 'api', async () => {
      const { target } = await testDatabase()
      return openUnprepared(await place(target))
    })
    const floor = await openFloor(service, { A: 30 })
    const orders = await floor.orders(
      Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`P${n}`, 'A'])),
    )
    const { picking_task_id: task, id } = await floor.filled(orders)
    const receipt = await receiptInCounting(service.db, floor.client)
    const scans = orders.flatMap((order, n) => [
      floor.pick(task, { scan_id: `p${n}`, order_id: order.id, barcode: 'A' }),
      floor.worker.post(`/receipts/${receipt}/scans`, { scan_id: `s${n}`, barcode: 'B' }),
    ])
    for (const { status, text } of await Promise.all(scans)) assert.equal(status, 200, text)
    good(await floor.worker.post(`/shipments/${id}/close`))
    assert.deepEqual(await floor.stock('A'), [0, 0])
    assert.deepEqual(await floor.stock('B'), [30, 0])
    assert.deepEqual((await audit(service.db)).findings, [])
  })

  test('the service answers, writes, sends webhooks and passes its audit', async () => {
    const { baseUrl, db } = await startService(settings, 'all', async () => {
      const { target } = await scenarioDatabase()
      return openUnprepared(await place(target))
    })
    const seller = await newSandbox({ baseUrl })
    const lists = ['stock', 'receipts', 'orders', 'shipments'].map((name) => `/v1/${name}?limit=5`)
    for (const path of [...lists, '/v1/me', '/v1/metrics']) {
      assert.equal((await seller.get(path)).status, 200, path)
    }
    const receiver = await openReceiver()
    const hook = { url: receiver.url, events: ['receipt.created'] }
    assert.equal((await seller.post('/v1/webhooks', hook)).status, 201)
    const { body } = await seller.get('/v1/me')
    const [cabinet] = (body as { cabinets: { id: string }[] }).cabinets
    const requests = Array.from({ length: 10 }, (_, n) =>
      seller.post('/v1/receipts', {
        cabinet_id: cabinet?.id,
        external_ref: `pooled ${n % 5}`,
        items: [{ barcode: '4600000000015', name: 'Кружка', qty: 3, honest_mark: false }],
      }),
    )
    for (const { status, text } of await Promise.all(requests)) {
      assert.ok(status === 201 || status === 200, text)
    }
    await receiver.until((received) => received.length >= 6)
    assert.deepEqual((await audit(db)).findings, [])
  })
}

suite('without prepared statements', () => works(direct))

suite('behind pgbouncer in transaction mode', { skip: !hasPooler && 'not installed' }, () =>
  works(startPooler),
)

test('a direct address listens and locks where the pooler would not', {
  skip: !hasPooler && 'not installed',
}, async () => {
  const { target } = await testDatabase({ empty: true })
  const db = openDatabase(await startPooler(target), { prepared: false, directTarget: target })
  after(() => db.end({ timeout: 1 }))
  const heard = Promise.withResolvers<string>()
  await db.listen('marks', heard.resolve)
  await db`select pg_notify('marks', 'here')`
  assert.equal(await heard.promise, 'here')

  const [one, other] = [openAdvisoryLocks(db), openAdvisoryLocks(db)]
  await one.withLock('key', async () => {
    assert.equal(await other.ifUnlocked('key', async () => 'ran'), undefined)
  })
  assert.equal(await other.ifUnlocked('key', async () => 'ran'), 'ran')
  await Promise.all([one.end(), other.end()])
})

test('a silent connection to the pooler is given up, and a slow statement is not', {
  skip: !hasPooler && 'not installed',
}, async () => {
  const { target } = await testDatabase({ empty: true })
  const gate = await openDatabaseGate(await startPooler(target))
  const db = openDatabase(gate.target, { prepared: false, patienceMs: 1_000 })
  after(() => db.end({ timeout: 1 }))
  const [slow] = await db<[{ n: number }]>`select 1 as n from pg_sleep(2)`
  assert.equal(slow.n, 1)
  gate.silence()
  await assert.rejects(async () => await db`select 2 as n`, { code: 'SERVER_SILENT' })
  const [again] = await db<[{ n: number }]>`select 3 as n`
  assert.equal(again.n, 3)
})
