import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { encode } from './parameters.ts'
import { parseArray, parseInt8, parseTimestamp } from './results.ts'

const text = (value: string) => value

test('arrays come out as they are nested, with null for NULL', () => {
  assert.deepEqual(parseArray('{}', text), [])
  assert.deepEqual(parseArray('{a,NULL,"NULL",""}', text), ['a', null, 'NULL', ''])
  assert.deepEqual(parseArray(String.raw`{"a\"b\\c","d,e","{f}"}`, text), ['a"b\\c', 'd,e', '{f}'])
  assert.deepEqual(parseArray('{{1,2},{3,NULL}}', Number), [
    [1, 2],
    [3, null],
  ])
  assert.throws(() => parseArray('[0:1]={1,2}', Number), RangeError)
})

test('what is written as an array is read as the same array', () => {
  const element = fc.option(fc.string({ unit: 'grapheme' }), { nil: null })
  fc.assert(
    fc.property(fc.array(element), (values) => {
      assert.deepEqual(parseArray(String(encode(values, undefined)), text), values)
    }),
  )
})

test('a timestamp of another zone is an error, not a wrong value', () => {
  assert.equal(parseTimestamp('2026-11-20 18:25:02.12+03'), '2026-11-20T18:25:02.120+03:00')
  assert.equal(parseTimestamp('2026-11-20 18:25:02.123+03'), '2026-11-20T18:25:02.123+03:00')
  assert.equal(parseTimestamp('2026-11-20 18:25:02.123987+03'), '2026-11-20T18:25:02.123+03:00')
  assert.equal(parseTimestamp('2026-11-20 18:25:02+03'), '2026-11-20T18:25:02.000+03:00')
  assert.throws(() => parseTimestamp('2026-11-20 18:25:02+00'), RangeError)
  assert.throws(() => parseTimestamp('infinity'), RangeError)
})

test('int8 beyond 2^53 is an error', () => {
  assert.equal(parseInt8('-9007199254740991'), -9007199254740991)
  assert.throws(() => parseInt8('9007199254740992'), RangeError)
})
