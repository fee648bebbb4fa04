import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PickingTask, PickResult } from '../../src/warehouse/picking/view.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { assertRefused } from '../support/client.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { sharedService } from '../support/service.ts'
import { type Floor, good, nobody, openFloor } from '../support/shipping.ts'
import { staffCalls } from '../support/staff.ts'

const service = await sharedService()
const { db } = service
const shoe = ean13('460123456001')
const boot = ean13('460123456002')

/** The state of a marking code, read from its table. */
async function markOf(barcode: string, unit: number) {
  const [row] = await db<{ state: string; order_id: string | null }[]>`
    select state, order_id from marking_codes
    where barcode = ${barcode} and identity like ${`%u${String(unit).padStart(12, '0')}`}`
  return row && { ...row }
}

async function severalUnits(floor: Floor, external_id: string, lines: readonly object[]) {
  const draft = { cabinet_id: floor.cabinet, external_id, lines }
  const answer = await floor.manager.post(`/clients/${floor.client}/orders`, [draft])
  const [order] = good<{ items: { id: string }[] }>(answer, 201).items
  assert.ok(order)
  return order
}

test('a picking task shows its lines, the boxes of their goods, and the progress', async () => {
  const floor = await openFloor(service, { A: 20, B: 3 })
  const boxes: { id: string; sscc: string }[] = []
  for (const qty of [1, 2, 3, 1, 1, 1]) {
    const box = good<{ id: string; sscc: string }>(
      await floor.worker.post('/boxes', { client_id: floor.client }),
      201,
    )
    good(await floor.worker.post(`/boxes/${box.id}/put`, { scan_id: 'p', barcode: 'A', qty }))
    boxes.push(box)
  }
  const several = await severalUnits(floor, 'S1', [
    { barcode: 'A', article: 'a/1', qty: 2 },
    { barcode: 'B', qty: 1 },
  ])
  const [single] = await floor.orders({ S2: 'B' })
  assert.ok(single)
  const { id } = await floor.open('WB-GI-70')
  const shipment = good<StaffShipment>(await floor.add(id, [several.id, single.id]))
  const task = await floor.task(shipment)
  assert.deepEqual(
    [task.client_id, task.shipment_id, task.shipment_external_id, task.status, task.done_at],
    [floor.client, id, 'WB-GI-70', 'OPEN', null],
  )
  assert.deepEqual([task.orders_count, task.packed_count, task.cancelled_count], [2, 0, 0])
  assert.deepEqual(
    task.lines?.map((line) => [line.order_external_id, line.barcode, line.qty, line.picked]),
    [
      ['S1', 'A', 2, 0],
      ['S1', 'B', 1, 0],
      ['S2', 'B', 1, 0],
    ],
  )
  const [first, second] = task.lines ?? []
  assert.deepEqual([first?.name, first?.article, first?.honest_mark], ['Товар A', 'a/1', false])
  assert.deepEqual(second?.boxes, [])
  assert.equal(first?.boxes.length, 5)
  const [fullest] = first?.boxes ?? []
  assert.deepEqual(fullest, { box_id: boxes[2]?.id, sscc: boxes[2]?.sscc, qty: 3 })

  const pick = (scan_id: string, barcode: string, more = {}) =>
    floor.pick(task.id, { scan_id, order_id: several.id, barcode, ...more })
  const taken = good<PickResult>(await pick('1', 'A', { box_id: boxes[2]?.id }))
  assert.deepEqual(taken, {
    scan_id: '1',
    order_id: several.id,
    order_external_id: 'S1',
    barcode: 'A',
    name: 'Товар A',
    order_units: 3,
    order_picked: 1,
    undone: false,
    order_packed: false,
    packed_at: null,
    marks: {},
    notes: [],
    repeated: false,
  })
  assert.deepEqual(good(await pick('1', 'A')), { ...taken, repeated: true })
  good(await pick('2', 'A', { box_id: boxes[1]?.sscc }))
  assertRefused(await pick('3', 'A'), 'conflict', 'больше не нужен')
  const last = good<PickResult>(await pick('3', 'B'))
  assert.equal(last.order_packed, true)
  assert.equal(last.packed_at, (await floor.order(several.id)).packed_at)
  const after = await floor.task(shipment)
  assert.equal(after.packed_count, 1)
  assert.deepEqual(
    after.lines?.map(({ picked }) => picked),
    [2, 1, 0],
  )
  assert.equal(after.lines?.[0]?.boxes.find(({ box_id }) => box_id === boxes[2]?.id)?.qty, 2)
  const entries = await db<{ action: string }[]>`
    select action from staff_journal where object_id = ${task.id}`
  assert.equal(entries.length, 3, 'a repeat is not journalled')
})

