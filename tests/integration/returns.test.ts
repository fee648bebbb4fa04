import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import type { Transaction } from '../../src/platform/db/connection.ts'
import { workAt } from '../../src/platform/db/work.ts'
import type { Metrics } from '../../src/warehouse/metrics/view.ts'
import type { ReturnBatch, ReturnBatchContent } from '../../src/warehouse/returns/batch-view.ts'
import { finishReturnBatch } from '../../src/warehouse/returns/batches.ts'
import { recordReturns } from '../../src/warehouse/returns/expected.ts'
import type { ReturnScanResult } from '../../src/warehouse/returns/return-scans.ts'
import { bringBackOrders } from '../../src/warehouse/shipments/reshipment.ts'
import { assertRefused } from '../support/client.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { type Floor, good, nobody, openFloor } from '../support/shipping.ts'
import { meanwhile } from '../support/waiting.ts'
import { at, noon } from '../support/warehouse.ts'

const service = await startService()
const { db } = service
const shoe = ean13('460123456003')
const imei = '356938035643809'

interface Line {
  readonly barcode: string
  readonly qty?: number
  readonly marking_code?: string
  readonly marks?: Readonly<Record<string, string>>
}

let numbers = 0

/** An order that left with a shipment of its own. */
async function sent(floor: Floor, lines: readonly Line[]) {
  const external_id = `${++numbers + 7_000_000}`
  const draft = {
    cabinet_id: floor.cabinet,
    external_id,
    lines: lines.map(({ barcode, qty = 1 }) => ({ barcode, qty })),
  }
  const made = await floor.manager.post(`/clients/${floor.client}/orders`, [draft])
  const [order] = good<{ items: { id: string }[] }>(made, 201).items
  assert.ok(order)
  const shipment = good<{ id: string; picking_task_id: string }>(
    await floor.add((await floor.open()).id, [order.id]),
  )
  for (const [index, { barcode, qty = 1, ...unit }] of lines.entries()) {
    for (let n = 0; n < qty; n++) {
      const scan = { scan_id: `${index} ${n}`, order_id: order.id, barcode, ...unit }
      good(await floor.pick(shipment.picking_task_id, scan))
    }
  }
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  return { id: order.id, number: external_id, shipment: shipment.id }
}

async function opened(floor: Floor, draft: object = {}): Promise<ReturnBatchContent> {
  return good(await floor.worker.post('/returns', { client_id: floor.client, ...draft }), 201)
}

let scans = 0

function scan(floor: Floor, batch: string, fields: object) {
  const usual = { scan_id: `s${++scans}`, condition: 'sellable' }
  return floor.worker.post(`/returns/${batch}/scans`, { ...usual, ...fields })
}

async function shown(floor: Floor, batch: string): Promise<ReturnBatchContent> {
  return good(await floor.worker.get(`/returns/${batch}`))
}

async function quantities(floor: Floor, barcode: string) {
  const [row] = await db<{ quantity: number; in_question: number }[]>`
    select quantity, in_question from stock_balances
    where client_id = ${floor.client} and barcode = ${barcode}`
  return [row?.quantity, row?.in_question]
}

const stateOfCode = async (unit: number) =>
  (
    await db<{ state: string }[]>`
      select state from marking_codes
      where identity like ${`%u${String(unit).padStart(12, '0')}`} and barcode = ${shoe}`
  )[0]?.state

async function assertClean(): Promise<void> {
  assert.deepEqual((await audit(db)).findings, [])
}

