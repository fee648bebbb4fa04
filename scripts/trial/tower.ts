import { randomUUID } from 'node:crypto'
import { day, hour, midnight, minute, moscowDate } from '../../src/platform/kernel/moscow-time.ts'
import { type Call, callsTo, type Json } from './calls.ts'

/**
 * Fills the first page of managers as a day fills it: several clients, people at work, and everything that can burn. Cabinets here are
 * not connected, so nothing waits for a marketplace.
 */
export interface TowerScene {
  readonly baseUrl: string
  /** Calls of an administrator. */
  readonly staff: Call
  /** The moment that the first page shows. */
  readonly now: number
  /** Moves the service's clock: yesterday and the hours of today are played. */
  readonly moveTo: (moment: number) => void
}

interface Client {
  readonly id: string
  readonly cabinet: string
  readonly goods: readonly Goods[]
  /** Where all of the last goods lie. */
  readonly box: string
}

interface Goods {
  readonly barcode: string
  readonly name: string
}

const deadlineHours = 24
/** Numbers of orders go on from here. */
let lastOrder = 4_817_203_300
const stocked = 160
/** How many orders leave at which hour of a day, from midnight on: at whatever hour somebody looks, some have left. */
const yesterday = [3, 1, 2, 2, 1, 1, 4, 5, 8, 6, 4, 8, 13, 11, 6, 9, 12, 8, 7, 5, 3, 4, 2, 2]
const today = [1, 2, 1, 1, 3, 2, 2, 4, 6, 9, 7, 12, 10, 8, 9, 11, 12, 7, 6, 4, 5, 3, 3, 1]

export async function fillTower(scene: TowerScene): Promise<void> {
  const { staff, now, moveTo } = scene
  moveTo(midnight(moscowDate(now)) - day - hour)
  const [anna, pyotr, maria] = await Promise.all([
    addWorker(scene, 'Анна Петрова'),
    addWorker(scene, 'Пётр Иванов'),
    addWorker(scene, 'Мария Ким'),
  ])
  const daisy = await addClient(scene, 'ООО «Ромашка»', 'WB', ['Чайник эмалированный', 'Кружка'])
  const north = await addClient(scene, 'ИП Северов', 'OZON', ['Плед флисовый', 'Подушка'])
  const home = await addClient(scene, 'ООО «Уют»', 'WB', ['Фонарик', 'Термос 0,7 л'])
  await playHours(scene, pyotr, [daisy, north, home])
  moveTo(now - 20 * minute)
  const soon = now - deadlineHours * hour + 40 * minute
  const late = now - deadlineHours * hour + 5 * hour
  await pickWithMiss(staff, pyotr, daisy, await addOrders(staff, daisy, 8, { at: soon }))
  await pickWithMiss(staff, maria, home, await addOrders(staff, home, 6, { at: late }))
  await addOrders(staff, north, 14, { at: late + 2 * hour })
  await addOrders(staff, daisy, 9, { at: late + 4 * hour })
  // Nobody has ever brought these.
  await addOrders(staff, home, 5, { at: late, barcode: '4600000009999' })
  await receive(anna, staff, north, { announced: 60, counted: 36, finishes: false })
  await receive(anna, staff, daisy, { announced: 40, counted: 37, finishes: true })
  await announce(scene, home)
  await countShort(maria, staff, home)
  moveTo(now)
}

async function addWorker({ staff, baseUrl }: TowerScene, name: string): Promise<Call> {
  const login = `worker-${randomUUID().slice(0, 8)}`
  const { id } = await staff('POST', '/users', { login, name, role: 'worker' })
  const { token } = await staff('POST', `/users/${id}/tokens`, { name: 'Терминал' })
  return callsTo(baseUrl, '/staff/v1', String(token))
}

/** A client with a cabinet, and goods in boxes. */
async function addClient(
  { staff }: TowerScene,
  name: string,
  marketplace: 'WB' | 'OZON',
  names: readonly string[],
): Promise<Client> {
  const { id } = await staff('POST', '/clients', { name })
  const draft = { marketplace, name: name.replace(/^\S+ |[«»]/g, '') }
  const cabinet = await staff('POST', `/clients/${id}/cabinets`, draft)
  await staff('PATCH', `/cabinets/${cabinet.id}`, { deadline_hours: deadlineHours })
  const goods = names.map((each, n) => ({ barcode: `460000001000${n}`, name: each }))
  const items = goods.map((each) => ({ ...each, qty: stocked }))
  const receipt = await staff('POST', `/clients/${id}/receipts`, { items })
  await staff('POST', `/receipts/${receipt.id}/start`)
  let box = ''
  for (const { barcode } of goods) {
    box = String((await staff('POST', '/boxes', { client_id: id })).id)
    const scan = { scan_id: randomUUID(), barcode, qty: stocked, box_id: box }
    await staff('POST', `/receipts/${receipt.id}/scans`, scan)
  }
  await staff('POST', `/receipts/${receipt.id}/finish`, { shortages: [] })
  return { id: String(id), cabinet: String(cabinet.id), goods, box }
}

