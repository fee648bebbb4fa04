import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeWords } from './words.ts'

test('a place that nobody named is said in words', () => {
  assert.equal(placeWords(null), 'место не названо')
  assert.equal(placeWords({ location_code: 'A-01' }), 'A-01')
})
