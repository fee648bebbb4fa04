import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { countScan } from '../../src/warehouse/receipts/counting.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import { finishReceiving, startReceiving } from '../../src/warehouse/receipts/verbs.ts'
import { assertRefused, openClient } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { staffCalls, staffClient } from '../support/staff.ts'
import { at, makeClient, noon, stockUp } from '../support/warehouse.ts'

const service = await sharedService()
const { db } = service
const manager = await staffClient(service, 'manager')
const worker = await staffClient(service, 'worker')

interface Reason {
  kind: string
  code: string
  label: string
}
interface Reasons {
  items: Reason[]
  total: number
  next_cursor: string | null
}

test('the lists exist from the start, and are read one by one or together', async () => {
  const { items, total, next_cursor } = (await worker.get('/reasons')).body as Reasons
  assert.equal(items.length, total)
  assert.equal(next_cursor, null)
  assert.deepEqual(
    [...new Set(items.map(({ kind }) => kind))],
    ['correction', 'not_found', 'shortage'],
  )
  const short = (await worker.get('/reasons?kind=shortage')).body as Reasons
  assert.deepEqual(
    short.items,
    items.filter(({ kind }) => kind === 'shortage'),
  )
  const labels = short.items.map(({ label }) => label)
  const [last, ...named] = labels.toReversed()
  assert.equal(last, 'Другая причина')
  assert.deepEqual(named.toReversed(), named.toSorted(), 'as people look for them')
  const pages: Reason[] = []
  for (let cursor = ''; ; ) {
    const page = (await worker.get(`/reasons?limit=5${cursor}`)).body as Reasons
    pages.push(...page.items)
    if (page.next_cursor === null) break
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
  assert.deepEqual(pages, items)
  assertRefused(await worker.get('/reasons?kind=x'), 'bad_request', 'kind')
  assertRefused(await worker.get('/reasons?cursor=x'), 'bad_cursor')
})

test('a new reason is accepted at once, and metrics show its label', async () => {
  const wet = { kind: 'shortage', code: 'WET_2', label: 'Товар промок' }
  const added = await manager.post('/reasons', wet)
  assert.equal(added.status, 201, added.text)
  assert.deepEqual(added.body, wet)
  assertRefused(await manager.post('/reasons', { ...wet, label: 'Иначе' }), 'conflict', 'WET_2')

  const { id } = await makeClient(db)
  const { key } = await at(db, noon, (work) =>
    issueApiKey(work, id, { name: 'Чтение', receiptsEnabled: false }),
  )
  const receipt = await at(db, noon, async (work) => {
    const items = [{ barcode: 'A', name: 'Товар', qty: 3 }]
    const receiptId = await registerReceipt(work, id, { source: 'manual', items })
    await startReceiving(work, id, receiptId)
    await countScan(work, id, receiptId, { scanId: 's', barcode: 'A', units: 1 })
    await finishReceiving(work, id, receiptId, new Map([['A', 'WET_2']]))
    return receiptId
  })
  const reader = openClient(service.baseUrl, key)
  const { body } = await reader.get(`/v1/receipts/${receipt}`)
  const [item] = (body as { items: { shortage_reason: string }[] }).items
  assert.equal(item?.shortage_reason, 'Товар промок')
  const metrics = await reader.get('/v1/metrics?from=2026-11-20&to=2026-11-21')
  const { receiving } = metrics.body as { receiving: { shortages_by_reason: object[] } }
  assert.deepEqual(receiving.shortages_by_reason, [
    { reason: 'WET_2', label: 'Товар промок', count: 2 },
  ])
})

test('a correction accepts a new reason of its list', async () => {
  const { id } = await makeClient(db)
  await stockUp(db, id, { A: 1 })
  const entry = { barcode: 'A', delta: 1, reason: 'GIFT' }
  const correct = () => manager.post(`/clients/${id}/corrections`, entry)
  assertRefused(await correct(), 'validation_error', 'GIFT')
  const gift = { kind: 'correction', code: 'GIFT', label: 'Подарок' }
  const answers = await Promise.all([1, 2, 3].map(() => manager.post('/reasons', gift)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
  assert.equal((await correct()).status, 201)
})

test('bad input is refused, naming the wrong field', async () => {
  const good = { kind: 'shortage', code: 'X', label: 'Икс' }
  for (const [body, code, names] of [
    [{}, 'validation_error', 'kind'],
    [{ ...good, kind: 'x' }, 'validation_error', 'kind'],
    [{ ...good, code: 'x' }, 'validation_error', 'code'],
    [{ ...good, code: 'Ж' }, 'validation_error', 'code'],
    [{ ...good, code: 'A B' }, 'validation_error', 'code'],
    [{ ...good, code: 'A\n' }, 'validation_error', 'code'],
    [{ ...good, code: '' }, 'validation_error', 'code'],
    [{ ...good, code: 'X'.repeat(65) }, 'validation_error', 'code'],
    [{ ...good, label: '' }, 'validation_error', 'label'],
    [{ ...good, label: 'a\0' }, 'validation_error', 'label'],
    [{ ...good, label: 'x'.repeat(201) }, 'validation_error', 'label'],
    [{ ...good, extra: 1 }, 'bad_request', 'extra'],
  ] as const) {
    assertRefused(await manager.post('/reasons', body), code, names)
  }
  assertRefused(await worker.post('/reasons', good), 'forbidden')
  assertRefused(await staffCalls(service.baseUrl).get('/reasons'), 'unauthorized')
})
