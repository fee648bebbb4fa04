import assert from 'node:assert/strict'
import test from 'node:test'
import { conversionBefore, encode } from './parameters.ts'

test('the cast that follows a value decides how it is written', () => {
  assert.equal(conversionBefore('::timestamptz, '), 'timestamptz')
  assert.equal(conversionBefore('::timestamptz[])'), 'timestamptz')
  assert.equal(conversionBefore('::bigint'), 'int8')
  assert.equal(conversionBefore(':: jsonb)'), 'json')
  assert.equal(conversionBefore('::jsonb[]'), undefined)
  assert.equal(conversionBefore('::timestamptz_like'), undefined)
  assert.equal(conversionBefore(' ::timestamptz'), undefined)
  assert.equal(conversionBefore(', now()::timestamptz'), undefined)
})

test('moments are written as text, milliseconds by their cast alone', () => {
  const text = '2026-11-20T15:25:02.120Z'
  assert.equal(encode(Date.parse(text), 'timestamptz'), text)
  assert.equal(encode(new Date(text), undefined), text)
  assert.equal(encode(text, 'timestamptz'), text)
  assert.equal(encode([Date.parse(text)], 'timestamptz'), `{${text}}`)
  assert.equal(encode(1, undefined), '1')
  assert.throws(() => encode(Number.NaN, 'timestamptz'), RangeError)
})

test('a number that would not arrive exactly is refused', () => {
  assert.equal(encode(Number.MAX_SAFE_INTEGER, 'int8'), '9007199254740991')
  assert.equal(encode(2n ** 62n, 'int8'), '4611686018427387904')
  assert.equal(encode(1.5, undefined), '1.5')
  assert.throws(() => encode(1.5, 'int8'), RangeError)
  assert.throws(() => encode(2 ** 53, 'int8'), RangeError)
  assert.throws(() => encode(2 ** 53, undefined), RangeError)
  assert.throws(() => encode([2 ** 53], undefined), RangeError)
})

test('with a cast to JSON every value is written as JSON', () => {
  assert.equal(encode('text', 'json'), '"text"')
  assert.equal(encode([1, null], 'json'), '[1,null]')
  assert.equal(encode(null, 'json'), null)
})

test('arrays keep nulls, quotes, nesting and bytes apart', () => {
  assert.equal(encode([], undefined), '{}')
  assert.equal(
    encode(['NULL', null, 'a"b\\c', 'd,e', ''], undefined),
    String.raw`{"NULL",NULL,"a\"b\\c","d,e",""}`,
  )
  assert.equal(encode([[1], [2]], undefined), '{{1},{2}}')
  assert.equal(encode([Buffer.from('A')], undefined), String.raw`{"\\x41"}`)
})

test('bytes stay bytes, and what is no value is refused', () => {
  assert.deepEqual(encode(new Uint8Array([1, 2]), undefined), Buffer.from([1, 2]))
  for (const value of [undefined, {}, () => {}, Symbol('a')]) {
    assert.throws(() => encode(value, undefined), TypeError)
  }
})