test('a unit that comes back is in stock again; the figures of what was shipped stay', async () => {
  const floor = await openFloor(service, { A: 3 })
  const order = await sent(floor, [{ barcode: 'A' }])
  await floor.report(order.id, 'complete', 'canceled_by_client')
  const metrics = () => floor.manager.get(`/clients/${floor.client}/metrics`)
  const before = good<Metrics>(await metrics())
  const batch = await opened(floor)
  assert.deepEqual([batch.number, batch.status, batch.scans], ['RT-000001', 'OPEN', []])
  const draft = { scan_id: 'first', code: order.number }
  const result = good<ReturnScanResult>(await scan(floor, batch.id, draft))
  assert.deepEqual(
    [result.barcode, result.order_id, result.condition, result.repeated, result.expected],
    ['A', order.id, 'sellable', false, false],
  )
  assert.deepEqual(await quantities(floor, 'A'), [3, 0])
  const { repeated, ...again } = good<ReturnScanResult>(await scan(floor, batch.id, draft))
  assert.deepEqual([repeated, { ...again, repeated: false }], [true, result])
  const second = await scan(floor, batch.id, { code: order.number })
  assertRefused(second, 'conflict', `Все единицы заказа ${order.number} уже вернулись`)
  assertRefused(await scan(floor, batch.id, { code: 'A' }), 'conflict', 'уже вернулись')
  assert.deepEqual(await quantities(floor, 'A'), [3, 0])
  const after = good<Metrics>(await metrics())
  assert.deepEqual(
    [after.funnel.shipped, after.funnel.delivered, after.funnel.in_storage],
    [before.funnel.shipped, before.funnel.delivered, 3],
  )
  assert.ok(after.notes.some((note) => /Вернулось на склад за период единиц: 1\./.test(note)))
  const finished = good<ReturnBatchContent>(await floor.worker.post(`/returns/${batch.id}/finish`))
  assert.deepEqual(
    [finished.status, finished.came_qty, finished.unexpected_qty],
    ['FINISHED', 1, 1],
  )
  assert.equal(good<ReturnScanResult>(await scan(floor, batch.id, draft)).repeated, true)
  assertRefused(await scan(floor, batch.id, { code: 'A' }), 'conflict', 'RT-000001 закончен')
  const undone = await floor.worker.post(`/returns/${batch.id}/scans/first/undo`)
  assertRefused(undone, 'conflict', 'закончен')
  assertRefused(await floor.worker.post(`/returns/${batch.id}/finish`), 'conflict', 'закончен')
  await assertClean()
})

test('a damaged unit, or one that nobody inspected, is in question, with its reason; a scan can be undone', async () => {
  const floor = await openFloor(service, { A: 5 })
  const order = await sent(floor, [{ barcode: 'A', qty: 3 }])
  const { id } = await opened(floor)
  good(await scan(floor, id, { scan_id: 'd', code: order.number, condition: 'damaged' }))
  good(await scan(floor, id, { scan_id: 'u', code: order.number, condition: 'unknown' }))
  good(
    await scan(floor, id, {
      scan_id: 'l',
      code: order.number,
      condition: 'damaged',
      reason: 'OTHER',
    }),
  )
  const wrong = { code: order.number, condition: 'damaged', reason: 'NONE' }
  assertRefused(await scan(floor, id, wrong), 'validation_error', 'reason')
  assert.deepEqual(await quantities(floor, 'A'), [5, 3])
  const batch = await shown(floor, id)
  assert.deepEqual([batch.sellable_qty, batch.damaged_qty, batch.unknown_qty], [0, 2, 1])
  assert.deepEqual(
    batch.scans.map(({ scan_id, reason, reason_label }) => [scan_id, reason, reason_label]),
    [
      ['d', 'DAMAGED', 'Товар повреждён'],
      ['u', 'UNCHECKED_RETURN', 'Возврат не осмотрен'],
      ['l', 'OTHER', 'Другая причина'],
    ],
  )
  const undo = () => floor.worker.post(`/returns/${id}/scans/u/undo`)
  const undone = good<ReturnScanResult>(await undo())
  assert.deepEqual([undone.undone, undone.repeated], [true, false])
  assert.equal(good<ReturnScanResult>(await undo()).repeated, true)
  assert.deepEqual(await quantities(floor, 'A'), [4, 2])
  assert.equal(
    good<ReturnScanResult>(await scan(floor, id, { scan_id: 'u', code: 'A' })).undone,
    true,
  )
  good(await scan(floor, id, { code: 'A' }))
  assert.deepEqual(await quantities(floor, 'A'), [5, 2])
  assertRefused(await floor.worker.post(`/returns/${id}/scans/nobody/undo`), 'not_found')
  await assertClean()
})

