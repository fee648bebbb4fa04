import assert from 'node:assert/strict'
import { test } from 'node:test'
import { malformedAt } from '../../../../../tests/support/marketplaces/malformed-at.ts'
import { parseSupply } from './supplies.ts'

test('a supply is closed at its closing time, or else its scan, or else its creation if it is done', () => {
  const created = '2026-11-20T07:00:00Z'
  const at = (time: string) => Date.parse(time)
  const supply = { id: 'WB-GI-1', createdAt: created, done: false, closedAt: null, scanDt: null }
  const open = parseSupply(supply)
  assert.deepEqual([open.closedAt, open.acceptedAt, open.orders], [undefined, undefined, undefined])
  const scanned = parseSupply({ ...supply, scanDt: '2026-11-20T09:00:00Z' })
  assert.equal(scanned.closedAt, at('2026-11-20T09:00:00Z'))
  assert.equal(scanned.acceptedAt, at('2026-11-20T09:00:00Z'))
  const closed = parseSupply({ ...supply, done: true, closedAt: '2026-11-20T08:00:00Z' }, ['1'])
  assert.deepEqual([closed.closedAt, closed.orders], [at('2026-11-20T08:00:00Z'), ['1']])
  assert.equal(parseSupply({ ...supply, done: true }).closedAt, at(created))
  assert.throws(() => parseSupply({ id: 'WB-GI-1' }), malformedAt('createdAt'))
})
