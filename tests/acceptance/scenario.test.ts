import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GoodsItem } from '../../src/warehouse/stock/goods-list.ts'
import type { GoodsLot } from '../../src/warehouse/stock/lot-queries.ts'
import { read } from '../support/shape.ts'
import { openTarget, readAll, readPage } from '../support/target.ts'
import {
  marketplaces,
  meShape,
  orderShape,
  orderStatuses,
  receiptShape,
  receiptStatuses,
  receiptWithItems,
  shipmentShape,
  shipmentStatuses,
  shipmentWithOrders,
  stockShape,
} from './resources.ts'

/** The data of a sandbox is complete and consistent. */

const target = await openTarget()
const sandbox = await target.sandbox()
const asked = Date.now()
const day = 86_400_000

const orders = await readAll(sandbox, '/v1/orders', {}, orderShape)
const stock = await readAll(sandbox, '/v1/stock', {}, stockShape)
const receipts = await readAll(sandbox, '/v1/receipts', {}, receiptShape)
const shipments = await readAll(sandbox, '/v1/shipments', {}, shipmentShape)
const byId = new Map(shipments.map((shipment) => [shipment.id, shipment]))

test('the scenario has two cabinets and twenty-four products', async () => {
  const { cabinets } = read(meShape, (await sandbox.get('/v1/me')).body)
  assert.deepEqual(cabinets.map((cabinet) => cabinet.marketplace).sort(), ['OZON', 'WB'])
  assert.equal(stock.length, 24)
})

test('every status of every kind occurs', () => {
  const seen = (of: readonly { status: string }[]) => [...new Set(of.map((each) => each.status))]
  assert.deepEqual(seen(orders).sort(), [...orderStatuses].sort())
  assert.deepEqual(seen(receipts).sort(), [...receiptStatuses].sort())
  assert.deepEqual(seen(shipments).sort(), [...shipmentStatuses].sort())
})

test('each status has one label', () => {
  for (const list of [orders, receipts, shipments]) {
    const labels = new Set(list.map(({ status, status_label: label }) => `${status} ${label}`))
    assert.equal(labels.size, new Set(list.map((each) => each.status)).size)
  }
})

test('the history covers the last thirty days', () => {
  for (const list of [orders, receipts, shipments]) {
    const times = list.map((each) => Date.parse(each.created_at))
    assert.ok(Math.min(...times) > asked - 32 * day)
    assert.ok(Math.min(...times) < asked - 25 * day)
    assert.ok(Math.max(...times) > asked - 2 * day)
  }
  const times = [...orders, ...receipts, ...shipments].flatMap((each) =>
    Object.entries(each).flatMap(([name, value]) =>
      name.endsWith('_at') && typeof value === 'string' ? [Date.parse(value)] : [],
    ),
  )
  assert.ok(Math.max(...times) <= Date.now() + 60_000, 'nothing happened in the future')
})

test('totals of filtered lists add up to the total', async () => {
  const totalOf = async (path: string, query: string) =>
    readPage({ check() {} }, (await sandbox.get(`${path}?limit=1&${query}`)).body).total
  const splits: [string, string, readonly string[], number][] = [
    ['/v1/orders', 'status', orderStatuses, orders.length],
    ['/v1/orders', 'marketplace', marketplaces, orders.length],
    ['/v1/receipts', 'status', receiptStatuses, receipts.length],
    ['/v1/shipments', 'status', shipmentStatuses, shipments.length],
    ['/v1/shipments', 'marketplace', marketplaces, shipments.length],
  ]
  for (const [path, name, values, total] of splits) {
    const totals = await Promise.all(values.map((value) => totalOf(path, `${name}=${value}`)))
    assert.equal(
      totals.reduce((sum, each) => sum + each, 0),
      total,
      `${path} by ${name}`,
    )
  }
})

test('every read of a shipment shows as many orders as its orders_count', async () => {
  for (const shipment of shipments) {
    const one = read(shipmentWithOrders, (await sandbox.get(`/v1/shipments/${shipment.id}`)).body)
    const own = orders.filter((order) => order.shipment_id === shipment.id)
    assert.equal(shipment.orders_count, own.length)
    assert.deepEqual(one.orders, own)
    const { body } = await sandbox.get(`/v1/orders?shipment_id=${shipment.id}&limit=1`)
    assert.equal(readPage(orderShape, body).total, own.length)
  }
})

test('the statuses of orders and shipments agree', () => {
  for (const order of orders) {
    const shipment = order.shipment_id === null ? undefined : byId.get(order.shipment_id)
    assert.equal(order.shipment_external_id, shipment?.external_id ?? null)
    if (order.status === 'NEW') assert.equal(shipment, undefined)
    if (order.status === 'ASSEMBLING') assert.equal(shipment?.status, 'ASSEMBLING')
    if (order.status === 'IN_DELIVERY') assert.ok(shipment?.closed_at)
    if (order.status === 'COMPLETED') assert.ok(shipment?.closed_at && order.packed_at)
    if (shipment === undefined) continue
    assert.equal(order.marketplace, shipment.marketplace)
    assert.ok(order.created_at < shipment.created_at)
    if (order.packed_at === null) continue
    assert.ok(order.packed_at >= shipment.created_at)
    assert.ok(shipment.closed_at === null || order.packed_at <= shipment.closed_at)
  }
})