test('an impossible scan is refused and changes nothing', async () => {
  const floor = await openFloor(service, { A: 3, B: 3 })
  const [order, other, cancelled] = await floor.orders({ X1: 'A', X2: 'A', X3: 'A' })
  assert.ok(order && other && cancelled)
  const shipment = await floor.filled([order, cancelled])
  await floor.report(cancelled.id, 'new', 'canceled')
  const task = shipment.picking_task_id
  const scan = { scan_id: 's', order_id: order.id, barcode: 'A' }
  const foreign = await openFloor(service, { A: 1 })
  const box = good<{ id: string }>(
    await floor.worker.post('/boxes', { client_id: foreign.client }),
    201,
  )
  for (const [body, code, names] of [
    [{ ...scan, barcode: 'B' }, 'validation_error', 'barcode'],
    [{ ...scan, barcode: '\u0000' }, 'validation_error', 'barcode'],
    [{ ...scan, barcode: undefined }, 'validation_error', 'barcode'],
    [{ ...scan, scan_id: undefined }, 'validation_error', 'scan_id'],
    [{ ...scan, scan_id: 'x'.repeat(201) }, 'validation_error', 'scan_id'],
    [{ ...scan, qty: 2 }, 'bad_request', 'qty'],
    [{ ...scan, order_id: other.id }, 'not_found', 'в этом задании'],
    [{ ...scan, order_id: nobody }, 'not_found', 'Заказ'],
    [{ ...scan, order_id: 'x' }, 'not_found', 'Заказ'],
    [{ ...scan, order_id: cancelled.id }, 'conflict', 'отменён'],
    [{ ...scan, box_id: 'x' }, 'validation_error', 'box_id'],
    [{ ...scan, box_id: nobody }, 'validation_error', 'box_id'],
    [{ ...scan, box_id: box.id }, 'validation_error', 'box_id'],
    [{ ...scan, marking_code: 'кириллица' }, 'validation_error', 'marking_code'],
    [{ ...scan, marking_code: 'abc' }, 'validation_error', 'marking_code'],
    ['{}', 'validation_error', 'scan_id'],
    [[], 'bad_request', 'объект'],
  ] as const) {
    assertRefused(await floor.worker.post(`/picking-tasks/${task}/picks`, body), code, names)
  }
  for (const id of [nobody, 'x', '%00']) {
    const named = id === '%00' ? 'Объект' : 'Задание'
    assertRefused(await floor.pick(id, scan), 'not_found', named)
    assertRefused(await floor.worker.get(`/picking-tasks/${id}`), 'not_found')
  }
  assertRefused(
    await staffCalls(service.baseUrl).post(`/picking-tasks/${task}/picks`, scan),
    'unauthorized',
  )
  assert.equal((await floor.order(order.id)).packed_at, null)
  good(await floor.pick(task, scan))
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  assertRefused(await floor.pick(task, { ...scan, scan_id: 't' }), 'conflict', 'Передана')
  assert.equal(good<PickResult>(await floor.pick(task, scan)).repeated, true)
})

