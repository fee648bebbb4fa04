import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { assertRefused } from '../support/client.ts'
import { eventually } from '../support/faults.ts'
import { startFakeOzon } from '../support/marketplaces/ozon.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'

/** Orders that are split into several boxes, here or in OZON's cabinet. */
const fake = await startFakeOzon()
after(() => fake.close())
const service = await startService({ OZON_BASE_URL: fake.baseUrl, SYNC_INTERVAL: '1h' }, 'all')
const { db } = service
const barcode = '4600000000015'

async function openSplit({ raw = {} } = {}) {
  const floor = await openFloor(service, { [barcode]: 3 })
  const account = fake.account()
  const card = fake.addCard(account, { barcodes: [barcode] })
  const line = { itemId: card.itemId, article: card.article, barcode, quantity: 3 }
  const number = fake.addOrder(account, { lines: [line], raw })
  const draft = {
    marketplace: 'OZON',
    name: 'OZON',
    credentials: account.credentials,
    shipments: 'ours',
  }
  const made = await floor.manager.post(`/clients/${floor.client}/cabinets`, draft)
  const { id: cabinet } = good<{ id: string }>(made, 201)
  const choice = { warehouses: [fake.ownWarehouse] }
  good(await floor.manager.patch(`/cabinets/${cabinet}`, choice))
  const orders = async () =>
    good<{ items: StaffOrder[] }>(
      await floor.worker.get(`/orders?client_id=${floor.client}&limit=100`),
    ).items
  await eventually('the order is there', async () => (await orders()).length === 1)
  const [order] = await orders()
  assert.ok(order)
  const state = async () =>
    good<{ synced_at: string | null }>(await floor.manager.get(`/cabinets/${cabinet}`))
  // The first sync run goes on after it has taken the order in.
  await eventually('the first run is over', async () => (await state()).synced_at !== null)
  const sync = async () => {
    await db`update remote_commands set requested_at = requested_at - interval '1 minute'`
    const [now] = await db<[{ at: string }]>`select clock_timestamp()::text as at`
    assert.equal((await floor.manager.post(`/cabinets/${cabinet}/sync`)).status, 202)
    await eventually('a run that began after that is over', async () => {
      const runs = await db`
        select from cabinet_syncs where cabinet_id = ${cabinet} and lease is null
          and started_at > ${now.at}::text::timestamptz`
      return runs.length > 0
    })
  }
  const split = (id = order.id, packages: readonly (readonly object[])[] = twoAndOne) =>
    floor.worker.post(`/orders/${id}/split`, { packages })
  return { ...floor, account, cabinet, order, number, orders, sync, split }
}

const twoAndOne = [[{ barcode, qty: 2 }], [{ barcode, qty: 1 }]]

test('an order that is split here becomes an order for each box, and no unit is there twice', async () => {
  const scene = await openSplit()
  const { worker, number, order } = scene
  for (const [packages, words] of [
    [[[{ barcode, qty: 2 }], [{ barcode, qty: 2 }]], /packages\[1\]\[0\].qty.*осталось 1/],
    [[[{ barcode, qty: 1 }], [{ barcode, qty: 1 }]], /разложите все единицы/],
    [[[{ barcode: 'нет', qty: 1 }], [{ barcode, qty: 2 }]], /packages\[0\]\[0\].barcode/],
  ] as const) {
    const refused = await scene.split(order.id, packages)
    assert.equal(refused.status, 400, refused.text)
    assert.match(refused.message, words)
  }
  const { items } = good<{ items: StaffOrder[] }>(await scene.split())
  const numbers = items.map(({ external_id }) => external_id)
  assert.deepEqual(numbers.toSorted(), [`${number}-1`, `${number}-2`])
  assert.deepEqual(items.map(({ lines }) => lines[0]?.qty).toSorted(), [1, 2])
  const before = good<StaffOrder>(await worker.get(`/orders/${order.id}`))
  assert.equal(before.status, 'CANCELLED')
  const ids = items.map(({ id }) => id)
  const body = { cabinet_id: scene.cabinet, external_id: 'утро', order_ids: ids }
  const shipment = good<StaffShipment>(await worker.post('/shipments', body), 201)
  assert.deepEqual(await scene.stock(barcode), [3, 3])
  await scene.sync()
  assert.equal((await scene.orders()).length, 3)
  assert.equal(good<StaffShipment>(await worker.get(`/shipments/${shipment.id}`)).orders_count, 2)
  assert.equal((await scene.split()).status, 409)
  assert.deepEqual((await audit(db)).findings, [])
})

