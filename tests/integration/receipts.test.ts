import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { countScan } from '../../src/warehouse/receipts/counting.ts'
import type { ReceiptDraft } from '../../src/warehouse/receipts/draft.ts'
import { findReceipt } from '../../src/warehouse/receipts/queries.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import { requestReceipt, requestReceipts } from '../../src/warehouse/receipts/request.ts'
import {
  confirmReceipt,
  finishReceiving,
  startReceiving,
} from '../../src/warehouse/receipts/verbs.ts'
import { findStockItem } from '../../src/warehouse/stock/queries.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, noon } from '../support/warehouse.ts'

const { db } = await testDatabase({ max: 20 })

const draft: ReceiptDraft = {
  external_ref: 'УПД-1',
  planned_date: '2026-11-25',
  items: [
    { barcode: '1', name: 'Плед', qty: 5, honest_mark: false },
    { barcode: '2', name: 'Кружка', article: 'M-1', qty: 3, honest_mark: false },
  ],
}

const request = (clientId: string, body = draft) =>
  at(db, noon, (work) =>
    requestReceipt(work, { clientId, keyId: newId(), requestId: newId() }, body),
  )

test("a seller's request is confirmed, counted and completed", async () => {
  const { id: client } = await makeClient(db)
  const { receipt } = await request(client)
  assert.equal(await findStockItem(db, client, '1'), undefined, 'goods are not known yet')

  await at(db, noon + 1000, (work) => confirmReceipt(work, client, receipt.id))
  const known = await findStockItem(db, client, '1')
  assert.equal(known?.quantity, 0)
  assert.equal(known?.updated_at, '2026-11-20T12:00:01.000+03:00')

  await at(db, noon + 2000, (work) => startReceiving(work, client, receipt.id))
  const isRepeat = async (scanId: string, barcode: string, units: number) => {
    const scan = { scanId, barcode, units }
    const counted = at(db, noon + 3000, (work) => countScan(work, client, receipt.id, scan))
    return (await counted).repeated
  }
  assert.equal(await isRepeat('a', '1', 4), false)
  assert.equal(await isRepeat('a', '1', 4), true, 'the same scan again')
  assert.equal(await isRepeat('b', '2', 5), false)

  const counting = await findReceipt(db, client, receipt.id)
  assert.equal(counting?.accepted_qty, 9)
  assert.equal(counting?.discrepancy_qty, 0, 'nothing is missing before the end')
  assert.equal((await findStockItem(db, client, '2'))?.in_question, 2, 'surplus is in question')

  const finish = (reasons: [string, string][]) =>
    at(db, noon + 4000, (work) => finishReceiving(work, client, receipt.id, new Map(reasons)))
  await assert.rejects(finish([]), /нет причины недостачи 1/)
  await assert.rejects(finish([['1', 'NO_SUCH']]), /нет причины с кодом NO_SUCH/)
  assert.equal(await finish([['1', 'DAMAGED']]), 'RECEIVED_WITH_DISCREPANCY')

  const done = await findReceipt(db, client, receipt.id)
  assert.deepEqual(
    done?.items?.map((item) => [item.discrepancy_qty, item.shortage_reason]),
    [
      [1, 'Товар повреждён'],
      [0, undefined],
    ],
  )
  assert.equal(done?.completed_at, '2026-11-20T12:00:04.000+03:00')
  assert.equal(done?.confirmed_at, '2026-11-20T12:00:01.000+03:00')
})

// Guarantee (receipts): Of equal receipt requests exactly one creates a receipt.
test('of forty equal requests at once, one creates the receipt', async () => {
  const { id: client } = await makeClient(db)
  const answers = await Promise.all(Array.from({ length: 40 }, () => request(client)))
  assert.equal(answers.filter((answer) => answer.created).length, 1)
  assert.equal(new Set(answers.map((answer) => answer.receipt.id)).size, 1)
  const [journal] = await db`
    select count(*)::int as entries, count(*) filter (where outcome = 'created')::int as created
    from receipt_journal where client_id = ${client}`
  assert.deepEqual({ ...journal }, { entries: 40, created: 1 })
})

