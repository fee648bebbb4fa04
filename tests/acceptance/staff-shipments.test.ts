import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import type { PickingTask } from '../../src/warehouse/picking/view.ts'
import type { DayShipment } from '../../src/warehouse/shipments/day-shipment.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { assertRefused } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { type Floor, good, nobody, openFloor } from '../support/shipping.ts'
import { staffCalls } from '../support/staff.ts'

const service = await sharedService()
const { db } = service

const shown = async ({ worker }: Floor, id: string) =>
  good<StaffShipment>(await worker.get(`/shipments/${id}`))
const pickAll = async (floor: Floor, shipment: StaffShipment) => {
  for (const order of (await shown(floor, shipment.id)).orders ?? []) {
    if (order.status === 'CANCELLED') continue
    const { id, barcode } = order
    good(await floor.pick(shipment.picking_task_id, { scan_id: id, order_id: id, barcode }))
  }
}

test('a shipment is opened, filled, picked, closed and accepted', async () => {
  const floor = await openFloor(service, { A: 5 })
  const { worker, manager } = floor
  const orders = await floor.orders({ A1: 'A', A2: 'A' })
  const draft = { cabinet_id: floor.cabinet, external_id: 'WB-GI-7', name: 'Утро' }
  const opened = good<StaffShipment>(await worker.post('/shipments', draft), 201)
  assert.deepEqual([opened.status, opened.name, opened.orders], ['ASSEMBLING', 'Утро', []])
  assert.deepEqual([opened.client_id, opened.cabinet_id], [floor.client, floor.cabinet])
  assertRefused(await worker.post('/shipments', draft), 'conflict', 'WB-GI-7')

  const ids = orders.map(({ id }) => id)
  const filled = good<StaffShipment>(await floor.add(opened.id, ids))
  assert.equal(filled.orders_count, 2)
  assert.ok(filled.orders?.every(({ status }) => status === 'ASSEMBLING'))
  assert.deepEqual(await floor.stock('A'), [5, 2])
  assert.deepEqual(good(await floor.add(opened.id, ids)), filled, 'a repeat')
  assert.deepEqual(await floor.stock('A'), [5, 2])

  const close = () => worker.post(`/shipments/${opened.id}/close`)
  const accept = (body?: unknown) => manager.post(`/shipments/${opened.id}/accept`, body)
  assertRefused(await close(), 'conflict', /Заказ A\d не собран, и ещё 1/)
  assertRefused(await accept({}), 'conflict', 'Собирается')
  await pickAll(floor, opened)
  const both = await Promise.all([close(), close()])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  const closed = await shown(floor, opened.id)
  assert.equal(closed.status, 'HANDED_OVER')
  assert.ok(closed.orders?.every(({ status }) => status === 'IN_DELIVERY'))
  assert.deepEqual(await floor.stock('A'), [3, 0])
  const task = await floor.task(opened)
  assert.deepEqual([task.status, task.done_at], ['DONE', closed.closed_at])
  assertRefused(await floor.add(opened.id, ids), 'conflict', 'Передана маркетплейсу')
  assertRefused(await worker.delete(`/shipments/${opened.id}/orders/${ids[0]}`), 'conflict')

  for (const [accepted_at, names] of [
    ['2026-01-01T00:00:00Z', 'закрытия'],
    ['9000-01-01T00:00:00Z', 'будущем'],
    ['завтра', 'RFC 3339'],
    [5, 'accepted_at'],
  ] as const) {
    assertRefused(await accept({ accepted_at }), 'validation_error', names)
  }
  assertRefused(await worker.post(`/shipments/${opened.id}/accept`), 'forbidden')
  const at = closed.closed_at
  const accepted = good<StaffShipment>(await accept({ accepted_at: at }))
  assert.deepEqual([accepted.status, accepted.accepted_at], ['ACCEPTED', at])
  assertRefused(await accept(), 'conflict', 'Принята')
  const actions = await db<{ action: string }[]>`
    select action from staff_journal where object_id = ${opened.id} order by id`
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['openShipment', 'addOrdersToShipment', 'closeShipment', 'acceptShipment'],
  )
})

