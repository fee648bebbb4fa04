// Records the examples of the API reference: "npm run examples". A service is started in this process
// on an embedded database of its own; a fresh sandbox key performs every operation, and the requests
// and answers go into src/http/public/examples.json as they were, pages and orders of a shipment cut
// to two. The clock stands still, so that the times of two recordings are the same.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { startApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { ManualClock } from '../src/kernel/clock.ts'
import { loadSecrets } from '../src/secrets.ts'
import { openStore } from '../src/store.ts'

type Json = Record<string, unknown>
interface Example {
  request?: Json
  answers: Record<string, unknown>
}

const target = new URL('../src/http/public/examples.json', import.meta.url)
const moment = Date.parse('2026-11-20T15:00:00+03:00')
const shownMax = 2

/** Has the form of a key, but its checksum is wrong: no service takes it. */
const shownKey = 'svc_test_ExampleExampleExampleExampleExampleExample0000000'

const recorded: Record<string, Example> = {}

async function record(base: string): Promise<void> {
  const issued = await call(base, 'createSandboxKey', 'POST', '/v1/sandbox/keys')
  const key = String(issued.key)
  const get = (operation: string, path: string) => call(base, operation, 'GET', path, { key })

  const me = await get('getMe', '/v1/me')
  const stock = await get('listStock', '/v1/stock?limit=2')
  await get('getStockItem', `/v1/stock/${first(stock).barcode}`)
  const orders = await get('listOrders', '/v1/orders?status=COMPLETED&limit=2')
  await get('getOrder', `/v1/orders/${first(orders).id}`)
  const receipts = await get(
    'listReceipts',
    '/v1/receipts?status=RECEIVED_WITH_DISCREPANCY&limit=2',
  )
  const short = (receipts.items as Json[]).find((receipt) => receipt.discrepancy_qty !== 0)
  await get('getReceipt', `/v1/receipts/${short?.id}`)
  const shipments = await get('listShipments', '/v1/shipments?status=ACCEPTED&limit=2')
  await get('getShipment', `/v1/shipments/${first(shipments).id}`)
  await get('getMetrics', '/v1/metrics')

  const [cabinet] = me.cabinets as Json[]
  const body = {
    cabinet_id: cabinet?.id,
    external_ref: 'PO-2026-0417',
    comment: 'Привезём к воротам 3 после 14:00',
    planned_date: '2026-11-24',
    items: [
      { barcode: first(stock).barcode, qty: 120, honest_mark: false },
      {
        barcode: '4607000000991',
        name: 'Кружка эмалированная, 400 мл',
        article: 'MUG-400',
        qty: 48,
        honest_mark: false,
      },
    ],
  }
  await call(base, 'createReceipt', 'POST', '/v1/receipts', { key, body })
  await call(base, 'createReceipt', 'POST', '/v1/receipts', { key, body })
  await call(base, 'resetSandbox', 'POST', '/v1/sandbox/reset', { key })
}

function first(list: Json): Json {
  const [item] = list.items as Json[]
  if (item === undefined) throw new Error('a list of the sandbox is empty')
  return item
}

async function call(
  base: string,
  operation: string,
  method: string,
  path: string,
  { key, body }: { key?: string; body?: Json } = {},
): Promise<Json> {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Json
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  recorded[operation] ??= { ...(body === undefined ? {} : { request: body }), answers: {} }
  recorded[operation].answers[response.status] = shown(answer)
  return answer
}

/** The answer without a key that somebody could use. A receipt keeps its lines: they add up. */
function shown(answer: Json): Json {
  if (typeof answer.key === 'string') return { ...answer, key: shownKey }
  const list = Array.isArray(answer.orders) ? 'orders' : 'total' in answer ? 'items' : undefined
  if (list === undefined) return answer
  return { ...answer, [list]: (answer[list] as unknown[]).slice(0, shownMax) }
}

const dataDir = mkdtempSync(join(tmpdir(), 'sklad-examples-'))
const config = readConfig({
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: '0',
  METRICS_PORT: '0',
  BASE_URL: 'http://localhost:8080',
})
const store = await openStore(config, 'service', () => {})
try {
  const app = await startApp({
    config,
    role: 'api',
    db: store.db,
    clock: new ManualClock(moment),
    secrets: await loadSecrets(config),
    log: pino({ level: 'error' }),
  })
  await record(`http://127.0.0.1:${app.port}`).finally(() => app.close())
} finally {
  await store.close()
  rmSync(dataDir, { recursive: true, force: true })
}
writeFileSync(target, `${JSON.stringify(recorded, null, 2)}\n`)
console.log(
  `${Object.keys(recorded).length} operations are recorded in src/http/public/examples.json`,
)
