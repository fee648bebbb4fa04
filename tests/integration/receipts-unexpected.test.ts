import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import type { Transaction } from '../../src/platform/db/connection.ts'
import { performTogether } from '../../src/platform/db/together.ts'
import { type SharedWork, workAt } from '../../src/platform/db/work.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { changeClient } from '../../src/warehouse/clients/clients.ts'
import { addWarehouse } from '../../src/warehouse/clients/warehouses.ts'
import { readMetrics } from '../../src/warehouse/metrics/queries.ts'
import { countScan, countScans, type ReceivedScan } from '../../src/warehouse/receipts/counting.ts'
import { findReceipt } from '../../src/warehouse/receipts/queries.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import type { HandheldScan } from '../../src/warehouse/receipts/scanned-line.ts'
import { undoScan } from '../../src/warehouse/receipts/undoing.ts'
import {
  cancelReceipt,
  finishReceiving,
  startReceiving,
} from '../../src/warehouse/receipts/verbs.ts'
import { approveReceipt, openWalkIn } from '../../src/warehouse/receipts/walk-in.ts'
import { resolveQuestion } from '../../src/warehouse/stock/adjustments.ts'
import { findStockItem } from '../../src/warehouse/stock/queries.ts'
import { findUnitsInQuestion } from '../../src/warehouse/stock/units-in-question.ts'
import { testDatabase } from '../support/database.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { addSubscription } from '../support/subscription.ts'
import { meanwhile } from '../support/waiting.ts'
import { at, makeClient, noon, stockUp } from '../support/warehouse.ts'

// Goods that a receipt does not list, receipts without a document, and receipts that will not come.

const workers = 20
const { db } = await testDatabase({ max: workers + 2 })
const clock = new ManualClock(noon)
const boot = ean13('460123456780')

const expected = (client: string, lines: Readonly<Record<string, number>> = { A: 5 }) =>
  at(db, noon, (work) => {
    const items = Object.entries(lines).map(([barcode, qty]) => ({ barcode, name: barcode, qty }))
    return registerReceipt(work, client, { source: 'manual', items })
  })

async function receiving(client: string, lines?: Readonly<Record<string, number>>) {
  const id = await expected(client, lines)
  await at(db, noon, (work) => startReceiving(work, client, id))
  return id
}

const walkIn = async (client: string, scanId?: string) =>
  (await at(db, noon, (work) => openWalkIn(work, client, { scanId }))).id
const scan = (client: string, receipt: string, handheld: HandheldScan) =>
  at(db, noon, (work) => countScan(work, client, receipt, handheld))
const undo = (client: string, receipt: string, scanId: string) =>
  at(db, noon, (work) => undoScan(work, client, receipt, scanId))
const approve = (client: string, receipt: string) =>
  at(db, noon, (work) => approveReceipt(work, client, receipt))
const finish = (client: string, receipt: string, reasons: Record<string, string> = {}) =>
  at(db, noon, (work) => finishReceiving(work, client, receipt, new Map(Object.entries(reasons))))
const decide = (client: string, barcode: string, units: number) =>
  at(db, noon, (work) => resolveQuestion(work, client, { barcode, units, outcome: 'found' }))

async function stock(client: string, barcode: string) {
  const item = await findStockItem(db, client, barcode)
  return [item?.quantity, item?.in_question]
}

async function lines(client: string, receipt: string) {
  const found = await findReceipt(db, client, receipt)
  return found?.items?.map(({ barcode, expected_qty, accepted_qty }) => [
    barcode,
    expected_qty,
    accepted_qty,
  ])
}

const assertTrue = async () => assert.deepEqual((await audit(db)).findings, [])

test('twenty workers find the same unlisted goods at once: one line, and every unit in question', async () => {
  const { id: client } = await makeClient(db)
  const receipt = await receiving(client)
  const answers = await Promise.all(
    Array.from({ length: workers }, (_, n) =>
      scan(client, receipt, { scanId: `${n % 15}`, barcode: 'NEW', name: `Имя ${n % 15}` }),
    ),
  )
  assert.equal(answers.filter(({ repeated }) => !repeated).length, 15)
  assert.deepEqual(await lines(client, receipt), [
    ['A', 5, 0],
    ['NEW', 0, 15],
  ])
  assert.deepEqual(await stock(client, 'NEW'), [15, 15])
  await assertTrue()
})