test('the orders that may join a shipment come in one list, the most urgent first', async () => {
  const floor = await openFloor(service, { A: 6 }, ['WB', 'WB'])
  const { client, worker, cabinets } = floor
  const numbers = ['none', 'late', 'joined', 'cancelled', 'soon', 'elsewhere']
  const orders = await floor.orders(Object.fromEntries(numbers.map((number) => [number, 'A'])))
  const idOf = (number: string) => orders[numbers.indexOf(number)]?.id ?? ''
  await db`
    update orders set cabinet_id = ${cabinets[1] ?? ''}
    where client_id = ${client} and external_id = 'elsewhere'`
  for (const [number, at] of [
    ['late', '2030-01-02T00:00:00Z'],
    ['soon', '2030-01-01T00:00:00Z'],
    ['joined', '2030-01-03T00:00:00Z'],
  ] as const) {
    await db`update orders set deadline_at = ${at} where client_id = ${client} and id = ${idOf(number)}`
  }
  await db`
    update orders set deadline_at = null
    where client_id = ${client} and external_id not in ('late', 'soon', 'joined')`
  await floor.report(idOf('cancelled'), 'cancel', 'canceled')
  const { id } = await floor.open()
  const waiting = async () => {
    const list = await worker.get(`/shipments/${id}/waiting-orders`)
    return good<{ items: StaffOrder[] }>(list).items.map((order) => order.external_id)
  }
  assert.deepEqual(await waiting(), ['soon', 'late', 'joined', 'none'])
  good(await floor.add(id, [idOf('joined')]))
  assert.deepEqual(await waiting(), ['soon', 'late', 'none'])
  assertRefused(await worker.get(`/shipments/${nobody}/waiting-orders`), 'not_found')
})

test('a shipment is opened with its orders, or not at all', async () => {
  const floor = await openFloor(service, { A: 2 })
  const orders = await floor.orders({ A1: 'A', A2: 'A', A3: 'A' })
  const [first, second, third] = orders.map(({ id }) => id)
  const open = (order_ids: unknown[]) =>
    floor.worker.post('/shipments', { cabinet_id: floor.cabinet, external_id: 'S', order_ids })
  assertRefused(await open([first, second, third]), 'conflict', /A: свободно только 2 шт/)
  assertRefused(await open([first, first]), 'validation_error', 'order_ids[1]')
  assertRefused(await open([first, nobody]), 'not_found', 'order_ids[1]')
  const none = await floor.worker.get(`/shipments?client_id=${floor.client}`)
  assert.equal(good<{ total: number }>(none).total, 0)

  const opened = good<StaffShipment>(await open([first, second]), 201)
  assert.equal(opened.orders_count, 2)
  assert.deepEqual(opened.orders?.map(({ id }) => id).sort(), [first, second].sort())
  assert.deepEqual(await floor.stock('A'), [2, 2])
  const journal = await db<{ action: string; after: { orders: string[] } }[]>`
    select action, after from staff_journal where object_id = ${opened.id}`
  assert.deepEqual(
    journal.map(({ action, after }) => [action, after.orders.sort()]),
    [['openShipment', [first, second].sort()]],
  )
})

test('an acceptance without a time happens now', async () => {
  const floor = await openFloor(service, { A: 1 })
  const shipment = await floor.filled(await floor.orders({ A1: 'A' }))
  await pickAll(floor, shipment)
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  const { accepted_at } = good<StaffShipment>(
    await floor.manager.post(`/shipments/${shipment.id}/accept`),
  )
  assert.ok(Date.parse(accepted_at ?? '') > Date.now() - 60_000)
})

