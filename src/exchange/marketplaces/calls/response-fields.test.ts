import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { malformedAt } from '../../../../tests/support/marketplaces/malformed-at.ts'
import { MarketplaceError } from './failure.ts'
import {
  fieldsOf,
  flagOf,
  instantOf,
  instantOrNone,
  integerOf,
  integerOrNone,
  itemsOf,
  listOf,
  listOrNone,
  responseListOf,
  textOf,
  textOrNone,
  textsOf,
} from './response-fields.ts'

test('a missing or wrong field is malformed, and the failure names it', () => {
  const none = { text: null, number: 'x', list: {}, time: '2026-01-32' }
  assert.throws(() => textOf(none, 'text'), malformedAt('text'))
  assert.throws(() => textOf(none, 'absent'), malformedAt('absent'))
  assert.throws(() => integerOf(none, 'number'), malformedAt('number'))
  assert.throws(() => instantOf(none, 'time'), malformedAt('time'))
  assert.throws(() => itemsOf(none, 'list'), malformedAt('list'))
  assert.throws(() => listOf({ list: [{}, 7] }, 'list'), malformedAt('list[1]'))
  assert.throws(() => listOrNone({ list: 7 }, 'list'), malformedAt('list'))
  assert.throws(() => fieldsOf([], 'ответ'), malformedAt('ответ'))
})

test('listOrNone accepts an absent or null list', () => {
  assert.deepEqual(listOrNone({}, 'list'), [])
  assert.deepEqual(listOrNone({ list: null }, 'list'), [])
})

test('responseListOf accepts a null list, but not an absent one', () => {
  assert.deepEqual(responseListOf({ list: null }, 'list'), [])
  assert.throws(() => responseListOf({}, 'list'), malformedAt('list'))
  assert.throws(() => responseListOf({ list: {} }, 'list'), malformedAt('list'))
})

test('texts may be numbers, and hold nothing that the database refuses', () => {
  assert.equal(textOf({ id: 42 }, 'id'), '42')
  assert.equal(textOrNone({ id: '' }, 'id'), undefined)
  assert.equal(textOrNone({ id: Number.POSITIVE_INFINITY }, 'id'), undefined)
  assert.equal(textOf({ id: 'a\0b\ud800' }, 'id'), 'a\ufffdb\ufffd')
})

test('integers may be texts, and are never rounded', () => {
  assert.equal(integerOf({ n: '-12' }, 'n'), -12)
  assert.equal(integerOf({ n: 0 }, 'n'), 0)
  for (const n of ['9007199254740993', 1.5, '1.5', '', ' 1', '0x10', true, [1], 2 ** 53]) {
    assert.equal(integerOrNone({ n }, 'n'), undefined, String(n))
  }
})

test('a flag is true only if the field is true', () => {
  assert.equal(flagOf({ flag: true }, 'flag'), true)
  for (const flag of [undefined, null, 1, 'true', false])
    assert.equal(flagOf({ flag }, 'flag'), false)
})

test('times have an offset or are in UTC', () => {
  const at = Date.parse('2026-11-20T10:00:00Z')
  for (const time of [
    '2026-11-20T10:00:00Z',
    '2026-11-20T10:00:00',
    '2026-11-20T13:00:00+03:00',
    '2026-11-20T13:00:00.000000+0300',
  ]) {
    assert.equal(instantOrNone({ time }, 'time'), at, time)
  }
  for (const time of ['2026-11-20', '', null, at, '2026-13-20T10:00:00Z', '2026-02-30T10:00:00Z']) {
    assert.equal(instantOrNone({ time }, 'time'), undefined, String(time))
  }
})

test('every way to write "never" is no time', () => {
  for (const time of [
    '0001-01-01T00:00:00Z',
    '1970-01-01T00:00:00Z',
    '1970-01-01T00:00:00.000',
    '1970-01-01T03:00:00+03:00',
    '1970-01-01T00:00:00+03:00',
    '9999-12-31T23:59:59Z',
  ]) {
    assert.equal(instantOrNone({ time }, 'time'), undefined, time)
  }
  assert.equal(instantOrNone({ time: '1970-01-01T00:00:01Z' }, 'time'), 1000)
})

test('textsOf accepts numbers and skips items of other types', () => {
  assert.deepEqual(textsOf({ list: ['a', 7, null, '', {}] }, 'list'), ['a', '7'])
  assert.deepEqual(textsOf({ list: null }, 'list'), [])
  assert.deepEqual(textsOf({}, 'list'), [])
})

test('any value is read or malformed, and the failure names the field', () => {
  const readers = [
    textOf,
    integerOf,
    instantOf,
    itemsOf,
    listOf,
    listOrNone,
    responseListOf,
    flagOf,
  ]
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...readers), (value, read) => {
      try {
        read({ field: value }, 'field')
      } catch (error) {
        assert.ok(error instanceof MarketplaceError)
        assert.match(error.message, /field/)
      }
    }),
  )
})
