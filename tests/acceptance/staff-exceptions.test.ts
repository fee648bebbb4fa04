import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import type { ScanException } from '../../src/warehouse/exceptions/view.ts'
import type { PickResult } from '../../src/warehouse/picking/view.ts'
import type { ScanResult } from '../../src/warehouse/receipts/scans.ts'
import type { StaffReceipt } from '../../src/warehouse/receipts/view.ts'
import { type Answer, assertRefused } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { makeClient } from '../support/warehouse.ts'

// Scans that a handheld queued while it had no connection, and that come too late.

const service = await startService()
const { db } = service
const worker = await staffClient(service, 'worker')
const manager = await staffClient(service, 'manager')
const administrator = await staffClient(service, 'administrator')
const queued_at = '2026-11-20T11:59:00+03:00'

async function receiving(): Promise<{ client: string; id: string }> {
  const { id: client } = await makeClient(db)
  const items = [{ barcode: 'A', name: 'Плед', qty: 1 }]
  const { id } = good<StaffReceipt>(
    await manager.post(`/clients/${client}/receipts`, { items }),
    201,
  )
  good(await worker.post(`/receipts/${id}/start`))
  return { client, id }
}

async function finished(): Promise<{ client: string; id: string }> {
  const receipt = await receiving()
  good(await worker.post(`/receipts/${receipt.id}/scans`, { scan_id: 'in time', barcode: 'A' }))
  good(await worker.post(`/receipts/${receipt.id}/finish`))
  return receipt
}

const scan = (id: string, body: object, by = worker): Promise<Answer> =>
  by.post(`/receipts/${id}/scans`, { scan_id: randomUUID(), barcode: 'A', ...body })

const exceptionsOf = async (client: string, more = '') =>
  good<{ items: ScanException[]; total: number }>(
    await manager.get(`/exceptions?client_id=${client}${more}`),
  )

const unitsOf = async (client: string) => {
  const [row] = await db<{ units: number }[]>`
    select coalesce(sum(quantity), 0)::int as units from stock_balances where client_id = ${client}`
  return row?.units
}

test('a queued scan of a finished receipt becomes an exception, which a manager decides on', async () => {
  const { client, id } = await finished()
  assertRefused(await scan(id, {}), 'conflict', 'Принята')
  assert.equal((await exceptionsOf(client)).total, 0, 'without a queue a refusal stays one')
  const late = { scan_id: 'late', qty: 3, queued_at, queued_by: worker.login }
  const kept = good<ScanException>(await scan(id, late), 202)
  assert.deepEqual(
    [kept.kind, kept.object_id, kept.scan_id, kept.status, kept.queued_by, kept.sent_by],
    ['receipt_scan', id, 'late', 'OPEN', worker.login, `staff:${worker.userId}`],
  )
  assert.match(kept.reason, /Принята/)
  assert.equal(kept.queued_at, '2026-11-20T11:59:00.000+03:00')
  assert.deepEqual(kept.scan, { barcode: 'A', ...late })
  assert.deepEqual((await scan(id, late)).body, kept, 'a repeat finds it')
  assert.equal(await unitsOf(client), 1)
  assert.deepEqual((await exceptionsOf(client, '&status=OPEN&kind=receipt_scan')).items, [kept])
  const today = good<{ exceptions?: { items: { exception_id: string }[] } }>(
    await manager.get('/today'),
  )
  assert.ok(today.exceptions?.items.some((each) => each.exception_id === kept.id))

  const own = `/exceptions/${kept.id}`
  assert.deepEqual(good(await manager.get(own)), kept)
  assertRefused(await worker.get(own), 'forbidden')
  assertRefused(await manager.get(`/exceptions/${randomUUID()}`), 'not_found')
  const path = `${own}/resolve`
  assertRefused(
    await manager.post(path, { decision: 'accepted', comment: 'x' }),
    'conflict',
    'Принята',
  )
  const decision = { decision: 'entered', comment: 'Пересчитали, внесли корректировкой' }
  assertRefused(await worker.post(path, decision), 'forbidden')
  for (const [body, field] of [
    [{ comment: 'x' }, 'decision'],
    [{ decision: 'later', comment: 'x' }, 'decision'],
    [{ decision: 'entered' }, 'comment'],
  ] as const) {
    assertRefused(await manager.post(path, body), 'validation_error', field)
  }
  const resolved = good<ScanException>(await manager.post(path, decision))
  assert.deepEqual(
    [resolved.status, resolved.decision, resolved.comment, resolved.resolved_by],
    ['RESOLVED', 'entered', decision.comment, `staff:${manager.userId}`],
  )
  assertRefused(await manager.post(path, decision), 'conflict', 'уже принято')
  assert.deepEqual(good(await manager.get(own)), resolved)
  assert.deepEqual((await scan(id, late)).body, resolved, 'the handheld learns the decision')
  assert.equal((await exceptionsOf(client, '&status=OPEN')).total, 0)
  const actions = await db<{ action: string; login: string }[]>`
    select action, login from staff_journal where object_id = ${kept.id} order by id`
  assert.deepEqual(
    actions.map(({ action, login }) => [action, login]),
    [
      ['scanReceipt', worker.login],
      ['resolveException', manager.login],
    ],
  )
})

