import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codesOfPattern, locationCodeOf, patternMax, readLocationCode } from './location-code.ts'

test('a pattern stands for its codes in order, with the zeros of its ranges', () => {
  assert.deepEqual(codesOfPattern('A-{09..11}-{1..2}'), [
    ...['A-09-1', 'A-09-2', 'A-10-1', 'A-10-2', 'A-11-1', 'A-11-2'],
  ])
  assert.deepEqual(codesOfPattern('{a..c}1'), ['A1', 'B1', 'C1'])
  assert.deepEqual(codesOfPattern('FLOOR'), ['FLOOR'])
})

test('a pattern that is no range, too long or makes bad codes is refused by name', () => {
  for (const [pattern, names] of [
    ['A-{1-5}', /\{1-5\}/i],
    ['A-{5..1}', /начало/],
    ['A-{1..A}', /диапазон/],
    ['A-{1..3000}', new RegExp(String(patternMax))],
    ['A-{1..100}-{1..100}', new RegExp(String(patternMax))],
    ['{1..3}', /"1"/],
    ['Стеллаж-{1..3}', /СТЕЛЛАЖ-1/],
    ['A-{1..3', /код/],
  ] as const) {
    assert.throws(() => codesOfPattern(pattern), names, pattern)
  }
})

test('a code is read as scanners send it, and a number of digits alone is none', () => {
  assert.equal(readLocationCode(']C0a-01-2\r\n'), 'A-01-2')
  for (const text of ['\u202aa-01-2\u202c', 'A\u00ad-01\u200b-2', '\ufeffA-01-2\u001f']) {
    assert.equal(readLocationCode(text), 'A-01-2', JSON.stringify(text))
  }
  assert.deepEqual(codesOfPattern('A\u200b-{1..2}\u202c'), ['A-1', 'A-2'])
  assert.equal(readLocationCode('4600000000015'), undefined)
  assert.throws(() => locationCodeOf('Ы-1'), /code/)
})
