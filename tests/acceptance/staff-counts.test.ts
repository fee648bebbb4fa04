import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import type { Transaction } from '../../src/platform/db/connection.ts'
import { workAt } from '../../src/platform/db/work.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { decideLine } from '../../src/warehouse/counts/decisions.ts'
import { reviewCount } from '../../src/warehouse/counts/verbs.ts'
import type { CountLine, CountScan, StockCount } from '../../src/warehouse/counts/view.ts'
import { assertRefused } from '../support/client.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { type Floor, good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { meanwhile } from '../support/waiting.ts'

const service = await startService()
const { db } = service

interface Counting {
  readonly floor: Floor
  readonly id: string
  scan(code: string, qty: number, place?: object): ReturnType<Floor['pick']>
  verb(name: string, body?: unknown): ReturnType<Floor['pick']>
  accept(barcode: string, outcome: string): ReturnType<Floor['pick']>
  lines(): Promise<Map<string, CountLine>>
}

let scans = 0

async function counting(floor: Floor, draft: object = {}): Promise<Counting> {
  const { manager, worker, client } = floor
  const body = { client_id: client, scope: {}, ...draft }
  const { id, status } = good<StockCount>(await manager.post('/counts', body), 201)
  assert.equal(status, 'DRAFT')
  good(await manager.post(`/counts/${id}/start`))
  return {
    floor,
    id,
    scan: (code, qty, place = {}) =>
      worker.post(`/counts/${id}/scans`, { scan_id: `scan ${++scans}`, code, qty, ...place }),
    verb: (name, given) => manager.post(`/counts/${id}/${name}`, given),
    accept: (barcode, outcome) =>
      manager.post(`/counts/${id}/lines/${barcode}/accept`, { outcome, reason: 'COUNT' }),
    async lines() {
      const { lines = [] } = good<StockCount>(await manager.get(`/counts/${id}`))
      return new Map(lines.map((line) => [line.barcode, line]))
    },
  }
}

/** Units, and those in question. */
async function stock({ client }: Floor, barcode: string) {
  const [row] = await db<{ quantity: number; in_question: number }[]>`
    select quantity, in_question from stock_balances
    where client_id = ${client} and barcode = ${barcode}`
  return [row?.quantity, row?.in_question]
}

async function box({ worker, client }: Floor, barcode: string, qty: number): Promise<string> {
  const { id } = good<{ id: string }>(await worker.post('/boxes', { client_id: client }), 201)
  good(await worker.post(`/boxes/${id}/put`, { barcode, qty }))
  return id
}

// Guarantee (counts): A count changes the ledger only by a manager's decision on each line.
test('several workers count blind, and the ledger changes by what a manager decides on each line', async () => {
  const floor = await openFloor(service, { A: 10, B: 5, C: 4, D: 3, E: 2 })
  const count = await counting(floor)
  const second = await staffClient(service, 'worker')
  const scan = { scan_id: 'mine', code: 'A', qty: 6 }
  const path = `/counts/${count.id}/scans`
  const first = good<CountScan>(await floor.worker.post(path, scan))
  assert.equal('expected' in first, false)
  assert.equal(good<CountScan>(await floor.worker.post(path, scan)).repeated, true)
  const more = { scan_id: 'theirs', code: 'A', qty: 4 }
  assert.equal(good<CountScan>(await second.post(path, more)).counted, 10)
  good(await count.scan('B', 7))
  good(await count.scan('C', 1))
  good(await count.scan('D', 2))
  const shown = good<StockCount>(await second.get(`/counts/${count.id}`))
  assert.equal('differing' in shown, false)
  assert.ok(shown.lines?.every((line) => !('expected' in line) && !('difference' in line)))
  assert.deepEqual(shown.workers?.map(({ units }) => units).sort(), [16, 4])
  const reviewed = good<StockCount>(await count.verb('review'))
  assert.deepEqual([reviewed.status, reviewed.differing, reviewed.undecided], ['REVIEW', 4, 4])
  assert.deepEqual(
    [...(await count.lines())].map(([barcode, line]) => [
      barcode,
      line.counted,
      line.difference,
      line.scans,
    ]),
    [
      ['A', 10, 0, 2],
      ['B', 7, 2, 1],
      ['C', 1, -3, 1],
      ['D', 2, -1, 1],
      ['E', 0, -2, 0],
    ],
  )
  assertRefused(await count.scan('A', 1), 'conflict', 'На проверке')
  assertRefused(await count.accept('A', 'correct'), 'conflict', 'расхождения нет')
  assertRefused(await count.verb('close'), 'conflict', 'Не решено строк с расхождением: 4')
  good(await count.accept('B', 'in_question'))
  assertRefused(await count.accept('B', 'correct'), 'conflict', 'уже решено')
  good(await count.accept('C', 'in_question'))
  good(await count.accept('D', 'correct'))
  assertRefused(await count.verb('cancel'), 'conflict', 'уже решено')
  good(await count.accept('E', 'ignore'))
  const stocks = []
  for (const barcode of ['A', 'B', 'C', 'D', 'E']) stocks.push(await stock(floor, barcode))
  assert.deepEqual(stocks, [
    [10, 0],
    [7, 2],
    [4, 3],
    [2, 0],
    [2, 0],
  ])
  assert.equal(good<StockCount>(await count.verb('close')).status, 'CLOSED')
  assertRefused(await count.verb('start'), 'conflict', 'Закрыт')
  assert.deepEqual((await audit(db, new ManualClock(Date.now()))).findings, [])
})

