import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { startApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import type { Database } from '../../src/platform/db/connection.ts'
import { perform, type Work } from '../../src/platform/db/work.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { loadSecrets } from '../../src/platform/process/secrets.ts'
import { openStore } from '../../src/platform/process/store.ts'
import { putParts } from '../../src/warehouse/catalogue/sets.ts'
import { eventTypes, subscribableTypes } from '../../src/warehouse/events/catalogue.ts'
import { countScan } from '../../src/warehouse/receipts/counting.ts'
import {
  confirmReceipt,
  finishReceiving,
  startReceiving,
} from '../../src/warehouse/receipts/verbs.ts'
import { acceptShipment, addOrders, openShipment } from '../../src/warehouse/shipments/verbs.ts'
import { changeLot, keepLots } from '../../src/warehouse/stock/lots.ts'
import { putProduct } from '../../src/warehouse/stock/new-products.ts'
import { withLastingNames } from './lasting-names.ts'
import { playStaffDay } from './staff-day.ts'

/**
 * Gathers the examples of the API reference: starts a service in this process on an embedded database of its
 * own and calls every operation with a new sandbox key. Requests and answers stay unchanged, except that
 * pages and the orders of a shipment are cut to two. A receiver on this machine subscribes to all events;
 * each event is kept under its type. Then a day of a warehouse is played over the staff API. The clock stands still, so that two
 * runs have the same times.
 */

type Json = Record<string, unknown>
export interface Example {
  path?: string
  request?: Json
  answers: Record<string, unknown>
}

const moment = Date.parse('2026-11-20T15:00:00+03:00')
const shownMax = 2

/** Has the form of a key, but its checksum is wrong: no service takes it. */
const shownKey = 'svc_test_ExampleExampleExampleExampleExampleExample0000000'

/** Has the form of a signing secret. */
const shownSecret = 'whsec_ExampleExampleExampleExampleExampleExample00'
const shownUrl = 'https://example.com/sklad/webhook'

const gathered: Record<string, Example> = {}

async function playSellerDay(base: string, db: Database, hook: string): Promise<void> {
  const issued = await call(base, 'createSandboxKey', 'POST', '/v1/sandbox/keys')
  const key = String(issued.key)
  const get = (operation: string, path: string) => call(base, operation, 'GET', path, { key })

  const me = await get('getMe', '/v1/me')
  const stock = await get('listStock', '/v1/stock?limit=2')
  await get('listStockHistory', '/v1/stock-history?at=2026-11-01&limit=2')
  await get('getStockItem', `/v1/stock/${first(stock).barcode}`)
  await get('getUnitsInQuestion', `/v1/stock/${await questioned(base, key)}/in-question`)
  const orders = await get('listOrders', '/v1/orders?status=COMPLETED&limit=2')
  await get('getOrder', `/v1/orders/${first(orders).id}`)
  await get('getOrderDetails', `/v1/orders/${first(orders).id}/details`)
  const receipts = await get(
    'listReceipts',
    '/v1/receipts?status=RECEIVED_WITH_DISCREPANCY&limit=2',
  )
  const short = (receipts.items as Json[]).find((receipt) => receipt.discrepancy_qty !== 0)
  await get('getReceipt', `/v1/receipts/${short?.id}`)
  const shipments = await get(
    'listShipments',
    '/v1/shipments?status=ACCEPTED&marketplace=WB&limit=2',
  )
  await get('getShipment', `/v1/shipments/${first(shipments).id}`)
  const returns = await get('listReturns', '/v1/returns?status=FINISHED&limit=2')
  await get('getReturn', `/v1/returns/${first(returns).id}`)
  await get('getMetrics', '/v1/metrics')
  await askMoney(get)

  const [cabinet] = me.cabinets as Json[]
  const body = requestOf(String(cabinet?.id), String(first(stock).barcode))
  const subscription = { url: hook, events: [...subscribableTypes], description: '1С, склад' }
  const created = await call(base, 'createWebhook', 'POST', '/v1/webhooks', {
    key,
    body: subscription,
  })
  const { id } = created.webhook as { id: string }
  const receipt = await call(base, 'createReceipt', 'POST', '/v1/receipts', { key, body })
  await call(base, 'createReceipt', 'POST', '/v1/receipts', { key, body })
  const clientId = String((me.client as Json).id)
  const act = actIn(db)
  await get('listLots', await dateGoods(act, clientId, String(first(stock).barcode)))
  await receive(act, clientId, receipt)
  await act((work) => makeSet(work, clientId, stock))
  await get('listGoods', '/v1/goods?is_set=true')
  await ship(act, clientId, me, {
    order: await newOrderWithBarcode(base, key),
    shipment: first(await ask(base, 'GET', '/v1/shipments?status=HANDED_OVER', { key })),
  })
  await settled(db, clientId)

  await get('listEvents', '/v1/events?types=receipt.completed')
  await get('listWebhooks', '/v1/webhooks')
  await get('getWebhook', `/v1/webhooks/${id}`)
  broken = true
  await call(base, 'pingWebhook', 'POST', `/v1/webhooks/${id}/ping`, { key })
  await settled(db, clientId)
  const log = await get('listDeliveries', `/v1/webhooks/${id}/deliveries?limit=2`)
  const delivered = (log.items as Json[]).find(({ status }) => status === 'DELIVERED')
  const delivery = `/v1/webhooks/${id}/deliveries/${delivered?.id}`
  await get('getDelivery', delivery)
  await get('listDeliveryAttempts', `${delivery}/attempts`)
  await call(base, 'resendDelivery', 'POST', `${delivery}/resend`, { key })
  await call(base, 'resendMissedEvents', 'POST', `/v1/webhooks/${id}/resend`, {
    key,
    body: { since: '2026-11-20' },
  })
  await call(base, 'deleteWebhook', 'DELETE', `/v1/webhooks/${id}`, { key })
  await command(base, key)
  for (const type of eventTypes) {
    if (gathered[type] === undefined) throw new Error(`${type} did not come`)
  }
}

function actIn(db: Database): Act {
  return (verbs) => perform(db, new ManualClock(moment), { kind: 'robot' }, verbs)
}

/** Some units of goods get an expiry date. Answers with the path of their lots. */
async function dateGoods(act: Act, clientId: string, barcode: string): Promise<string> {
  const goods = { clientId, barcode }
  const entry = { expiresOn: null, number: '' }
  const to = { expiresOn: '2027-06-30', number: 'A-17' }
  await act((work) => keepLots(work, goods, 30))
  await act((work) => changeLot(work, goods, { entry, to, units: 40 }))
  return `/v1/lots?barcode=${barcode}`
}

type Get = (operation: string, path: string) => Promise<Json>

async function askMoney(get: Get): Promise<void> {
  await get('listCharges', '/v1/charges?service=ORDER_PACKED&limit=2')
  await get('sumCharges', '/v1/charges/summary?from=2026-11-01&to=2026-11-03')
  const acts = await get('listActs', '/v1/acts?limit=2')
  const actPath = `/v1/acts/${first(acts).id}`
  await get('getAct', actPath)
  gathered.getActFile = { path: `${actPath}/file`, answers: {} }
}

/** A set of the first two goods of the stock. */
async function makeSet(work: Work, clientId: string, stock: Json): Promise<void> {
  const set = { barcode: '2000000010991', name: 'Набор «Тёплый вечер»', article: 'SET-WARM' }
  await putProduct(work, clientId, set)
  const parts = (stock.items as Json[]).map(({ barcode }) => ({ barcode: String(barcode), qty: 1 }))
  await putParts(work, { clientId, barcode: set.barcode }, parts)
}

/** A receipt request with goods that the warehouse knows, and with new ones. */
function requestOf(cabinetId: string, barcode: string): Json {
  return {
    cabinet_id: cabinetId,
    external_ref: 'PO-2026-0417',
    comment: 'Привезём к воротам 3 после 14:00',
    planned_date: '2026-11-24',
    items: [
      { barcode, qty: 120, honest_mark: false },
      {
        barcode: '4607000000991',
        name: 'Кружка эмалированная, 400 мл',
        article: 'MUG-400',
        qty: 48,
        honest_mark: false,
      },
    ],
  }
}

/** What a key commands its sandbox, which then is as it was. */
async function command(base: string, key: string): Promise<void> {
  const trigger = '/v1/sandbox/triggers/receipt_with_shortage'
  await call(base, 'playSandboxTrigger', 'POST', trigger, { key })
  const answers = { answers: ['500', 'timeout', '204'] }
  const receivers = '/v1/sandbox/receivers'
  const made = await call(base, 'createSandboxReceiver', 'POST', receivers, { key, body: answers })
  const own = { url: made.url, events: ['receipt.completed'] }
  await ask(base, 'POST', '/v1/webhooks', { key, body: own })
  await call(base, 'getSandboxReceiver', 'GET', `${receivers}/${made.id}`, { key })
  const hours = { hours: 24 }
  await call(base, 'advanceSandbox', 'POST', '/v1/sandbox/advance', { key, body: hours })
  await call(base, 'resetSandbox', 'POST', '/v1/sandbox/reset', { key })
}

/** The newest order that can be collected. */
async function newOrderWithBarcode(base: string, key: string): Promise<Json> {
  const { items } = await ask(base, 'GET', '/v1/orders?status=NEW&marketplace=WB', { key })
  const order = (items as Json[]).find(({ barcode }) => barcode !== undefined)
  if (order === undefined) throw new Error('the sandbox has no new order')
  return order
}

/** The barcode of goods with units in question. */
async function questioned(base: string, key: string): Promise<string> {
  const stock = await ask(base, 'GET', '/v1/stock?limit=1000', { key })
  const item = (stock.items as Json[]).find(({ in_question: units }) => Number(units) > 0)
  return String(item?.barcode)
}

type Act = (verbs: (work: Work) => Promise<unknown>) => Promise<unknown>

/** The warehouse takes the receipt in, one unit short. */
async function receive(act: Act, clientId: string, receipt: Json): Promise<void> {
  const id = String(receipt.id)
  const items = receipt.items as { barcode: string; expected_qty: number }[]
  await act((work) => confirmReceipt(work, clientId, id))
  await act((work) => startReceiving(work, clientId, id))
  const [short] = items
  for (const { barcode, expected_qty: expected } of items) {
    const units = barcode === short?.barcode ? expected - 1 : expected
    await act((work) => countScan(work, clientId, id, { scanId: barcode, barcode, units }))
  }
  await act((work) =>
    finishReceiving(work, clientId, id, new Map([[short?.barcode ?? '', 'NOT_DELIVERED']])),
  )
}

/** A new order gets into a shipment, and a shipment that was handed over is accepted. */
async function ship(
  act: Act,
  clientId: string,
  me: Json,
  { order, shipment }: { order: Json; shipment: Json },
): Promise<void> {
  const cabinets = me.cabinets as { id: string; marketplace: string }[]
  const cabinet = cabinets.find(({ marketplace }) => marketplace === order.marketplace)
  await act(async (work) => {
    const opened = await openShipment(work, clientId, {
      cabinetId: cabinet?.id ?? '',
      externalId: 'WB-GI-208417733',
    })
    await addOrders(work, clientId, opened, [String(order.id)])
  })
  await act((work) => acceptShipment(work, clientId, String(shipment.id)))
}

/** Waits until every delivery of the client has had its first attempt. */
async function settled(db: Database, clientId: string): Promise<void> {
  for (;;) {
    const waiting = await db`
      select from webhook_deliveries where client_id = ${clientId} and attempts = 0 limit 1`
    if (waiting.length === 0) return
    await sleep(50)
  }
}

/** While true the receiver refuses, so that the delivery log has a failure to show. */
let broken = false

/** Keeps the first event of each type. */
const receiver = createServer(async (request, response) => {
  const event = (await json(request)) as Json
  gathered[String(event.type)] ??= { request: event, answers: {} }
  response.writeHead(broken ? 503 : 204).end()
})

function first(list: Json): Json {
  const [item] = list.items as Json[]
  if (item === undefined) throw new Error('a list of the sandbox is empty')
  return item
}

interface Sent {
  readonly key?: string
  readonly body?: Json
}

/** Calls, and keeps request and answer as the operation's example. */
async function call(
  base: string,
  operation: string,
  method: string,
  path: string,
  sent: Sent = {},
): Promise<Json> {
  const answer = await request(base, method, path, sent)
  gathered[operation] ??= {
    path: path.split('?')[0] ?? '',
    ...(sent.body === undefined ? {} : { request: sent.body }),
    answers: {},
  }
  gathered[operation].answers[answer.status] = shown(answer.body)
  return answer.body
}

/** Calls without keeping the answer: later examples need the answer. */
async function ask(base: string, method: string, path: string, sent: Sent): Promise<Json> {
  return (await request(base, method, path, sent)).body
}

async function request(
  base: string,
  method: string,
  path: string,
  { key, body }: Sent,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Json) }
}

