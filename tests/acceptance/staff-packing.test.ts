import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import type { PackCheck, PickingTask, PickResult } from '../../src/warehouse/picking/view.ts'
import { assertRefused } from '../support/client.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { type Floor, good, nobody, openFloor } from '../support/shipping.ts'
import { type StaffClient, staffClient } from '../support/staff.ts'
import { noon } from '../support/warehouse.ts'

const clock = new ManualClock(noon)
const service = await startService(undefined, undefined, undefined, clock)
const { db } = service
const minute = 60_000
const shoe = ean13('460123456001')

const assertTrue = async () => assert.deepEqual((await audit(db, clock)).findings, [])

/** An order of these goods in an open shipment. */
async function parcel(floor: Floor, external_id: string, lines: Readonly<Record<string, number>>) {
  const draft = {
    cabinet_id: floor.cabinet,
    external_id,
    lines: Object.entries(lines).map(([barcode, qty]) => ({ barcode, qty })),
  }
  const answer = await floor.manager.post(`/clients/${floor.client}/orders`, [draft])
  const [order] = good<{ items: StaffOrder[] }>(answer, 201).items
  assert.ok(order)
  const shipment = await floor.filled([order])
  return { order, shipment, task: shipment.picking_task_id ?? '' }
}

const claimOf = async (floor: Floor, task: string) =>
  (await floor.task({ picking_task_id: task })).claim

// Guarantee (picking): One user collects a claimed picking task, until 30 minutes pass without a scan.
test('a claimed task is collected by its user alone, until 30 minutes without a scan', async () => {
  const floor = await openFloor(service, { A: 5 })
  const other = await staffClient(service, 'worker')
  const { order, task } = await parcel(floor, 'C1', { A: 5 })
  const pick = (user: StaffClient, scan_id: string) =>
    user.post(`/picking-tasks/${task}/picks`, { scan_id, order_id: order.id, barcode: 'A' })
  const claim = (user: StaffClient) => user.post(`/picking-tasks/${task}/claim`)

  good(await pick(other, 'free'))
  const claimed = good<PickingTask>(await claim(floor.worker)).claim
  assert.deepEqual([claimed?.user_id, claimed?.login], [floor.worker.userId, floor.worker.login])
  assert.equal(Date.parse(claimed?.ends_at ?? ''), clock.now() + 30 * minute)
  assert.deepEqual(good<PickingTask>(await claim(floor.worker)).claim, claimed, 'a repeat')
  for (const refused of [
    await claim(other),
    await pick(other, 'x'),
    await other.post(`/picking-tasks/${task}/picks/free/undo`),
    await other.post(`/picking-tasks/${task}/not-found`, { order_id: order.id, reason: 'OTHER' }),
    await other.post(`/picking-tasks/${task}/release`),
  ]) {
    assertRefused(refused, 'conflict', floor.worker.login)
  }
  assert.equal(good<PickResult>(await pick(other, 'free')).repeated, true)

  clock.advance(29 * minute)
  good(await pick(floor.worker, 'late'))
  clock.advance(29 * minute)
  assertRefused(await pick(other, 'y'), 'conflict', 'собирает')
  assert.equal((await claimOf(floor, task))?.user_id, floor.worker.userId)
  clock.advance(minute)
  assert.equal(await claimOf(floor, task), null)
  good(await pick(other, 'y'))
  assert.equal(good<PickingTask>(await claim(other)).claim?.user_id, other.userId)
  assertRefused(await pick(floor.worker, 'z'), 'conflict', other.login)
  const entries = await db<{ login: string }[]>`
    select login from staff_journal
    where object_id = ${task} and action = 'claimPickingTask' order by id`
  assert.deepEqual(
    entries.map(({ login }) => login),
    [floor.worker.login, other.login],
    'a repeat is not journalled',
  )
})

test('a manager gives a claimed task to another user, who releases it', async () => {
  const floor = await openFloor(service, { A: 1 })
  const other = await staffClient(service, 'worker')
  const { task } = await parcel(floor, 'C2', { A: 1 })
  good(await floor.worker.post(`/picking-tasks/${task}/claim`))
  const give = (body?: unknown) => floor.manager.post(`/picking-tasks/${task}/take-over`, body)
  assert.equal(good<PickingTask>(await give()).claim?.login, floor.manager.login)
  for (const user_id of [nobody, 'x']) {
    assertRefused(await give({ user_id }), 'validation_error', 'user_id')
  }
  const given = good<PickingTask>(await give({ user_id: other.userId }))
  assert.equal(given.claim?.login, other.login)
  const list = good<{ items: PickingTask[] }>(
    await floor.worker.get(`/picking-tasks?client_id=${floor.client}`),
  )
  assert.equal(list.items[0]?.claim?.login, other.login)
  const release = () => other.post(`/picking-tasks/${task}/release`)
  assert.equal(good<PickingTask>(await release()).claim, null)
  assert.equal(good<PickingTask>(await release()).claim, null, 'a repeat')
})