test('a split whose answer was lost is found out by the next sync', async () => {
  const scene = await openSplit()
  fake.failNext(1, { status: 504, done: true }, '/v4/posting/fbs/ship')
  fake.failNext(9, { status: 503 }, '/v4/posting/fbs/list')
  const lost = await scene.split()
  assert.equal(lost.status, 502, lost.text)
  fake.heal()
  await scene.sync()
  const orders = await scene.orders()
  assert.deepEqual(
    orders.map(({ external_id, status }) => `${external_id} ${status}`).toSorted(),
    [
      `${scene.number} CANCELLED`,
      `${scene.number}-1 ASSEMBLING`,
      `${scene.number}-2 ASSEMBLING`,
    ].toSorted(),
  )
  const open = await db`select from remote_commands where state = 'requested'`
  assert.equal(open.length, 0)
  assert.deepEqual((await audit(db)).findings, [])
})

test('parts that OZON makes late are waited for before the split is done here', async () => {
  const scene = await openSplit()
  const { account, number, order } = scene
  fake.injectFaults(account, number, { lateParts: 2 })
  const one = [{ barcode, qty: 1 }]
  const late = await scene.split(order.id, [one, one, one])
  assert.equal(late.status, 502, late.text)
  await scene.sync()
  const state = async () => {
    const [command] = await db<{ state: string }[]>`
      select state from remote_commands where kind = 'split' and client_id = ${scene.client}`
    return command?.state
  }
  assert.equal(await state(), 'requested', 'one part of three is no split')
  fake.makeLateParts(account, number)
  await scene.sync()
  assert.equal(await state(), 'done')
  const orders = await scene.orders()
  assert.deepEqual(orders.map(({ external_id, status }) => `${external_id} ${status}`).toSorted(), [
    `${number} CANCELLED`,
    ...[1, 2, 3].map((at) => `${number}-${at} ASSEMBLING`),
  ])
  assert.deepEqual((await audit(db)).findings, [])
})

test('parts that OZON makes one by one join the shipment of their order one by one', async () => {
  const scene = await openSplit()
  const { worker, account, number, order } = scene
  const body = { cabinet_id: scene.cabinet, external_id: 'утро', order_ids: [order.id] }
  const shipment = good<StaffShipment>(await worker.post('/shipments', body), 201)
  const [line] = fake.linesOf(account, number)
  assert.ok(line)
  const part = (at: number, quantity: number) =>
    fake.addOrder(account, {
      externalId: `${number}-${at}`,
      lines: [{ ...line, quantity }],
      raw: { parent_posting_number: number },
      status: { supplier: 'awaiting_deliver', buyer: 'posting_registered' },
    })
  const inside = async () => {
    const { orders = [] } = good<StaffShipment>(await worker.get(`/shipments/${shipment.id}`))
    return orders.map(({ external_id }) => external_id).toSorted()
  }
  const gone = { supplier: 'cancelled_from_split_pending', buyer: 'posting_canceled' }
  const first = part(1, 2)
  fake.setStatus(account, number, gone)
  await scene.sync()
  assert.deepEqual(await inside(), [number, first])
  assert.deepEqual(await scene.stock(barcode), [3, 2])
  const second = part(2, 1)
  await scene.sync()
  assert.deepEqual(await inside(), [first, second])
  assert.deepEqual(await scene.stock(barcode), [3, 3])
  assert.deepEqual((await audit(db)).findings, [])
})

test('the parts of an order that was split in the cabinet take its place in its shipment', async () => {
  const scene = await openSplit()
  const { worker, account, number, order } = scene
  const body = { cabinet_id: scene.cabinet, external_id: 'утро', order_ids: [order.id] }
  const shipment = good<StaffShipment>(await worker.post('/shipments', body), 201)
  assert.deepEqual(await scene.stock(barcode), [3, 3])
  const parts = [2, 1].map((quantity, at) => {
    const [line] = fake.linesOf(account, number)
    assert.ok(line)
    return fake.addOrder(account, {
      externalId: `${number}-${at + 1}`,
      lines: [{ ...line, quantity }],
      raw: { parent_posting_number: number },
      status: { supplier: 'awaiting_deliver', buyer: 'posting_registered' },
    })
  })
  const gone = { supplier: 'cancelled_from_split_pending', buyer: 'posting_canceled' }
  fake.setStatus(account, number, gone)
  await scene.sync()
  const { orders = [] } = good<StaffShipment>(await worker.get(`/shipments/${shipment.id}`))
  assert.deepEqual(orders.map(({ external_id }) => external_id).toSorted(), parts.toSorted())
  assert.deepEqual(await scene.stock(barcode), [3, 3])
  assert.deepEqual((await audit(db)).findings, [])
})

