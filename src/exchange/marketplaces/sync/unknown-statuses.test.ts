import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStatus } from '../intake/read-status.ts'
import { openUnknownStatuses } from './unknown-statuses.ts'

test('an unknown raw status is logged once for each marketplace, a known one never', () => {
  const logged: unknown[] = []
  const unknown = openUnknownStatuses({
    error: () => assert.fail('no error'),
    warn: (details) => void logged.push(details),
  })
  const order = (supplier: string, buyer?: string, externalId = '1') => ({
    externalId,
    reading: readStatus('WB', { supplier, ...(buyer === undefined ? {} : { buyer }) }),
  })
  unknown.look('WB', [order('new', 'waiting'), { externalId: '5' }, order('cancel', 'novel')])
  for (const supplier of ['not_accepted', 'arbitration', 'client_arbitration']) {
    const reading = readStatus('OZON', { supplier })
    assert.equal(reading.status, 'OTHER')
    unknown.look('OZON', [{ externalId: '6', reading }])
  }
  assert.deepEqual(logged, [])
  unknown.look('WB', [order('lost', 'found', '7'), order('lost', 'found', '8'), order('lost')])
  unknown.look('WB', [order('lost', 'found', '9')])
  unknown.look('OZON', [order('lost', `${'x'.repeat(500)}\n`)])
  assert.deepEqual(logged, [
    { marketplace: 'WB', supplier: 'lost', buyer: 'found', order: '7' },
    { marketplace: 'WB', supplier: 'lost', order: '1' },
    { marketplace: 'OZON', supplier: 'lost', buyer: `${'x'.repeat(60)}…`, order: '1' },
  ])
})

test('at most 1000 unknown statuses are remembered and logged', () => {
  const lines: string[] = []
  const unknown = openUnknownStatuses({
    error: () => assert.fail('no error'),
    warn: (_details, message) => void lines.push(message),
  })
  for (let n = 0; n < 3_000; n += 1) {
    const reading = readStatus('OZON', { supplier: `s${n}` })
    unknown.look('OZON', [{ externalId: '1', reading }])
  }
  assert.equal(lines.length, 1_000)
})
