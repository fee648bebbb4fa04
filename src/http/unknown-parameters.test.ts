import assert from 'node:assert/strict'
import test from 'node:test'
import { isSlip } from './unknown-parameters.ts'

test('one edit or one exchange of neighbours is a slip', () => {
  const slips = ['created_form', 'created_fro', 'created_frrom', 'created_frim', 'rceated_from']
  slips.push('Created_from', 'reated_from', 'created_fromm', 'xcreated_from')
  for (const name of slips) assert.ok(isSlip(name, 'created_from'), name)
  for (const [name, other] of [
    ['status_', 'status'],
    ['limits', 'limit'],
  ] as const) {
    assert.ok(isSlip(name, other), name)
  }
})

test('two edits, a short name and another word are no slips', () => {
  const others = ['createdform', 'created_forn', 'created_to', 'createdfrm', 'cretead_frmo', 'from']
  for (const name of others) assert.ok(!isSlip(name, 'created_from'), name)
  assert.ok(!isSlip('statu', 'status'), 'five letters')
  assert.ok(!isSlip('form', 'from'))
  assert.ok(!isSlip('', ''))
})