test('scans that share transactions count unlisted goods of several receipts and clients', async () => {
  const [one, two] = [await makeClient(db), await makeClient(db)]
  const receipts = [
    { clientId: one.id, receiptId: await receiving(one.id) },
    { clientId: one.id, receiptId: await receiving(one.id) },
    { clientId: two.id, receiptId: await receiving(two.id) },
  ]
  const count = performTogether(db, clock, (work: SharedWork, scans: readonly ReceivedScan[]) =>
    countScans(work, scans),
  )
  const actor = { kind: 'staff', userId: 'worker' } as const
  await Promise.all(
    Array.from({ length: 60 }, (_, n) => {
      const place = receipts[n % 3] ?? assert.fail()
      const barcode = n % 4 === 0 ? 'A' : `NEW-${n % 4}`
      return count({ ...place, actor, scanId: `${n}`, barcode, name: 'Новый' })
    }),
  )
  for (const { clientId, receiptId } of receipts) {
    const counted = (await lines(clientId, receiptId)) ?? []
    const [listed, ...unlisted] = counted
    assert.deepEqual(listed, ['A', 5, 5])
    assert.deepEqual(unlisted.toSorted(), [
      ['NEW-1', 0, 5],
      ['NEW-2', 0, 5],
      ['NEW-3', 0, 5],
    ])
  }
  assert.deepEqual(await stock(one.id, 'NEW-1'), [10, 10])
  await assertTrue()
})

test('unlisted goods with marking codes are counted by their codes, known or new', async () => {
  const { id: client } = await makeClient(db)
  const receipt = await receiving(client)
  const code = (n: number) => ({ markingCode: markingCode(boot, n) })
  await assert.rejects(scan(client, receipt, { scanId: '1', ...code(1) }), /введите его название/)
  const first = await scan(client, receipt, { scanId: '1', ...code(1), name: 'Сапоги' })
  assert.deepEqual([first.barcode, first.name, first.in_question_qty], [boot, 'Сапоги', 1])
  await assert.rejects(
    scan(client, receipt, { scanId: '2', barcode: boot }),
    /отсканируйте код маркировки/,
  )
  const other = await receiving(client, { B: 1 })
  const second = await scan(client, other, { scanId: '1', ...code(2) })
  assert.deepEqual([second.name, second.in_question_qty], ['Сапоги', 1])
  await assert.rejects(scan(client, other, { scanId: '2', ...code(1) }), { code: 'conflict' })
  await undo(client, other, '1')
  assert.deepEqual(await lines(client, other), [['B', 1, 0]], 'a line without units is not shown')
  assert.equal((await scan(client, other, { scanId: '3', ...code(2) })).accepted_qty, 1)
  await assertTrue()
})

test('a refused scan of unlisted goods leaves neither a line nor a product', async () => {
  const { id: client } = await makeClient(db)
  const receipt = await receiving(client)
  const wrong = { scanId: '1', barcode: 'NEW', name: 'Новый', boxId: 'no such box' }
  await assert.rejects(scan(client, receipt, wrong), /короба/)
  assert.equal((await db`select from products where client_id = ${client}`).length, 1)
  assert.equal((await db`select from receipt_items where receipt_id = ${receipt}`).length, 1)
})

test('units of a receipt without a document are in question until it is approved, and free after', async () => {
  const { id: client } = await makeClient(db)
  await stockUp(db, client, { A: 2 })
  const receipt = await walkIn(client)
  await scan(client, receipt, { scanId: '1', barcode: 'A', units: 4 })
  await scan(client, receipt, { scanId: '2', barcode: 'A', units: 3 })
  await undo(client, receipt, '2')
  assert.deepEqual(await stock(client, 'A'), [6, 4])
  await approve(client, receipt)
  assert.deepEqual(await stock(client, 'A'), [6, 0])
  const late = await scan(client, receipt, { scanId: '3', barcode: 'A', units: 5 })
  assert.equal(late.in_question_qty, 0)
  await undo(client, receipt, '1')
  assert.deepEqual(await stock(client, 'A'), [7, 0])
  assert.equal(await finish(client, receipt), 'RECEIVED_WITH_DISCREPANCY')
  await assert.rejects(approve(client, receipt), /уже одобрена/)
  await assertTrue()
})

// Guarantee (receipts): An approval frees the units of its own receipt alone.
test('an approval frees the units of its own receipt only, and keeps what was decided by hand', async () => {
  const { id: client } = await makeClient(db)
  const [first, second] = [await walkIn(client), await walkIn(client)]
  await scan(client, first, { scanId: '1', barcode: 'A', units: 4, name: 'A' })
  await scan(client, second, { scanId: '1', barcode: 'A', units: 7 })
  await scan(client, second, { scanId: '2', barcode: 'A', units: 9 })
  await undo(client, second, '2')
  // The oldest units count as found first: these are of the first receipt.
  await decide(client, 'A', 3)
  await approve(client, second)
  assert.deepEqual(await stock(client, 'A'), [11, 1])
  assert.deepEqual(
    (await findUnitsInQuestion(db, client, 'A'))?.map(({ units, receipt_id }) => [
      units,
      receipt_id,
    ]),
    [[1, first]],
  )
  await finish(client, first)
  await approve(client, first)
  assert.deepEqual(await stock(client, 'A'), [11, 0])
  await assertTrue()
})

