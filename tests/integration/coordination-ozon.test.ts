import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { assertRefused } from '../support/client.ts'
import type { FakeAccount, FakeLine } from '../support/marketplaces/fake.ts'
import { deliveryMethod, startFakeOzon } from '../support/marketplaces/ozon.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'

/** A connected OZON cabinet: the service repeats a worker's changes at OZON. */
const fake = await startFakeOzon()
after(() => fake.close())
const service = await startService({ OZON_BASE_URL: fake.baseUrl })

const barcode = '4600000000015'

/** A connected cabinet with five units in the warehouse, and orders of one unit each that are taken in. */
async function openConnected(
  prepare: (account: FakeAccount, lines: readonly FakeLine[]) => readonly string[],
) {
  const floor = await openFloor(service, { [barcode]: 5 }, ['OZON'])
  const { cabinet, client, manager } = floor
  const account = fake.account()
  const { itemId, article } = fake.addCard(account, { barcodes: [barcode] })
  const numbers = prepare(account, [{ itemId, article, barcode, quantity: 1 }])
  const connection = { credentials: account.credentials, shipments: 'ours' }
  good(await manager.patch(`/cabinets/${cabinet}`, connection))
  good(await manager.patch(`/cabinets/${cabinet}`, { warehouses: [fake.ownWarehouse] }))
  const drafts = numbers.map((external_id) => ({ cabinet_id: cabinet, external_id, barcode }))
  const taken = await manager.post(`/clients/${client}/orders`, drafts)
  const orders = good<{ items: StaffOrder[] }>(taken, 201).items
  const idOf = (number: string) => orders.find((one) => one.external_id === number)?.id ?? ''
  return { floor, account, numbers, ids: numbers.map(idOf) }
}

test('with several delivery methods the named orders decide which one a shipment uses', async () => {
  const method = { ...deliveryMethod, id: 22_200, name: 'Курьер' }
  const { floor, account, numbers, ids } = await openConnected((there, lines) => [
    fake.addOrder(there, { lines }),
    fake.addOrder(there, { lines, raw: { delivery_method: method } }),
  ])
  const { cabinet, worker } = floor
  const [, other = ''] = numbers
  const open = (body: object) =>
    worker.post('/shipments', { cabinet_id: cabinet, external_id: '1', name: 'Утро', ...body })
  const unclear = await open({})
  assert.equal(unclear.status, 409, unclear.text)
  assert.match(unclear.message, /Курьер/)
  const order_ids = ids.slice(1)
  const unknown = await open({ order_ids: [...order_ids, cabinet] })
  assert.equal(unknown.status, 404)
  assert.match(unknown.message, /order_ids\[1\]/)
  const shipment = good<StaffShipment>(await open({ order_ids }), 201)
  assert.deepEqual(fake.shipments(account)[0]?.orders, [other])
  assert.equal(good<StaffShipment>(await open({ order_ids }), 200).id, shipment.id)
  good(await worker.post(`/shipments/${shipment.id}/orders`, { order_ids }))
  assert.deepEqual(fake.shipments(account)[0]?.orders, [other])
})

test('a shipment is created, filled and handed over at OZON with exactly its orders', async () => {
  let foreign = ''
  const {
    floor,
    account,
    numbers,
    ids: order_ids,
  } = await openConnected((there, lines) => {
    const packed = { supplier: 'awaiting_deliver', buyer: 'posting_registered' }
    foreign = fake.addOrder(there, { lines, status: packed })
    return [1, 2].map(() => fake.addOrder(there, { lines }))
  })
  const { cabinet, worker } = floor
  const opening = await worker.post('/shipments', {
    cabinet_id: cabinet,
    external_id: 'утро 1',
    name: 'Утро',
  })
  const shipment = good<StaffShipment>(opening, 201)
  assert.deepEqual(fake.shipments(account)[0]?.orders, [foreign])

  good(await worker.post(`/shipments/${shipment.id}/orders`, { order_ids }))
  for (const number of numbers) {
    assert.equal(fake.statusOf(account, number).supplier, 'awaiting_deliver')
  }
  const { picking_task_id } = good<StaffShipment>(await worker.get(`/shipments/${shipment.id}`))
  for (const order_id of order_ids) {
    good(await floor.pick(picking_task_id, { scan_id: order_id, order_id, barcode }))
  }
  good(await worker.post(`/shipments/${shipment.id}/close`, {}))
  const [there] = fake.shipments(account)
  assert.equal(there?.id, shipment.external_id)
  assert.notEqual(there?.closedAt, undefined)
  assert.deepEqual(there?.orders.toSorted(), numbers.toSorted())
  assert.deepEqual(await floor.stock(barcode), [3, 0])
})