// Guarantee (counts): Units that move while goods are counted are no difference.
test('units that leave or are picked while goods are counted are no difference', async () => {
  const floor = await openFloor(service, { A: 10 })
  const count = await counting(floor, { scope: { barcodes: ['A'] }, blind: false })
  const first = good<CountScan>(await count.scan('A', 4))
  assert.equal(first.expected, 10)
  const [order] = await floor.orders({ COUNTED: 'A' })
  assert.ok(order)
  const task = await floor.task(await floor.filled([order]))
  good(await floor.pick(task.id, { scan_id: 'p', order_id: order.id, barcode: 'A' }))
  const gone = { barcode: 'A', qty: 2, reason: 'LOST' }
  good(await floor.manager.post(`/clients/${floor.client}/write-offs`, gone), 201)
  good(await count.scan('A', 3))
  good(await count.verb('review'))
  const line = (await count.lines()).get('A')
  assert.deepEqual(
    [line?.counted, line?.expected_min, line?.expected_max, line?.difference],
    [7, 7, 10, 0],
  )
  assert.equal(good<StockCount>(await count.verb('close')).status, 'CLOSED')
})

test('a count of boxes and locations compares what lies there, and puts it right', async () => {
  const floor = await openFloor(service, { A: 12, B: 3 })
  const { manager, worker, client, warehouse_code } = floor
  good(await manager.post('/locations', { warehouse_code, code: 'COUNT-1' }), 201)
  const [short, full] = [await box(floor, 'A', 4), await box(floor, 'A', 3)]
  good(await worker.post(`/boxes/${full}/place`, { location_id: 'COUNT-1' }))
  const put = { scan_id: '1', client_id: client, barcode: 'B', qty: 2 }
  good(await worker.post('/locations/COUNT-1/put', put))
  // The boxes and what lies at the location say whose goods they are.
  const scope = { boxes: [short], locations: ['COUNT-1'] }
  const count = await counting(floor, { client_id: undefined, scope })
  assertRefused(await count.scan('A', 1), 'conflict', 'отсканируйте короб или место')
  const outside = await box(floor, 'A', 1)
  assertRefused(await count.scan('A', 1, { box_id: outside }), 'conflict', 'не входит')
  good(await count.scan('A', 1, { box_id: short }))
  good(await count.scan('A', 5, { box_id: full }))
  const atPlace = good<CountScan>(await count.scan('B', 2, { location_id: 'COUNT-1' }))
  assert.deepEqual([atPlace.location_code, atPlace.sscc], ['COUNT-1', null])
  const seen = good<StockCount>(await worker.get(`/counts/${count.id}`))
  assert.deepEqual(
    seen.places?.map(({ location_code, box_id, scans }) => [location_code, box_id, scans]),
    [
      ['COUNT-1', null, 2],
      [null, short, 1],
    ],
    'where to count, in walking order, and what was scanned there',
  )
  assert.equal(seen.workers?.[0]?.name, worker.login)
  good(await count.verb('review'))
  const lines = await count.lines()
  assert.deepEqual([lines.get('A')?.difference, lines.get('B')?.difference], [-1, 0])
  assert.deepEqual(
    lines
      .get('A')
      ?.places.map(({ box_id, counted, expected }) => [box_id, counted, expected])
      .sort(),
    [
      [short, 1, 4],
      [full, 5, 3],
    ].sort(),
  )
  good(await count.accept('A', 'correct'))
  assert.deepEqual(await stock(floor, 'A'), [11, 0])
  const held = async (id: string) => good<{ units: number }>(await worker.get(`/boxes/${id}`)).units
  assert.deepEqual([await held(short), await held(full)], [1, 5])
  good(await count.verb('close'))
})

test('scans are taken back, lines are counted again, and only those', async () => {
  const floor = await openFloor(service, { A: 5, B: 5 })
  const count = await counting(floor)
  const wrong = good<CountScan>(await count.scan('A', 50))
  const undo = `/counts/${count.id}/scans/${encodeURIComponent(wrong.scan_id)}/undo`
  assert.equal(good<CountScan>(await floor.worker.post(undo)).counted, 0)
  assert.equal(good<CountScan>(await floor.worker.post(undo)).repeated, true)
  good(await count.scan('A', 3))
  good(await count.scan('B', 5))
  good(await count.verb('review'))
  assertRefused(await count.verb('recount', { barcodes: ['X'] }), 'validation_error', 'barcodes[0]')
  assert.equal(
    good<StockCount>(await count.verb('recount', { barcodes: ['A'] })).status,
    'COUNTING',
  )
  assertRefused(await count.scan('B', 1), 'conflict', 'уже посчитан')
  const again = async () => {
    const { recount = [] } = good<StockCount>(await floor.worker.get(`/counts/${count.id}`))
    return recount.map(({ barcode }) => barcode)
  }
  assert.deepEqual(await again(), ['A'])
  good(await count.scan('A', 5))
  assert.deepEqual(await again(), ['A'])
  good(await count.verb('review'))
  assert.deepEqual(await again(), [])
  const lines = await count.lines()
  assert.deepEqual([lines.get('A')?.difference, lines.get('B')?.difference], [0, 0])
  good(await count.verb('close'))
})

