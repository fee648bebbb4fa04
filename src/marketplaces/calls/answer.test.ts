import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  fieldsOf,
  flagOf,
  instantOf,
  instantOrNone,
  integerOf,
  integerOrNone,
  itemsOf,
  listAnswered,
  listOf,
  listOrNone,
  openReading,
  textOf,
  textOrNone,
  textsOf,
} from './answer.ts'
import { MarketplaceError, PartlyMalformed } from './failure.ts'

function malformedAt(field: string) {
  return (error: unknown) =>
    error instanceof MarketplaceError &&
    error.kind === 'malformed' &&
    error.message.endsWith(` ${field}`)
}

test('what is needed and is not there is named', () => {
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

test('a list may be absent or null where it may be none', () => {
  assert.deepEqual(listOrNone({}, 'list'), [])
  assert.deepEqual(listOrNone({ list: null }, 'list'), [])
})

test('the list of an answer may be null, and not absent', () => {
  assert.deepEqual(listAnswered({ list: null }, 'list'), [])
  assert.throws(() => listAnswered({}, 'list'), malformedAt('list'))
  assert.throws(() => listAnswered({ list: {} }, 'list'), malformedAt('list'))
})

test('what is no object in a list fails alone and by its name', () => {
  const items = listAnswered({ list: [null, { id: 1 }, 7, [], { id: 2 }] }, 'list')
  const reading = openReading()
  assert.deepEqual(
    reading.of(items, (item) => textOf(item, 'id')),
    ['1', '2'],
  )
  assert.throws(
    () => reading.end(),
    (error) => error instanceof PartlyMalformed && malformedAt('list[0]')(error),
  )
})

test('sellers read words of a marketplace only where they are Russian', () => {
  const refusal = (said?: string) => new MarketplaceError('rejected', 'WB отказал', { said })
  assert.equal(refusal().forSeller, 'WB отказал')
  const english = refusal('Parameter dateFrom is wrong')
  assert.equal(english.message, 'WB отказал: Parameter dateFrom is wrong')
  assert.equal(english.forSeller, 'WB отказал')
  assert.equal(refusal('Поставка закрыта').forSeller, 'WB отказал: Поставка закрыта')
})

test('texts may be numbers, and have nothing that can not be stored', () => {
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

test('a flag is true or it is not', () => {
  assert.equal(flagOf({ flag: true }, 'flag'), true)
  for (const flag of [undefined, null, 1, 'true', false])
    assert.equal(flagOf({ flag }, 'flag'), false)
})

test('times have an offset, or are of UTC', () => {
  const at = Date.parse('2026-11-20T10:00:00Z')
  for (const time of [
    '2026-11-20T10:00:00Z',
    '2026-11-20T10:00:00',
    '2026-11-20T13:00:00+03:00',
    '2026-11-20T13:00:00.000000+0300',
  ]) {
    assert.equal(instantOrNone({ time }, 'time'), at, time)
  }
  for (const time of ['2026-11-20', '', null, at, '2026-13-20T10:00:00Z']) {
    assert.equal(instantOrNone({ time }, 'time'), undefined, String(time))
  }
})

test('never is no time, however it is written', () => {
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

test('texts of a list may be numbers, and what is no text is passed over', () => {
  assert.deepEqual(textsOf({ list: ['a', 7, null, '', {}] }, 'list'), ['a', '7'])
  assert.deepEqual(textsOf({ list: null }, 'list'), [])
  assert.deepEqual(textsOf({}, 'list'), [])
})

test('whatever is answered, it is read or named', () => {
  const readers = [textOf, integerOf, instantOf, itemsOf, listOf, listOrNone, listAnswered, flagOf]
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