test('an order that is being picked is not split', async () => {
  const scene = await openSplit()
  const { worker, order } = scene
  const body = { cabinet_id: scene.cabinet, external_id: 'утро', order_ids: [order.id] }
  const shipment = good<StaffShipment>(await worker.post('/shipments', body), 201)
  const refused = await scene.split()
  assert.equal(refused.status, 409)
  assert.match(refused.message, /разделить можно только несобранный заказ/)
  good(await scene.pick(shipment.picking_task_id, { scan_id: '1', order_id: order.id, barcode }))
  const picked = await scene.split()
  assert.equal(picked.status, 409)
  assert.match(picked.message, /уже собирают/)
})

test('nothing is split at OZON while no warehouses of the cabinet are chosen', async () => {
  const { split, account, manager, cabinet } = await openSplit()
  good(await manager.patch(`/cabinets/${cabinet}`, { warehouses: null }))
  const refused = await split()
  assert.equal(refused.status, 409)
  assert.match(refused.message, /Склады кабинета не выбраны, поэтому его заказы здесь не делят/)
  const calls = fake.calls().filter((call) => call.account === account.id)
  assert.ok(!calls.some(({ path }) => path.endsWith('/fbs/ship')))
})

test('the number of boxes of an order goes to OZON before packing, and its label has a page for each', async () => {
  const scene = await openSplit({ raw: { is_multibox: true } })
  const { worker, order, account, number } = scene
  const setBoxes = (count: unknown) => worker.put(`/orders/${order.id}/boxes`, { count })
  assertRefused(await setBoxes(0), 'validation_error', 'count')
  const body = { cabinet_id: scene.cabinet, external_id: 'утро', order_ids: [order.id] }
  const shipment = good<StaffShipment>(await worker.post('/shipments', body), 201)
  const units = [1, 2, 3].map((n) => ({ scan_id: `u${n}`, order_id: order.id, barcode }))
  for (const unit of units) good(await scene.pick(shipment.picking_task_id, unit))
  const unsaid = await worker.post(`/shipments/${shipment.id}/close`)
  assertRefused(unsaid, 'conflict', `${number} едет в нескольких коробках`)
  assert.equal(good<StaffOrder>(await setBoxes(2)).boxes, 2)
  assert.equal(good<StaffOrder>(await setBoxes(3)).boxes, 3)
  assert.equal(good<StaffOrder>(await setBoxes(3)).boxes, 3)
  good(await worker.post(`/shipments/${shipment.id}/close`))
  const label = await fetch(`${service.baseUrl}/staff/v1/orders/${order.id}/sticker`, {
    headers: { authorization: `Bearer ${worker.token}` },
  })
  const pages = await label.text()
  for (const page of [1, 2, 3]) assert.ok(pages.includes(`${number}-${page}/3`), pages)
  assert.equal(label.headers.get('x-label-code'), encodeURIComponent(order.label_codes?.[0] ?? '-'))
  assertRefused(await setBoxes(4), 'conflict', 'уже передан')
  const changes = await db`
    select from staff_journal where object_id = ${order.id} and action = 'setOrderBoxes'`
  assert.equal(changes.length, 2)
  assert.equal(fake.shipments(account).length, 1)
  assert.deepEqual((await audit(db)).findings, [])
})

test('a number of boxes that OZON refuses is known on neither side, and one with a lost answer on both', async () => {
  const usual = await openSplit()
  const refused = await usual.worker.put(`/orders/${usual.order.id}/boxes`, { count: 2 })
  assertRefused(refused, 'conflict', 'разделите заказ по коробкам')
  assert.equal((await usual.orders())[0]?.boxes, 1)
  const scene = await openSplit({ raw: { is_multibox: true } })
  fake.failNext(4, { status: 502, body: {}, done: true }, 'multiboxqty/set')
  const lost = await scene.worker.put(`/orders/${scene.order.id}/boxes`, { count: 2 })
  assert.equal(lost.status, 502, lost.text)
  fake.heal()
  await scene.sync()
  assert.equal((await scene.orders())[0]?.boxes, 2)
  const [command] = await db`
    select state from remote_commands where kind = 'set_boxes' and client_id = ${scene.client}`
  assert.equal(command?.state, 'done')
})