test('if one order may not join, none joins, and the message names it', async () => {
  const floor = await openFloor(service, { A: 3, B: 1 }, ['WB', 'OZON'])
  const [free, taken, cancelled, gone, rich, unknown] = await floor.orders({
    F: 'A',
    T: 'A',
    C: 'A',
    G: 'A',
    R: 'B',
    U: 'no such goods',
  })
  assert.ok(free && taken && cancelled && gone && rich && unknown)
  const drafts = [
    { cabinet_id: floor.cabinet, external_id: 'NB' },
    { cabinet_id: floor.cabinet, external_id: 'BB', lines: [{ barcode: 'B', qty: 2 }] },
    { cabinet_id: floor.cabinets[1], external_id: 'OZ', barcode: 'A' },
  ]
  const intake = await floor.manager.post(`/clients/${floor.client}/orders`, drafts)
  const [bare, greedy, foreign] = good<{ items: { id: string }[] }>(intake, 201).items
  assert.ok(bare && greedy && foreign)
  await floor.filled([taken])
  await floor.report(cancelled.id, 'new', 'canceled')
  await floor.report(gone.id, 'complete', 'sorted')
  const stranger = (await (await openFloor(service, { A: 1 })).orders({ S: 'A' }))[0]
  const { id } = await floor.open()
  for (const [order, code, names] of [
    [taken.id, 'conflict', /T уже в другой отгрузке, в статусе «На сборке»/],
    [cancelled.id, 'conflict', /C в статусе «Отменён»/],
    [gone.id, 'conflict', /G в статусе «В доставке»/],
    [unknown.id, 'conflict', /no such goods складу не известен/],
    [bare.id, 'conflict', /Заказ NB: штрихкод товара не указан/],
    [greedy.id, 'conflict', /B: свободно только 1 шт/],
    [foreign.id, 'conflict', /OZ из другого кабинета/],
    [stranger?.id, 'not_found', 'order_ids[1]'],
    [nobody, 'not_found', 'order_ids[1]'],
    ['x', 'not_found', 'order_ids[1]'],
    [free.id, 'validation_error', 'order_ids[1]'],
    [null, 'validation_error', 'order_ids[1]'],
  ] as const) {
    const answer = await floor.worker.post(`/shipments/${id}/orders`, {
      order_ids: [free.id, order],
    })
    assertRefused(answer, code, names)
  }
  assert.equal((await floor.order(free.id)).shipment_id, null)
  assert.deepEqual(await floor.stock('A'), [3, 1])
  for (const order_ids of [[], Array.from({ length: 1001 }, () => free.id), 'x', undefined]) {
    const answer = await floor.worker.post(`/shipments/${id}/orders`, { order_ids })
    assertRefused(answer, 'validation_error', 'order_ids')
  }
  assertRefused(await floor.worker.post(`/shipments/${id}/close`), 'conflict', 'нет заказов')
})

test('of three concurrent orders for two units exactly two join', async () => {
  const floor = await openFloor(service, { A: 2 })
  const orders = await floor.orders({ A1: 'A', A2: 'A', A3: 'A' })
  const shipments = await Promise.all(orders.map(() => floor.open()))
  const answers = await Promise.all(
    orders.map((order, n) => floor.add(shipments[n]?.id ?? '', [order.id])),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 409])
  for (const answer of answers.filter(({ status }) => status === 409)) {
    assertRefused(answer, 'conflict', 'Товар A: свободно только 0 шт.')
  }
  assert.deepEqual(await floor.stock('A'), [2, 2])
})

