import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { moscowDate } from '../../src/platform/kernel/moscow-time.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { type FakeAccount, live } from '../../tests/support/marketplaces/fake.ts'
import { type FakeOzon, startFakeOzon } from '../../tests/support/marketplaces/ozon.ts'
import { startFakeWildberries } from '../../tests/support/marketplaces/wildberries.ts'
import { connectWildberries } from './cabinets.ts'
import { callsTo, type Json } from './calls.ts'
import { leaveRefused, type MarksFigures, playMarks } from './marking.ts'
import { billOf, setPrices } from './money.ts'
import { playPast } from './past.ts'
import { receive } from './receiving.ts'
import { takeBack } from './returning.ts'
import { startService, stopService } from './service.ts'
import { keptFolder, settingsOf } from './settings.ts'
import { summaryOf } from './summary.ts'
import { say } from './tell.ts'

/** Runs the whole trial, from the start of the stand-ins and the service until Ctrl-C. */

const goods = ['Кружка', 'Плед', 'Фонарик', 'Термос', 'Рюкзак'].map((name, index) => ({
  name,
  barcode: `460000000${1000 + index}`,
}))
const stepMs = 1_000
const shipEveryMs = 20_000
const bringEveryMs = 40_000
const returnEveryMs = 30_000
const watchEveryMs = 1_000
const lookEveryMs = 1_000
/** Orders whose goods came back. */
const takenBack = new Set<string>()
/** The last printed state, by id. */
const seen = new Map<string, string>()
/** Undefined until WB has proven all codes. */
let marks: MarksFigures | undefined

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())

await using open = new AsyncDisposableStack()
const [wb, ozon] = await Promise.all([startFakeWildberries(), startFakeOzon()])
open.defer(async () => void (await Promise.all([wb.close(), ozon.close()])))
for (const fake of [wb, ozon]) fake.limitTo(fake.documentedLimit)

const port = process.env.PORT || String(await freePort())
const baseUrl = `http://127.0.0.1:${port}`
const password = randomBytes(9).toString('base64url')
const settings = settingsOf(process.env, {
  folder: keptFolder(process.env) ?? passingFolder(),
  port,
  baseUrl,
  password,
  wildberriesUrl: wb.baseUrl,
  ozonUrl: ozon.baseUrl,
})
const token = await playPast(settings)
const service = await startService(settings)
open.defer(() => stopService(service))

const staff = callsTo(baseUrl, '/staff/v1', token)
const seller = await setUp()
const asSeller = callsTo(baseUrl, '/v1', seller.key)
tellAddresses()
await bring(200)
say(
  'склад',
  'у трёх клиентов без маркетплейсов за плечами уже полтора дня: откройте «Сегодня» в консоли',
)
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
  again(bringEveryMs, () => bring(20)),
  again(returnEveryMs, () => takeBack(staff, seller.clientId, takenBack)),
  playMarking(),
])
console.log(await summaryOf(asSeller, marks))
console.log(await billOf(staff, asSeller, seller.clientId))
console.log('Завершение…')

function passingFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sklad-trial-'))
  open.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