test('a queued scan of a user who lost access is not counted in the name of another', async () => {
  const { client, id } = await receiving()
  const former = await staffClient(service, 'worker')
  good(await scan(id, { scan_id: 'before' }, former))
  good(await administrator.patch(`/users/${former.userId}`, { active: false }))
  const queued = { queued_at, queued_by: former.login.toUpperCase() }
  assertRefused(await scan(id, queued, former), 'unauthorized')
  const kept = good<ScanException>(await scan(id, { scan_id: 'late', ...queued }), 202)
  assert.match(kept.reason, new RegExp(`${former.login}.*отключён`, 'i'))
  const repeated = good<ScanResult>(await scan(id, { scan_id: 'before', ...queued }))
  assert.equal(repeated.repeated, true, 'what was counted in time stays counted')
  assert.equal(await unitsOf(client), 1)
  good(await scan(id, { queued_at, queued_by: worker.login }))
  good(await scan(id, { queued_at }))
  assert.equal(await unitsOf(client), 3)
  assert.equal((await exceptionsOf(client)).total, 1)
})

test('scans of a worker who left go to a manager, and what was counted stays counted', async () => {
  const { client, id } = await receiving()
  const away = await staffClient(service, 'worker')
  good(await scan(id, { scan_id: 'before' }, away))
  const left = { queued_at, queued_by: away.login, hand_over: true }
  const kept = good<ScanException>(await scan(id, { scan_id: 'late', ...left }), 202)
  assert.match(kept.reason, new RegExp(`${away.login} ушёл`))
  assert.deepEqual([kept.queued_by, kept.sent_by], [away.login, `staff:${worker.userId}`])
  assert.deepEqual((await scan(id, { scan_id: 'late', ...left })).body, kept, 'a repeat finds it')
  good<ScanResult>(await scan(id, { scan_id: 'before', ...left }))
  assert.equal(await unitsOf(client), 1)
  assertRefused(await scan(id, { hand_over: true }), 'validation_error', 'queued_at')
  good(
    await manager.post(`/exceptions/${kept.id}/resolve`, { decision: 'accepted', comment: 'да' }),
  )
  assert.equal(await unitsOf(client), 2)
})

test('a queued scan that is wrong in itself is kept too, and a wrong time is refused', async () => {
  const { client, id } = await receiving()
  const kept = good<ScanException>(await scan(id, { barcode: 'NEW', queued_at }), 202)
  assert.match(kept.reason, /NEW/)
  for (const bad of ['yesterday', '2026-11-20T11:59:00', '']) {
    assertRefused(await scan(id, { queued_at: bad }), 'validation_error', 'queued_at')
  }
  assertRefused(await scan(randomUUID(), { queued_at }), 'not_found')
  assert.equal((await exceptionsOf(client)).total, 1)
})