test('a removed order shows its marketplace status and may be collected again', async () => {
  const floor = await openFloor(service, { A: 2 })
  const [order] = await floor.orders({ A1: 'A' })
  assert.ok(order)
  const shipment = await floor.filled([order])
  const task = shipment.picking_task_id
  const pick = (scan_id: string) => floor.pick(task, { scan_id, order_id: order.id, barcode: 'A' })
  good(await pick('one'))
  assert.notEqual((await floor.order(order.id)).packed_at, null)
  const path = `/shipments/${shipment.id}/orders/${order.id}`
  assert.equal((await floor.worker.delete(path)).status, 204)
  assertRefused(await floor.worker.delete(path), 'not_found', 'нет в этой отгрузке')
  const out = await floor.order(order.id)
  assert.deepEqual([out.status, out.packed_at, out.shipment_id], ['NEW', null, null])
  assert.deepEqual(await floor.stock('A'), [2, 0])
  assertRefused(await pick('two'), 'not_found', 'нет в этом задании')

  good(await floor.add(shipment.id, [order.id]))
  const repeated = good<Record<string, unknown>>(await pick('one'))
  assert.deepEqual([repeated.repeated, repeated.undone], [true, true])
  assert.equal((await floor.order(order.id)).packed_at, null)
  const again = good<Record<string, unknown>>(await pick('two'))
  assert.deepEqual([again.repeated, again.undone, again.order_packed], [false, false, true])
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  assert.deepEqual(await floor.stock('A'), [1, 0])
  for (const id of [nobody, 'x']) {
    assertRefused(
      await floor.worker.delete(`/shipments/${shipment.id}/orders/${id}`),
      id === 'x' ? 'not_found' : 'conflict',
    )
    assertRefused(await floor.worker.delete(`/shipments/${id}/orders/${order.id}`), 'not_found')
  }
})

test('cancelling an order in an open shipment frees its unit, and the closing leaves it behind', async () => {
  const floor = await openFloor(service, { A: 3 })
  const orders = await floor.orders({ A1: 'A', A2: 'A', A3: 'A' })
  const [stays, early, late] = orders
  assert.ok(stays && early && late)
  const shipment = await floor.filled(orders)
  const task = shipment.picking_task_id
  good(await floor.pick(task, { scan_id: 'late', order_id: late.id, barcode: 'A' }))
  assert.equal((await floor.report(early.id, 'new', 'canceled')).status, 'CANCELLED')
  assert.equal((await floor.report(late.id, 'new', 'canceled')).status, 'CANCELLED')
  assert.deepEqual(await floor.stock('A'), [3, 1])
  const scan = { scan_id: 'early', order_id: early.id, barcode: 'A' }
  assertRefused(await floor.pick(task, scan), 'conflict', 'отменён')
  const { orders_count, cancelled_count, lines } = await floor.task(shipment)
  assert.deepEqual([orders_count, cancelled_count, lines?.length], [1, 2, 3])
  good(await floor.pick(task, { scan_id: 'stays', order_id: stays.id, barcode: 'A' }))
  const closed = good<StaffShipment>(await floor.worker.post(`/shipments/${shipment.id}/close`))
  assert.deepEqual(closed.orders?.map(({ external_id, status }) => [external_id, status]).sort(), [
    ['A1', 'IN_DELIVERY'],
    ['A2', 'CANCELLED'],
    ['A3', 'CANCELLED'],
  ])
  assert.deepEqual(await floor.stock('A'), [2, 0])
  await floor.report(stays.id, 'confirm', 'canceled')
  assert.equal((await floor.order(stays.id)).status, 'CANCELLED')
  const done = await floor.task(shipment)
  assert.deepEqual([done.orders_count, done.packed_count, done.cancelled_count], [1, 1, 2])
})

test('a shipment with only cancelled orders cannot be closed, and the message says why', async () => {
  const floor = await openFloor(service, { A: 1 })
  const orders = await floor.orders({ A1: 'A' })
  const { id } = await floor.filled(orders)
  for (const order of orders) await floor.report(order.id, 'new', 'canceled')
  const close = await floor.worker.post(`/shipments/${id}/close`)
  assertRefused(close, 'conflict', 'все заказы отменены: уберите их')
})

test('a cancelled order may be removed, and frees no unit twice', async () => {
  const floor = await openFloor(service, { A: 2 })
  const [first, second] = await floor.orders({ A1: 'A', A2: 'A' })
  assert.ok(first && second)
  const shipment = await floor.filled([first, second])
  await floor.report(first.id, 'new', 'canceled')
  assert.equal(
    (await floor.worker.delete(`/shipments/${shipment.id}/orders/${first.id}`)).status,
    204,
  )
  assert.equal((await floor.order(first.id)).status, 'CANCELLED')
  assert.deepEqual(await floor.stock('A'), [2, 1])
})

