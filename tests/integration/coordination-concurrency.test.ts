import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { startFakes } from '../support/marketplaces/fakes.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { chooseUsualPoint, good, openFloor } from '../support/shipping.ts'

/** Changes that the service allows and refuses while a marketplace has not answered a call about a shipment. */
const { wb, ozon, settings } = await startFakes()
const service = await startService(settings)
const { db } = service
const barcode = ean13('460000000001')

async function openConnected(fake: typeof wb | typeof ozon = wb, units = 5, running = service) {
  const floor = await openFloor(running, { [barcode]: units }, [fake.marketplace])
  const { cabinet, client, manager, worker } = floor
  const account = fake.account()
  const card = fake.addCard(account, { barcodes: [barcode] })
  const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }
  const draft = { credentials: account.credentials, shipments: 'ours' }
  good(await manager.patch(`/cabinets/${cabinet}`, draft))
  good(await manager.patch(`/cabinets/${cabinet}`, { warehouses: [fake.ownWarehouse] }))
  if (fake.marketplace === 'WB') await chooseUsualPoint(manager, cabinet)
  async function take(count: number): Promise<StaffOrder[]> {
    const numbers = Array.from({ length: count }, () => fake.addOrder(account, { lines: [line] }))
    const drafts = numbers.map((external_id) => ({ cabinet_id: cabinet, external_id, barcode }))
    return good<{ items: StaffOrder[] }>(
      await manager.post(`/clients/${client}/orders`, drafts),
      201,
    ).items
  }
  let opened = 0
  const open = async () => {
    const draft = { cabinet_id: cabinet, external_id: `${++opened}`, name: 'Дневная' }
    return good<StaffShipment>(await worker.post('/shipments', draft), 201)
  }
  const pick = async (shipment: StaffShipment, order: StaffOrder) =>
    floor.pick(shipment.picking_task_id, { scan_id: order.id, order_id: order.id, barcode })
  return { ...floor, account, take, openThere: open, pickOne: pick }
}

const ids = (...orders: readonly (StaffOrder | undefined)[]) => orders.map((one) => one?.id ?? '')

test('adding orders to a marketplace that hangs delays neither the client nor others', async () => {
  const [floor, stranger] = [await openConnected(), await openConnected()]
  const orders = await floor.take(2)
  const shipment = await floor.openThere()
  const held = wb.holdNext('/supplies/')
  const filling = floor.add(shipment.id, ids(...orders))
  await held.reached
  const correction = { barcode, delta: 1, reason: 'FOUND', entry_id: 'meanwhile' }
  const twenty = Array.from({ length: 20 }, (_, index) =>
    floor.manager.post(`/clients/${floor.client}/corrections`, {
      ...correction,
      entry_id: `meanwhile ${index}`,
    }),
  )
  for (const answer of await Promise.all(twenty)) assert.equal(answer.status, 201, answer.text)
  good(await stranger.worker.get(`/orders?client_id=${stranger.client}`))
  const theirs = await stranger.openThere()
  good(await stranger.add(theirs.id, ids(...(await stranger.take(1)))))
  held.release()
  assert.equal(good<StaffShipment>(await filling).orders_count, 2)
  assert.deepEqual(await floor.stock(barcode), [25, 2])
  assert.deepEqual((await audit(db)).findings, [])
})

test('orders that are being added join no other shipment, and their shipment does not leave', async () => {
  const floor = await openConnected()
  const [first, second] = await floor.take(2)
  const [shipment, other] = [await floor.openThere(), await floor.openThere()]
  const held = wb.holdNext('/supplies/')
  const filling = floor.add(shipment.id, ids(first))
  await held.reached
  const elsewhere = await floor.add(other.id, ids(second, first))
  assert.equal(elsewhere.status, 409)
  assert.match(elsewhere.message, /как раз добавляют/)
  const closing = await floor.worker.post(`/shipments/${shipment.id}/close`)
  assert.equal(closing.status, 409)
  assert.match(closing.message, /как раз добавляют/)
  good(await floor.add(other.id, ids(second)))
  // The repeated request waits and gets the same answer.
  const again = floor.add(shipment.id, ids(first))
  held.release()
  for (const answer of [await filling, await again]) {
    assert.equal(good<StaffShipment>(answer).orders_count, 1)
  }
  assert.deepEqual(await floor.stock(barcode), [5, 2])
})

test('a shipment that is being handed over does not change until the marketplace answers', async () => {
  const floor = await openConnected()
  const orders = await floor.take(2)
  const [first, second] = orders
  const shipment = await floor.openThere()
  good(await floor.add(shipment.id, ids(first)))
  assert.ok(first !== undefined)
  good(await floor.pickOne(shipment, first))
  const held = wb.holdNext('/deliver')
  const closing = floor.worker.post(`/shipments/${shipment.id}/close`)
  await held.reached
  const tries = await Promise.all([
    floor.add(shipment.id, ids(second)),
    floor.worker.delete(`/shipments/${shipment.id}/orders/${first.id}`),
    floor.pick(shipment.picking_task_id, { scan_id: 'late', order_id: first.id, barcode }),
  ])
  for (const answer of tries) {
    assert.equal(answer.status, 409, answer.text)
    assert.match(answer.message, /передают маркетплейсу/)
  }
  const again = floor.worker.post(`/shipments/${shipment.id}/close`)
  held.release()
  assert.equal(good<StaffShipment>(await closing).status, 'HANDED_OVER')
  assert.equal((await again).status, 409)
  assert.equal(
    wb.calls().filter(({ path }) => path.includes(`${shipment.external_id}/deliver`)).length,
    1,
  )
  assert.deepEqual(await floor.stock(barcode), [4, 0])
})

