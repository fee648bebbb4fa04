import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previewOf } from './pattern.ts'

test('a pattern of codes says how many places it makes, from which to which', () => {
  assert.deepEqual(previewOf('A-{01..10}-{1..4}'), { count: 40, first: 'A-01-1', last: 'A-10-4' })
  assert.deepEqual(previewOf(' {a..c}-1 '), { count: 3, first: 'A-1', last: 'C-1' })
  assert.deepEqual(previewOf('FLOOR'), { count: 1, first: 'FLOOR', last: 'FLOOR' })
})

test('a pattern that cannot be counted has no preview', () => {
  for (const pattern of ['', 'A-{01..', 'A-{5..1}', 'A-{1..C}', 'A-{}', 'A}']) {
    assert.equal(previewOf(pattern), undefined, pattern)
  }
})
