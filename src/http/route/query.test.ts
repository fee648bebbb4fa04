import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { ServiceError } from '../../platform/kernel/errors.ts'
import { longPages, namesIn, oneOf, query, range, seconds, severalOf, text, time } from './query.ts'

const orders = query({
  marketplace: oneOf(['WB', 'OZON'], { description: 'Маркетплейс.' }),
  created_from: time({ description: 'Не раньше.' }),
  created_to: time({ description: 'Раньше.' }),
  barcode: text({ description: 'Штрихкод.' }),
  ...longPages,
})

const nothing: ReturnType<typeof orders.parse> = {
  marketplace: undefined,
  created_from: undefined,
  created_to: undefined,
  barcode: undefined,
  limit: 100,
  cursor: undefined,
}

/** The message of the refusal, which must be a bad_request. */
function refused(raw: string): string {
  try {
    orders.parse(raw)
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error))
    assert.equal(error.code, 'bad_request')
    return error.message
  }
  return assert.fail(`${raw} was accepted`)
}

test('values have their declared types', () => {
  const values = orders.parse('marketplace=WB&created_from=2026-11-20&limit=5')
  const marketplace: 'WB' | 'OZON' | undefined = values.marketplace
  const from: number | undefined = values.created_from
  const size: number = values.limit
  assert.deepEqual([marketplace, from, size], ['WB', Date.UTC(2026, 10, 19, 21), 5])
  // @ts-expect-error a parameter that was not declared has no value
  assert.equal(values.search, undefined)
})

test('absent parameters are undefined, but for the page size', () => {
  for (const raw of ['', '&', '&&', '=', '?']) assert.deepEqual(orders.parse(raw), nothing)
})

test('plus is a space, and names and values are percent-decoded', () => {
  assert.equal(orders.parse('barcode=a+b%20c%2Bd').barcode, 'a b c+d')
  assert.equal(orders.parse('b%61rcode=%D0%B6%F0%9F%98%80').barcode, 'ж😀')
  assert.equal(orders.parse('barcode=a=b?c').barcode, 'a=b?c')
  assert.equal(orders.parse('barcode').barcode, '')
  assert.equal(orders.parse('barcode=').barcode, '')
})

test('any text survives percent-encoding', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      fc.pre(!value.includes('\u0000'))
      const raw = new URLSearchParams({ other: value, barcode: value, [`x${value}`]: '' })
      assert.equal(orders.parse(raw.toString()).barcode, value)
    }),
  )
})

test('bad encoding in a known parameter is refused', () => {
  for (const bytes of ['%', '%4', '%zz', '%FF', '%C0%80', '%ED%A0%80', '%D0', '%F4%90%80%80']) {
    for (const name of ['barcode', 'marketplace', 'limit', 'created_from']) {
      assert.match(
        refused(`${name}=1${bytes}`),
        new RegExp(`^Параметр ${name}: неверная кодировка`),
      )
    }
  }
  assert.match(refused('barcode=a%00b'), /^Параметр barcode: .*U\+0000/)
})

test('a cursor in bad encoding is a bad cursor', () => {
  for (const given of ['%', '%ZZ', 'a%FF', '%00', 'a%00b']) {
    assert.throws(() => orders.parse(`cursor=${given}`), { code: 'bad_cursor' })
  }
})

test('names are decoded, and those in bad encoding stay as sent', () => {
  assert.deepEqual(namesIn('a%20b=1&a+b&&=x&%zz=1&%D0%B6=2&a=b=c'), ['a b', 'a b', '%zz', 'ж', 'a'])
  assert.deepEqual(namesIn(''), [])
})

test('unknown parameters are ignored with whatever they contain', () => {
  const unknown = 'x=1&x=2&y=%&%=1&%FF=1&__proto__=1&constructor=a&toString&limit%=x&LIMIT=x&z=%00'
  assert.deepEqual(orders.parse(unknown), nothing)
  assert.deepEqual(orders.parse(`${unknown}&limit=7`), { ...nothing, limit: 7 })
})

test('a known parameter may be given once', () => {
  assert.match(refused('limit=1&limit=1'), /^Параметр limit: передан больше одного раза/)
  assert.match(refused('barcode=&x=1&b%61rcode='), /^Параметр barcode: передан/)
})

test('page sizes out of range become the default or the maximum', () => {
  const sizes: [string, number][] = [
    ['1', 1],
    ['1000', 1000],
    ['1001', 1000],
    ['0', 100],
    ['-0', 100],
    ['-5', 100],
    ['%2B5', 5],
    ['+5', 5],
    ['007', 7],
    ['9'.repeat(400), 1000],
    [`-${'9'.repeat(400)}`, 100],
    [`${'0'.repeat(400)}12`, 12],
  ]
  for (const [given, size] of sizes) assert.equal(orders.parse(`limit=${given}`).limit, size)
  const spaced = [
    '%205',
    '5%20',
    '%20%205',
    '%C2%A05',
    '5%0A',
    '%095',
    '1%20000',
    '+%205',
    '++5',
    '%2B+5',
  ]
  for (const given of [
    ...spaced,
    '',
    'abc',
    '1.5',
    '1.0',
    '1e2',
    '0x10',
    '5+',
    '--5',
    '٣',
    'NaN',
    '1,0',
  ]) {
    assert.match(
      refused(`limit=${given}`),
      /^Параметр limit: ожидается целое число, например 100; /,
    )
  }
})

