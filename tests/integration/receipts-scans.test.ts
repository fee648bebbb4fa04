import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { audit } from '../../src/operations/audit/audit.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { readMetrics } from '../../src/warehouse/metrics/queries.ts'
import { countScan } from '../../src/warehouse/receipts/counting.ts'
import { findReceipt } from '../../src/warehouse/receipts/queries.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import { requestReceipt } from '../../src/warehouse/receipts/request.ts'
import type { HandheldScan } from '../../src/warehouse/receipts/scanned-line.ts'
import { undoScan } from '../../src/warehouse/receipts/undoing.ts'
import {
  confirmReceipt,
  finishReceiving,
  startReceiving,
} from '../../src/warehouse/receipts/verbs.ts'
import { reserveUnits } from '../../src/warehouse/stock/ledger.ts'
import {
  lockMarkingCodes,
  markPicked,
  refuseUnpickable,
  returnMarkingCodes,
  shipMarkingCodes,
} from '../../src/warehouse/stock/marking-codes.ts'
import { findStockItem } from '../../src/warehouse/stock/queries.ts'
import { addBox } from '../../src/warehouse/storage/boxes.ts'
import { testDatabase } from '../support/database.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { addSubscription } from '../support/subscription.ts'
import { at, makeClient, noon } from '../support/warehouse.ts'

const workers = 20
const { db } = await testDatabase({ max: workers + 2 })
const shoe = ean13('460123456789')
const later = (seconds: number) => noon + seconds * 1000

interface Line {
  readonly barcode: string
  readonly qty: number
  readonly honestMark?: boolean
}

/** Registers a receipt and starts counting it. */
async function receiving(client: string, lines: readonly Line[]): Promise<string> {
  return at(db, noon, async (work) => {
    const items = lines.map((line) => ({ name: `Товар ${line.barcode}`, ...line }))
    const id = await registerReceipt(work, client, { source: 'manual', items })
    await startReceiving(work, client, id)
    return id
  })
}

const scan = (client: string, receipt: string, handheld: HandheldScan, now = later(1)) =>
  at(db, now, (work) => countScan(work, client, receipt, handheld))
const undo = (client: string, receipt: string, scanId: string) =>
  at(db, later(2), (work) => undoScan(work, client, receipt, scanId))
const finish = (client: string, receipt: string, reasons: Record<string, string> = {}) =>
  at(db, later(3), (work) =>
    finishReceiving(work, client, receipt, new Map(Object.entries(reasons))),
  )

async function settle<T>(calls: readonly Promise<T>[]) {
  const settled = await Promise.allSettled(calls)
  return {
    done: settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
    refused: settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])),
  }
}

async function assertTrue(): Promise<void> {
  assert.deepEqual((await audit(db)).findings, [])
}

async function counted(client: string, receipt: string): Promise<(number | undefined)[]> {
  const found = await findReceipt(db, client, receipt)
  return found?.items?.map((item) => item.accepted_qty) ?? []
}

// Guarantee (receipts): A scan of a receipt counts once, however often it is sent.
test('of twenty equal scans at once one counts, and all get the same answer', async () => {
  const { id: client } = await makeClient(db)
  const receipt = await receiving(client, [{ barcode: '1', qty: 3 }])
  const twice = { scanId: 'a', barcode: '1', units: 5 }
  const answers = await Promise.all(
    Array.from({ length: workers }, () => scan(client, receipt, twice)),
  )
  assert.equal(answers.filter((answer) => !answer.repeated).length, 1)
  for (const { repeated: _, ...answer } of answers) {
    assert.equal(answer.qty, 5)
    assert.equal(answer.accepted_qty, 5)
    assert.equal(answer.in_question_qty, 2)
  }
  const again = await scan(client, receipt, { scanId: 'a', barcode: 'unknown', units: 9 })
  assert.equal(again.barcode, '1', 'a repeat is answered with what it was')
  const stock = await findStockItem(db, client, '1')
  assert.deepEqual([stock?.quantity, stock?.in_question], [5, 2])
  await assertTrue()
})

test('different scans at once all count, and units beyond the declared quantity are in question', async () => {
  const { id: client } = await makeClient(db)
  const receipt = await receiving(client, [{ barcode: '1', qty: 70 }])
  const scans = Array.from({ length: 100 }, (_, n) =>
    scan(client, receipt, { scanId: `${n}`, barcode: '1' }),
  )
  const answers = await Promise.all(scans)
  assert.equal(Math.max(...answers.map((answer) => answer.in_question_qty)), 30)
  assert.deepEqual(await counted(client, receipt), [100])
  assert.equal((await findStockItem(db, client, '1'))?.in_question, 30)
  const metrics = await readMetrics(db, client, { from: noon, to: later(60) })
  assert.equal(metrics.funnel.in_storage, 100)
  await assertTrue()
})