test('where OZON opens shipments for packed orders alone and one at a time, its refusal says what to do', async () => {
  const { floor, account, numbers, ids } = await openConnected((there, lines) => {
    fake.restrictCarriages(there)
    const made = [1, 2, 3].map(() => fake.addOrder(there, { lines }))
    fake.require(there, made[2] ?? '', 'imei')
    return made
  })
  const { cabinet, worker } = floor
  const [, , marked = ''] = numbers
  const open = (name: string, ...of: number[]) =>
    worker.post('/shipments', {
      cabinet_id: cabinet,
      external_id: name,
      ...(of.length === 0 ? {} : { order_ids: of.map((n) => ids[n]) }),
    })
  assertRefused(await open('пустая'), 'conflict', 'назовите заказы сразу')
  assert.deepEqual(fake.shipments(account), [])

  const first = good<StaffShipment>(await open('первая', 0, 2), 201)
  assertRefused(await open('вторая', 1), 'conflict', 'неподтверждённая отгрузка')
  assert.equal(fake.shipments(account).length, 1)
  const task = first.picking_task_id
  const imei = { imei: '358240051111110' }
  good(await floor.pick(task, { scan_id: 'a', order_id: ids[0], barcode }))
  good(await floor.pick(task, { scan_id: 'b', order_id: ids[2], barcode, marks: imei }))
  good(await worker.post(`/shipments/${first.id}/close`))
  assert.deepEqual(
    fake.shipments(account).map((one) => one.orders.toSorted()),
    [[numbers[0], marked].toSorted()],
  )
  good<StaffShipment>(await open('вторая', 1), 201)
  assert.deepEqual(fake.shipments(account)[1]?.orders, [numbers[1]])
})

test('orders that are brought to a point are handed over without a carriage, and one added later is packed at once', async () => {
  const { floor, account, numbers, ids } = await openConnected((there, lines) => {
    fake.bringToPoint(there)
    const made = [1, 2, 3].map(() => fake.addOrder(there, { lines }))
    fake.require(there, made[2] ?? '', 'imei')
    return made
  })
  const { cabinet, worker } = floor
  const [, , marked = ''] = numbers
  const [first = '', second = '', third = ''] = ids
  const draft = { cabinet_id: cabinet, external_id: 'в пункт', order_ids: [first] }
  const shipment = good<StaffShipment>(await worker.post('/shipments', draft), 201)
  assert.equal(fake.statusOf(account, numbers[0] ?? '').supplier, 'awaiting_deliver')
  good(await worker.post(`/shipments/${shipment.id}/orders`, { order_ids: [second, third] }))
  assert.equal(fake.statusOf(account, numbers[1] ?? '').supplier, 'awaiting_deliver')
  assert.equal(fake.statusOf(account, marked).supplier, 'awaiting_packaging')
  const task = shipment.picking_task_id
  good(await floor.pick(task, { scan_id: 'a', order_id: first, barcode }))
  good(await floor.pick(task, { scan_id: 'b', order_id: second, barcode }))
  const imei = { imei: '490154203237518' }
  good(await floor.pick(task, { scan_id: 'c', order_id: third, barcode, marks: imei }))
  fake.failNext(9, { status: 400, body: { code: 3, message: 'BROKEN' } }, 'fbs/ship')
  assertRefused(await worker.post(`/shipments/${shipment.id}/close`), 'conflict', 'BROKEN')
  fake.heal()
  const closed = good<StaffShipment>(await worker.post(`/shipments/${shipment.id}/close`))
  assert.equal(closed.status, 'HANDED_OVER')
  assert.deepEqual(fake.shipments(account), [])
  for (const number of numbers) {
    assert.equal(fake.statusOf(account, number).supplier, 'awaiting_deliver')
  }
  assert.deepEqual(await floor.stock(barcode), [2, 0])
  const notes = await service.db<{ message: string }[]>`
    select message from remote_commands where shipment_id = ${shipment.id} and kind = 'hand_over'
      and state = 'done'`
  assert.match(notes[0]?.message ?? '', /сдайте заказы в пункт/)
  assertRefused(await worker.get(`/shipments/${shipment.id}/pass`), 'conflict', 'по этикеткам')
  assert.deepEqual((await audit(service.db)).findings, [])
})

