import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { performTogether, type Verdict } from '../../src/platform/db/together.ts'
import { sharedWorkAt } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import type { ReturnScanResult } from '../../src/warehouse/returns/return-scans.ts'
import {
  type ReceivedReturn,
  takeReturnsTogether,
} from '../../src/warehouse/returns/scanning-together.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { type Floor, good, openFloor } from '../support/shipping.ts'

const service = await startService()
const { db } = service
const shoe = ean13('460123456003')

interface Line {
  readonly barcode: string
  readonly qty?: number
  readonly marking_code?: string
}
let numbers = 8_000_000

/** Orders that left together, one for each line, by their numbers. */
async function sent(floor: Floor, lines: readonly Line[]): Promise<string[]> {
  const drafts = lines.map(({ barcode, qty = 1 }) => ({
    cabinet_id: floor.cabinet,
    external_id: `${++numbers}`,
    lines: [{ barcode, qty }],
  }))
  const made = await floor.manager.post(`/clients/${floor.client}/orders`, drafts)
  const orders = good<{ items: { id: string; external_id: string }[] }>(made, 201).items
  const shipment = good<{ id: string; picking_task_id: string }>(
    await floor.add(
      (await floor.open()).id,
      orders.map(({ id }) => id),
    ),
  )
  for (const [at, { barcode, qty = 1, ...unit }] of lines.entries()) {
    for (let n = 0; n < qty; n++) {
      const scan = { scan_id: `${at} ${n}`, order_id: orders[at]?.id, barcode, ...unit }
      good(await floor.pick(shipment.picking_task_id, scan))
    }
  }
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  return drafts.map(({ external_id }) => external_id)
}

const opened = async (floor: Floor) =>
  good<{ id: string }>(await floor.worker.post('/returns', { client_id: floor.client }), 201).id

const worker = (n: number) => ({ kind: 'staff', userId: `worker-${n}` }) as const
let scans = 0
const scanOf = (
  floor: Floor,
  returnId: string | undefined,
  code: string,
  rest: Partial<ReceivedReturn> = {},
): ReceivedReturn => ({
  ...{ clientId: floor.client, returnId, code, condition: 'sellable', actor: worker(1) },
  scanId: `together ${++scans}`,
  ...rest,
})

/** Takes in by one transaction. */
const takeAll = (received: readonly ReceivedReturn[]) =>
  db.begin((tx) => takeReturnsTogether(sharedWorkAt(tx, Date.now()), received))

const shown = (verdict: Verdict<ReturnScanResult> | undefined) => {
  if (verdict?.kind === 'done') return [verdict.result.barcode, verdict.result.repeated]
  return verdict?.kind === 'refused' ? verdict.error.message : verdict?.kind
}

async function recorded(returnId: string): Promise<string[]> {
  const rows = await db<{ code: string }[]>`
    select code from return_scans where return_id = ${returnId} order by code`
  return rows.map(({ code }) => code)
}

const assertClean = async () => assert.deepEqual((await audit(db)).findings, [])

// Guarantee (returns): Scans of returns that share a transaction are accepted or refused one by one.
test('scans of several orders, batches and clients share a transaction, each by its worker and with its verdict', async () => {
  const [one, other] = [
    await openFloor(service, { A: 5, B: 2 }),
    await openFloor(service, { A: 3 }),
  ]
  const mine = await sent(one, [{ barcode: 'A' }, { barcode: 'B' }, { barcode: 'A' }])
  const [theirs = ''] = await sent(other, [{ barcode: 'A' }])
  const [batch, second, third] = [await opened(one), await opened(one), await opened(other)]
  const received = [
    scanOf(one, batch, mine[0] ?? '', { condition: 'damaged', actor: worker(2) }),
    scanOf(one, second, mine[1] ?? ''),
    scanOf(other, third, theirs, { actor: worker(3) }),
    scanOf(one, batch, 'no such code'),
    scanOf(one, third, mine[2] ?? ''),
    scanOf(one, batch, mine[2] ?? '', { reason: 'NONE' }),
  ]
  const verdicts = await takeAll(received)
  assert.deepEqual(verdicts.slice(0, 3).map(shown), [
    ['A', false],
    ['B', false],
    ['A', false],
  ])
  const reasons = [/нет заказа, возврата или товара/, /Приём возвратов не найден/, /нет причины/]
  for (const [n, reason] of reasons.entries()) assert.match(String(shown(verdicts[n + 3])), reason)
  assert.deepEqual(await recorded(batch), [mine[0]])
  const movements = await db<{ actor: string; barcode: string; question_delta: number }[]>`
    select actor, barcode, question_delta from stock_movements
    where kind = 'return' and return_id = any(${[batch, second, third]}::uuid[])
    order by actor`
  assert.deepEqual(
    movements.map(({ actor, barcode, question_delta }) => [actor, barcode, question_delta]),
    [
      ['staff:worker-1', 'B', 0],
      ['staff:worker-2', 'A', 1],
      ['staff:worker-3', 'A', 0],
    ],
  )
  assert.deepEqual((await takeAll(received.slice(0, 2))).map(shown), [
    ['A', true],
    ['B', true],
  ])
  await assertClean()
})