// Guarantee (exceptions): A queued scan that is refused becomes one exception and is decided once.
test('of equal late scans at once one exception remains, and a decision is made once', async () => {
  const { client, id } = await finished()
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => scan(id, { scan_id: 'late', queued_at })),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [202])
  const [kept = '', ...others] = new Set(answers.map(({ body }) => (body as ScanException).id))
  assert.deepEqual(others, [])
  const decide = (decision: string) =>
    manager.post(`/exceptions/${kept}/resolve`, { decision, comment: decision })
  const decisions = await Promise.all(['entered', 'dismissed', 'entered'].map(decide))
  assert.deepEqual(decisions.map(({ status }) => status).sort(), [200, 409, 409])
  const entries = await db`select from staff_journal where object_id = ${kept}`
  assert.equal(entries.length, 2, 'the exception and its decision')
  assert.equal((await exceptionsOf(client)).total, 1)
  assert.deepEqual((await audit(db)).findings, [])
})

test('a queued pick of a closed shipment becomes an exception', async () => {
  const floor = await openFloor(service, { A: 3 })
  const orders = await floor.orders({ X1: 'A' })
  const { id: shipment, picking_task_id: task } = await floor.filled(orders)
  const pick = { order_id: orders[0]?.id, barcode: 'A', queued_at }
  const done = good<PickResult>(await floor.pick(task, { scan_id: 'in time', ...pick }))
  assert.equal(done.order_packed, true)
  good(await floor.worker.post(`/shipments/${shipment}/close`))
  const again = good<PickResult>(await floor.pick(task, { scan_id: 'in time', ...pick }))
  assert.equal(again.repeated, true)
  const late = await floor.pick(task, { scan_id: 'late', box_id: 'no such box', ...pick })
  const kept = good<ScanException>(late, 202)
  assert.deepEqual([kept.kind, kept.object_id, kept.client_id], ['pick', task, floor.client])
  assert.deepEqual(await floor.stock('A'), [2, 0])
})

test('a queued scan of a finished batch of returns becomes an exception', async () => {
  const { id: client } = await makeClient(db)
  const batch = good<{ id: string }>(await worker.post('/returns', { client_id: client }), 201)
  good(await worker.post(`/returns/${batch.id}/finish`))
  const body = { scan_id: 'late', code: 'X-1', condition: 'sellable', queued_at }
  const kept = good<ScanException>(await worker.post(`/returns/${batch.id}/scans`, body), 202)
  assert.deepEqual([kept.kind, kept.object_id, kept.scan], ['return_scan', batch.id, body])
  assert.deepEqual((await audit(db)).findings, [])
})

