import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import pino from 'pino'
import { startApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { bundleOnce } from '../../src/http/pages/bundle.ts'
import { openDatabase } from '../../src/platform/db/connection.ts'
import { readKey } from '../../src/platform/kernel/api-key.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { loadSecrets } from '../../src/platform/process/secrets.ts'
import { testDatabase } from '../support/database.ts'
import { openDatabaseGate } from '../support/database-gate.ts'
import { eventually } from '../support/faults.ts'
import { addLiveClient } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'

/** What callers get while the database is not there, and afterwards. */

// The service stops before the gate and the database go.
after(async () => {
  gate.set('open')
  await app.close()
  await db.end({ timeout: 1 })
})
const { db: behind, target } = await testDatabase()
const gate = await openDatabaseGate(target)
const db = openDatabase(gate.target, { patienceMs: 1_000 })
const config = readConfig({
  HOST: '127.0.0.1',
  PORT: '0',
  METRICS_PORT: '0',
  SECRET_KEY: randomBytes(32).toString('base64'),
  RATE_LIMIT_BURST: '100000',
  RATE_LIMIT_PER_MINUTE: '1000000',
})
const app = await startApp({
  config,
  role: 'api',
  db,
  clock: systemClock,
  secrets: await loadSecrets(config),
  log: pino({ level: 'silent' }),
  web: bundleOnce(),
})
const service = { baseUrl: `http://127.0.0.1:${app.port}`, db: behind }
const live = await addLiveClient(service)
const hash = readKey(live.writing)?.hash.toString('hex') ?? ''
const seller = {
  get: (path: string) => ask(path),
  post: (path: string, body: object) => ask(path, { method: 'POST', body: JSON.stringify(body) }),
}
/** The form of a session is enough: nobody can look it up. */
const visitor = { Cookie: `sklad_account=${'a'.repeat(43)}` }
const manager = await staffClient(service, 'manager')

/** Nobody knows the state of the bucket while the database is away, so the answers have none. */
async function ask(path: string, init: RequestInit = {}) {
  const own = { 'X-Api-Key': live.writing, 'Content-Type': 'application/json' }
  const headers = { ...own, ...(init.headers as Readonly<Record<string, string>> | undefined) }
  const answer = await fetch(`${service.baseUrl}${path}`, { ...init, headers })
  const { error } = (await answer.json()) as { error?: { code: string; message: string } }
  assert.ok(answer.headers.get('X-Request-Id'))
  return { status: answer.status, code: error?.code, headers: answer.headers }
}

function assertRefused(answer: Awaited<ReturnType<typeof ask>>, code: string): void {
  const status = code === 'warehouse_unavailable' ? 502 : 500
  assert.deepEqual([answer.status, answer.code], [status, code])
}

const items = [{ barcode: 'Б-1', name: 'Товар', qty: 1, honest_mark: false }]
let made = 0
const back = () => eventually('the database is back', async () => (await ready()).status === 200)
const ready = () => fetch(`${service.baseUrl}/readyz`)
const request = () => seller.post('/v1/receipts', { external_ref: `away-${made++}`, items })
const receipts = async () => {
  const [row] = await behind<[{ count: number }]>`select count(*)::int as count from receipts`
  return row.count
}

/** While nobody waits for the database any more; a call that did would take seconds. */
const atOnceMs = 1_000
/** After the database is back: an attempt to reach it begins every half second. */
const backMs = 5_000

const reads = ['/v1/stock', '/v1/orders', '/v1/me', '/v1/events?wait=25', '/v1/metrics']

async function sinceOf(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return performance.now() - since
}

async function assertAllRefused(): Promise<void> {
  const created = await request()
  assertRefused(created, 'warehouse_unavailable')
  assert.equal(created.headers.get('Retry-After'), null)
  for (const path of reads) {
    const answer = await seller.get(path)
    assertRefused(answer, 'internal')
    assert.equal(answer.headers.get('Retry-After'), null, path)
  }
  const sandbox = await seller.post('/v1/sandbox/keys', {})
  assertRefused(sandbox, 'internal')
  const staff = await manager.get('/receipts')
  assert.deepEqual([staff.status, staff.code], [503, 'unavailable'])
  assert.match(staff.headers.get('Retry-After') ?? '', /^\d+$/)
  const login = JSON.stringify({ login: 'anna', password: 'wrong-password' })
  for (const account of [
    await ask('/account/v1/session', { method: 'POST', body: login }),
    await ask('/account/v1/session', { headers: visitor }),
    await ask('/account/v1/stock', { headers: visitor }),
  ]) {
    assert.deepEqual([account.status, account.code], [503, 'unavailable'])
    assert.match(account.headers.get('Retry-After') ?? '', /^\d+$/)
  }
  assert.equal((await ready()).status, 503)
  for (const page of ['/', '/account', '/staff/scan', '/docs', '/healthz']) {
    assert.equal((await fetch(`${service.baseUrl}${page}`)).status, 200, page)
  }
}

for (const state of ['frozen', 'shut'] as const) {
  // Guarantee (http): While the database is away every call is answered within seconds.
  test(`while the database is ${state}, every call is answered, and as before again afterwards`, async () => {
    assert.equal((await seller.get('/v1/stock')).status, 200)
    const before = await receipts()
    gate.set(state)
    // These find out.
    for (const answer of await Promise.all([request(), request(), request()])) {
      assertRefused(answer, 'warehouse_unavailable')
    }
    for (let round = 0; round < 5; round++) {
      const tookMs = await sinceOf(assertAllRefused)
      assert.ok(tookMs < atOnceMs * 16, `${Math.round(tookMs)} ms for 16 calls`)
    }
    gate.set('open')
    const backAfterMs = await sinceOf(back)
    assert.ok(backAfterMs < backMs, `${Math.round(backAfterMs)} ms`)
    assert.equal((await request()).status, 201)
    assert.equal((await manager.get('/receipts')).status, 200)
    assert.equal(await receipts(), before + 1)
  })
}

// Guarantee (receipts): `warehouse_unavailable` means that nothing was created.
test('a request whose commit got no answer is not called uncreated', async () => {
  const before = await receipts()
  gate.freezeAt('commit', { afterwards: `away-${made}`, passes: true })
  assertRefused(await request(), 'internal')
  gate.set('open')
  await back()
  assert.equal(await receipts(), before + 1)
})

test('a request that was cut off before its commit created nothing and says so', async () => {
  const before = await receipts()
  gate.freezeAt(`away-${made}`)
  assertRefused(await request(), 'warehouse_unavailable')
  gate.set('open')
  await back()
  assert.equal(await receipts(), before)
})

test('a server that only reads counts as away, and its connections are given up', async () => {
  const [{ name }] = await behind<[{ name: string }]>`select current_database() as name`
  await behind.unsafe(`alter database "${name}" set default_transaction_read_only = on`)
  gate.set('shut')
  gate.set('open')
  const refused = await request()
  assertRefused(refused, 'warehouse_unavailable')
  const admin = openDatabase(target)
  await admin.begin(async (tx) => {
    await tx`set transaction read write`
    await tx.unsafe(`alter database "${name}" reset default_transaction_read_only`)
  })
  await admin.end()
  assert.equal((await request()).status, 201)
})

test('a slow statement is not taken for a server that is away', async () => {
  const slow = openDatabase(gate.target, { patienceMs: 1_000 })
  const [row] = await slow<[{ n: number }]>`select 1 as n from pg_sleep(2)`
  assert.equal(row.n, 1)
  await slow.end()
})

// Guarantee (db): A silent connection to the database holds up its own calls for seconds, and no others.
test('a connection that becomes silent holds up its own calls for seconds, and others not at all', async () => {
  await Promise.all(Array.from({ length: 4 }, () => seller.get('/v1/stock')))
  // Admission has it as a value; of its text, which is prepared, a connection carries the name alone.
  gate.freezeAt(hash, { alone: true })
  const stuck = seller.get('/v1/me')
  await gate.frozen()
  const others = await Promise.all([seller.get('/v1/stock'), seller.get('/v1/orders')])
  assert.deepEqual(
    others.map(({ status }) => status),
    [200, 200],
  )
  assertRefused(await stuck, 'internal')
  assert.equal((await ready()).status, 200)
  assert.equal((await request()).status, 201)
})

// Guarantee (db): When all connections fall silent, callers wait for seconds, and only once.
test('when all connections become silent, one caller waits for it and no other meets them again', async () => {
  await Promise.all(Array.from({ length: 8 }, () => manager.get('/receipts')))
  gate.silence()
  assertRefused(await seller.get('/v1/me'), 'internal')
  for (const path of ['/v1/stock', '/v1/orders', '/v1/me']) {
    assert.equal((await seller.get(path)).status, 200)
  }
  assert.equal((await request()).status, 201)
  assert.equal((await manager.get('/receipts')).status, 200)
})

test('a commit whose answer is lost on one connection is looked for on another', async () => {
  const before = await receipts()
  gate.freezeAt('commit', { afterwards: `away-${made}`, passes: true, alone: true })
  assert.equal((await request()).status, 201)
  assert.equal(await receipts(), before + 1)
})