// Guarantee (receipts): Receipt requests that share a transaction are accepted or refused one by one.
test('requests of several sellers in one transaction: each has its verdict, its number and its place in the journal', async () => {
  const [first, second] = [(await makeClient(db)).id, (await makeClient(db)).id]
  const asked = (clientId: string, external_ref: string, changes: Partial<ReceiptDraft> = {}) => ({
    requester: { clientId, keyId: newId(), requestId: newId() },
    draft: { ...draft, external_ref, ...changes },
  })
  const repeated = await request(second, { ...draft, external_ref: 'ждёт' })
  const [marked, plain] = draft.items
  const mixed = marked && plain ? [{ ...marked, honest_mark: true }, plain] : []
  const requests = [
    asked(second, 'новая'),
    asked(first, 'новая'),
    asked(first, 'неверная', { items: mixed }),
    asked(first, 'дата', { planned_date: 'завтра' }),
    asked(first, 'новая'),
    asked(second, 'ждёт', { comment: 'иначе' }),
    asked(first, 'вторая'),
  ]
  const verdicts = await at(db, noon, (work) => requestReceipts(work, requests))
  assert.deepEqual(
    verdicts.map((verdict) => {
      if (verdict.kind === 'refused') return verdict.error.code
      if (verdict.kind === 'apart') return 'apart'
      const { receipt, created, ignored } = verdict.result
      return [receipt.number, receipt.external_ref, created, ignored.join()]
    }),
    [
      ['R-000002', 'новая', true, ''],
      ['R-000001', 'новая', true, ''],
      'mixed_marking',
      'validation_error',
      'apart',
      [repeated.receipt.number, 'ждёт', false, 'comment'],
      ['R-000002', 'вторая', true, ''],
    ],
  )
  for (const [index, verdict] of verdicts.entries()) {
    if (verdict.kind !== 'done') continue
    const clientId = requests[index]?.requester.clientId ?? ''
    assert.deepEqual(
      await findReceipt(db, clientId, verdict.result.receipt.id),
      verdict.result.receipt,
    )
  }
  const journal = await db<
    { clientId: string; entry: number; requestId: string; outcome: string }[]
  >`
    select client_id as "clientId", entry, request_id as "requestId", outcome from receipt_journal
    where client_id = any(${[first, second]}::uuid[]) and request_id = any(${requests.map(({ requester }) => requester.requestId)})
    order by client_id = ${second}, entry`
  const places = journal.map(({ clientId, entry, requestId, outcome }) => [
    clientId === first ? 'first' : 'second',
    entry,
    requests.findIndex(({ requester }) => requester.requestId === requestId),
    outcome,
  ])
  assert.deepEqual(places, [
    ['first', 1, 1, 'created'],
    ['first', 2, 6, 'created'],
    ['second', 2, 0, 'created'],
    ['second', 3, 5, 'repeated'],
  ])
  assert.deepEqual((await audit(db)).findings, [])
})

test('an idempotency key stands for its receipt after it was confirmed, and is sealed in the journal', async () => {
  const { id: client } = await makeClient(db)
  const { external_ref: _, ...plain } = draft
  const asked = (body: ReceiptDraft, idempotencyKey = 'key-1') => ({
    requester: { clientId: client, keyId: newId(), requestId: newId() },
    draft: body,
    idempotencyKey,
  })
  const keyed = [asked(plain), asked(plain), asked(plain, 'key-2'), asked(draft)]
  const verdicts = await at(db, noon, (work) => requestReceipts(work, keyed))
  assert.deepEqual(
    verdicts.map(({ kind }) => kind),
    ['done', 'apart', 'done', 'done'],
  )
  const repeat = (body: ReceiptDraft) =>
    at(db, noon + 2000, (work) =>
      requestReceipt(work, { clientId: client, keyId: newId(), requestId: newId() }, body, 'key-1'),
    )
  const [first] = verdicts
  assert.ok(first?.kind === 'done')
  const { id } = first.result.receipt
  await at(db, noon + 1000, (work) => confirmReceipt(work, client, id))
  const { receipt, created } = await repeat(plain)
  assert.deepEqual([receipt.id, receipt.status, created], [id, 'EXPECTED', false])
  await assert.rejects(repeat({ ...plain, comment: 'иначе' }), { code: 'bad_request' })
  const keys = await db<{ key: string | null; outcome: string }[]>`
    select idempotency_key as key, outcome from receipt_journal where client_id = ${client} order by entry`
  assert.deepEqual(
    keys.map(({ key, outcome }) => [key, outcome]),
    [
      ['key-1', 'created'],
      ['key-2', 'created'],
      [null, 'created'],
      [null, 'repeated'],
    ],
  )
  assert.deepEqual((await audit(db)).findings, [])
})