test('a scan without a batch finds the client by its code and opens the batch of the day once', async () => {
  const floor = await openFloor(service, { OWN: 4, SHARED: 2 })
  const other = await openFloor(service, { SHARED: 1 })
  const order = await sent(floor, [{ barcode: 'OWN' }])
  await sent(floor, [{ barcode: 'SHARED' }])
  await sent(other, [{ barcode: 'SHARED' }])
  const take = (fields: object) =>
    floor.worker.post('/returns/scans', { condition: 'sellable', ...fields })
  const results = await Promise.all(
    [1, 2, 3].map(() => take({ scan_id: 'same', code: order.number })),
  )
  const batches = results.map((answer) => good<ReturnScanResult>(answer))
  assert.equal(new Set(batches.map(({ return_id }) => return_id)).size, 1)
  assert.equal(batches.filter(({ repeated }) => !repeated).length, 1)
  const unclear = await take({ scan_id: 'b', code: 'SHARED' })
  assertRefused(unclear, 'validation_error', 'client_id: такой код есть у нескольких клиентов')
  const named = good<ReturnScanResult>(
    await take({ scan_id: 'b', code: 'SHARED', client_id: floor.client }),
  )
  assert.equal(named.return_id, batches[0]?.return_id)
  assert.deepEqual(await quantities(floor, 'SHARED'), [2, 0])
  assert.deepEqual(await quantities(other, 'SHARED'), [0, 0])
  assertRefused(await take({ scan_id: 'c', code: 'nothing' }), 'validation_error', 'nothing')
  const list = good<{ items: ReturnBatch[] }>(
    await floor.worker.get(`/returns?client_id=${floor.client}&status=OPEN`),
  )
  assert.deepEqual(
    list.items.map(({ id, came_qty, day }) => [id, came_qty, day !== null]),
    [[named.return_id, 2, true]],
  )
  good(await floor.worker.post(`/returns/${named.return_id}/finish`))
  const next = good<ReturnScanResult>(await take({ scan_id: 'same', code: order.number }))
  assert.deepEqual([next.return_id, next.repeated], [named.return_id, true])
  await assertClean()
})

test('what never left, came back already or belongs to another client is refused with what to do', async () => {
  const floor = await openFloor(service, { A: 3, B: 1 })
  const other = await openFloor(service, { ALIEN: 2 })
  const alien = await sent(other, [{ barcode: 'ALIEN' }])
  const [fresh, open] = await floor.orders({ 'never-1': 'A', 'open-1': 'A' })
  assert.ok(fresh && open)
  await floor.filled([open])
  const { id } = await opened(floor)
  const refuse = async (code: string, error: 'conflict' | 'validation_error', text: string) =>
    assertRefused(await scan(floor, id, { code }), error, text)
  await refuse('never-1', 'conflict', 'с этого склада не отгружался')
  await refuse('open-1', 'conflict', 'ещё не уехал')
  await refuse('B', 'conflict', 'уехавших единиц не осталось')
  await refuse(alien.number, 'conflict', 'другого клиента')
  await refuse('ALIEN', 'conflict', 'другого клиента')
  await refuse('?', 'validation_error', 'проверьте, чей это товар')
  assertRefused(await scan(floor, nobody, { code: 'A' }), 'not_found')
  assertRefused(
    await scan(floor, id, { code: 'A', condition: 'good' }),
    'validation_error',
    'condition',
  )
  assert.deepEqual(await quantities(other, 'ALIEN'), [1, 0])
  assert.deepEqual((await shown(floor, id)).scans, [])
  await assertClean()
})

// Guarantee (returns): Marking code and IMEI of a returned unit may go into another order.
test('marking code and IMEI of a unit that came back go into another order, unless the scan is undone', async () => {
  const floor = await openFloor(service, { [shoe]: 2 })
  await db`update products set honest_mark = true where client_id = ${floor.client}`
  const unit = { barcode: shoe, marking_code: markingCode(shoe, 31), marks: { imei } }
  const order = await sent(floor, [unit])
  const { id } = await opened(floor)
  const back = { code: markingCode(shoe, 31), scan_id: 'm' }
  assert.equal(good<ReturnScanResult>(await scan(floor, id, back)).order_id, order.id)
  assert.equal(await stateOfCode(31), 'stored')
  assertRefused(await scan(floor, id, { code: markingCode(shoe, 31) }), 'conflict', 'уже на складе')
  good(await floor.worker.post(`/returns/${id}/scans/m/undo`))
  assert.equal(await stateOfCode(31), 'shipped')
  await assertClean()
  good(await scan(floor, id, { code: imei, scan_id: 'i' }))
  assert.equal(await stateOfCode(31), 'stored')
  await sent(floor, [unit])
  assertRefused(await floor.worker.post(`/returns/${id}/scans/i/undo`), 'conflict', 'уже собрана')
  assert.deepEqual(await quantities(floor, shoe), [1, 0])
  await assertClean()
})