test('marked goods are picked by known and new marking codes, each code once', async () => {
  const floor = await openFloor(service, { [shoe]: 6, [boot]: 2 })
  const [one, two, three] = await floor.orders({ M1: shoe, M2: shoe, M3: boot })
  assert.ok(one && two && three)
  const shipment = await floor.filled([one, two, three])
  const task = shipment.picking_task_id
  const pick = (scan_id: string, order: { id: string }, code: string, more = {}) =>
    floor.pick(task, { scan_id, order_id: order.id, marking_code: code, ...more })

  assertRefused(await pick('a', one, markingCode(boot, 1)), 'validation_error', 'marking_code')
  assertRefused(
    await pick('a', one, markingCode(boot, 1), { barcode: shoe }),
    'validation_error',
    'marking_code',
  )
  const picked = good<PickResult>(await pick('a', one, markingCode(shoe, 1)))
  assert.deepEqual([picked.barcode, picked.order_packed], [shoe, true])
  assert.deepEqual(await markOf(shoe, 1), { state: 'picked', order_id: one.id })
  assertRefused(await pick('b', two, markingCode(shoe, 1)), 'conflict', 'уже собрана')
  assert.equal((await floor.order(two.id)).packed_at, null, 'nothing half done')
  assertRefused(await pick('b', three, markingCode(shoe, 1)), 'validation_error', 'marking_code')

  await floor.worker.delete(`/shipments/${shipment.id}/orders/${one.id}`)
  assert.deepEqual(await markOf(shoe, 1), { state: 'stored', order_id: null })
  good(await pick('b', two, `]d2${markingCode(shoe, 1)}`))
  assert.deepEqual(await markOf(shoe, 1), { state: 'picked', order_id: two.id })
  await floor.report(two.id, 'new', 'canceled')
  assert.deepEqual(await markOf(shoe, 1), { state: 'stored', order_id: null })

  good(await floor.add(shipment.id, [one.id]))
  good(await pick('c', one, markingCode(shoe, 1)))
  good(await floor.pick(task, { scan_id: 'd', order_id: three.id, barcode: boot }))
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  assert.deepEqual(await markOf(shoe, 1), { state: 'shipped', order_id: one.id })

  const [again] = await floor.orders({ M4: shoe })
  assert.ok(again)
  const next = await floor.filled([again])
  const body = { scan_id: 'e', order_id: again.id, marking_code: markingCode(shoe, 1) }
  assertRefused(await floor.pick(next.picking_task_id, body), 'conflict', 'уже отгружена')
})