test('what depends on another scan of the transaction goes alone', async () => {
  const floor = await openFloor(service, { A: 9 })
  const [twice = '', last = ''] = await sent(floor, [{ barcode: 'A', qty: 2 }, { barcode: 'A' }])
  const batch = await opened(floor)
  const same = { scanId: 'the same' }
  const verdicts = await takeAll([
    scanOf(floor, batch, twice, same),
    scanOf(floor, batch, twice),
    scanOf(floor, batch, last, same),
    scanOf(floor, batch, 'A'),
    scanOf(floor, undefined, last),
  ])
  assert.deepEqual(verdicts.map(shown), [['A', false], 'apart', 'apart', 'apart', 'apart'])
  assert.deepEqual(await recorded(batch), [twice])
  const days = () =>
    db`select id from return_batches where client_id = ${floor.client} and day is not null`
  assert.equal((await days()).length, 0)
  await assert.rejects(
    takeAll([scanOf(floor, undefined, 'no such code')]),
    /проверьте, чей это товар/,
  )
  assert.equal((await days()).length, 0, 'a refused scan opens no batch')
  const [taken] = await takeAll([scanOf(floor, undefined, last)])
  assert.deepEqual(shown(taken), ['A', false])
  assert.equal((await days()).length, 1)
  const [unit] = await takeAll([scanOf(floor, batch, twice)])
  assert.deepEqual(shown(unit), ['A', false])
  await assert.rejects(takeAll([scanOf(floor, batch, twice)]), /уже вернулись/)
  await assertClean()
})

test('workers who scan the same units at once take in each of them once', async () => {
  const floor = await openFloor(service, { A: 12, B: 12 })
  const lines = Array.from({ length: 16 }, (_, n) => ({ barcode: n % 2 === 0 ? 'A' : 'B' }))
  const orders = await sent(floor, lines)
  const batch = await opened(floor)
  const take = performTogether(db, systemClock, takeReturnsTogether)
  const answers = await Promise.allSettled(
    [1, 2, 3].flatMap((n) => [
      ...orders.map((code) => take(scanOf(floor, batch, code, { actor: worker(n) }))),
      take(scanOf(floor, undefined, 'A', { actor: worker(n) })),
    ]),
  )
  const done = answers.filter(({ status }) => status === 'fulfilled')
  assert.equal(done.length, orders.length)
  for (const answer of answers) {
    if (answer.status === 'rejected')
      assert.match(String(answer.reason), /уже вернулись|не осталось/)
  }
  const rows = await db<{ barcode: string; quantity: number; outside: number }[]>`
    select barcode, quantity, outside from stock_balances
    where client_id = ${floor.client} order by barcode`
  assert.deepEqual(
    rows.map(({ barcode, quantity, outside }) => [barcode, quantity, outside]),
    [
      ['A', 12, 0],
      ['B', 12, 0],
    ],
  )
  await assertClean()
})

test('marking codes come back with their units, also several in one transaction', async () => {
  const floor = await openFloor(service, { [shoe]: 4 })
  await db`update products set honest_mark = true where client_id = ${floor.client}`
  const codes = [51, 52, 53].map((unit) => markingCode(shoe, unit))
  await sent(
    floor,
    codes.map((marking_code) => ({ barcode: shoe, marking_code })),
  )
  const batch = await opened(floor)
  const [one = '', two = ''] = codes
  const verdicts = await takeAll([
    scanOf(floor, batch, one),
    scanOf(floor, batch, two),
    scanOf(floor, batch, one),
  ])
  assert.deepEqual(verdicts.map(shown), [[shoe, false], [shoe, false], 'apart'])
  const states = await db<{ state: string }[]>`
    select state from marking_codes where client_id = ${floor.client} order by identity`
  assert.deepEqual(
    states.map(({ state }) => state),
    ['stored', 'stored', 'shipped'],
  )
  await assertClean()
})

test('units of one transaction fill the lines that wait for them, each once', async () => {
  const floor = await openFloor(service, { A: 6, B: 2 })
  const orders = await sent(
    floor,
    ['A', 'A', 'A', 'A', 'B'].map((barcode) => ({ barcode })),
  )
  const batch = await opened(floor)
  await db`
    insert into return_lines (client_id, return_id, line, external_id, barcode, units)
    values (${floor.client}, ${batch}, 1, 'R1', 'A', 1), (${floor.client}, ${batch}, 2, 'R2', 'A', 2)`
  const [early = '', ...rest] = orders
  const first = await takeAll([scanOf(floor, batch, early)])
  const later = await takeAll(rest.map((code) => scanOf(floor, batch, code)))
  const expected = [...first, ...later].map((verdict) => {
    return verdict.kind === 'done' && verdict.result.expected
  })
  assert.deepEqual(expected, [true, true, true, false, false])
  const filled = await db<{ line: number | null; units: number }[]>`
    select line, count(*)::integer as units from return_scans where return_id = ${batch}
    group by line order by line`
  assert.deepEqual(
    filled.map(({ line, units }) => [line, units]),
    [
      [1, 1],
      [2, 2],
      [null, 2],
    ],
  )
})