test('of marked goods each unit is named by its code, one that the warehouse never saw too', async () => {
  const floor = await openFloor(service, { [shoe]: 4 })
  const codes = [41, 42].map((unit) => markingCode(shoe, unit))
  const several = {
    cabinet_id: floor.cabinet,
    external_id: 'two-1',
    lines: [{ barcode: shoe, qty: 2 }],
  }
  const made = await floor.manager.post(`/clients/${floor.client}/orders`, [several])
  const [order] = good<{ items: { id: string }[] }>(made, 201).items
  assert.ok(order)
  const shipment = good<{ id: string; picking_task_id: string }>(
    await floor.add((await floor.open()).id, [order.id]),
  )
  for (const marking_code of codes) {
    const pick = { scan_id: marking_code, order_id: order.id, marking_code }
    good(await floor.pick(shipment.picking_task_id, pick))
  }
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  await sent(floor, [{ barcode: shoe }])
  await db`update products set honest_mark = true where client_id = ${floor.client}`
  const { id } = await opened(floor)
  assertRefused(await scan(floor, id, { code: 'two-1' }), 'conflict', 'отсканируйте код маркировки')
  assertRefused(await scan(floor, id, { code: shoe }), 'conflict', 'отсканируйте код маркировки')
  good(await scan(floor, id, { code: codes[1] }))
  assert.deepEqual([await stateOfCode(41), await stateOfCode(42)], ['shipped', 'stored'])
  good(await scan(floor, id, { code: 'two-1' }))
  assert.equal(await stateOfCode(41), 'stored')
  const unseen = good<ReturnScanResult>(
    await scan(floor, id, { scan_id: 'unseen', code: markingCode(shoe, 43) }),
  )
  assert.equal(unseen.repeated, false)
  assert.equal(await stateOfCode(43), 'stored')
  good(await floor.worker.post(`/returns/${id}/scans/unseen/undo`))
  assert.equal(await stateOfCode(43), undefined)
  await assertClean()
})

test('a batch shows what came of what it expects; an order of several goods asks which one', async () => {
  const floor = await openFloor(service, { A: 4, B: 2 })
  const both = await sent(floor, [{ barcode: 'A', qty: 2 }, { barcode: 'B' }])
  const missing = await sent(floor, [{ barcode: 'A' }])
  const batch = await opened(floor, {
    cabinet_id: floor.cabinet,
    expected: [{ external_id: both.number }, { order_id: missing.id }],
  })
  assert.deepEqual([batch.expected_qty, batch.missing_qty, batch.came_qty], [4, 4, 0])
  const unclear = await scan(floor, batch.id, { code: both.number })
  assertRefused(unclear, 'validation_error', 'разные товары (A, B)')
  good(await scan(floor, batch.id, { code: both.number, barcode: 'B' }))
  const guessed = good<ReturnScanResult>(await scan(floor, batch.id, { code: 'A' }))
  assert.deepEqual([guessed.order_id, guessed.expected], [both.id, true])
  const content = await shown(floor, batch.id)
  assert.deepEqual(
    content.expected.map((line) => [line.external_id, line.barcode, line.qty, line.missing_qty]),
    [
      [both.number, 'A', 2, 1],
      [both.number, 'B', 1, 0],
      [missing.number, 'A', 1, 1],
    ],
  )
  const draft = (expected: object[]) =>
    floor.worker.post('/returns', { client_id: floor.client, expected })
  const [never] = await floor.orders({ 'never-2': 'A' })
  const refusals: [object[], RegExp][] = [
    [[{ order_id: never?.id }], /expected\[0\].*не отгружался/],
    [[{ external_id: 'none' }], /expected\[0\]\.external_id: у клиента нет заказа none/],
    [[{ order_id: missing.id }, { external_id: missing.number }], /expected\[1\].*уже есть/],
    [[{}], /expected\[0\]: укажите order_id или external_id/],
  ]
  for (const [expected, message] of refusals) {
    const refused = await draft(expected)
    assertRefused(refused, 'validation_error')
    assert.match(refused.text, message)
  }
  await assertClean()
})