test('a unit with a marking code is counted once, and bad input is refused by name', async () => {
  const shoe = ean13('460555000002')
  const floor = await openFloor(service, { [shoe]: 2, A: 1 })
  const other = await openFloor(service, { OTHER: 1 })
  const count = await counting(floor, { scope: { barcodes: [shoe] } })
  const code = markingCode(shoe, 1)
  assert.equal(good<CountScan>(await count.scan(code, 1)).barcode, shoe)
  assertRefused(await count.scan(code, 1), 'conflict', 'уже посчитан')
  assertRefused(await count.scan(markingCode(shoe, 2), 2), 'validation_error', 'qty')
  assertRefused(await count.scan('A', 1), 'conflict', 'не входит')
  assertRefused(await count.scan('OTHER', 1), 'conflict', '«Товар OTHER» другого клиента')
  assertRefused(await count.scan('NOBODY', 1), 'validation_error', 'покажите менеджеру')
  const foreign = await box(other, 'OTHER', 1)
  assertRefused(await count.scan(shoe, 1, { box_id: foreign }), 'validation_error', 'box_id')
  for (const [draft, names] of [
    [{ scope: {} }, 'client_id'],
    [{ client_id: floor.client, scope: { barcodes: ['OTHER'] } }, 'scope.barcodes[0]'],
    [{ client_id: floor.client, scope: { boxes: [foreign] } }, 'scope.boxes[0]'],
    [{ client_id: floor.client, scope: { locations: ['NOWHERE'] } }, 'scope.locations[0]'],
  ] as const) {
    assertRefused(await floor.manager.post('/counts', draft), 'validation_error', names)
  }
  good(await count.verb('cancel'))
  assertRefused(await count.scan(shoe, 1), 'conflict', 'Отменён')
  const cancelled = await floor.manager.get(`/counts?client_id=${floor.client}&status=CANCELLED`)
  assert.deepEqual(
    good<{ items: StockCount[] }>(cancelled).items.map(({ id }) => id),
    [count.id],
  )
})

// Guarantee (counts): A scan at the moment when counting ends is either counted or refused.
test('scans that meet the end of counting are in the result or refused, and a decision is made once', async () => {
  const floor = await openFloor(service, { A: 30 })
  const count = await counting(floor)
  good(await count.scan('A', 1))
  const calls = Array.from({ length: 12 }, (_, n) => [
    count.scan('A', 1),
    floor.worker.post(`/counts/${count.id}/scans`, { scan_id: 'the same', code: 'A', qty: 1 }),
    ...(n === 6 ? [count.verb('review')] : []),
  ]).flat()
  const answers = await Promise.all(calls)
  for (const { status, text } of answers) assert.ok(status === 200 || status === 409, text)
  const done = answers.filter(
    ({ status, body }) => status === 200 && (body as CountScan).repeated === false,
  ).length
  const line = (await count.lines()).get('A')
  assert.equal(line?.counted, done + 1)
  const decisions = await Promise.all([1, 2, 3].map(() => count.accept('A', 'correct')))
  assert.deepEqual(decisions.map(({ status }) => status).sort(), [200, 409, 409])
  assert.deepEqual(await stock(floor, 'A'), [done + 1, 0])
  assert.deepEqual((await audit(db, new ManualClock(Date.now()))).findings, [])
})

test('a scan that meets the end of counting waits and is refused, and so is the second of two decisions', async () => {
  const floor = await openFloor(service, { A: 5 })
  const count = await counting(floor)
  good(await count.scan('A', 1))
  const work = (tx: Transaction) => workAt(tx, Date.now(), { kind: 'service' })
  const review = (tx: Transaction) => reviewCount(work(tx), floor.client, count.id)
  const { answer: late } = await meanwhile(db, review, () => count.scan('A', 4))
  assertRefused(late, 'conflict', 'проверк')
  const correct = { outcome: 'correct', reason: 'COUNT' } as const
  const decide = (tx: Transaction) => decideLine(work(tx), floor.client, count.id, 'A', correct)
  const { answer: second } = await meanwhile(db, decide, () => count.accept('A', 'correct'))
  assertRefused(second, 'conflict', 'уже решено')
  assert.deepEqual(await stock(floor, 'A'), [1, 0])
})
