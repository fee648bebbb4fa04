import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/client.ts'
import { read } from '../support/shape.ts'
import { openTarget, readAll } from '../support/target.ts'
import { type Receipt, receiptShape, receiptStatuses, receiptWithItems } from './resources.ts'

const target = await openTarget()
const sandbox = await target.sandbox()
const all = await readAll(sandbox, '/v1/receipts', {}, receiptShape)
const detailed = await Promise.all(
  all.map(async ({ id }) => read(receiptWithItems, (await sandbox.get(`/v1/receipts/${id}`)).body)),
)

async function assertFinds(
  query: Readonly<Record<string, string>>,
  matches: (receipt: Receipt) => boolean,
): Promise<void> {
  const found = await readAll(sandbox, '/v1/receipts', query, receiptShape)
  assert.deepEqual(found, all.filter(matches), JSON.stringify(query))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

test('receipts come newest first, without their items', () => {
  const places = all.map((receipt) => `${receipt.created_at} ${receipt.id}`)
  assert.deepEqual(places, places.toSorted().toReversed())
  assert.equal(new Set(all.map((receipt) => receipt.number)).size, all.length)
})

test('a receipt looks the same as in the list, with its items', () => {
  for (const [at, { items, ...rest }] of detailed.entries()) {
    assert.deepEqual(rest, all[at])
    assert.ok(items.length > 0)
    assert.equal(new Set(items.map((item) => item.barcode)).size, items.length)
  }
})

test('a receipt is not found by its number', async () => {
  for (const id of [all[0]?.number ?? '', 'x', '00000000-0000-0000-0000-000000000000']) {
    assertRefused(await sandbox.get(`/v1/receipts/${id}`), 'not_found')
  }
})

test('the filter status selects exactly the receipts with that status', async () => {
  for (const status of receiptStatuses) {
    await assertFinds({ status }, (receipt) => receipt.status === status)
  }
})

test('external_ref selects by the exact number of the document', async () => {
  const ref = all.find((receipt) => receipt.external_ref !== undefined)?.external_ref ?? ''
  assert.notEqual(ref, '')
  await assertFinds({ external_ref: ref }, (receipt) => receipt.external_ref === ref)
  await assertFinds({ external_ref: ref, created_to: '2000-01-01' }, () => false)
  for (const unknown of ['', ref.slice(1), `${ref} `, ref.toLowerCase()]) {
    await assertFinds({ external_ref: unknown }, () => false)
  }
})

test('created_from is inclusive and created_to is exclusive', async () => {
  const bound = all[3]?.created_at ?? ''
  await assertFinds({ created_from: bound }, (each) => each.created_at >= bound)
  await assertFinds({ created_to: bound }, (each) => each.created_at < bound)
  await assertFinds(
    { created_from: bound, status: 'RECEIVED' },
    (each) => each.created_at >= bound && each.status === 'RECEIVED',
  )
})

test('totals are the sums of the items', () => {
  for (const { items, ...receipt } of detailed) {
    assert.equal(receipt.expected_qty, sum(items.map((item) => item.expected_qty)))
    assert.equal(receipt.accepted_qty, sum(items.map((item) => item.accepted_qty)))
  }
})

test('the discrepancy is the missing units of a completed receipt, never negative', () => {
  for (const { items, ...receipt } of detailed) {
    const completed = receipt.completed_at !== null
    for (const { expected_qty: expected, accepted_qty: accepted, ...rest } of [receipt, ...items]) {
      const missing = completed ? Math.max(0, expected - accepted) : 0
      assert.equal(rest.discrepancy_qty, missing, receipt.number)
    }
  }
  assert.ok(detailed.some((receipt) => receipt.discrepancy_qty > 0))
})

test('every shortage has a reason, and other lines have none', () => {
  const items = detailed.flatMap((receipt) => receipt.items)
  for (const item of items) {
    assert.equal(item.shortage_reason !== undefined, item.discrepancy_qty > 0, item.barcode)
  }
  assert.ok(items.some((item) => item.shortage_reason !== undefined))
  assert.ok(
    items.some((item) => item.accepted_qty > item.expected_qty),
    'a surplus',
  )
})

test('the last status tells whether any line differs', () => {
  for (const { items, ...receipt } of detailed) {
    const done = receipt.status.startsWith('RECEIVED')
    assert.equal(receipt.completed_at !== null, done, receipt.number)
    if (!done) continue
    const differs = items.some((item) => item.accepted_qty !== item.expected_qty)
    assert.equal(receipt.status === 'RECEIVED_WITH_DISCREPANCY', differs, receipt.number)
  }
})

test('only requests from the API wait for confirmation, are confirmed and show a document number', () => {
  for (const receipt of all) {
    const { status, source } = receipt
    if (status === 'PENDING_CONFIRMATION') assert.equal(source, 'api')
    if (source !== 'api') assert.equal(receipt.external_ref, undefined)
    const confirmed = source === 'api' && status !== 'PENDING_CONFIRMATION'
    assert.equal(receipt.confirmed_at !== null, confirmed, receipt.number)
    if (['PENDING_CONFIRMATION', 'EXPECTED'].includes(status)) assert.equal(receipt.accepted_qty, 0)
  }
})