test('an order completed in an open shipment is still collected and leaves with it', async () => {
  const floor = await openFloor(service, { A: 2 })
  const [first, second] = await floor.orders({ A1: 'A', A2: 'A' })
  assert.ok(first && second)
  const shipment = await floor.filled([first, second])
  for (const { id } of [first, second]) {
    assert.equal((await floor.report(id, 'complete', 'sold')).status, 'COMPLETED')
  }
  assert.deepEqual(await floor.stock('A'), [2, 2])
  const close = () => floor.worker.post(`/shipments/${shipment.id}/close`)
  assertRefused(await close(), 'conflict', 'не собран')
  await floor.worker.delete(`/shipments/${shipment.id}/orders/${second.id}`)
  assert.equal((await floor.order(second.id)).status, 'COMPLETED')
  assertRefused(await floor.add(shipment.id, [second.id]), 'conflict', 'Выполнен')
  await pickAll(floor, shipment)
  good(await close())
  assert.equal((await floor.order(first.id)).status, 'COMPLETED')
  assert.deepEqual(await floor.stock('A'), [1, 0])
})

test('bad requests and users without the role are refused, and lists are filtered', async () => {
  const floor = await openFloor(service, { A: 1 })
  const { worker } = floor
  for (const [body, code, names] of [
    [{ cabinet_id: nobody, external_id: '1' }, 'validation_error', 'cabinet_id'],
    [{ cabinet_id: 'x', external_id: '1' }, 'validation_error', 'cabinet_id'],
    [{ external_id: '1' }, 'validation_error', 'cabinet_id'],
    [{ cabinet_id: floor.cabinet, external_id: '\u0000' }, 'validation_error', 'external_id'],
    [{ cabinet_id: floor.cabinet, external_id: '1', name: '' }, 'validation_error', 'name'],
    [{ cabinet_id: floor.cabinet, external_id: '1', when: 'now' }, 'bad_request', 'when'],
    [[], 'bad_request', 'объект'],
  ] as const) {
    assertRefused(await worker.post('/shipments', body), code, names)
  }
  for (const id of [nobody, 'x', '%00']) {
    assertRefused(await worker.get(`/shipments/${id}`), 'not_found')
    assertRefused(await worker.post(`/shipments/${id}/close`), 'not_found')
    assertRefused(
      await worker.post(`/shipments/${id}/orders`, { order_ids: [nobody] }),
      'not_found',
    )
    assertRefused(await floor.manager.post(`/shipments/${id}/accept`), 'not_found')
  }
  assertRefused(await staffCalls(service.baseUrl).post('/shipments', {}), 'unauthorized')

  const own = [await floor.open('L1'), await floor.open('L2'), await floor.open('L3')]
  const page = good<{ items: StaffShipment[]; total: number; next_cursor: string }>(
    await worker.get(`/shipments?client_id=${floor.client}&limit=2&status=ASSEMBLING`),
  )
  assert.deepEqual([page.items.length, page.total], [2, 3])
  assert.ok(page.items.every(({ orders }) => orders === undefined))
  const rest = good<{ items: StaffShipment[] }>(
    await worker.get(
      `/shipments?client_id=${floor.client}&limit=2&status=ASSEMBLING&cursor=${page.next_cursor}`,
    ),
  )
  assert.deepEqual(
    [...page.items, ...rest.items].map(({ id }) => id),
    own.map(({ id }) => id).reverse(),
  )
  const found = good<{ items: StaffShipment[]; total: number }>(
    await worker.get(`/shipments?external_id=L2&client_id=${floor.client}`),
  )
  assert.deepEqual([found.items.map(({ id }) => id), found.total], [[own[1]?.id], 1])
  assert.equal(good<{ total: number }>(await worker.get('/shipments?external_id=L')).total, 0)
  const all = good<{ items: StaffShipment[]; total: number }>(
    await worker.get('/shipments?limit=200'),
  )
  assert.equal(all.items.length, all.total)
  assert.ok(new Set(all.items.map(({ client_id }) => client_id)).size > 1)
  assert.equal(good<{ total: number }>(await worker.get('/shipments?client_id=x')).total, 0)
  const tasks = good<{ items: PickingTask[] }>(
    await worker.get(`/picking-tasks?client_id=${floor.client}`),
  )
  assert.deepEqual(
    tasks.items.map(({ shipment_external_id }) => shipment_external_id),
    ['L3', 'L2', 'L1'],
  )
})