test('a number of seconds is sign and digits, too', () => {
  const waits = query({ wait: seconds({ max: 25, description: '' }) })
  const read = (given: string) => waits.parse(`wait=${given}`).wait
  assert.deepEqual(['+5', '%2B5', '30', '-1'].map(read), [5, 5, 25, 0])
  for (const given of ['%205', '5%20', '%C2%A05', '']) assert.throws(() => read(given), /wait/)
})

test('the refusal of a page size shows what was sent', () => {
  assert.match(refused('limit=a%20b'), /передано „a b“$/)
  assert.match(refused('limit='), /передано пустое значение$/)
})

test('one of a set must have exactly its spelling', () => {
  for (const given of ['', 'wb', 'WB ', 'WB,OZON', 'toString', '0']) {
    const sent = given === '' ? 'передано пустое значение' : `передано „${given}“`
    const message = `Параметр marketplace: допустимые значения: WB, OZON; ${sent}`
    assert.equal(refused(`marketplace=${given}`), message)
  }
})

test('several of a set may have spaces between them', () => {
  const types = query({ types: severalOf(['a.b', 'c.d'], { description: 'Типы.' }) })
  assert.deepEqual(types.parse('types=a.b,%20c.d').types, ['a.b', 'c.d'])
  assert.throws(() => types.parse('types=a.b,%20c'), /a\.b, c\.d/)
})

test('the message says what is wrong with a time', () => {
  const problems: [string, RegExp][] = [
    ['', /YYYY-MM-DD/],
    ['yesterday', /YYYY-MM-DD/],
    ['2026-11-20T10:00:00', /нет смещения/],
    ['2026-02-30', /не существует/],
    ['0000-01-01', /от 1 до 9999/],
    ['2026-11-20T10:00:00+03:00', /%2B/],
  ]
  for (const [given, reason] of problems) {
    const message = refused(`created_to=${given}`)
    assert.match(message, /^Параметр created_to: /)
    assert.match(message, reason)
  }
  const { created_to } = orders.parse('created_to=2026-11-20T10:00:00%2B03:00')
  assert.equal(created_to, Date.UTC(2026, 10, 20, 7))
})

test('a cursor stays as sent, even an empty one', () => {
  assert.equal(orders.parse('cursor=').cursor, '')
  assert.equal(orders.parse('cursor=a%20b').cursor, 'a b')
})

test('a range may be empty but not reversed', () => {
  const names = ['created_from', 'created_to'] as const
  range(1, 1, names)
  range(1, 2, names)
  range(2, undefined, names)
  range(undefined, 1, names)
  assert.throws(() => range(2, 1, names), {
    code: 'bad_request',
    message: 'Параметр created_from: не может быть позже created_to',
  })
})

test('the schema describes what parse accepts', () => {
  assert.equal(orders.schema.type, 'object')
  assert.deepEqual(Object.keys(orders.schema.properties), Object.keys(nothing))
  const { marketplace, limit: size, created_from: from } = orders.schema.properties
  assert.deepEqual(marketplace, {
    type: 'string',
    enum: ['WB', 'OZON'],
    description: 'Маркетплейс.',
  })
  assert.deepEqual([size?.minimum, size?.maximum, size?.default], [1, 1000, 100])
  for (const example of from?.examples ?? []) {
    assert.ok(orders.parse(`created_from=${encodeURIComponent(example)}`).created_from)
  }
  assert.deepEqual(JSON.parse(JSON.stringify(orders.schema)), orders.schema)
})

test('any query string is read or refused with bad_request or bad_cursor', () => {
  const names = fc.constantFrom('marketplace', 'created_from', 'barcode', 'limit', 'cursor', 'x')
  const pieces = fc.oneof(
    names,
    fc.constantFrom('=', '&', '%', '+', '%00', 'WB', '2026-11-20', '1'),
  )
  const noise = fc.string({ unit: 'binary', maxLength: 3 })
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, pieces, noise), { maxLength: 12 }), (parts) => {
      try {
        const values = orders.parse(parts.join(''))
        assert.ok(values.limit >= 1 && values.limit <= 1000)
      } catch (error) {
        assert.ok(error instanceof ServiceError, String(error))
        assert.match(error.code, /^bad_(request|cursor)$/)
      }
    }),
    { numRuns: 2000 },
  )
})
