// A day of a warehouse in minutes: "npm run trial". Both marketplaces run here as stand-ins in which
// orders come, are cancelled, travel and are received by themselves; the service runs beside them as
// "npm start" does, and polls them; a robot collects the orders of the WB cabinet through the staff API,
// and OZON's carriages are made in the stand-in's own cabinet. What happens is printed as it happens.
// DATA_DIR keeps the data; otherwise it is deleted in the end. Ctrl-C ends all.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type FakeAccount, live } from '../tests/support/marketplaces/fake.ts'
import { type FakeOzon, startFakeOzon } from '../tests/support/marketplaces/ozon.ts'
import { startFakeWildberries } from '../tests/support/marketplaces/wildberries.ts'

type Json = Record<string, unknown>
type Staff = (method: string, path: string, body?: unknown) => Promise<Json>

const program = fileURLToPath(new URL('../bin/sklad.js', import.meta.url))
const goods = ['Кружка', 'Плед', 'Фонарик', 'Термос', 'Рюкзак'].map((name, index) => ({
  name,
  barcode: `460000000${1000 + index}`,
  qty: 200,
}))
const stepMs = 1_000
const shipEveryMs = 20_000
const watchEveryMs = 1_000
/** What was told last, by id. */
const seen = new Map<string, string>()

function say(who: string, what: string): void {
  console.log(`${new Date().toTimeString().slice(0, 8)}  ${who.padEnd(11)} ${what}`)
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())

await using open = new AsyncDisposableStack()
const ownDir = process.env.DATA_DIR ? undefined : mkdtempSync(join(tmpdir(), 'sklad-trial-'))
if (ownDir !== undefined) {
  open.defer(() => rmSync(ownDir, { recursive: true, force: true, maxRetries: 10 }))
}
const dataDir = process.env.DATA_DIR ?? ownDir ?? ''
const [wb, ozon] = await Promise.all([startFakeWildberries(), startFakeOzon()])
open.defer(async () => void (await Promise.all([wb.close(), ozon.close()])))

const port = process.env.PORT ?? String(await freePort())
const baseUrl = `http://localhost:${port}`
const password = randomBytes(9).toString('base64url')
const settings = {
  ...process.env,
  DATA_DIR: dataDir,
  PORT: port,
  BASE_URL: baseUrl,
  METRICS_PORT: '0',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
  WB_BASE_URL: wb.baseUrl,
  WB_CONTENT_BASE_URL: wb.baseUrl,
  OZON_BASE_URL: ozon.baseUrl,
  SYNC_INTERVAL: process.env.SYNC_INTERVAL ?? '5s',
  SKLAD_ADMIN_PASSWORD: password,
}
const service = await startService()
open.defer(() => stop(service))

const login = `trial-${Date.now()}`
const user = JSON.parse(
  execFileSync(
    process.execPath,
    [program, '--json', 'user', 'add', '--login', login, '--role', 'administrator'],
    { env: settings, encoding: 'utf8' },
  ),
) as { token: string }
const staff = staffOf(user.token)
const seller = await setUp()
tellAddresses()
const stops = [wb, ozon].map((fake) =>
  live(fake, () => [fake === wb ? seller.wb : seller.ozon], { everyMs: stepMs }),
)
open.defer(() => {
  for (const stopLive of stops) stopLive()
})
await Promise.all([
  again(watchEveryMs, watch),
  again(shipEveryMs, async () => {
    await shipWildberries()
    await shipOzon(ozon, seller.ozon)
  }),
])
console.log('\nЗавершение…')