test('an open shipment has packed and unpacked orders', () => {
  const open = orders.filter((order) => order.status === 'ASSEMBLING')
  assert.ok(open.some((order) => order.packed_at !== null))
  assert.ok(open.some((order) => order.packed_at === null))
})

test('the reserved units are those of the orders in open shipments', () => {
  for (const item of stock) {
    const claimed = orders.filter(
      (order) => order.status === 'ASSEMBLING' && order.barcode === item.barcode,
    )
    assert.equal(item.reserved, claimed.length, item.barcode)
  }
})

test('a product is a set of two others: some were put together, and its parts allow more', async () => {
  const { items } = (await sandbox.get('/v1/goods?is_set=true')).body as { items: GoodsItem[] }
  const [set] = items
  assert.ok(set && items.length === 1)
  assert.equal(set.parts.length, 2)
  const free = set.parts.map(({ barcode, quantity }) => {
    const part = stock.find((item) => item.barcode === barcode)
    return Math.floor(((part?.available ?? 0) - (part?.reserved ?? 0)) / quantity)
  })
  assert.equal(set.parts_allow, Math.min(...free))
  const ready = stock.find(({ barcode }) => barcode === set.barcode)
  assert.ok(ready && ready.quantity > 0)
  const ordered = orders.filter(({ barcode }) => barcode === set.barcode)
  assert.ok(ordered.some(({ packed_at: packed }) => packed !== null))
  const most = Math.max(...ready.marketplace_stock.map(({ quantity }) => quantity))
  assert.ok(most > ready.available)
  const oversold = await readAll(sandbox, '/v1/stock', { selection: 'shows_more' }, stockShape)
  assert.equal(
    oversold.some(({ barcode }) => barcode === set.barcode),
    false,
  )
})

test('the dates of a product are kept: its lots add up to its stock, and some expire soon', async () => {
  const { items } = (await sandbox.get('/v1/lots')).body as { items: readonly GoodsLot[] }
  const [first] = items
  assert.ok(first)
  assert.ok(items.every(({ barcode }) => barcode === first.barcode))
  const units = items.reduce((sum, { quantity }) => sum + quantity, 0)
  assert.equal(units, stock.find(({ barcode }) => barcode === first.barcode)?.quantity)
  assert.ok(items.some(({ state }) => state === 'soon'))
  assert.ok(items.some(({ state }) => state === 'good'))
})

test('the goods of orders and receipts are in the stock list, with their articles', async () => {
  const articles = new Map(stock.map((item) => [item.barcode, item.article]))
  for (const { barcode, article } of orders) {
    if (barcode === undefined) continue
    assert.ok(articles.has(barcode), barcode)
    assert.equal(article, articles.get(barcode))
  }
  for (const { id } of receipts) {
    const { items } = read(receiptWithItems, (await sandbox.get(`/v1/receipts/${id}`)).body)
    assert.ok(items.every((item) => articles.has(item.barcode)))
    assert.equal(new Set(items.map((item) => item.honest_mark)).size, 1)
  }
})

test('receipts of every source occur, and receipts without a source', () => {
  const sources = new Set(receipts.map((receipt) => receipt.source))
  assert.deepEqual(sources, new Set(['api', 'file', 'manual', undefined]))
})

test('a number in a cabinet belongs to one order or shipment', () => {
  for (const list of [orders, shipments]) {
    const numbers = list.map((each) => `${each.marketplace} ${each.external_id}`)
    assert.equal(new Set(numbers).size, numbers.length)
  }
})

test('the scenario holds what integrators meet in production first', async () => {
  const open = orders.filter(({ status }) => status === 'NEW')
  assert.equal(open.filter(({ barcode }) => barcode === undefined).length, 1)
  const unsynced = open.filter(({ synced_at }) => synced_at === null)
  assert.deepEqual(
    unsynced.map(({ marketplace_status: pair }) => pair),
    [{}],
  )
  const partial = orders.filter(
    ({ marketplace_status: { supplier, buyer } }) => supplier !== undefined && buyer === undefined,
  )
  assert.equal(partial.length, 1)
  assert.ok(receipts.some(({ planned_date: date }) => date === null))
  assert.ok(receipts.some(({ planned_date: date }) => date !== null))
  assert.equal(stock.filter(({ marketplace_stock: shown }) => shown.length === 0).length, 1)
  const empty = stock.filter(({ quantity }) => quantity === 0)
  assert.deepEqual(
    empty.map(({ available, reserved, in_question: unclear }) => [available, reserved, unclear]),
    [[0, 0, 0]],
  )
})