test('of two concurrent picks of one marking code exactly one succeeds', async () => {
  const floor = await openFloor(service, { [shoe]: 2 })
  const orders = await floor.orders({ N1: shoe, N2: shoe })
  const { picking_task_id: task } = await floor.filled(orders)
  const answers = await Promise.all(
    orders.map(({ id }) =>
      floor.pick(task, { scan_id: id, order_id: id, marking_code: markingCode(shoe, 77) }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
})

test('a marking code identifies goods without a GTIN only where one line remains', async () => {
  const floor = await openFloor(service, { 'OZN-1': 3, 'OZN-2': 3 })
  const one = await severalUnits(floor, 'L1', [{ barcode: 'OZN-1', qty: 2 }])
  const two = await severalUnits(floor, 'L2', [
    { barcode: 'OZN-1', qty: 1 },
    { barcode: 'OZN-2', qty: 1 },
  ])
  const { id } = await floor.open()
  const { picking_task_id: task } = good<StaffShipment>(await floor.add(id, [one.id, two.id]))
  const marked = (order: { id: string }, unit: number, more = {}) => ({
    scan_id: `u${unit}`,
    order_id: order.id,
    marking_code: markingCode(ean13('460999999999'), unit),
    ...more,
  })
  assert.equal(good<PickResult>(await floor.pick(task, marked(one, 501))).barcode, 'OZN-1')
  assertRefused(await floor.pick(task, marked(two, 502)), 'validation_error', 'barcode')
  good(await floor.pick(task, marked(two, 502, { barcode: 'OZN-2' })))
  assert.equal(good<PickResult>(await floor.pick(task, marked(two, 503))).order_packed, true)
})

test('a miss is recorded once, however often it is reported', async () => {
  const floor = await openFloor(service, { A: 5 })
  const order = await severalUnits(floor, 'F1', [{ barcode: 'A', qty: 2 }])
  const { id } = await floor.open()
  const { picking_task_id: task } = good<StaffShipment>(await floor.add(id, [order.id]))
  const path = `/picking-tasks/${task}/not-found`
  const miss = async (reason: string, scan_id?: string) =>
    good<PickingTask>(await floor.worker.post(path, { order_id: order.id, reason, scan_id }))
  const reported = async () => {
    const { misses = [] } = await floor.task({ picking_task_id: task })
    return misses.map(({ qty, reason }) => `${qty} ${reason}`)
  }
  const answer = await miss('EMPTY_LOCATION', 'm1')
  assert.deepEqual([answer.id, answer.lines, answer.packed_count], [task, undefined, 0])
  await miss('EMPTY_LOCATION')
  await miss('MISPLACED', 'm1')
  assert.deepEqual(await reported(), ['2 EMPTY_LOCATION'])
  await miss('MISPLACED', 'm2')
  good(await floor.pick(task, { scan_id: '1', order_id: order.id, barcode: 'A' }))
  await miss('MISPLACED', 'm3')
  assert.deepEqual(await reported(), ['2 EMPTY_LOCATION', '2 MISPLACED', '1 MISPLACED'])
  const both = await Promise.all([miss('DAMAGED'), miss('DAMAGED')])
  assert.equal(both.length, 2)
  assert.equal((await reported()).length, 4)

  for (const [body, code, names] of [
    [{ order_id: order.id, reason: 'NO_SUCH' }, 'validation_error', 'reason'],
    [{ order_id: order.id, reason: 'NOT_DELIVERED' }, 'validation_error', 'reason'],
    [{ order_id: order.id }, 'validation_error', 'reason'],
    [{ order_id: order.id, reason: '\u0000' }, 'validation_error', 'reason'],
    [{ order_id: nobody, reason: 'OTHER' }, 'not_found', 'Заказ'],
    [{ order_id: 'x', reason: 'OTHER' }, 'not_found', 'Заказ'],
    [{ order_id: order.id, reason: 'OTHER', units: 1 }, 'bad_request', 'units'],
  ] as const) {
    assertRefused(await floor.worker.post(path, body), code, names)
  }
  good(await floor.pick(task, { scan_id: '2', order_id: order.id, barcode: 'A' }))
  const packed = await floor.worker.post(path, { order_id: order.id, reason: 'OTHER' })
  assertRefused(packed, 'conflict', 'уже собран')
})

test('picking tasks are listed by status and shipment, the newest first', async () => {
  const floor = await openFloor(service, { A: 3 })
  const [done] = await floor.orders({ T1: 'A' })
  assert.ok(done)
  const closed = await floor.filled([done])
  good(await floor.pick(closed.picking_task_id, { scan_id: '1', order_id: done.id, barcode: 'A' }))
  good(await floor.worker.post(`/shipments/${closed.id}/close`))
  const open = [await floor.open(), await floor.open()]
  const list = async (filter: string) =>
    good<{ items: PickingTask[]; total: number; next_cursor: string | null }>(
      await floor.worker.get(`/picking-tasks?${filter}`),
    )
  const of = `client_id=${floor.client}`
  const all = await list(of)
  assert.deepEqual(
    all.items.map(({ id }) => id),
    [open[1], open[0], closed].map((shipment) => shipment?.picking_task_id),
  )
  assert.deepEqual([all.total, all.next_cursor], [3, null])
  assert.ok(all.items.every(({ lines, misses }) => lines === undefined && misses === undefined))
  const first = await list(`${of}&limit=2`)
  const rest = await list(`${of}&limit=2&cursor=${first.next_cursor}`)
  assert.deepEqual([...first.items, ...rest.items], all.items)
  const isDone = await list(`${of}&status=DONE`)
  assert.deepEqual([isDone.total, isDone.items[0]?.packed_count], [1, 1])
  assert.equal((await list(`shipment_id=${open[0]?.id}`)).items[0]?.shipment_id, open[0]?.id)
  assert.equal((await list('shipment_id=x')).total, 0)
  assert.equal((await list('client_id=x')).total, 0)
  assert.ok((await list('limit=200')).total > 3)
  assertRefused(await floor.worker.get('/picking-tasks?status=open'), 'bad_request', 'status')
  assertRefused(await floor.worker.get(`/picking-tasks?cursor=${first.next_cursor}`), 'bad_cursor')
})

test('a barcode is recognised in every notation of a scanner', async () => {
  const floor = await openFloor(service, { [shoe]: 3 })
  const [order] = await floor.orders({ GTIN: shoe })
  assert.ok(order)
  const { picking_task_id: task } = await floor.filled([order])
  const scan = { scan_id: 'gtin', order_id: order.id, marking_code: null, box_id: null }
  assertRefused(await floor.pick(task, { ...scan, barcode: `0${boot}` }), 'validation_error')
  const picked = good<PickResult>(await floor.pick(task, { ...scan, barcode: `]d20${shoe}\r\n` }))
  assert.deepEqual([picked.barcode, picked.order_packed], [shoe, true])
})