/** The answer without real keys and secrets, pages cut. A receipt keeps all lines, because their sums are shown too. */
function shown(answer: Json): Json {
  if (typeof answer.secret === 'string') return { ...answer, secret: shownSecret }
  if (typeof answer.key === 'string') return { ...answer, key: shownKey }
  if (!('total' in answer && 'items' in answer)) return answer
  return { ...answer, items: (answer.items as unknown[]).slice(0, shownMax) }
}

function withFewOrders(key: string, value: unknown): unknown {
  return key === 'orders' && Array.isArray(value) ? value.slice(0, shownMax) : value
}

export interface GatheredExamples {
  /** By operation and by type of event. */
  readonly seller: Readonly<Record<string, Example>>
  /** By operation. */
  readonly staff: Readonly<Record<string, Example>>
}

/** May be called once in a process. An address leads to a database without data of sellers; otherwise it makes one. */
export async function gatherExamples(databaseUrl?: string): Promise<GatheredExamples> {
  let staff: GatheredExamples['staff'] = {}
  const dataDir = mkdtempSync(join(tmpdir(), 'sklad-examples-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SECRET_KEY: randomBytes(32).toString('base64'),
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: '0',
    BASE_URL: 'http://localhost:8080',
    RATE_LIMIT_BURST: '1000',
    SANDBOX_ROBOT: 'off',
    WEBHOOK_PRIVATE_TARGETS: 'sandbox',
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/sklad/webhook`
  const store = await openStore(config, 'service', () => {})
  try {
    const clock = new ManualClock(moment)
    const app = await startApp({
      config,
      role: 'all',
      db: store.db,
      clock,
      secrets: await loadSecrets(config),
      log: pino({ level: 'error' }),
    })
    const base = `http://127.0.0.1:${app.port}`
    try {
      await playSellerDay(base, store.db, hook)
      staff = await playStaffDay(base, store.db, clock)
    } finally {
      await app.close()
    }
  } finally {
    receiver.close()
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const text = JSON.stringify(gathered, withFewOrders).replaceAll(hook, shownUrl)
  const seller = JSON.parse(text) as GatheredExamples['seller']
  return { seller: withLastingNames(seller, moment), staff: withLastingNames(staff, moment) }
}