test('external_ref is unique among the pending receipts of one client only', async () => {
  const [one, other] = [await makeClient(db), await makeClient(db)]
  const first = await request(one.id)
  assert.equal((await request(other.id)).created, true)
  await at(db, noon, (work) => confirmReceipt(work, one.id, first.receipt.id))
  const second = await request(one.id)
  assert.equal(second.created, true)
  assert.notEqual(second.receipt.id, first.receipt.id)
  assert.equal(second.receipt.number, 'R-000002')
})

test('a closed warehouse refuses new requests and still answers repeats', async () => {
  const { id: client } = await makeClient(db)
  const { receipt } = await request(client)
  await db`update warehouses set intake_open = false`
  try {
    assert.equal((await request(client)).receipt.id, receipt.id)
    await assert.rejects(request(client, { ...draft, external_ref: 'УПД-2' }), {
      code: 'warehouse_unavailable',
    })
    const [row] = await db`select count(*)::int as n from receipts where client_id = ${client}`
    assert.equal(row?.n, 1)
  } finally {
    await db`update warehouses set intake_open = true`
  }
})

test('verbs that the status does not allow are refused and change nothing', async () => {
  const { id: client } = await makeClient(db)
  const { receipt } = await request(client)
  const verbs = {
    start: () => at(db, noon, (work) => startReceiving(work, client, receipt.id)),
    count: () =>
      at(db, noon, (work) =>
        countScan(work, client, receipt.id, { scanId: 'x', barcode: '1', units: 1 }),
      ),
    finish: () => at(db, noon, (work) => finishReceiving(work, client, receipt.id, new Map())),
  }
  for (const [verb, run] of Object.entries(verbs)) {
    await assert.rejects(run(), /Ожидает подтверждения/, verb)
  }
  assert.deepEqual(await findReceipt(db, client, receipt.id), receipt)
})

test('a receipt that a manager registers starts EXPECTED', async () => {
  const { id: client } = await makeClient(db)
  const id = await at(db, noon, (work) =>
    registerReceipt(work, client, {
      source: 'file',
      items: [{ barcode: '9', name: 'Свеча', qty: 2 }],
    }),
  )
  const receipt = await findReceipt(db, client, id)
  assert.equal(receipt?.status, 'EXPECTED')
  assert.equal(receipt?.source, 'file')
  assert.equal(receipt?.confirmed_at, null)
  assert.equal(receipt?.items?.[0]?.honest_mark, undefined)
})

test('many workers count one receipt at once, and each scan counts once', async () => {
  const { id: client } = await makeClient(db)
  const id = await at(db, noon, async (work) => {
    const items = ['1', '2', '3'].map((barcode) => ({ barcode, name: barcode, qty: 100 }))
    const made = await registerReceipt(work, client, { source: 'manual', items })
    await startReceiving(work, client, made)
    return made
  })
  const scans = Array.from({ length: 120 }, (_, n) => ({
    scanId: `scan ${n % 60}`,
    barcode: String((n % 3) + 1),
    units: 1,
  }))
  const answers = await Promise.all(
    scans.map((scan) => at(db, noon, (work) => countScan(work, client, id, scan))),
  )
  assert.equal(answers.filter(({ repeated }) => !repeated).length, 60)
  const receipt = await findReceipt(db, client, id)
  assert.deepEqual(
    receipt?.items?.map((item) => item.accepted_qty),
    [20, 20, 20],
  )
  assert.equal((await findStockItem(db, client, '2'))?.quantity, 20)
})
