import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { assertRefused, openClient } from '../support/client.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { sharedService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'

const service = await sharedService()
const { db } = service
/** Of the marketplace, of the supplier, and a supplier's code that is no GTIN. */
const [own, supplied, coded] = [ean13('460666000001'), ean13('460666000002'), 'SUP-77/A']

interface Named {
  readonly barcode: string
  readonly other_barcodes?: readonly string[]
}

async function openGoods(goods: Readonly<Record<string, number>> = { [own]: 5, OTHER: 1 }) {
  const floor = await openFloor(service, goods)
  const product = `/clients/${floor.client}/products/${own}`
  const path = (other: string) => `${product}/barcodes/${encodeURIComponent(other)}`
  return { ...floor, product, path, add: (other: string) => floor.manager.put(path(other), {}) }
}

test('a product gets other barcodes and loses them, with an entry in the journal for each', async () => {
  const { manager, client, product, path, add } = await openGoods()
  assert.deepEqual(good<Named>(await add(supplied)).other_barcodes, [supplied])
  assert.deepEqual(good<Named>(await add(coded)).other_barcodes, [supplied, coded])
  good(await add(coded))
  assert.deepEqual(good<Named>(await manager.get(product)).other_barcodes, [supplied, coded])
  const list = good<{ items: Named[] }>(await manager.get(`/clients/${client}/products`))
  assert.deepEqual(
    list.items.map(({ barcode, other_barcodes: others }) => [barcode, others]),
    [
      [own, [supplied, coded]],
      ['OTHER', undefined],
    ],
  )
  assert.equal(good<Named>(await manager.delete(path(supplied))).other_barcodes?.length, 1)
  good(await manager.delete(path(supplied)))
  const journal = await db<{ action: string; after: Named }[]>`
    select action, after from staff_journal
    where action like '%ProductBarcode' and client_id = ${client} order by id`
  assert.deepEqual(
    journal.map(({ action, after }) => [action, after.other_barcodes]),
    [
      ['addProductBarcode', [supplied]],
      ['addProductBarcode', [supplied, coded]],
      ['removeProductBarcode', [coded]],
    ],
    'a repeat is no change',
  )
})

test('a barcode of other goods, in any spelling and of the other kind, is refused', async () => {
  const { manager, client, path, add } = await openGoods({ [own]: 1, OTHER: 1, [supplied]: 1 })
  assertRefused(await add('OTHER'), 'conflict')
  assertRefused(await add(supplied), 'conflict')
  assertRefused(await add(`0${supplied}`), 'conflict')
  good(await add(coded))
  assertRefused(
    await manager.put(
      `/clients/${client}/products/OTHER/barcodes/${encodeURIComponent(coded)}`,
      {},
    ),
    'conflict',
  )
  assertRefused(await add('null'), 'validation_error')
  assertRefused(await manager.put(path(coded).replace(own, 'NONE'), {}), 'not_found')
  // The product that exists wins no barcode, and another can not be made under one.
  good(
    await manager.put(`/clients/${client}/products/${encodeURIComponent(coded)}`, { name: 'Чай' }),
  )
  const stored = await db`select from products where client_id = ${client} and barcode = ${coded}`
  assert.equal(stored.length, 0)
})

test('two clients may each have the barcode for goods of their own', async () => {
  const first = await openGoods()
  const second = await openGoods({ [own]: 1, [supplied]: 3 })
  good(await first.add(supplied))
  const found = good<{ matches: { client_id: string; barcode: string }[] }>(
    await first.worker.get(`/lookup?code=${supplied}`),
  ).matches
  const shown = new Map(found.map(({ client_id, barcode }) => [client_id, barcode]))
  assert.equal(shown.get(first.client), own)
  assert.equal(shown.get(second.client), supplied)
})

// Guarantee (catalogue): A product is found under each of its barcodes, and its stock stays under one.
test('receiving, putting away, picking, checking, counting and returns take the other barcode', async () => {
  const floor = await openGoods()
  const { manager, worker, client, add } = floor
  good(await add(supplied))
  const quantity = async () => {
    const rows = await db<{ barcode: string; quantity: number }[]>`
      select barcode, quantity from stock_balances where client_id = ${client} and quantity > 0
      order by barcode`
    return Object.fromEntries(rows.map((row) => [row.barcode, row.quantity]))
  }
  const receipt = good<{ id: string; items: Named[] }>(
    await manager.post(`/clients/${client}/receipts`, {
      items: [{ barcode: supplied, name: 'Чай поставщика', qty: 3 }],
    }),
    201,
  )
  assert.deepEqual(
    receipt.items.map(({ barcode }) => barcode),
    [own],
  )
  good(await worker.post(`/receipts/${receipt.id}/start`, {}))
  const shown = good<{ items: Named[] }>(await worker.get(`/receipts/${receipt.id}`)).items
  assert.deepEqual(shown[0]?.other_barcodes, [supplied], 'for handhelds without a network')
  good(
    await worker.post(`/receipts/${receipt.id}/scans`, {
      scan_id: '1',
      barcode: `]E0${supplied}\r`,
      qty: 3,
    }),
  )
  good(await worker.post(`/receipts/${receipt.id}/finish`, {}))
  assert.deepEqual(await quantity(), { [own]: 8, OTHER: 1 })

  const box = good<{ id: string }>(await worker.post('/boxes', { client_id: client }), 201)
  good(await worker.post(`/boxes/${box.id}/put`, { barcode: supplied, qty: 2 }))
  good(
    await manager.post(`/clients/${client}/corrections`, {
      barcode: supplied,
      delta: 1,
      reason: 'FOUND',
    }),
    201,
  )
  assert.deepEqual(await quantity(), { [own]: 9, OTHER: 1 })

  const [order] = await floor.orders({ [`OTHER-${client}`]: supplied })
  assert.equal(
    order?.lines[0]?.barcode,
    own,
    'an order of the other barcode is an order of the goods',
  )
  const shipment = await floor.filled(order === undefined ? [] : [order])
  const task = await floor.task(shipment)
  assert.deepEqual(task.lines?.[0]?.other_barcodes, [supplied])
  const unit = { scan_id: '1', order_id: order?.id, box_id: box.id }
  good(await floor.pick(task.id, { ...unit, barcode: supplied }))
  const check = { scan_id: '1', order_id: order?.id, code: supplied }
  assert.equal(
    good<Named>(await worker.post(`/shipments/${shipment.id}/checks`, check)).barcode,
    own,
  )

  const count = good<{ id: string }>(
    await manager.post('/counts', { client_id: client, scope: { barcodes: [supplied] } }),
    201,
  )
  good(await manager.post(`/counts/${count.id}/start`, {}))
  const scan = { scan_id: '1', code: supplied, qty: 2 }
  assert.equal(good<Named>(await worker.post(`/counts/${count.id}/scans`, scan)).barcode, own)
  const { other_barcodes: listed } = good<{ other_barcodes: unknown }>(
    await worker.get(`/counts/${count.id}`),
  )
  assert.deepEqual(listed, [{ barcode: own, others: [supplied] }])
})

