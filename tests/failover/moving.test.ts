import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import type { DatabaseTarget } from '../../src/platform/db/connections/address.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { loadSecrets, recordFingerprints } from '../../src/platform/process/secrets.ts'
import { openClient } from '../support/client.ts'
import { addressOf } from '../support/database.ts'
import { eventually, hold } from '../support/faults.ts'
import { startFakes } from '../support/marketplaces/fakes.ts'
import { hasProxy, startCellsProxy } from '../support/proxies.ts'
import { openReceiver } from '../support/receiver.ts'
import { scenarioDatabase } from '../support/scenario.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'

/** A warehouse goes from one cell to the other, behind the haproxy of deploy/cells, while programs, people and workers go on. */

const skip = !hasProxy('haproxy') && 'Debian’s haproxy is not installed'
const barcode = '4600000000017'
const program = resolve(import.meta.dirname, '../../bin/sklad.js')
const secrets = {
  a: randomBytes(32).toString('base64'),
  b: `${randomBytes(32).toString('base64')},`,
} as const
const secretKey = { a: secrets.a, b: `${secrets.b}${secrets.a}` }
const fakes = await startFakes()

async function startCell(cell: 'a' | 'b') {
  let target: DatabaseTarget | undefined
  const service = await startService(
    {
      CELL: cell,
      SECRET_KEY: secretKey[cell],
      BASE_URL: `http://${cell}.sklad.example.ru`,
      TRUST_PROXY: '127.0.0.1',
      RATE_LIMIT_BURST: '1000000',
      WEBHOOK_PRIVATE_TARGETS: 'allow',
      ...fakes.settings,
      SYNC_INTERVAL: '1s',
    },
    'all',
    async () => {
      const made = await scenarioDatabase()
      target = made.target
      return made.db
    },
  )
  assert.ok(target)
  const secretKeys = secretKey[cell].split(',').map((key) => Buffer.from(key, 'base64'))
  await recordFingerprints(service.db, await loadSecrets({ secretKeys, dataDir: '' }))
  return { ...service, url: addressOf(target) }
}

const portOf = ({ baseUrl }: { readonly baseUrl: string }) => Number(new URL(baseUrl).port)

/** A client in a warehouse, with a key that may announce receipts. */
async function keyOf(db: Awaited<ReturnType<typeof startCell>>['db'], client: string) {
  const issued = await perform(db, systemClock, { kind: 'service' }, (work) =>
    issueApiKey(work, client, { name: '1С', receiptsEnabled: true, cell: 'a' }),
  )
  return issued.key
}