test('shipments are listed by the earliest deadline of their orders, page by page', async () => {
  const floor = await openFloor(service, { A: 10 })
  const { worker, client } = floor
  const orders = await floor.orders({ D1: 'A', D2: 'A', D3: 'A', D4: 'A', D5: 'A', D6: 'A' })
  const at = (n: number) => orders[n]?.id ?? ''
  const own = []
  for (const [name, ids] of [
    ['late', [at(0)]],
    ['mixed', [at(1), at(2)]],
    ['soon', [at(3)]],
    ['never', [at(4)]],
    ['gone', [at(5)]],
  ] as const) {
    const shipment = await floor.open(`DL-${name}`)
    own.push(good<StaffShipment>(await floor.add(shipment.id, ids)))
  }
  const deadlines: readonly (readonly [number, string])[] = [
    [0, '2099-03-03T09:00:00Z'],
    [1, '2099-05-05T09:00:00Z'],
    [2, '2099-02-02T09:00:00Z'],
    [3, '2099-01-01T09:00:00Z'],
    [5, '2099-01-02T09:00:00Z'],
  ]
  for (const [n, moment] of deadlines) {
    await db`update orders set deadline_at = ${moment} where client_id = ${client} and id = ${at(n)}`
  }
  const gone = own[4]
  assert.ok(gone)
  await pickAll(floor, gone)
  good(await worker.post(`/shipments/${gone.id}/close`))
  const list = async (query: string) => {
    const path = `/shipments?client_id=${client}&${query}`
    const { items, ...rest } = good<{
      items: StaffShipment[]
      total: number
      next_cursor: string | null
    }>(await worker.get(path))
    return { names: items.map(({ external_id }) => external_id.slice(3)), ...rest }
  }
  const first = await list('sort=deadline&limit=2')
  assert.deepEqual([first.names, first.total], [['soon', 'mixed'], 3])
  // One that was just listed becomes the most urgent; the page after it stays as it was.
  await db`update orders set deadline_at = '2099-01-01' where client_id = ${client} and id = ${at(2)}`
  const second = await list(`sort=deadline&limit=2&cursor=${first.next_cursor}`)
  assert.deepEqual([second.names, second.next_cursor], [['late'], null])
  assertRefused(
    await worker.get(`/shipments?client_id=${client}&limit=2&cursor=${first.next_cursor}`),
    'bad_cursor',
  )
  assert.deepEqual((await list('sort=-deadline')).names, ['late', 'soon', 'mixed'])
  const until = await list('sort=deadline&deadline_to=2099-02-01')
  assert.deepEqual(until.names.toSorted(), ['mixed', 'soon'])
  const newest = await list('deadline_to=2099-03-04')
  assert.deepEqual([newest.names, newest.total], [['soon', 'mixed', 'late'], 3])
  assert.deepEqual((await list('sort=deadline&observed=true')).names, [])
  assert.deepEqual((await list('sort=deadline&status=HANDED_OVER')).names, [])
  assert.equal((await worker.get('/shipments?sort=size')).status, 400)
})