// Guarantee (coordination): A shipment that two people create at once is there once, here and at the marketplace.
test('two concurrent creations of a shipment create one, here and at the marketplace', async () => {
  const floor = await openConnected()
  const held = wb.holdNext('/api/v3/supplies')
  const draft = { cabinet_id: floor.cabinet, external_id: 'заявка', name: 'Дневная' }
  const asked = Array.from({ length: 3 }, () => floor.worker.post('/shipments', draft))
  await held.reached
  held.release()
  const answers = await Promise.all(asked)
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 201])
  const made = new Set(answers.map((answer) => (answer.body as StaffShipment).id))
  assert.equal(made.size, 1)
  assert.equal(wb.shipments(floor.account).length, 1)
})

test('the marketplace is not called if the warehouse refuses the change', async () => {
  const floor = await openConnected(wb, 1)
  const orders = await floor.take(2)
  const shipment = await floor.openThere()
  const before = wb.calls().length
  assert.equal((await floor.add(shipment.id, ids(...orders))).status, 409)
  assert.equal((await floor.worker.post(`/shipments/${shipment.id}/close`)).status, 409)
  const changing = wb
    .calls()
    .slice(before)
    .filter(({ method }) => method !== 'GET')
  assert.deepEqual(
    changing.filter(({ account }) => account === floor.account.id),
    [],
  )
})

test('a removed order stays behind when its shipment leaves', async () => {
  const floor = await openConnected()
  const [kept, lost] = await floor.take(2)
  const shipment = await floor.openThere()
  good(await floor.add(shipment.id, ids(kept, lost)))
  assert.ok(kept !== undefined && lost !== undefined)
  good(await floor.pickOne(shipment, kept))
  const removed = await floor.worker.delete(`/shipments/${shipment.id}/orders/${lost.id}`)
  assert.equal(removed.status, 204)
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  const [rest, gone] = wb.shipments(floor.account).toSorted((a) => (a.closedAt ? 1 : -1))
  assert.deepEqual(gone?.orders, [kept.external_id])
  assert.deepEqual(rest?.orders, [lost.external_id])
  const next = await floor.openThere()
  good(await floor.add(next.id, ids(lost)))
  assert.deepEqual(wb.shipments(floor.account).find(({ id }) => id === next.external_id)?.orders, [
    lost.external_id,
  ])
})

test('a shipment handed over in the cabinet closes here with the same orders, and not with fewer', async () => {
  for (const fake of [wb, ozon] as const) {
    const floor = await openConnected(fake)
    const [first, second, third] = await floor.take(3)
    assert.ok(first !== undefined && second !== undefined && third !== undefined)
    const shipment = await floor.openThere()
    good(await floor.add(shipment.id, ids(first, second)))
    for (const order of [first, second]) good(await floor.pickOne(shipment, order))
    const there = [first.external_id, third.external_id]
    fake.addShipment(floor.account, {
      id: shipment.external_id,
      orders: there,
      closedAt: Date.now(),
    })
    const refused = await floor.worker.post(`/shipments/${shipment.id}/close`)
    assert.equal(refused.status, 409, refused.text)
    assert.ok(refused.message.includes(second.external_id))
    const path = `/shipments/${shipment.id}`
    assert.equal((await floor.worker.delete(`${path}/orders/${second.id}`)).status, 204)
    assert.equal(
      good<StaffShipment>(await floor.worker.post(`${path}/close`)).status,
      'HANDED_OVER',
    )
    const { items } = good<{ items: { message: string | null }[] }>(
      await floor.manager.get(`/cabinets/${floor.cabinet}/tasks`),
    )
    assert.ok(items[0]?.message?.includes(third.external_id), items[0]?.message ?? '')
  }
})

test('missing marking codes do not keep a shipment here that has left at the marketplace', async () => {
  const floor = await openConnected()
  const { account } = floor
  const [order] = await floor.take(1)
  assert.ok(order !== undefined)
  const { id, external_id: there, picking_task_id: task } = await floor.openThere()
  good(await floor.add(id, ids(order)))
  const scan = { scan_id: 'marked', order_id: order.id, marking_code: markingCode(barcode, 1) }
  good(await floor.pick(task, scan))
  wb.setStatus(account, order.external_id, { supplier: 'complete', buyer: 'waiting' })
  wb.addShipment(account, { id: there, orders: [order.external_id], closedAt: Date.now() })
  const closed = await floor.worker.post(`/shipments/${id}/close`)
  assert.equal(good<StaffShipment>(closed).status, 'HANDED_OVER')
  assert.deepEqual(await floor.stock(barcode), [4, 0])
})