test('a scan at the same time as the end of counting is in the totals or refused', async () => {
  for (let round = 0; round < 5; round++) {
    const { id: client } = await makeClient(db)
    await addSubscription(db, client)
    const receipt = await receiving(client, [{ barcode: '1', qty: 100 }])
    const scans = Array.from({ length: 30 }, (_, n) =>
      scan(client, receipt, { scanId: `${n}`, barcode: '1' }),
    )
    const [{ done, refused }] = await Promise.all([
      settle(scans),
      scans[round * 5]?.then(() => finish(client, receipt, { '1': 'NOT_DELIVERED' })),
    ])
    for (const error of refused) assert.match(String(error), /Принята с расхождением/)
    const found = await findReceipt(db, client, receipt)
    assert.equal(found?.accepted_qty, done.length)
    assert.equal(found?.discrepancy_qty, 100 - done.length)
    assert.equal((await findStockItem(db, client, '1'))?.quantity, done.length)
    const events = await db<{ type: string }[]>`
      select type from events where client_id = ${client} order by number`
    assert.deepEqual(
      events.map(({ type }) => type),
      ['receipt.created', 'receipt.status_changed', 'receipt.completed'],
    )
  }
  await assertTrue()
})

test('a scan at the same time as its own undo counts once or not at all', async () => {
  const { id: client } = await makeClient(db)
  const receipt = await receiving(client, [{ barcode: '1', qty: 1 }])
  await scan(client, receipt, { scanId: 'a', barcode: '1', units: 4 })
  const calls = Array.from({ length: workers }, (_, n) =>
    n % 2 === 0
      ? undo(client, receipt, 'a')
      : scan(client, receipt, { scanId: 'a', barcode: '1', units: 4 }),
  )
  const answers = await Promise.all(calls)
  assert.equal(answers.filter((answer) => !answer.repeated).length, 1)
  assert.deepEqual(await counted(client, receipt), [0])
  const stock = await findStockItem(db, client, '1')
  assert.deepEqual([stock?.quantity, stock?.in_question], [0, 0])
  const [row] = await db`select undone_at, undone_by from receipt_scans where client_id = ${client}`
  assert.deepEqual({ ...row }, { undone_at: '2026-11-20T12:00:02.000+03:00', undone_by: 'service' })
  await assertTrue()
})

test('after any scans and undos, the units beyond the declared quantity are in question', async () => {
  const step = fc.oneof(
    fc.record({ line: fc.nat(1), units: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ undo: fc.nat(9) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const { id: client } = await makeClient(db)
      const lines = [
        { barcode: '0', qty: 5 },
        { barcode: '1', qty: 10 },
      ]
      const receipt = await receiving(client, lines)
      const counted = new Map<string, { line: number; units: number }>()
      const taken: string[] = []
      for (const [n, each] of steps.entries()) {
        if ('undo' in each) {
          const scanId = taken[each.undo]
          if (scanId === undefined) continue
          const { repeated } = await undo(client, receipt, scanId)
          assert.equal(repeated, !counted.delete(scanId))
        } else {
          const { line, units } = each
          await scan(client, receipt, { scanId: `${n}`, barcode: `${line}`, units })
          counted.set(`${n}`, each)
          taken.push(`${n}`)
        }
        for (const [line, { barcode, qty }] of lines.entries()) {
          const units = [...counted.values()]
            .filter((one) => one.line === line)
            .reduce((sum, one) => sum + one.units, 0)
          const stock = await findStockItem(db, client, barcode)
          assert.equal(stock?.quantity, units)
          assert.equal(stock?.in_question, Math.max(0, units - qty))
        }
      }
    }),
    { numRuns: 12 },
  )
  await assertTrue()
})

// Guarantee (stock): A marking code is one unit in the whole warehouse.
test('a marking code is accepted once in the whole warehouse, by however many clients at once', async () => {
  const clients = await Promise.all(Array.from({ length: 4 }, () => makeClient(db)))
  const line = { barcode: shoe, qty: 50, honestMark: true }
  const receipts = await Promise.all(
    clients.flatMap(({ id }) => [receiving(id, [line]), receiving(id, [line])]),
  )
  const calls = Array.from({ length: 24 }, (_, n) => {
    const client = clients[Math.floor(n / 2) % 4]?.id ?? ''
    return scan(client, receipts[n % 8] ?? '', {
      scanId: `${n}`,
      markingCode: markingCode(shoe, 1),
    })
  })
  const { done, refused } = await settle(calls)
  assert.equal(done.length, 1)
  for (const error of refused) {
    assert.equal(error.code, 'conflict')
    assert.match(error.message, /^Единица с этим кодом маркировки уже принята на склад/)
  }
  const [row] = await db`
    select count(*)::int as codes from marking_codes where identity like ${`%u000000000001`}`
  assert.equal(row?.codes, 1)
  await assertTrue()
})

test('marked goods need their codes unless the caller makes codes optional', async () => {
  const { id: client } = await makeClient(db)
  const receipt = await receiving(client, [{ barcode: shoe, qty: 9, honestMark: true }])
  const uncoded = { scanId: 'a', barcode: shoe, units: 5 }
  await assert.rejects(scan(client, receipt, uncoded), /маркируется: отсканируйте код маркировки/)
  const { accepted_qty } = await at(db, later(1), (work) =>
    countScan(work, client, receipt, uncoded, 'optional'),
  )
  assert.equal(accepted_qty, 5)
  await scan(client, receipt, { scanId: 'b', markingCode: markingCode(shoe, 3) })
  assert.deepEqual(await counted(client, receipt), [6])
  await assertTrue()
})