// Guarantee (receipts): Unexpected goods are in question until a manager decides.
test('scans and undos at the same time as the approval leave nothing in question', async () => {
  for (let round = 0; round < 5; round++) {
    const { id: client } = await makeClient(db)
    const receipt = await walkIn(client)
    await scan(client, receipt, { scanId: 'first', barcode: 'A', name: 'A' })
    const calls: Promise<unknown>[] = Array.from({ length: workers }, (_, n) =>
      scan(client, receipt, {
        scanId: `${n}`,
        barcode: n % 2 === 0 ? 'A' : `B${n % 6}`,
        name: 'B',
      }),
    )
    calls.splice(round * 4, 0, approve(client, receipt))
    calls.push(undo(client, receipt, 'first'))
    await Promise.all(calls)
    assert.deepEqual(await stock(client, 'A'), [10, 0])
    for (const barcode of ['B1', 'B3', 'B5']) assert.equal((await stock(client, barcode))[1], 0)
  }
  await assertTrue()
})

test('of twenty equal openings one opens a receipt, and of twenty approvals one approves', async () => {
  const { id: client } = await makeClient(db)
  const opened = await Promise.all(
    Array.from({ length: workers }, () =>
      at(db, noon, (work) => openWalkIn(work, client, { scanId: 'door 1' })),
    ),
  )
  assert.equal(new Set(opened.map(({ id }) => id)).size, 1)
  assert.equal(opened.filter(({ repeated }) => !repeated).length, 1)
  const id = opened[0]?.id ?? ''
  await scan(client, id, { scanId: '1', barcode: 'A', name: 'A', units: 6 })
  const approvals = await Promise.allSettled(
    Array.from({ length: workers }, () => approve(client, id)),
  )
  assert.equal(approvals.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.deepEqual(await stock(client, 'A'), [6, 0])
  await assert.rejects(approve(client, await receiving(client)), /без документа/)
  await assertTrue()
})

test('a receipt is either started or cancelled, whatever comes first, with one event', async () => {
  for (let round = 0; round < 6; round++) {
    const { id: client } = await makeClient(db)
    await addSubscription(db, client)
    const id = await expected(client)
    const start = () => at(db, noon, (work) => startReceiving(work, client, id))
    const cancel = () => at(db, noon, (work) => cancelReceipt(work, client, id, 'не приедет'))
    const calls = round % 2 === 0 ? [start(), cancel(), cancel()] : [cancel(), start(), start()]
    const settled = await Promise.allSettled(calls)
    assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1)
    const isCancelled = (await findReceipt(db, client, id))?.status === 'RECEIVED_WITH_DISCREPANCY'
    const events = await db<{ type: string }[]>`
      select type from events where client_id = ${client} and type <> 'receipt.created'`
    assert.deepEqual(
      events.map(({ type }) => type),
      [isCancelled ? 'receipt.completed' : 'receipt.status_changed'],
    )
  }
  await assertTrue()
})

test('a receipt that begins while its client changes the warehouse waits, and the other way round', async () => {
  const warehouse = 'OTHER'
  await at(db, noon, (work) => addWarehouse(work, { code: warehouse, name: warehouse }))
  const begins: [string, (client: string) => Promise<unknown>][] = [
    ['an announced one', async (client) => receiving(client)],
    ['a walk-in one', (client) => walkIn(client)],
  ]
  for (const [what, begin] of begins) {
    const { id: client } = await makeClient(db, [])
    const move = (tx: Transaction) =>
      changeClient(workAt(tx, noon, { kind: 'service' }), client, { warehouse })
    const { waited } = await meanwhile(db, move, () => begin(client))
    assert.equal(waited, true, what)
    const back = at(db, noon, (work) => changeClient(work, client, { warehouse: 'MAIN' }))
    await assert.rejects(back, /идёт приёмка/)
  }
})

test('figures of receiving leave a cancelled receipt out, and a note says so', async () => {
  const { id: client } = await makeClient(db)
  await stockUp(db, client, { A: 2 })
  const figures = async () => readMetrics(db, client, { from: noon - 1, to: noon + 1 })
  const before = await figures()
  const id = await expected(client, { A: 5, B: 7 })
  await at(db, noon, (work) => cancelReceipt(work, client, id))
  const after = await figures()
  assert.deepEqual(after.receiving, before.receiving)
  assert.equal(after.notes.length, before.notes.length + 1)
  assert.match(after.notes.at(-1) ?? '', /Отменено приёмок за период: 1/)
  const receipt = await findReceipt(db, client, id)
  assert.deepEqual(
    [receipt?.accepted_qty, receipt?.discrepancy_qty, receipt?.items?.[1]?.shortage_reason],
    [0, 12, 'Приёмка отменена'],
  )
  await assertTrue()
})