test('a batch of a cabinet expects what its marketplace has ready, and takes it in by its label', async () => {
  const floor = await openFloor(service, { A: 2 }, ['OZON'])
  const order = await sent(floor, [{ barcode: 'A' }])
  const reported = {
    kind: 'BUYER_RETURN',
    remoteState: undefined,
    reason: undefined,
    itemId: undefined,
    article: undefined,
    name: undefined,
    units: 1,
    since: noon,
    changedAt: noon,
    place: { name: undefined, address: undefined },
    disposalAt: undefined,
  } as const
  await at(db, noon, (work) =>
    recordReturns(work, floor.client, floor.cabinet, [
      {
        ...reported,
        externalId: '71',
        state: 'READY',
        orderNumber: order.number,
        labelCode: '%71',
      },
      { ...reported, externalId: '72', state: 'ON_THE_WAY', orderNumber: 'x', labelCode: '%72' },
    ]),
  )
  const batch = await opened(floor, { cabinet_id: floor.cabinet })
  assert.deepEqual(
    batch.expected.map(({ external_id, order_id, qty }) => [external_id, order_id, qty]),
    [[order.number, order.id, 1]],
  )
  assertRefused(await scan(floor, batch.id, { code: '%72' }), 'conflict', 'отсканируйте штрихкод')
  await db`
    insert into cabinet_syncs (client_id, cabinet_id, connected_at, next_at, giveout_code)
    values (${floor.client}, ${floor.cabinet}, now(), 'infinity', '%303%1')`
  const other = await openFloor(service, { A: 1 }, ['OZON'])
  const foreign = await opened(other, { cabinet_id: other.cabinet })
  assertRefused(await scan(other, foreign.id, { code: '%303%1' }), 'conflict', 'другого клиента')
  // The code that fetches returns names the only one that is ready.
  const fetched = good<ReturnScanResult>(await scan(floor, batch.id, { code: '%303%1' }))
  assert.deepEqual([fetched.order_id, fetched.expected], [order.id, true])
  const undo = `/returns/${batch.id}/scans/${fetched.scan_id}/undo`
  good(await floor.worker.post(undo))
  const result = good<ReturnScanResult>(await scan(floor, batch.id, { code: '%71' }))
  assert.deepEqual([result.order_id, result.expected], [order.id, true])
  assert.equal((await shown(floor, batch.id)).missing_qty, 0)
  const none = await scan(floor, batch.id, { code: '%303%1' })
  assertRefused(none, 'validation_error', '%303%1')
  await assertClean()
})

// Guarantee (returns): Never more units come back than left, and a unit is taken in once.
test('of workers who scan the same unit one takes it in; of many, as many as left', async () => {
  const floor = await openFloor(service, { A: 12 })
  const orders: { number: string }[] = []
  for (let n = 0; n < 4; n++) orders.push(await sent(floor, [{ barcode: 'A', qty: 2 }]))
  const { id } = await opened(floor)
  const [first] = orders
  const same = await Promise.all(
    Array.from({ length: 6 }, () => scan(floor, id, { code: first?.number })),
  )
  assert.equal(same.filter(({ status }) => status === 200).length, 2)
  for (const answer of same) if (answer.status !== 200) assertRefused(answer, 'conflict')
  const repeats = await Promise.all(
    Array.from({ length: 6 }, () => scan(floor, id, { scan_id: 'one', code: 'A' })),
  )
  assert.equal(repeats.filter((answer) => !good<ReturnScanResult>(answer).repeated).length, 1)
  const mixed = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      scan(floor, id, { code: n % 2 === 0 ? 'A' : orders[1 + (n % 3)]?.number }),
    ),
  )
  assert.equal(mixed.filter(({ status }) => status === 200).length, 5)
  assert.deepEqual(await quantities(floor, 'A'), [12, 0])
  await assertClean()
})