async function again(everyMs: number, act: () => Promise<void>): Promise<void> {
  const { signal } = stopping
  for (;;) {
    await sleep(everyMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    await act().catch((error: Error) => say('склад', `не вышло: ${error.message}`))
  }
}

async function playMarking(): Promise<void> {
  const { signal } = stopping
  const { clientId } = seller
  const pause = () => sleep(lookEveryMs, undefined, { signal })
  try {
    const scene = { wb, seller: asSeller, staff, clientId, say, pause }
    marks = await playMarks(scene)
    await leaveRefused(scene)
  } catch (error) {
    if (!signal.aborted) say('склад', `с кодами не вышло: ${(error as Error).message}`)
  }
}

function bring(qty: number): Promise<void> {
  const { clientId, cabinetId } = seller
  return receive(asSeller, staff, {
    clientId,
    cabinetId,
    goods: goods.map((each) => ({ ...each, qty })),
  })
}

/** A seller with two cabinets that have the same goods. */
async function setUp() {
  const { id } = await staff('POST', '/clients', { name: 'ООО «Проба»' })
  await setPrices(staff, String(id), moscowDate(Date.now()))
  const key = await staff('POST', `/clients/${id}/keys`, { name: 'Проба', receipts_enabled: true })
  const accounts = { wb: wb.account(), ozon: ozon.account() }
  for (const { name, barcode } of goods) {
    for (const [fake, account] of [
      [wb, accounts.wb],
      [ozon, accounts.ozon],
    ] as const) {
      const picture = `${fake.baseUrl}/pictures/${barcode}.png`
      const { itemId } = fake.addCard(account, { name, barcodes: [barcode], picture })
      // A second warehouse: a manager chooses before any order comes.
      fake.setStock(account, { itemId, warehouse: { id: 7_001, name: 'Склад FBS' }, quantity: 100 })
    }
  }
  const clientId = String(id)
  const warehouses = (fake: { readonly ownWarehouse: string }) => [fake.ownWarehouse, '7001']
  const cabinetId = await connectWildberries(
    staff,
    clientId,
    'Проба WB',
    accounts.wb,
    warehouses(wb),
  )
  const second = await staff('POST', `/clients/${id}/cabinets`, {
    marketplace: 'OZON',
    name: 'Проба OZON',
    credentials: accounts.ozon.credentials,
    shipments: 'mirrored',
  })
  await staff('PATCH', `/cabinets/${second.id}`, { warehouses: warehouses(ozon) })
  return {
    ...accounts,
    clientId,
    cabinetId,
    ozonCabinetId: String(second.id),
    key: String(key.key),
  }
}

/** Works as a worker with a handheld: opens a shipment of all new orders, picks them and hands it over. */
async function shipWildberries(): Promise<void> {
  const { cabinetId } = seller
  const fresh = await newOrders(cabinetId)
  // A supply has orders of companies or of others.
  const orders = fresh.filter(({ is_b2b }) => is_b2b === fresh[0]?.is_b2b)
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

/** Works as the seller's manager in OZON's cabinet: creates carriages and hands them over. */
async function shipOzon(fake: FakeOzon, account: FakeAccount): Promise<void> {
  const orders = await newOrders(seller.ozonCabinetId)
  if (orders.length === 0) return
  const packed = orders.map(({ external_id }) => external_id)
  for (const id of packed) {
    fake.setStatus(account, id, { supplier: 'awaiting_deliver', buyer: 'posting_in_carriage' })
  }
  const id = fake.addShipment(account, { orders: packed, closedAt: Date.now() })
  say('OZON', `в кабинете собрана отгрузка ${id}, заказов: ${packed.length}`)
}

async function newOrders(cabinetId: string) {
  const page = await staff('GET', `/orders?cabinet_id=${cabinetId}&status=NEW&limit=100`)
  return page.items as { id: string; external_id: string; is_b2b: boolean }[]
}

function tellAddresses(): void {
  console.log(`
Консоль              ${baseUrl}/staff/app
Вход                 admin, пароль ${password} (если данные новые)
Терминал             ${baseUrl}/staff/scan
Справочник API       ${baseUrl}/docs
Справочник склада    ${baseUrl}/staff/docs
Токен сотрудника     ${token}
Ключ продавца        ${seller.key}
Вместо WB            ${wb.baseUrl}
Вместо OZON          ${ozon.baseUrl}

curl -H 'X-Api-Key: ${seller.key}' ${baseUrl}/v1/orders

Ctrl-C завершает всё. Дальше — что происходит:
`)
}

/** Prints the changes since the last call: orders, shipments, sync errors. */
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
    tellChange(String(each.id), String(each.marketplace), subject, String(each.status_label))
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