test('scans of every kind are kept when they come too late, and accepted by the verb of their kind', async () => {
  const floor = await openFloor(service, { A: 9 })
  const { client, worker, manager, warehouse_code } = floor
  const former = await staffClient(service, 'worker')
  good(await administrator.patch(`/users/${former.userId}`, { active: false }))
  const [shipped, open] = await floor.orders({ L1: 'A', L2: 'A' })
  const left = await floor.filled(shipped === undefined ? [] : [shipped])
  const leave = { scan_id: '1', order_id: shipped?.id, barcode: 'A' }
  good(await floor.pick(left.picking_task_id, leave))
  good(await worker.post(`/shipments/${left.id}/close`))
  const { id: shipment, picking_task_id: task } = await floor.filled(
    open === undefined ? [] : [open],
  )
  const [shelf, other] = ['LATE-1', 'LATE-2']
  good(await manager.post('/locations/bulk', { warehouse_code, pattern: 'LATE-{1..2}' }), 201)
  const count = good<{ id: string }>(
    await manager.post('/counts', { client_id: client, scope: {} }),
    201,
  ).id
  good(await manager.post(`/counts/${count}/start`))
  const batch = good<{ id: string }>(await worker.post('/returns', { client_id: client }), 201).id
  const receipt = good<{ id: string }>(
    await worker.post('/receipts/walk-in', { client_id: client }),
    201,
  ).id
  const stored = async (kind: 'boxes' | 'pallets') =>
    good<{ id: string }>(await worker.post(`/${kind}`, { client_id: client }), 201).id
  const [box, toBox, pallet] = [
    await stored('boxes'),
    await stored('boxes'),
    await stored('pallets'),
  ]
  const own = { client_id: client, barcode: 'A' }
  const late: [kind: string, path: string, scan: object][] = [
    ['receipt_scan', `/receipts/${receipt}/scans`, { barcode: 'A', qty: 2 }],
    ['location_put', `/locations/${shelf}/put`, { ...own, qty: 4 }],
    ['location_move', `/locations/${shelf}/move`, { ...own, qty: 2, to_location_id: other }],
    ['location_take', `/locations/${other}/take`, { ...own, qty: 1 }],
    [
      'pick',
      `/picking-tasks/${task}/picks`,
      { order_id: open?.id, barcode: 'A', location_id: shelf },
    ],
    ['pack_check', `/shipments/${shipment}/checks`, { order_id: open?.id, code: 'A' }],
    ['count_scan', `/counts/${count}/scans`, { code: 'A', qty: 3 }],
    ['box_put', `/boxes/${box}/put`, { barcode: 'A', qty: 3 }],
    ['box_move', `/boxes/${box}/move`, { barcode: 'A', qty: 2, to_box_id: toBox }],
    ['box_take', `/boxes/${toBox}/take`, { barcode: 'A', qty: 1 }],
    ['box_place', `/boxes/${box}/place`, { location_id: other }],
    ['pallet_place', `/pallets/${pallet}/place`, { location_id: other }],
    ['return_scan_of_day', '/returns/scans', { code: 'L1', condition: 'sellable' }],
    ['return_scan', `/returns/${batch}/scans`, { code: 'L1', condition: 'sellable' }],
  ]
  const queued = { queued_at, queued_by: former.login }
  const accepted = { decision: 'accepted', comment: 'Проверено' }
  const before = await unitsOf(client)
  for (const [kind, path, body] of late) {
    const scan = { scan_id: kind, ...body, ...queued }
    const kept = good<ScanException>(await worker.post(path, scan), 202)
    assert.deepEqual([kept.kind, kept.scan], [kind, scan])
    const decided = await manager.post(`/exceptions/${kept.id}/resolve`, accepted)
    if (kind === 'return_scan') {
      assertRefused(decided, 'conflict', 'всё ещё не принять')
      assert.equal((await exceptionsOf(client, '&status=OPEN')).items[0]?.id, kept.id)
      continue
    }
    assert.equal(good<ScanException>(decided).decision, 'accepted')
    assert.deepEqual((await worker.post(path, scan)).body, decided.body, 'a repeat learns it')
    good(await worker.post(path, { scan_id: kind, ...body }), 200)
  }
  const units = async (code?: string) =>
    good<{ units: number }>(await worker.get(`/locations/${code}`)).units
  assert.deepEqual(
    [await units(shelf), await units(other)],
    [1, 2],
    '4 put, 2 moved, 1 taken, 1 picked, and a box with one unit beside them',
  )
  const place = async (path: string) =>
    good<{ units: number; location_code: string }>(await worker.get(path))
  const { units: left1, location_code } = await place(`/boxes/${box}`)
  assert.deepEqual([left1, location_code], [1, other], '3 put, 2 moved')
  assert.equal((await place(`/boxes/${toBox}`)).units, 1, '2 came, 1 taken')
  assert.equal((await place(`/pallets/${pallet}`)).location_code, other)
  assert.equal(await unitsOf(client), Number(before) + 3, 'two received, one came back')
  const [line] = (await floor.task({ picking_task_id: task })).lines ?? []
  assert.deepEqual([line?.picked, line?.checked], [1, 1])
  assert.equal(good<{ units: number }>(await manager.get(`/counts/${count}`)).units, 3)
  assert.deepEqual((await audit(db)).findings, [])
})