test('a marking code may be scanned again after an undo, and after its unit was shipped', async () => {
  const { id: client } = await makeClient(db)
  const receipt = await receiving(client, [{ barcode: shoe, qty: 9, honestMark: true }])
  const code = markingCode(shoe, 2)
  const take = (scanId: string) => scan(client, receipt, { scanId, markingCode: code })
  const first = await take('a')
  assert.equal(first.marking_code, code)
  await assert.rejects(take('b'), { code: 'conflict' })
  await undo(client, receipt, 'a')
  assert.equal((await take('a')).undone, true, 'the id of a scan taken back stays taken')
  assert.equal((await take('c')).repeated, false)

  const identity = `0${shoe}u000000000002`
  const order = newId()
  const pick = (seconds: number, barcode = shoe) =>
    at(db, later(seconds), async (work) => {
      const known = await lockMarkingCodes(work, client, [identity])
      refuseUnpickable(known.get(identity), barcode)
      await markPicked(work, client, [{ identity, barcode, orderId: order }])
    })
  await assert.rejects(pick(4, 'x'), /это код товара/)
  await pick(4)
  await assert.rejects(undo(client, receipt, 'c'), { code: 'conflict' })
  await assert.rejects(take('d'), { code: 'conflict' })
  await at(db, later(5), (work) => returnMarkingCodes(work, client, order))
  await assert.rejects(take('e'), { code: 'conflict' })
  await pick(6)
  await at(db, later(7), (work) => shipMarkingCodes(work, client, [order]))
  await assert.rejects(pick(8), /уже отгружена/)
  const { id: other } = await makeClient(db)
  const back = await receiving(other, [{ barcode: shoe, qty: 1, honestMark: true }])
  assert.equal((await scan(other, back, { scanId: 'a', markingCode: code })).repeated, false)
  await assert.rejects(pick(9), { code: 'validation_error' })
  await assertTrue()
})

test('a scan of reserved units cannot be undone, and nothing changes', async () => {
  const { id: client } = await makeClient(db)
  const receipt = await receiving(client, [{ barcode: '1', qty: 9 }])
  const box = await at(db, noon, (work) => addBox(work, client))
  await scan(client, receipt, { scanId: 'loose', barcode: '1', units: 3 })
  await scan(client, receipt, { scanId: 'a', barcode: '1', units: 5, boxId: box })
  await at(db, later(2), (work) => reserveUnits(work, client, [{ barcode: '1', units: 4 }]))
  await assert.rejects(undo(client, receipt, 'a'), { code: 'conflict' })
  const [line] = await db`
    select quantity from box_contents where client_id = ${client} and box_id = ${box}`
  assert.equal(line?.quantity, 5)
  assert.deepEqual(await counted(client, receipt), [8])
  await db`update stock_balances set reserved = 0 where client_id = ${client}`
  await undo(client, receipt, 'a')
  assert.equal((await db`select from box_contents where client_id = ${client}`).length, 0)
  await assertTrue()
})

test('of many confirmations at once, one succeeds', async () => {
  const { id: client } = await makeClient(db)
  await addSubscription(db, client)
  const { receipt } = await at(db, noon, (work) =>
    requestReceipt(
      work,
      { clientId: client, keyId: newId(), requestId: newId() },
      { items: [{ barcode: '1', name: 'Плед', qty: 5, honest_mark: false }] },
    ),
  )
  const { done, refused } = await settle(
    Array.from({ length: 8 }, () =>
      at(db, later(1), (work) => confirmReceipt(work, client, receipt.id)),
    ),
  )
  assert.equal(done.length, 1)
  for (const error of refused) assert.match(error.message, /«Ожидается на складе»/)
  const confirmed = await db`
    select from events where client_id = ${client} and type = 'receipt.confirmed'`
  assert.equal(confirmed.length, 1)
})

test('ten thousand lines are registered together or not at all', async () => {
  const { id: client } = await makeClient(db)
  const items = Array.from({ length: 10_000 }, (_, n) => ({
    barcode: `B${n}`,
    name: `Товар ${n}`,
    qty: (n % 7) + 1,
    row: n + 2,
  }))
  const { name: _, ...nameless } = { ...items[9_999], barcode: 'X', qty: 1, row: 10_001 }
  await assert.rejects(
    at(db, noon, (work) =>
      registerReceipt(work, client, { source: 'file', items: [...items.slice(1), nameless] }),
    ),
    /строка 10001, столбец name/,
  )
  assert.equal((await db`select from products where client_id = ${client}`).length, 0)
  const id = await at(db, noon, (work) => registerReceipt(work, client, { source: 'file', items }))
  const found = await findReceipt(db, client, id)
  assert.equal(found?.items?.length, 10_000)
  assert.equal(
    found?.expected_qty,
    items.reduce((sum, item) => sum + item.qty, 0),
  )
  await assertTrue()
})
