import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstIdAt, isId, momentOfId, newId, newIdAt } from './ids.ts'

const moments = [0, 1, 0xffff, 1_795_734_341_528, Date.parse('9999-12-31T00:00:00Z')]

test('an id of a moment is an id like others, no lower than the first of its moment and below that of the next', () => {
  for (const moment of moments) {
    const ids = Array.from({ length: 50 }, () => newIdAt(moment))
    assert.equal(new Set(ids).size, ids.length)
    for (const id of ids) {
      assert.ok(isId(id) && id[14] === newId()[14])
      assert.ok(firstIdAt(moment) <= id && id < firstIdAt(moment + 1))
    }
  }
})

test('the first id of a moment before 1970 is the lowest of all', () => {
  assert.equal(firstIdAt(-1), '00000000-0000-0000-0000-000000000000')
  assert.equal(firstIdAt(-1), firstIdAt(0))
})

test('the moment of an id is read again, and other texts have none', () => {
  const moment = Date.UTC(2026, 10, 20)
  assert.equal(momentOfId(newIdAt(moment)), moment)
  const others = ['8c5d1c3e-7a52-4f0a-9a57-0d5d2a1f7b11', firstIdAt(moment), '', 'x']
  assert.deepEqual(
    others.map(momentOfId),
    others.map(() => undefined),
  )
})