test('an unreadable key does not prevent the removal of an order', async () => {
  const floor = await openConnected()
  const [order] = await floor.take(1)
  const { id } = await floor.openThere()
  good(await floor.add(id, ids(order)))
  const credentials = Buffer.from('of another secret')
  await db`update cabinets set credentials = ${credentials} where id = ${floor.cabinet}`
  for (const verb of ['orders', 'close']) {
    const body = verb === 'orders' ? { order_ids: ids(order) } : undefined
    const refused = await floor.worker.post(`/shipments/${id}/${verb}`, body)
    assert.deepEqual([refused.status, refused.code], [502, 'marketplace_unavailable'])
    assert.match(refused.message, /Ключ доступа .* не читается/)
  }
  const path = `/shipments/${id}/orders/${order?.id}`
  assert.equal((await floor.worker.delete(path)).status, 204)
})

test('closing a shipment of an inactive cabinet says that it must be handed over there', async () => {
  const floor = await openConnected()
  const [order] = await floor.take(1)
  assert.ok(order !== undefined)
  const shipment = await floor.openThere()
  good(await floor.add(shipment.id, ids(order)))
  good(await floor.pickOne(shipment, order))
  good(await floor.manager.patch(`/cabinets/${floor.cabinet}`, { active: false }))
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  const { items } = good<{ items: { kind: string; state: string; message: string | null }[] }>(
    await floor.manager.get(`/cabinets/${floor.cabinet}/tasks`),
  )
  assert.deepEqual([items[0]?.kind, items[0]?.state], ['deliver', 'done'])
  assert.match(items[0]?.message ?? '', /Кабинет отключён/)
  const of = async (object: string) => {
    const path = `/cabinets/${floor.cabinet}/tasks?shipment_id=${object}`
    return good<{ items: { kind: string }[]; total: number }>(await floor.manager.get(path))
  }
  const own = await of(shipment.id)
  assert.deepEqual([own.items.length, own.total], [items.length, items.length])
  for (const unknown of [floor.client, 'x']) {
    assert.deepEqual((await of(unknown)).items, [], unknown)
  }
  assert.deepEqual((await audit(db)).findings, [])
})

test('a supply deleted in the cabinet takes no orders, and the worker reads why', async () => {
  const floor = await openConnected()
  const orders = await floor.take(1)
  const shipment = await floor.openThere()
  wb.deleteShipment(floor.account, shipment.external_id)
  const refused = await floor.add(shipment.id, ids(...orders))
  assert.equal(refused.status, 409)
  assert.match(refused.message, /этой отгрузки больше нет/)
})

test('an order moved out of the supply in the cabinet still leaves with its shipment', async () => {
  const floor = await openConnected()
  const orders = await floor.take(2)
  const [first] = orders
  const shipment = await floor.openThere()
  good(await floor.add(shipment.id, ids(...orders)))
  for (const order of orders) good(await floor.pickOne(shipment, order))
  const { external_id: id } = shipment
  wb.addShipment(floor.account, { id, orders: [first?.external_id ?? ''] })
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  const there = wb.shipments(floor.account).find((one) => one.id === id)
  assert.notEqual(there?.closedAt, undefined)
  assert.deepEqual(
    there?.orders.toSorted(),
    orders.map(({ external_id }) => external_id).toSorted(),
  )
})

test('a refused attempt does not hide an earlier attempt with unknown outcome', async () => {
  const floor = await openConnected()
  const draft = { cabinet_id: floor.cabinet, external_id: 'заявка', name: 'Дневная' }
  wb.failNext(1, { status: 504, done: true }, '/api/v3/supplies')
  assert.equal((await floor.worker.post('/shipments', draft)).status, 502)
  wb.refuse(floor.account, 401)
  assert.equal((await floor.worker.post('/shipments', draft)).status, 502)
  wb.refuse(floor.account, undefined)
  const made = good<StaffShipment>(await floor.worker.post('/shipments', draft), 201)
  assert.deepEqual(
    wb.shipments(floor.account).map(({ id }) => id),
    [made.external_id],
  )
})

test('two concurrent calls of marketplaces need two connections', async () => {
  const small = await startService({
    WB_BASE_URL: wb.baseUrl,
    OZON_BASE_URL: ozon.baseUrl,
    SYNC_INTERVAL: '1h',
    DATABASE_POOL: '2',
  })
  // Two clients call at once, before the process has opened any connection for remote calls.
  const floors = await Promise.all([wb, ozon].map((fake) => openConnected(fake, 5, small)))
  const held = [wb.holdNext('/api/v3/supplies'), ozon.holdNext('/carriage/create')]
  for (const floor of floors) await floor.take(1)
  const opening = floors.map((floor) => floor.openThere())
  for (const { reached } of held) await reached
  good((await floors[0]?.worker.get('/shipments')) ?? assert.fail())
  for (const { release } of held) release()
  assert.equal((await Promise.all(opening)).length, 2)
})
