import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { CabinetObservation } from '../../src/exchange/marketplaces/cabinets/observed-figures.ts'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import type { StaffCabinet } from '../../src/warehouse/clients/cabinet-view.ts'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { openClient } from '../support/client.ts'
import { eventually } from '../support/faults.ts'
import { startFakeWildberries } from '../support/marketplaces/wildberries.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'

/** An observed cabinet beside an ordinary one of the same client, over HTTP. */
const wb = await startFakeWildberries()
after(() => wb.close())
const service = await startService(
  {
    WB_BASE_URL: wb.baseUrl,
    WB_CONTENT_BASE_URL: wb.baseUrl,
    OZON_BASE_URL: wb.baseUrl,
    SYNC_INTERVAL: '1h',
  },
  'all',
)
const barcode = '4600000000017'
const period = 'from=2026-11-01&to=2027-02-01'

interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
}

async function open() {
  const floor = await openFloor(service, { [barcode]: 5 })
  const { client, manager, worker } = floor
  const [ordinary] = await floor.orders({ 'ordinary-1': barcode })
  assert.ok(ordinary)
  const { id: shipment } = await floor.filled([ordinary])
  const { key } = await perform(service.db, systemClock, { kind: 'service' }, (work) =>
    issueApiKey(work, client, { name: 'reads', receiptsEnabled: false }),
  )
  const seller = openClient(service.baseUrl, key)
  const account = wb.account()
  const card = wb.addCard(account, { barcodes: [barcode] })
  const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }
  const order = () => wb.addOrder(account, { lines: [line] })
  const warehouse = { id: Number(wb.ownWarehouse), name: 'Север' }
  const figure = { itemId: card.itemId, warehouse, quantity: 9 }
  wb.setStock(account, figure)
  const numbers = [order(), order()]
  const supply = wb.addShipment(account, { orders: numbers })
  const paths = [
    '/v1/orders',
    '/v1/orders?status=ASSEMBLING',
    `/v1/orders?barcode=${barcode}`,
    '/v1/orders?marketplace=WB&created_from=2026-11-20T15:00:00%2B03:00',
    '/v1/shipments',
    '/v1/shipments?status=ASSEMBLING',
    '/v1/stock',
    `/v1/stock/${barcode}`,
    `/v1/metrics?${period}`,
    `/v1/orders/${ordinary.id}`,
    `/v1/orders/${ordinary.id}/details`,
    `/v1/shipments/${shipment}`,
    '/v1/events',
  ]
  const read = async () => {
    const answers: string[] = []
    for (const path of paths) answers.push(`${path} ${(await seller.get(path)).text}`)
    return answers
  }
  const connect = async (): Promise<StaffCabinet> => {
    const { credentials } = account
    const draft = { marketplace: 'WB', name: 'Пилот', credentials, shipments: 'observe' }
    return good(await manager.post(`/clients/${client}/cabinets`, draft), 201)
  }
  const synced = async (cabinet: string) =>
    eventually('the cabinet is synced', async () => {
      const { synced_at } = good<StaffCabinet>(await manager.get(`/cabinets/${cabinet}`))
      return synced_at !== null
    })
  return { ...floor, worker, seller, numbers, supply, read, connect, synced }
}

// Guarantee (marketplaces): Sellers read the same bytes before and after a cabinet is observed.
test('sellers read the same bytes as before, and staff see what is observed', async () => {
  const { client, manager, worker, seller, numbers, supply, read, connect, synced } = await open()
  const before = await read()
  const cabinet = await connect()
  assert.equal(cabinet.shipments, 'observe')
  assert.notEqual(cabinet.observed_since, null)
  await synced(cabinet.id)
  assert.deepEqual(await read(), before)

  const orders = async (query = '') =>
    good<Page<StaffOrder>>(await worker.get(`/orders?client_id=${client}${query}`))
  const watched = await orders('&observed=true')
  assert.equal(watched.total, 2)
  assert.deepEqual(
    watched.items.map(({ external_id, observed }) => [external_id, observed]).toSorted(),
    numbers.map((number) => [number, true]).toSorted(),
  )
  assert.deepEqual([(await orders('&observed=false')).total, (await orders()).total], [1, 3])
  assert.equal((await orders()).items.length, 3)
  const shipments = good<Page<StaffShipment>>(
    await worker.get(`/shipments?client_id=${client}&observed=true`),
  )
  assert.deepEqual(
    shipments.items.map(({ external_id, observed }) => [external_id, observed]),
    [[supply, true]],
  )
  for (const { id } of watched.items) {
    assert.equal((await seller.get(`/v1/orders/${id}`)).status, 404)
    assert.equal((await seller.get(`/v1/orders/${id}/details`)).status, 404)
  }
  assert.equal((await seller.get(`/v1/shipments/${shipments.items[0]?.id}`)).status, 404)
  const report = good<CabinetObservation>(await manager.get(`/cabinets/${cabinet.id}/observation`))
  assert.deepEqual([report.orders.total, report.shipments.open], [2, 1])
  const name = `Товар ${barcode}`
  assert.deepEqual(report.stock.items, [
    { barcode, name, marketplace_units: 9, available: 4, needed: 2 },
  ])
})

test("switched over, the orders, shipments, totals and figures are the seller's, without an event", async () => {
  const { manager, seller, numbers, supply, connect, synced } = await open()
  const { id } = await connect()
  await synced(id)
  await seller.get('/v1/events')
  const { etag } = Object.fromEntries((await seller.get('/v1/stock')).headers)
  const switched = good<StaffCabinet>(
    await manager.patch(`/cabinets/${id}`, { shipments: 'mirrored' }),
  )
  assert.deepEqual([switched.shipments, switched.observed_since], ['mirrored', null])
  const orders = (await seller.get('/v1/orders')).body as Page<{ external_id: string }>
  assert.equal(orders.total, 3)
  const seen = new Set(orders.items.map(({ external_id }) => external_id))
  assert.ok(numbers.every((number) => seen.has(number)))
  const shipments = (await seller.get('/v1/shipments')).body as Page<{ external_id: string }>
  assert.ok(shipments.items.some(({ external_id }) => external_id === supply))
  const { status, body } = await seller.get('/v1/stock', { 'if-none-match': etag ?? '' })
  assert.equal(status, 200)
  const [item] = (body as Page<{ marketplace_stock: unknown[] }>).items
  assert.equal(item?.marketplace_stock.length, 1)
  const { body: metrics } = await seller.get(`/v1/metrics?${period}`)
  assert.equal((metrics as { shipments: { orders_total: number } }).shipments.orders_total, 3)
  const { items: events } = (await seller.get('/v1/events')).body as Page<unknown>
  assert.deepEqual(events, [])
})

test('a cabinet with an open shipment refuses observing in words, and journals nothing', async () => {
  const { manager, cabinet } = await open()
  const answer = await manager.patch(`/cabinets/${cabinet}`, { shipments: 'observe' })
  assert.deepEqual([answer.status, answer.code], [409, 'conflict'])
  assert.match(answer.message, /открытые отгрузки \(WB-GI-\d+\)/)
  const { shipments } = good<StaffCabinet>(await manager.get(`/cabinets/${cabinet}`))
  assert.equal(shipments, 'ours')
})