test('a shipment of marked goods alone is created at OZON when it is closed', async () => {
  const { floor, account, numbers, ids } = await openConnected((there, lines) => {
    fake.restrictCarriages(there)
    const made = [1, 2, 3].map(() => fake.addOrder(there, { lines }))
    for (const number of made.slice(0, 2)) fake.require(there, number, 'imei')
    return made
  })
  const { cabinet, manager, worker } = floor
  const [first = '', second = '', plain = ''] = ids
  const open = (...order_ids: string[]) =>
    worker.post('/shipments', { cabinet_id: cabinet, external_id: 'с IMEI', order_ids })

  const cancelled = good<StaffShipment>(await open(first), 201)
  good(await manager.delete(`/shipments/${cancelled.id}`), 204)
  const shipment = good<StaffShipment>(await open(first), 201)
  assert.notEqual(shipment.id, cancelled.id)
  assert.equal(good<StaffShipment>(await open(first), 200).id, shipment.id)
  good(await worker.post(`/shipments/${shipment.id}/orders`, { order_ids: [second, plain] }))
  good(await worker.delete(`/shipments/${shipment.id}/orders/${second}`), 204)
  const path = `/picking-tasks/${shipment.picking_task_id}`
  const imei = { imei: '353879234254001' }
  good(
    await floor.pick(shipment.picking_task_id, {
      scan_id: 'a',
      order_id: first,
      barcode,
      marks: imei,
    }),
  )
  assertRefused(await worker.post(`/shipments/${shipment.id}/close`), 'conflict', 'не собран')
  good(await floor.pick(shipment.picking_task_id, { scan_id: 'b', order_id: plain, barcode }))
  assertRefused(await worker.get(`/shipments/${shipment.id}/pass`), 'conflict', 'когда её закроют')
  assert.deepEqual(fake.shipments(account), [], 'OZON knows nothing of it')
  fake.failNext(
    1,
    { status: 400, body: { code: 9, message: 'there_are_incomplete_carriages' } },
    '/carriage/create',
  )
  const busy = await worker.post(`/shipments/${shipment.id}/close`)
  assertRefused(busy, 'conflict', 'неподтверждённая отгрузка')
  const closed = good<StaffShipment>(await worker.post(`/shipments/${shipment.id}/close`))
  const [there, ...others] = fake.shipments(account)
  assert.deepEqual([closed.status, closed.external_id], ['HANDED_OVER', there?.id])
  assert.deepEqual(others, [])
  assert.notEqual(there?.closedAt, undefined)
  assert.deepEqual(there?.orders.toSorted(), [numbers[0], numbers[2]].toSorted())
  assert.deepEqual(await floor.stock(barcode), [3, 0])
  assert.equal(good<{ status: string }>(await worker.get(path)).status, 'DONE')
  assert.deepEqual((await audit(service.db)).findings, [])
})