// Guarantee (returns): A returned unit that one worker undoes while another finishes is taken in or not, never in between.
test('undo against finish: the unit stays in or goes, never in between', async () => {
  const floor = await openFloor(service, { A: 6 })
  for (let round = 0; round < 3; round++) {
    const order = await sent(floor, [{ barcode: 'A' }])
    const { id } = await opened(floor)
    good(await scan(floor, id, { scan_id: 'x', code: order.number }))
    const [undone, finished] = await Promise.all([
      floor.worker.post(`/returns/${id}/scans/x/undo`),
      floor.worker.post(`/returns/${id}/finish`),
      floor.worker.post(`/returns/${id}/scans/x/undo`),
    ])
    assert.equal(finished?.status, 200)
    const { came_qty } = await shown(floor, id)
    assert.equal(came_qty, undone?.status === 200 ? 0 : 1)
    const [quantity] = await quantities(floor, 'A')
    if (undone?.status === 200) {
      const next = await opened(floor)
      good(await scan(floor, next.id, { code: order.number }))
      assert.deepEqual(await quantities(floor, 'A'), [(quantity ?? 0) + 1, 0])
    }
    assert.deepEqual(await quantities(floor, 'A'), [6, 0])
  }
  await assertClean()
})

test('a return whose marking code is in stock again elsewhere is refused and leaves no scan', async () => {
  const floor = await openFloor(service, { [shoe]: 1 })
  const order = await sent(floor, [{ barcode: shoe, marking_code: markingCode(shoe, 77) }])
  const other = await openFloor(service, { A: 1 })
  const draft = { items: [{ barcode: shoe, name: 'Туфли', qty: 1, honest_mark: true }] }
  const receipt = good<{ id: string }>(
    await other.manager.post(`/clients/${other.client}/receipts`, draft),
    201,
  )
  good(await other.worker.post(`/receipts/${receipt.id}/start`))
  const unit = { scan_id: '1', marking_code: markingCode(shoe, 77) }
  good(await other.worker.post(`/receipts/${receipt.id}/scans`, unit))
  const { id } = await opened(floor)
  assertRefused(await scan(floor, id, { code: order.number }), 'conflict', 'уже принята на склад')
  assert.deepEqual((await shown(floor, id)).scans, [])
  await assertClean()
})

test('a scan or an undo that meets the end of its batch waits for it and is refused', async () => {
  const floor = await openFloor(service, { A: 2 })
  const order = await sent(floor, [{ barcode: 'A', qty: 2 }])
  const calls = [
    (id: string) => scan(floor, id, { code: order.number }),
    (id: string) => floor.worker.post(`/returns/${id}/scans/x/undo`),
  ]
  for (const call of calls) {
    const { id } = await opened(floor)
    const kept = good<ReturnScanResult>(await scan(floor, id, { scan_id: 'x', code: order.number }))
    const finish = (tx: Transaction) =>
      finishReturnBatch(workAt(tx, noon, { kind: 'service' }), floor.client, id)
    const { answer } = await meanwhile(db, finish, () => call(id))
    assertRefused(answer, 'conflict', 'закончен')
    const { scans } = await shown(floor, kept.return_id)
    assert.deepEqual(
      scans.map(({ scan_id, undone }) => [scan_id, undone]),
      [['x', false]],
    )
  }
  await assertClean()
})

// Guarantee (returns): Units that came back for another shipment do not come back as a return, too.
test('units that came back to be handed over again do not come back twice, in either order', async () => {
  const floor = await openFloor(service, { A: 4 })
  const [listed, scanned] = [
    await sent(floor, [{ barcode: 'A' }]),
    await sent(floor, [{ barcode: 'A' }]),
  ]
  const { id } = await opened(floor)
  const list = (order: { number: string }) =>
    at(db, Date.now() + 1000, (work) =>
      bringBackOrders(work, floor.client, floor.cabinet, [
        { externalId: order.number, supply: `supply of ${order.number}` },
      ]),
    )
  assert.equal((await list(listed)).length, 1)
  assertRefused(await scan(floor, id, { code: listed.number }), 'conflict', 'повторной отгрузки')
  good(await scan(floor, id, { scan_id: 'before', code: scanned.number }))
  assert.equal((await list(scanned)).length, 1)
  assert.deepEqual(await quantities(floor, 'A'), [4, 0])
  const undone = await floor.worker.post(`/returns/${id}/scans/before/undo`)
  assertRefused(undone, 'conflict', 'для повторной отгрузки')
  assertRefused(await scan(floor, id, { code: 'A' }), 'conflict', 'не осталось')
  await assertClean()
})