// Guarantee (picking): Of several workers who claim a task at once, one gets it.
test('of several workers who claim one task at the same time, one gets it', async () => {
  const floor = await openFloor(service, { A: 1 })
  const { task } = await parcel(floor, 'C3', { A: 1 })
  const workers = await Promise.all([1, 2, 3, 4].map(() => staffClient(service, 'worker')))
  const answers = await Promise.all(
    workers.map((worker) => worker.post(`/picking-tasks/${task}/claim`)),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
})

// Guarantee (picking): A claim ends with the session or the access of its user.
test('whoever signs out or loses access releases claims', async () => {
  const floor = await openFloor(service, { A: 1, B: 1 })
  const admin = await staffClient(service, 'administrator')
  const login = `claims-${floor.client.slice(-8)}`
  const password = 'длинный пароль'
  const user = good<{ id: string }>(
    await admin.post('/users', { login, role: 'worker', password }),
    201,
  )
  const signIn = async () => {
    const answer = await fetch(`${service.baseUrl}/staff/v1/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ login, password }),
    })
    assert.equal(answer.status, 200)
    return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  }
  const first = await parcel(floor, 'C4', { A: 1 })
  const second = await parcel(floor, 'C5', { B: 1 })
  const send = async (method: string, path: string, cookie: string) =>
    (await fetch(`${service.baseUrl}/staff/v1${path}`, { method, headers: { cookie } })).status
  const cookie = await signIn()
  for (const { task } of [first, second]) {
    assert.equal(await send('POST', `/picking-tasks/${task}/claim`, cookie), 200)
  }
  assert.equal(await send('DELETE', '/session', cookie), 204)
  for (const { task } of [first, second]) assert.equal(await claimOf(floor, task), null)
  const [entry] = await db<{ after: { released: string[] } }[]>`
    select after from staff_journal where actor = ${`staff:${user.id}`} and action = 'signOut'`
  assert.deepEqual(entry?.after.released.toSorted(), [first.task, second.task].sort())

  assert.equal(await send('POST', `/picking-tasks/${first.task}/claim`, await signIn()), 200)
  good(await admin.patch(`/users/${user.id}`, { active: false }))
  assert.equal(await claimOf(floor, first.task), null)
  const give = { user_id: user.id }
  assertRefused(
    await floor.manager.post(`/picking-tasks/${first.task}/take-over`, give),
    'validation_error',
    'user_id',
  )
  await assertTrue()
})

// Guarantee (picking): An undone pick frees its unit, its marking code and its marks.
test('an undone pick frees its unit, its marking code and its marks, and its order is not packed', async () => {
  const floor = await openFloor(service, { [shoe]: 2 })
  const box = good<{ id: string }>(
    await floor.worker.post('/boxes', { client_id: floor.client }),
    201,
  )
  good(await floor.worker.post(`/boxes/${box.id}/put`, { barcode: shoe, qty: 1 }))
  const { order, shipment, task } = await parcel(floor, 'U1', { [shoe]: 1 })
  const imei = '490154203237518'
  const pick = (scan_id: string, unit: number) =>
    floor.pick(task, {
      scan_id,
      order_id: order.id,
      marking_code: markingCode(shoe, unit),
      box_id: box.id,
      marks: { imei },
    })
  const undo = (scan_id: string) =>
    floor.worker.post(`/picking-tasks/${task}/picks/${scan_id}/undo`)
  const picked = good<PickResult>(await pick('1', 101))
  assert.deepEqual(
    [picked.order_external_id, picked.name, picked.order_picked, picked.order_packed],
    ['U1', `Товар ${shoe}`, 1, true],
  )
  assert.equal('put_back' in picked, false)
  const undone = good<PickResult>(await undo('1'))
  assert.deepEqual(
    [undone.undone, undone.repeated, undone.order_packed, undone.packed_at],
    [true, false, false, null],
  )
  const { sscc } = good<{ sscc: string }>(await floor.worker.get(`/boxes/${box.id}`))
  const from = { box_id: box.id, sscc, location_id: null, location_code: null }
  assert.deepEqual([undone.put_back, undone.order_picked, undone.order_units], [from, 0, 1])
  assert.deepEqual(good(await undo('1')), { ...undone, repeated: true })
  assert.equal(good<PickResult>(await pick('1', 101)).undone, true, 'its number stays taken')
  const after = await floor.task(shipment)
  assert.deepEqual([after.packed_count, after.lines?.[0]?.picked], [0, 0])
  assert.deepEqual(await floor.stock(shoe), [2, 1], 'still there, still reserved')
  const codes = await db`select identity from marking_codes where state = 'picked'
    and client_id = ${floor.client}`
  assert.equal(codes.length, 0)
  good(await pick('2', 101))
  assertRefused(await undo('x'), 'not_found', 'Скана нет')
  const entries = await db`
    select id from staff_journal where object_id = ${task} and action = 'undoPick'`
  assert.equal(entries.length, 1)
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  assertRefused(await undo('2'), 'conflict', 'Передана')
  await assertTrue()
})

test('an undone pick puts its unit back where it was taken from, unless it lies elsewhere meanwhile', async () => {
  const floor = await openFloor(service, { A: 4 })
  const { worker, manager } = floor
  const { warehouse_code } = floor
  good(await manager.post('/locations/bulk', { warehouse_code, pattern: 'UNDO-{1..2}' }), 201)
  const [shelf, closed] = ['UNDO-1', 'UNDO-2']
  const box = good<{ id: string }>(await worker.post('/boxes', { client_id: floor.client }), 201).id
  const put = { client_id: floor.client, barcode: 'A', qty: 1 }
  good(await worker.post(`/boxes/${box}/put`, { barcode: 'A', qty: 1 }))
  good(await worker.post(`/locations/${shelf}/put`, { ...put, scan_id: '1' }))
  good(await worker.post(`/locations/${closed}/put`, { ...put, scan_id: '2' }))
  const { order, task } = await parcel(floor, 'U9', { A: 4 })
  const places = [{ box_id: box }, { location_id: shelf }, { location_id: closed }, {}]
  for (const [n, place] of places.entries()) {
    good(await floor.pick(task, { scan_id: `${n}`, order_id: order.id, barcode: 'A', ...place }))
  }
  const unitsAt = async (path: string) => good<{ units: number }>(await worker.get(path)).units
  good(await manager.patch(`/locations/${closed}`, { active: false }))
  const undo = (n: number) => worker.post(`/picking-tasks/${task}/picks/${n}/undo`)
  const undone = await Promise.all([0, 0, 1, 2].map(undo))
  assert.deepEqual(
    undone.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  assert.deepEqual(
    [
      await unitsAt(`/boxes/${box}`),
      await unitsAt(`/locations/${shelf}`),
      await unitsAt(`/locations/${closed}`),
    ],
    [1, 1, 0],
  )
  // The unit from the box is picked again, and all loose ones are put into the box by hand.
  good(await floor.pick(task, { scan_id: '4', order_id: order.id, barcode: 'A', box_id: box }))
  good(await worker.post(`/boxes/${box}/put`, { barcode: 'A', qty: 3 }))
  good(await undo(4))
  assert.equal(await unitsAt(`/boxes/${box}`), 3, 'no unit lies in two places')
  await assertTrue()
})

test('OZON has the marking codes of a packed posting: their picks are not undone', async () => {
  const floor = await openFloor(service, { [shoe]: 1, A: 1 }, ['OZON'])
  const drafts = [shoe, 'A'].map((barcode, n) => ({
    cabinet_id: floor.cabinet,
    external_id: `P-${n}`,
    barcode,
    marketplace_status: { supplier: 'awaiting_deliver' },
  }))
  const { items } = good<{ items: StaffOrder[] }>(
    await floor.manager.post(`/clients/${floor.client}/orders`, drafts),
    201,
  )
  const [marked, plain] = items
  assert.ok(marked && plain)
  const { picking_task_id: task } = await floor.filled([marked, plain])
  const code = markingCode(shoe, 201)
  good(await floor.pick(task, { scan_id: '1', order_id: marked.id, marking_code: code }))
  good(await floor.pick(task, { scan_id: '2', order_id: plain.id, barcode: 'A' }))
  const undo = (scan: string) => floor.worker.post(`/picking-tasks/${task}/picks/${scan}/undo`)
  assertRefused(await undo('1'), 'conflict', 'OZON уже знает')
  good(await undo('2'))
})

// Guarantee (picking): A pick is undone as a whole or leaves with its shipment, never both.
test('undoing against closing: the shipment leaves whole, or the pick is undone', async () => {
  for (const round of [1, 2, 3, 4, 5, 6]) {
    const floor = await openFloor(service, { A: 1 })
    const { order, shipment, task } = await parcel(floor, `R${round}`, { A: 1 })
    good(await floor.pick(task, { scan_id: '1', order_id: order.id, barcode: 'A' }))
    const [undone, again, closed] = await Promise.all([
      floor.worker.post(`/picking-tasks/${task}/picks/1/undo`),
      floor.worker.post(`/picking-tasks/${task}/picks/1/undo`),
      floor.worker.post(`/shipments/${shipment.id}/close`),
    ])
    const [row] = await db<{ picked: number }[]>`
      select picked from order_lines where order_id = ${order.id}`
    const isClosed = closed.status === 200
    assert.deepEqual(
      [undone.status, again.status].sort(),
      isClosed ? [409, 409] : [200, 200],
      `${closed.status}`,
    )
    assert.equal(row?.picked, isClosed ? 1 : 0)
  }
  await assertTrue()
})

test('a packing check counts every picked unit once and names what is missing', async () => {
  const floor = await openFloor(service, { A: 3, [shoe]: 2 })
  const { order, shipment, task } = await parcel(floor, 'K1', { A: 2, [shoe]: 1 })
  const check = (scan_id: string, code: string) =>
    floor.worker.post(`/shipments/${shipment.id}/checks`, { scan_id, order_id: order.id, code })
  const pick = (scan_id: string, scanned: object) =>
    floor.pick(task, { scan_id, order_id: order.id, ...scanned })
  assertRefused(await check('0', 'A'), 'conflict', 'ещё не собран')
  good(await pick('1', { barcode: 'A' }))
  good(await pick('2', { barcode: 'A' }))
  good(await pick('3', { marking_code: markingCode(shoe, 301) }))

  const first = good<PackCheck>(await check('1', 'A'))
  assert.deepEqual(first, {
    scan_id: '1',
    repeated: false,
    undone: false,
    order_id: order.id,
    order_external_id: 'K1',
    barcode: 'A',
    units: 3,
    checked: 1,
    complete: false,
    missing: [
      { barcode: 'A', name: 'Товар A', qty: 1 },
      { barcode: shoe, name: `Товар ${shoe}`, qty: 1 },
    ],
  })
  assert.deepEqual(good(await check('1', 'A')), { ...first, repeated: true })
  assertRefused(await check('2', markingCode(shoe, 302)), 'validation_error', 'из другого заказа')
  assertRefused(await check('2', 'Z'), 'validation_error', 'из другого заказа')
  good(await check('2', markingCode(shoe, 301)))
  assertRefused(await check('3', markingCode(shoe, 301)), 'conflict', 'уже проверили')
  assertRefused(await check('3', shoe), 'conflict', 'больше, чем нужно')
  const both = await Promise.all([check('4', 'A'), check('5', 'A')])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  assert.equal(good<PackCheck>(await check('1', 'A')).complete, true)
  const { lines } = await floor.task(shipment)
  assert.deepEqual(
    lines?.map(({ checked }) => checked),
    [2, 1],
  )
  for (const order_id of [nobody, 'x']) {
    const body = { scan_id: '9', order_id, code: 'A' }
    assertRefused(
      await floor.worker.post(`/shipments/${shipment.id}/checks`, body),
      'not_found',
      'Заказ',
    )
  }

  good(await floor.worker.post(`/picking-tasks/${task}/picks/2/undo`))
  const late = good<PackCheck>(await check('1', 'A'))
  assert.deepEqual([late.undone, late.checked], [true, 0], 'the check begins again')
  good(await check('6', 'A'))
  await assertTrue()
  good(await floor.worker.delete(`/shipments/${shipment.id}/orders/${order.id}`), 204)
  assertRefused(await check('7', 'A'), 'not_found', 'Заказа нет')
  await assertTrue()
})

test('orders of a cabinet that is not connected have our own label, one by one and for the whole shipment', async () => {
  const floor = await openFloor(service, { A: 3 })
  const orders = await floor.orders({ 'L-1': 'A', 'L-<2>': 'A', 'L-3': 'A' })
  const shipment = await floor.filled(orders)
  const [first, second, third] = orders
  assert.ok(first && second && third)
  await floor.report(third.id, 'new', 'canceled')
  const print = async (path: string, type: RegExp) => {
    const headers = { Authorization: `Bearer ${floor.worker.token}` }
    const answer = await fetch(`${service.baseUrl}/staff/v1${path}`, { headers })
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', type)
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    return answer.text()
  }
  const label = await print(`/orders/${first.id}/sticker`, /^image\/svg\+xml/)
  for (const text of ['L-1', 'Заказ WB', 'Отгрузка']) assert.ok(label.includes(text), text)
  const all = await print(`/shipments/${shipment.id}/stickers`, /^text\/html/)
  const sheets = all.split('<div>').slice(1)
  const { lines = [] } = await floor.task(shipment)
  const kept = lines.filter(({ order_status }) => order_status !== 'CANCELLED')
  assert.deepEqual(
    sheets.map((sheet) => />(L-[^<]*)<\/text>/.exec(sheet)?.[1]),
    kept.map((line) => line.order_external_id.replace('<2>', '&lt;2&gt;')),
    'as in the task, and a cancelled order has none',
  )
  const next = await print(`/shipments/${shipment.id}/stickers?part=2`, /^text\/html/)
  assert.equal(next.includes('<div>'), false)
  assertRefused(await floor.worker.get(`/shipments/${shipment.id}/stickers?part=0`), 'bad_request')
})
