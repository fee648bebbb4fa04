import { subscribableTypes } from '../../src/warehouse/events/catalogue.ts'
import type { Fake, FakeAccount } from '../../tests/support/marketplaces/fake.ts'
import { openGoods, prepareGoods, setParts } from './goods.ts'
import { type Caller, type Calls, callerOf, type Json } from './insist.ts'
import { monthToClose, setPrices } from './money.ts'

/** A warehouse: a receipt in counting, cabinets that sync, a webhook. It stays while shifts come and go. */
export interface Scene {
  readonly staff: Caller
  readonly seller: Caller
  readonly client: string
  readonly cabinet: string
  readonly receipt: string
  /** The subscription whose receiver takes all events. */
  readonly webhook: string
  readonly markets: readonly Market[]
  /** Aborted when nobody works here any more. */
  readonly ended: AbortSignal
}

export interface Market {
  readonly fake: Fake
  readonly account: FakeAccount
  readonly cabinet: string
}

/** What one crew works on: a shipment in picking, and one that has left and whose units may come back. */
export interface Shift {
  /** No other shift of the scene has it. */
  readonly name: string
  readonly task: string
  readonly toPick: readonly string[]
  /** Orders of sets: what earlier shifts assembled is picked for them, else parts. */
  readonly setsToPick: readonly OrderToPick[]
  readonly toAssemble: number
  /** Units of each part of a set that came for these. */
  readonly parts: number
  readonly returns: string
  /** Numbers of orders that have left and may come back. */
  readonly away: readonly string[]
  /** The month that is closed meanwhile; undefined when all have been that are over. */
  readonly month: string | undefined
}

export async function openScene(
  baseUrl: string,
  token: string,
  fakes: readonly Fake[],
  receiverUrl: string,
  calls: Calls,
): Promise<Scene> {
  const staff = callerOf(baseUrl, '/staff/v1', token, calls)
  const made = (path: string, body?: unknown) => staff.insist('POST', path, body)
  const client = String((await made('/clients', { name: 'ООО «Хаос»' })).id)
  await setPrices(staff, client)
  const key = await made(`/clients/${client}/keys`, { name: 'Хаос', receipts_enabled: true })
  const seller = callerOf(baseUrl, '/v1', String(key.key), calls)
  const byHand = { marketplace: 'WB', name: 'От руки' }
  const cabinet = String((await made(`/clients/${client}/cabinets`, byHand)).id)
  const subscription = { url: receiverUrl, events: subscribableTypes }
  const subscribed = await seller.insist('POST', '/webhooks', subscription)
  const webhook = String((subscribed.webhook as Json).id)
  // The feed keeps events from its first call on.
  await seller.insist('GET', '/events?limit=1')
  const items = ['A', 'B', 'D'].map((barcode) => ({ barcode, name: barcode, qty: 100_000 }))
  const stock = await made(`/clients/${client}/receipts`, { cabinet_id: cabinet, items })
  const receipt = String(stock.id)
  await made(`/receipts/${receipt}/start`)
  await prepareGoods({ staff, client })
  const base = { staff, seller, client, cabinet, receipt, webhook, ended: calls.ended }
  return { ...base, markets: await Promise.all(fakes.map((fake) => connect(base, fake))) }
}

export interface OrderToPick {
  readonly order: string
  /** The barcodes of its lines, one unit each. */
  readonly goods: readonly string[]
}

export interface ShiftSize {
  readonly toPick: number
  readonly setsToPick: number
  readonly toAssemble: number
  readonly away: number
}

export async function openShift(scene: Scene, name: string, size: ShiftSize): Promise<Shift> {
  const { staff, client, receipt } = scene
  const made = (path: string, body?: unknown) => staff.insist('POST', path, body)
  const qty = size.toPick + size.away
  const parts = size.setsToPick + size.toAssemble
  await made(`/receipts/${receipt}/scans`, { scan_id: `stock ${name}`, barcode: 'A', qty })
  for (const barcode of setParts) {
    await made(`/receipts/${receipt}/scans`, { scan_id: `${barcode} ${name}`, barcode, qty: parts })
  }
  const away = await ordersOf(scene, `${name} away`, size.away)
  const left = await shipmentOf(scene, `${name} left`, away)
  const picks = away.map(({ id }) => pickOf(String(left.picking_task_id), String(id), 'A'))
  await Promise.all(picks.map(({ path, body }) => made(path, body)))
  await made(`/shipments/${left.id}/close`)
  const toPick = await ordersOf(scene, `${name} pick`, size.toPick)
  const sets = await ordersOf(scene, `${name} set`, size.setsToPick, 'S')
  const shipment = await shipmentOf(scene, `${name} in picking`, [...toPick, ...sets])
  const shift = {
    name,
    parts,
    toAssemble: size.toAssemble,
    task: String(shipment.picking_task_id),
    toPick: toPick.map(({ id }) => String(id)),
    setsToPick: await Promise.all(sets.map(({ id }) => linesOfOrder(scene, String(id)))),
    returns: String((await made('/returns', { client_id: client })).id),
    away: away.map(({ external_id }) => String(external_id)),
    month: await monthToClose(scene),
  }
  await openGoods(scene, shift)
  return shift
}

type Base = Pick<Scene, 'staff' | 'client' | 'cabinet'>

async function linesOfOrder({ staff }: Base, order: string): Promise<OrderToPick> {
  const { lines } = await staff.insist('GET', `/orders/${order}`)
  return { order, goods: (lines as Json[]).map(({ barcode }) => String(barcode)) }
}

const ordersAtOnce = 250

async function ordersOf(
  { staff, client, cabinet }: Base,
  kind: string,
  count: number,
  barcode = 'A',
) {
  const drafts = Array.from({ length: count }, (_, n) => ({
    cabinet_id: cabinet,
    external_id: `${kind} ${n}`,
    barcode,
  }))
  const all: Json[] = []
  for (let from = 0; from < count; from += ordersAtOnce) {
    const some = drafts.slice(from, from + ordersAtOnce)
    all.push(...((await staff.insist('POST', `/clients/${client}/orders`, some)).items as Json[]))
  }
  return all
}

function shipmentOf({ staff, cabinet }: Base, external_id: string, orders: Json[]): Promise<Json> {
  const order_ids = orders.map(({ id }) => id)
  return staff.insist('POST', '/shipments', { cabinet_id: cabinet, external_id, order_ids })
}

export const pickOf = (task: string, order_id: string, barcode: string) => ({
  path: `/picking-tasks/${task}/picks`,
  body: { scan_id: `pick ${barcode} ${order_id}`, order_id, barcode },
})

async function connect({ staff, client }: Base, fake: Fake): Promise<Market> {
  const account = fake.account()
  fake.addCard(account, { barcodes: ['A'] })
  const draft = {
    marketplace: fake.marketplace,
    name: `Хаос ${fake.marketplace}`,
    credentials: account.credentials,
    shipments: 'mirrored',
  }
  const { id } = await staff.insist('POST', `/clients/${client}/cabinets`, draft)
  await staff.insist('PATCH', `/cabinets/${id}`, { warehouses: [fake.ownWarehouse] })
  return { fake, account, cabinet: String(id) }
}