test('orders that wait under the barcode get their goods when it is added', async () => {
  const floor = await openGoods()
  const [waiting, others] = await floor.orders({
    [`WAIT-${floor.client}`]: `0${supplied}`,
    [`ELSE-${floor.client}`]: 'OTHER',
  })
  assert.equal(waiting?.lines[0]?.barcode, `0${supplied}`)
  good(await floor.add(supplied))
  assert.equal((await floor.order(waiting?.id ?? '')).lines[0]?.barcode, own)
  assert.equal((await floor.order(others?.id ?? '')).lines[0]?.barcode, 'OTHER')
})

test('two lines of a request become one when one of their barcodes was given to the goods of the other meanwhile', async () => {
  const { client, cabinet, manager, add } = await openGoods()
  const { key } = await perform(db, systemClock, { kind: 'service' }, (work) =>
    issueApiKey(work, client, { name: 'Учёт', receiptsEnabled: true }),
  )
  const seller = openClient(service.baseUrl, key)
  const items = [own, supplied, coded].map((barcode) => ({
    ...{ barcode, name: 'Плед', qty: 2, honest_mark: false },
  }))
  const draft = { cabinet_id: cabinet, external_ref: 'PO-1', items }
  const { id } = good<{ id: string }>(await seller.post('/v1/receipts', draft), 201)
  good(await add(supplied))
  good(await add(coded))
  const { items: lines } = good<{ items: { barcode: string; expected_qty: number }[] }>(
    await manager.post(`/receipts/${id}/confirm`, {}),
  )
  assert.deepEqual(
    lines.map(({ barcode, expected_qty: units }) => [barcode, units]),
    [[own, 6]],
  )
})

test('a return is taken in under the other barcode', async () => {
  const floor = await openGoods()
  good(await floor.add(supplied))
  const [order] = await floor.orders({ [`BACK-${floor.client}`]: own })
  const shipment = await floor.filled(order === undefined ? [] : [order])
  good(
    await floor.pick(shipment.picking_task_id, { scan_id: '1', order_id: order?.id, barcode: own }),
  )
  good(await floor.worker.post(`/shipments/${shipment.id}/close`, {}))
  assert.deepEqual(await floor.stock(own), [4, 0])
  // Without a client: the code says whose it is.
  const scan = { scan_id: '1', code: `${coded}-${floor.client}`, condition: 'sellable' }
  good(await floor.add(scan.code))
  good(await floor.worker.post('/returns/scans', scan))
  assert.deepEqual(await floor.stock(own), [5, 0])
})

test('a marking code with the GTIN of the other barcode is of the product', async () => {
  const { manager, worker, client, product, add } = await openGoods()
  good(await manager.put(product, { name: 'Чай', honest_mark: true }))
  good(await add(supplied))
  const receipt = good<{ id: string }>(
    await manager.post(`/clients/${client}/receipts`, {
      items: [{ barcode: own, qty: 1, honest_mark: true }],
    }),
    201,
  )
  good(await worker.post(`/receipts/${receipt.id}/start`, {}))
  const scan = good<Named>(
    await worker.post(`/receipts/${receipt.id}/scans`, {
      scan_id: '1',
      marking_code: markingCode(supplied, 1),
    }),
  )
  assert.equal(scan.barcode, own)
})

test('the packing check takes a marking code with the GTIN of the other barcode', async () => {
  const floor = await openGoods()
  good(await floor.add(supplied))
  const [order] = await floor.orders({ [`CODED-${floor.client}`]: own })
  const shipment = await floor.filled(order === undefined ? [] : [order])
  const task = await floor.task(shipment)
  good(await floor.pick(task.id, { scan_id: '1', order_id: order?.id, barcode: own }))
  const check = { scan_id: '1', order_id: order?.id, code: markingCode(supplied, 1) }
  const checked = await floor.worker.post(`/shipments/${shipment.id}/checks`, check)
  assert.equal(good<Named>(checked).barcode, own)
})