test('a box that is placed late at a closed location becomes an exception, and a repeat moves it no more', async () => {
  const { client, worker, manager, warehouse_code } = await openFloor(service, {})
  good(await manager.post('/locations/bulk', { warehouse_code, pattern: 'SHELF-{1..2}' }), 201)
  const { id } = good<{ id: string }>(await worker.post('/boxes', { client_id: client }), 201)
  const place = (body: object) => worker.post(`/boxes/${id}/place`, body)
  const first = { location_id: 'SHELF-1', scan_id: 'p1', queued_at }
  good(await place(first))
  good(await place({ location_id: 'SHELF-2', scan_id: 'p2' }))
  const repeated = good<{ location_code: string }>(await place(first))
  assert.equal(repeated.location_code, 'SHELF-2', 'a repeat brings nothing back')

  good(await manager.patch('/locations/SHELF-1', { active: false }))
  const late = { location_id: 'SHELF-1', scan_id: 'p3', queued_at }
  assertRefused(await place({ ...late, queued_at: undefined }), 'conflict')
  const kept = good<ScanException>(await place(late), 202)
  assert.deepEqual([kept.kind, kept.object_id, kept.scan], ['box_place', id, late])
  const lost = good<ScanException>(
    await place({ ...late, scan_id: 'p4', location_id: 'NO-SUCH' }),
    202,
  )
  assert.match(lost.reason, /NO-SUCH/)
  assert.doesNotMatch(lost.reason, /Поле/, 'people on the floor do not know the fields')
  assertRefused(await place({ location_id: 'SHELF-2', queued_at }), 'validation_error', 'scan_id')
  const nameless = { barcode: 'A', qty: 1, hand_over: true, queued_at }
  assertRefused(await worker.post(`/boxes/${id}/put`, nameless), 'validation_error', 'scan_id')
  assert.deepEqual((await audit(db)).findings, [])
})

test('an exception of a picking task that went with its empty shipment stays', async () => {
  const floor = await openFloor(service, { A: 1 })
  const { id: shipment, picking_task_id: task } = await floor.open()
  const [order] = await floor.orders({ G1: 'A' })
  const scan = { scan_id: 'late', order_id: order?.id, barcode: 'A', queued_at }
  const kept = good<ScanException>(await floor.pick(task, scan), 202)
  good(await floor.manager.delete(`/shipments/${shipment}`), 204)
  assert.deepEqual((await audit(db)).findings, [])
  const path = `/exceptions/${kept.id}/resolve`
  const accepted = { decision: 'accepted', comment: 'x' }
  assertRefused(await floor.manager.post(path, accepted), 'conflict', 'всё ещё не принять')
  good(await floor.manager.post(path, { decision: 'dismissed', comment: 'x' }))
})

test('exceptions are listed newest first, of one client or all, and unknown ones are not found', async () => {
  const { client, id } = await finished()
  const made: string[] = []
  for (let n = 0; n < 3; n++) {
    made.push(good<ScanException>(await scan(id, { queued_at }), 202).id)
  }
  const { items } = await exceptionsOf(client)
  assert.deepEqual(
    items.map((each) => each.id),
    made.toReversed(),
  )
  const first = good<{ items: ScanException[]; next_cursor: string }>(
    await manager.get(`/exceptions?client_id=${client}&limit=2`),
  )
  const rest = await manager.get(
    `/exceptions?client_id=${client}&limit=2&cursor=${encodeURIComponent(first.next_cursor)}`,
  )
  assert.equal(good<{ items: ScanException[] }>(rest).items[0]?.id, made[0])
  assert.equal((await exceptionsOf(randomUUID())).total, 0)
  assert.ok(good<{ total: number }>(await manager.get('/exceptions')).total >= 3)
  const decision = { decision: 'dismissed', comment: 'x' }
  assertRefused(await manager.post(`/exceptions/${randomUUID()}/resolve`, decision), 'not_found')
})