/** A call, and its answer; an error where a busy proxy answers for a cell that it takes to be away. */
async function send(address: string, key: string, path: string, body?: object) {
  const answer = await fetch(`${address}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.headers.has('X-Request-Id')) throw new TypeError(`the proxy answers ${text}`)
  const given = JSON.parse(text) as { id?: string; error?: { code: string } }
  return { status: answer.status, code: given.error?.code, id: given.id ?? '', text }
}

/** Goes on until it is stopped, one call after the other. */
function goOn(step: () => Promise<void>) {
  let stopped = false
  const ended = (async () => {
    while (!stopped) {
      await step().catch((error: unknown) => {
        // A proxy that reads its files anew closes connections: the call is repeated.
        if (!(error instanceof TypeError)) throw error
      })
    }
  })()
  return async () => {
    stopped = true
    await ended
  }
}

// Guarantee (moving): A warehouse moves under load with all that was acknowledged; a killed move goes on when repeated.
test('a warehouse moves under load, though the command is killed at each step', {
  skip,
}, async (t) => {
  const [a, b] = [await startCell('a'), await startCell('b')]
  const proxy = await startCellsProxy({ a: portOf(a), b: portOf(b) })
  const floor = await openFloor(a, { [barcode]: 5 })
  const [{ code }] = await a.db<[{ code: string }]>`
    select warehouse_code as code from clients where id = ${floor.client}`
  const manager = await staffClient(a, 'administrator')
  good(await manager.post('/warehouses', { code: 'STAYS', name: 'Остаётся' }), 201)
  const other = { name: 'Остаётся', warehouse_code: 'STAYS' }
  const staying = good<{ id: string }>(await manager.post('/clients', other), 201).id
  const keys = { moved: await keyOf(a.db, floor.client), stays: await keyOf(a.db, staying) }
  const client = openClient(proxy.address, keys.moved, false)

  const receiver = await openReceiver()
  const webhook = { url: receiver.url, events: ['receipt.created'] }
  good(await client.post('/v1/webhooks', webhook), 201)
  const account = fakes.wb.account()
  const { itemId, article } = fakes.wb.addCard(account, { barcodes: [barcode] })
  const line = { itemId, article, barcode, quantity: 1 }
  const cabinet = good<{ id: string }>(
    await floor.manager.post(`/clients/${floor.client}/cabinets`, {
      ...{ marketplace: 'WB', name: 'Свой', credentials: account.credentials, shipments: 'ours' },
    }),
    201,
  )
  const choice = { warehouses: [fakes.wb.ownWarehouse] }
  good(await floor.manager.patch(`/cabinets/${cabinet.id}`, choice))
  fakes.wb.addOrder(account, { lines: [line] })
  const ordersIn = async ({ db }: typeof a) =>
    (await db`select from orders where client_id = ${floor.client}`).length
  await eventually('the order is taken in', async () => (await ordersIn(a)) === 1)

  const counted = good<{ id: string }>(
    await floor.manager.post(`/clients/${floor.client}/receipts`, {
      items: [{ barcode, name: 'Плед', qty: 100_000, honest_mark: false }],
    }),
    201,
  ).id
  good(await floor.manager.post(`/receipts/${counted}/start`))
  const worker = await staffClient(a, 'worker')
  await a.db`
    insert into staff_user_warehouses (user_id, warehouse_code) values (${worker.userId}, ${code})`

  const acknowledged = { receipts: new Set<string>(), scans: new Set<string>() }
  const seen = { receipts: new Set<string>(), reads: new Set<string>(), scans: new Set<string>() }
  const strangers: string[] = []
  const items = [{ barcode, name: 'Плед', qty: 1, honest_mark: false }]
  let ref = randomUUID()
  let scan = randomUUID()
  let staysRef = randomUUID()
  const loops = [
    goOn(async () => {
      const answer = await send(proxy.address, keys.moved, '/v1/receipts', {
        ...{ cabinet_id: cabinet.id, external_ref: ref, items },
      })
      seen.receipts.add(`${answer.status} ${answer.code ?? ''}`)
      if (answer.status > 201) return
      acknowledged.receipts.add(answer.id)
      ref = randomUUID()
    }),
    goOn(async () => {
      const read = await send(proxy.address, keys.moved, '/v1/orders?limit=1')
      seen.reads.add(`${read.status} ${read.code ?? ''}`)
    }),
    goOn(async () => {
      const { status } = await send(
        proxy.address,
        worker.token,
        `/staff/v1/receipts/${counted}/scans`,
        {
          ...{ scan_id: scan, barcode, qty: 1 },
        },
      )
      seen.scans.add(String(status))
      if (status >= 300) return
      acknowledged.scans.add(scan)
      scan = randomUUID()
    }),
    goOn(async () => {
      const body = { external_ref: staysRef, items }
      const made = await send(proxy.address, keys.stays, '/v1/receipts', body)
      if (made.status > 201) strangers.push(`${made.status} ${made.text}`)
      staysRef = randomUUID()
    }),
  ]

  t.after(() => Promise.all(loops.map((stop) => stop())))

  const args = [
    ...['--json', 'warehouse', 'move', code, '--to', '-', '--as', 'NEW1'],
    ...['--backend', 'cell-b', '--map', proxy.map, '--reload', proxy.reload],
  ]
  const env = { ...process.env, DATABASE_URL: a.url, SECRET_KEY: secretKey.a, CELL: 'a' }
  const command = () => {
    const child = spawn(process.execPath, [program, ...args], { env })
    child.stdin.end(`${b.url}\n`)
    const texts = { out: '', err: '' }
    child.stdout.on('data', (chunk: Buffer) => {
      texts.out += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      texts.err += chunk.toString()
    })
    return { child, texts, ended: once(child, 'close') as Promise<[number | null]> }
  }
  /** Kills the command when it has printed a line. */
  const killAt = async (line: RegExp) => {
    const { child, texts, ended } = command()
    for await (const said of createInterface({ input: child.stderr })) {
      if (line.test(said)) child.kill('SIGKILL')
    }
    const [status] = await ended
    assert.equal(status, null, `it was not killed at ${line}: ${texts.err}`)
  }
  /** Kills the command when it is about to write such a row here, or before it comes so far, when it has printed a line. */
  const killBefore = async (
    point: { readonly table: string; readonly when: string },
    line?: RegExp,
  ) => {
    const held = await hold(a.db, { ...point, on: 'update' })
    if (line === undefined) {
      const { child, texts, ended } = command()
      await Promise.race([
        held.reached(),
        ended.then(([status]) => assert.fail(`it ended with ${status}: ${texts.err}`)),
      ])
      child.kill('SIGKILL')
      await ended
    } else {
      await killAt(line)
      // It may have come as far as the row before it was killed: its session would write it now.
      await a.db`
        select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`
    }
    await held.release()
    if (line === undefined) await held.over()
    await a.db`drop function hold cascade`
  }
  const becomes = (state: string) => ({
    table: 'warehouse_moves',
    when: `new.state = '${state}' and old.state <> new.state`,
  })

  await killBefore({ table: 'clients', when: 'new.leaving and not old.leaving' })
  await killAt(/^held receipts$/)
  await killBefore(becomes('HELD'))
  await killAt(/^copied orders$/)
  await killBefore(becomes('CLOSED'))
  await killBefore(becomes('ARRIVED'), /^closed: /)
  await killBefore(becomes('ARRIVED'))
  await killBefore(becomes('DONE'))
  const completed = command()
  const [status] = await completed.ended
  const done = { status, said: completed.texts.err, output: completed.texts.out }
  assert.equal(done.status, 0, done.said)
  const answer = JSON.parse(done.output)
  assert.deepEqual([answer.done, answer.clients], [true, 1])
  assert.ok(answer.held_seconds > 0)

  const before = acknowledged.receipts.size
  await eventually('receipts are announced there', async () => acknowledged.receipts.size > before)
  const scanned = acknowledged.scans.size
  await eventually('units are counted there', async () => acknowledged.scans.size > scanned)
  for (const stop of loops) await stop()
  assert.deepEqual(strangers, [])
  assert.ok(seen.receipts.has('502 warehouse_unavailable'))
  assert.deepEqual(
    [...seen.receipts].filter((each) => !/^(?:20[01] $|502 w)/.test(each)),
    [],
  )
  assert.deepEqual([...seen.reads].sort(), ['200 ', '500 internal'])

  const arrived = await b.db<{ id: string }[]>`
    select id from receipts where client_id = ${floor.client}`
  const there = new Set(arrived.map(({ id }) => id))
  assert.deepEqual(
    [...acknowledged.receipts].filter((id) => !there.has(id)),
    [],
  )
  const scans = await b.db<{ scan_id: string }[]>`
    select scan_id from receipt_scans where client_id = ${floor.client} and undone_at is null`
  const kept = new Set(scans.map(({ scan_id }) => scan_id))
  assert.deepEqual(
    [...acknowledged.scans].filter((id) => !kept.has(id)),
    [],
  )

  const events = () => receiver.requests.filter(({ event }) => event.type === 'receipt.created')
  const heard = () => new Set(events().map(({ event }) => (event.data as { id: string }).id))
  await eventually('each event is delivered', async () =>
    [...acknowledged.receipts].every((id) => heard().has(id)),
  )
  assert.equal(events().length, new Set(events().map(({ event }) => event.id)).size)

  fakes.wb.addOrder(account, { lines: [line] })
  await eventually('the other cell syncs the cabinet', async () => (await ordersIn(b)) === 2)
  assert.equal(await ordersIn(a), 1)

  const direct = openClient(a.baseUrl, keys.moved, false)
  const refused = await direct.post('/v1/receipts', { cabinet_id: cabinet.id, items })
  assert.deepEqual([refused.status, refused.code], [502, 'warehouse_unavailable'])
  const read = await send(a.baseUrl, keys.moved, '/v1/orders')
  assert.deepEqual([read.status, read.code], [500, 'internal'])
  assert.equal((await send(proxy.address, keys.stays, '/v1/me')).status, 200)
  assert.equal((await manager.get(`/receipts/${counted}`)).status, 503)
  assert.deepEqual([...seen.scans].sort(), ['200', '503'])
  for (const { db } of [a, b]) assert.deepEqual((await audit(db)).findings, [])
})