async function again(everyMs: number, act: () => Promise<void>): Promise<void> {
  const { signal } = stopping
  for (;;) {
    await sleep(everyMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    await act().catch((error: Error) => say('склад', `не вышло: ${error.message}`))
  }
}

/** A seller with two cabinets, and goods on the shelf. */
async function setUp() {
  const { id } = await staff('POST', '/clients', { name: 'ООО «Проба»' })
  const key = await staff('POST', `/clients/${id}/keys`, { name: 'Проба', receipts_enabled: true })
  await fillShelf(String(id))
  const accounts = { wb: wb.account(), ozon: ozon.account() }
  for (const { name, barcode } of goods) {
    for (const [fake, account] of [
      [wb, accounts.wb],
      [ozon, accounts.ozon],
    ] as const) {
      const { itemId } = fake.addCard(account, { name, barcodes: [barcode] })
      fake.setStock(account, { itemId, warehouse: { id: 7_001, name: 'Склад FBS' }, quantity: 100 })
    }
  }
  const cabinet = await staff('POST', `/clients/${id}/cabinets`, {
    marketplace: 'WB',
    name: 'Проба WB',
    credentials: accounts.wb.credentials,
    shipments: 'ours',
  })
  await staff('POST', `/clients/${id}/cabinets`, {
    marketplace: 'OZON',
    name: 'Проба OZON',
    credentials: accounts.ozon.credentials,
    shipments: 'mirrored',
  })
  return { ...accounts, clientId: String(id), cabinetId: String(cabinet.id), key: String(key.key) }
}

async function fillShelf(clientId: string): Promise<void> {
  const { id } = await staff('POST', `/clients/${clientId}/receipts`, {
    items: goods.map(({ barcode, name, qty }) => ({ barcode, name, qty, honest_mark: false })),
  })
  await staff('POST', `/receipts/${id}/start`)
  for (const { barcode, qty } of goods) {
    await staff('POST', `/receipts/${id}/scans`, { scan_id: barcode, barcode, qty })
  }
  await staff('POST', `/receipts/${id}/finish`, {})
  say('склад', `принято ${goods.length} товаров по ${goods[0]?.qty} шт.`)
}

/** What a worker does with a handheld: a shipment of all new orders, collected and handed over. */
async function shipWildberries(): Promise<void> {
  const { cabinetId } = seller
  const orders = await newOrders('WB')
  if (orders.length === 0) return
  const name = `Отгрузка ${new Date().toTimeString().slice(0, 8)}`
  const shipment = await staff('POST', '/shipments', {
    cabinet_id: cabinetId,
    external_id: name,
    name,
  })
  say('склад', `создана поставка ${shipment.external_id}`)
  const order_ids = orders.map(({ id }) => id)
  await staff('POST', `/shipments/${shipment.id}/orders`, { order_ids })
  const task = await staff('GET', `/picking-tasks/${shipment.picking_task_id}`)
  for (const line of task.lines as { order_id: string; barcode: string; qty: number }[]) {
    const { order_id, barcode } = line
    const pick = { scan_id: order_id, order_id, barcode }
    await staff('POST', `/picking-tasks/${task.id}/picks`, pick)
  }
  await staff('POST', `/shipments/${shipment.id}/close`)
  say('склад', `собрано и передано заказов: ${orders.length}`)
}

/** What the seller's manager does in OZON's cabinet. */
async function shipOzon(fake: FakeOzon, account: FakeAccount): Promise<void> {
  const orders = await newOrders('OZON')
  if (orders.length === 0) return
  const packed = orders.map(({ external_id }) => external_id)
  for (const id of packed) {
    fake.setStatus(account, id, { supplier: 'awaiting_deliver', buyer: 'posting_in_carriage' })
  }
  const id = fake.addShipment(account, { orders: packed, closedAt: Date.now() })
  say('OZON', `в кабинете собрана отгрузка ${id}, заказов: ${packed.length}`)
}

async function newOrders(marketplace: string) {
  const query = `client_id=${seller.clientId}&marketplace=${marketplace}&status=NEW&limit=100`
  const page = await staff('GET', `/orders?${query}`)
  return page.items as { id: string; external_id: string }[]
}

function tellAddresses(): void {
  console.log(`
Сервис               ${baseUrl}
Справочник API       ${baseUrl}/docs
Справочник склада    ${baseUrl}/staff/docs
Администратор        admin, пароль ${password} (если данные новые)
Токен сотрудника     ${user.token}
Ключ продавца        ${seller.key}
Вместо WB            ${wb.baseUrl}
Вместо OZON          ${ozon.baseUrl}

curl -H 'X-Api-Key: ${seller.key}' ${baseUrl}/v1/orders

Ctrl-C завершает всё. Дальше — что происходит:
`)
}

function staffOf(token: string): Staff {
  return (method, path, body) =>
    call(method, `/staff/v1${path}`, { authorization: `Bearer ${token}` }, body)
}

async function call(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<Json> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { ...headers, ...type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const told = (await answer.json()) as Json & { error?: { message: string } }
  if (!answer.ok) throw new Error(`${method} ${path}: ${told.error?.message}`)
  return told
}

/** Prints what has become another since the last look: orders, shipments, errors of syncing. */
async function watch(): Promise<void> {
  const cabinets = await everything('cabinets')
  const orders = await everything('orders')
  const shipments = await everything('shipments')
  for (const { id, name, sync_error: error } of cabinets) {
    tellChange(String(id), String(name), 'обмен', String(error ?? 'в порядке'))
  }
  for (const each of [...orders.reverse(), ...shipments.reverse()]) {
    const kind = each.orders_count === undefined ? 'заказ' : 'отгрузка'
    const subject = `${kind} ${each.external_id}`
    tellChange(String(each.id), String(each.marketplace), subject, String(each.status))
  }
}

function tellChange(id: string, who: string, subject: string, now: string): void {
  const before = seen.get(id)
  if (before === now) return
  seen.set(id, now)
  say(who, `${subject}: ${before === undefined ? '' : `${before} → `}${now}`)
}

async function everything(list: string): Promise<Json[]> {
  const all: Json[] = []
  let cursor: unknown = null
  do {
    const more = cursor === null ? '' : `&cursor=${cursor}`
    const page = await staff('GET', `/${list}?client_id=${seller.clientId}&limit=100${more}`)
    all.push(...(page.items as Json[]))
    cursor = page.next_cursor
  } while (cursor !== null)
  return all
}

async function startService(): Promise<ChildProcess> {
  // Of a group of its own: Ctrl-C is for this script, which ends the service in turn.
  const child = spawn(process.execPath, [program, 'serve'], {
    env: settings,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  child.stdout?.on('data', (chunk: Buffer) => {
    const text = chunk.toString()
    if (text.includes('is ready')) resolve()
    else process.stdout.write(text)
  })
  await promise
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port: free } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return free
}