// Guarantee (picking): The shipment of the day takes orders whose goods are free, the most urgent first, and says why others stay.
test('the shipment of the day takes what can leave, and gets the number of its day', async () => {
  const floor = await openFloor(service, { A: 2, B: 1 })
  const { worker, cabinet } = floor
  await floor.orders({ A1: 'A', A2: 'A', A3: 'A', B1: 'B' })
  const plan = async () => good<DayShipment>(await worker.get(`/cabinets/${cabinet}/day-shipment`))
  const first = await plan()
  const units = first.leaving.map((order) => [order.goods, order.units])
  assert.deepEqual(units.sort(), [
    ['Товар A', 1],
    ['Товар A', 1],
    ['Товар B', 1],
  ])
  assert.deepEqual(
    first.staying.map(({ reason }) => reason),
    ['не хватает: Товар A (нужно 1, свободно 0)'],
  )
  const left = first.leaving.map(({ order_id }) => order_id)
  const open = (order_ids?: readonly string[]) =>
    worker.post('/shipments', { cabinet_id: cabinet, order_ids })
  const opened = good<StaffShipment>(await open(left), 201)
  assert.match(opened.external_id, /^\d\d\.\d\d\.\d\d-1$/)
  assert.deepEqual(opened.orders?.map(({ id }) => id).sort(), [...left].sort())
  assert.notEqual(opened.picking_task_id, null)
  assertRefused(await open(left), 'conflict', /уже в другой отгрузке/)
  assert.deepEqual((await plan()).leaving, [])
  const next = good<StaffShipment>(await open(), 201)
  assert.equal(next.external_id, opened.external_id.replace(/1$/, '2'))
  // A number is not given twice, whatever was cancelled.
  good(await floor.manager.delete(`/shipments/${opened.id}`), 204)
  assert.match(good<StaffShipment>(await open(), 201).external_id, /-3$/)
  assert.equal((await plan()).leaving.length, 3)
  assertRefused(await worker.get(`/cabinets/${nobody}/day-shipment`), 'not_found')
})

// Guarantee (shipments): Chosen orders whose goods are free leave together; the others say why they stay.
test('chosen orders leave with a new shipment or an open one, and a repeat changes nothing', async () => {
  const floor = await openFloor(service, { A: 3, B: 1 }, ['WB', 'OZON'])
  const { worker, cabinet, cabinets } = floor
  const [a, second, lacking] = await floor.orders({ C1: 'A', C2: 'A', C3: 'B' })
  const [other] = await floor.orders({ C4: 'B' })
  assert.ok(a && second && lacking && other)
  const send = (order_ids: readonly string[], more = {}) =>
    worker.post('/orders/to-shipment', { order_ids, ...more })
  interface Shipped {
    shipment: StaffShipment | null
    staying: { order_id: string; reason: string }[]
  }
  const first = good<Shipped>(await send([a.id, lacking.id, other.id]))
  const taken = first.shipment?.orders?.map(({ id }) => id) ?? []
  assert.equal(taken.length, 2)
  const [stayed] = first.staying
  assert.deepEqual(first.staying, [
    {
      ...{ order_id: stayed?.order_id, external_id: stayed?.order_id === other.id ? 'C4' : 'C3' },
      reason: 'не хватает: Товар B (нужно 1, свободно 0)',
    },
  ])
  const again = good<Shipped>(await send([a.id]))
  assert.deepEqual(again, {
    shipment: null,
    staying: [
      {
        order_id: a.id,
        external_id: 'C1',
        reason: `уже в отгрузке ${first.shipment?.external_id}`,
      },
    ],
  })
  const shipment_id = first.shipment?.id
  for (const _ of ['once', 'again']) {
    const shipped: Shipped = good<Shipped>(await send([second.id], { shipment_id }))
    const { shipment, staying } = shipped
    assert.deepEqual(staying, [])
    assert.deepEqual(shipment?.orders?.map(({ id }) => id).sort(), [...taken, second.id].sort())
  }
  const [ozon] = good<{ items: { id: string }[] }>(
    await floor.manager.post(`/clients/${floor.client}/orders`, [
      { cabinet_id: cabinets.find((id) => id !== cabinet), external_id: 'C5', barcode: 'A' },
    ]),
    201,
  ).items
  assertRefused(await send([a.id, ozon?.id ?? '']), 'validation_error', 'order_ids[1]')
  assertRefused(await send([a.id, a.id]), 'validation_error', 'order_ids[1]')
  assertRefused(await send([nobody]), 'not_found')
})
