import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderFacts } from './fact-kinds.ts'
import { mergeFacts, nothingKnown } from './facts.ts'

const order = { order_id: 'o', ...nothingKnown }
const merged = (...reports: readonly OrderFacts[]) =>
  reports.reduce((stored, facts) => mergeFacts(stored, facts) ?? stored, order)

test('a later report replaces what it names, and keeps what it leaves out', () => {
  const first = { deadline: 0, comment: 'В плёнку', labelCodes: ['1'], cancellable: true }
  const stored = merged(first, { comment: 'Без плёнки', cancellable: undefined, boxes: 2 })
  assert.equal(stored.reported_deadline_at, '1970-01-01T03:00:00.000+03:00')
  assert.deepEqual([stored.comment, stored.cancellable, stored.boxes], ['Без плёнки', true, 2])
  assert.deepEqual(stored.label_codes, ['1'])
})

test('a report may say that there is none any more', () => {
  const stored = merged(
    { deadline: 0, relatedNumbers: ['2'] },
    { deadline: null, relatedNumbers: [] },
  )
  assert.deepEqual(stored, order)
})

test('codes of labels that were printed before stay known, the latest first', () => {
  const stored = merged(
    { labelCodes: ['%101%1', '1'] },
    { labelCodes: ['ii1'] },
    { labelCodes: [] },
  )
  assert.deepEqual(stored.label_codes, ['ii1', '%101%1', '1'])
  const many = Array.from({ length: 30 }, (_, at) => String(at))
  assert.equal(merged({ labelCodes: many }).label_codes.length, 20)
})

test('the same report applied again changes nothing', () => {
  const facts = { deadline: 0, cancelReason: 'Передумал', relatedNumbers: ['2'] }
  assert.equal(mergeFacts(merged(facts), facts), undefined)
  assert.equal(mergeFacts(order, {}), undefined)
})