/** Yesterday and today until now: every hour a client's orders are picked, and leave half an hour later. */
async function playHours(
  { staff, now, moveTo }: TowerScene,
  picker: Call,
  clients: readonly Client[],
): Promise<void> {
  const start = midnight(moscowDate(now))
  const hoursFrom = (first: number, hours: readonly number[]) =>
    hours.map((orders, n) => ({ at: first + n * hour, orders }))
  const all = [...hoursFrom(start - day, yesterday), ...hoursFrom(start, today)]
  for (const [n, { at, orders }] of all.entries()) {
    if (at > now - hour) return
    const client = clients[n % clients.length]
    if (client === undefined) return
    moveTo(at)
    const shipment = await openShipment(staff, client, await addOrders(staff, client, orders))
    await pickAll(picker, shipment, orders)
    moveTo(at + 30 * minute)
    await staff('POST', `/shipments/${shipment.id}/close`)
  }
}

interface OrdersDraft {
  /** When the buyers ordered; the deadline follows from it. */
  readonly at?: number
  readonly barcode?: string
}

async function addOrders(
  staff: Call,
  client: Client,
  count: number,
  { at, barcode }: OrdersDraft = {},
): Promise<Json[]> {
  const drafts = Array.from({ length: count }, (_, n) => ({
    cabinet_id: client.cabinet,
    external_id: String(++lastOrder),
    barcode: barcode ?? client.goods[n % client.goods.length]?.barcode,
    ...(at !== undefined && { created_at: new Date(at).toISOString() }),
  }))
  const { items } = await staff('POST', `/clients/${client.id}/orders`, drafts)
  return items as Json[]
}

function openShipment(staff: Call, { cabinet }: Client, orders: readonly Json[]): Promise<Json> {
  const order_ids = orders.map(({ id }) => id)
  return staff('POST', '/shipments', { cabinet_id: cabinet, order_ids })
}

/** Picks the first lines of a shipment, and answers those that are left. */
async function pickAll(picker: Call, shipment: Json, count: number): Promise<Json[]> {
  const task = await picker('GET', `/picking-tasks/${shipment.picking_task_id}`)
  const lines = task.lines as Json[]
  for (const { order_id, barcode } of lines.slice(0, count)) {
    const pick = { scan_id: randomUUID(), order_id, barcode }
    await picker('POST', `/picking-tasks/${task.id}/picks`, pick)
  }
  return lines.slice(count)
}

/** Half of the orders are picked, and the goods of the next one are not where they should be. */
async function pickWithMiss(
  staff: Call,
  picker: Call,
  client: Client,
  orders: readonly Json[],
): Promise<void> {
  const shipment = await openShipment(staff, client, orders)
  const [missed] = await pickAll(picker, shipment, Math.floor(orders.length / 2))
  const reasons = await staff('GET', '/reasons?kind=not_found')
  const reason = (reasons.items as Json[]).find(({ code }) => code !== 'OTHER')
  await picker('POST', `/picking-tasks/${shipment.picking_task_id}/not-found`, {
    order_id: missed?.order_id,
    reason: reason?.code,
    scan_id: randomUUID(),
  })
}

interface Arrival {
  readonly announced: number
  readonly counted: number
  readonly finishes: boolean
}

/** Goods at the dock: still being counted, or finished with units missing. */
async function receive(
  worker: Call,
  staff: Call,
  { id, goods: [goods] }: Client,
  { announced, counted, finishes }: Arrival,
): Promise<void> {
  const items = [{ ...goods, qty: announced }]
  const receipt = await staff('POST', `/clients/${id}/receipts`, { items })
  await worker('POST', `/receipts/${receipt.id}/start`)
  const scan = { scan_id: randomUUID(), barcode: goods?.barcode, qty: counted }
  await worker('POST', `/receipts/${receipt.id}/scans`, scan)
  if (!finishes) return
  const shortages = [{ barcode: goods?.barcode, reason: 'NOT_DELIVERED' }]
  await worker('POST', `/receipts/${receipt.id}/finish`, { shortages })
}

/** A seller's request waits for a manager. */
async function announce(
  { staff, baseUrl }: TowerScene,
  { id, cabinet, goods }: Client,
): Promise<void> {
  const draft = { name: '1С', receipts_enabled: true }
  const { key } = await staff('POST', `/clients/${id}/keys`, draft)
  const items = goods.map((each) => ({ ...each, qty: 50, honest_mark: false }))
  await callsTo(baseUrl, '/v1', String(key))('POST', '/receipts', { cabinet_id: cabinet, items })
}

/** A count found one unit less than the book says. */
async function countShort(worker: Call, staff: Call, { id, box }: Client): Promise<void> {
  const { contents } = await staff('GET', `/boxes/${box}`)
  const [held] = contents as Json[]
  const count = await staff('POST', '/counts', { client_id: id, scope: { boxes: [box] } })
  await staff('POST', `/counts/${count.id}/start`)
  const scan = {
    scan_id: randomUUID(),
    code: held?.barcode,
    qty: Number(held?.qty) - 1,
    box_id: box,
  }
  await worker('POST', `/counts/${count.id}/scans`, scan)
  await staff('POST', `/counts/${count.id}/review`)
}
