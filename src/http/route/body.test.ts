import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import Type, { type Static, type TSchema } from 'typebox'
import { ServiceError } from '../../platform/kernel/errors.ts'
import { givenTime } from '../../platform/kernel/schema.ts'
import { decodeBody } from './body.ts'

const Line = Type.Object({
  barcode: Type.String({ minLength: 1, maxLength: 64 }),
  qty: Type.Integer({ minimum: 1, maximum: 100_000 }),
  honest_mark: Type.Boolean(),
  marketplace: Type.Optional(Type.Union([Type.Literal('WB'), Type.Literal('OZON')])),
})
const Draft = Type.Object({
  items: Type.Array(Line, { minItems: 1, maxItems: 3 }),
  comment: Type.Optional(Type.String({ maxLength: 21 })),
  inn: Type.Optional(Type.String({ pattern: '^\\d{10}$', examples: ['7707083893'] })),
  event: Type.Optional(Type.Enum(['receipt.created', 'order.status_changed'])),
  pallet_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  box: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
  share: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  place: Type.Optional(Type.Union([Type.Null(), Type.Object({ row: Type.Integer() })])),
  planned_date: Type.Optional(givenTime('День.')),
})
const line = { barcode: '4600000000001', qty: 1, honest_mark: false }

const decode = (body: unknown) =>
  decodeBody(Draft, 'application/json', Buffer.from(JSON.stringify(body)))

/** Code and message of the refusal. */
function refusal(run: () => unknown): [code: string, message: string] {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error))
    assert.match(error.message, /[а-яё]/)
    return [error.code, error.message]
  }
  return assert.fail('it was accepted')
}
const invalid = (body: unknown, message: string) =>
  assert.deepEqual(
    refusal(() => decode(body)),
    ['validation_error', `Поле ${message}`],
  )
const bad = (body: unknown, message: string) =>
  assert.deepEqual(
    refusal(() => decode(body)),
    ['bad_request', message],
  )

test('a valid body is returned unchanged, with its type', () => {
  const full = {
    items: [{ ...line, marketplace: 'OZON' }, line],
    comment: '😀'.repeat(21),
    inn: '7707083893',
    event: 'receipt.created',
    pallet_id: null,
    box: null,
    share: 0.5,
    place: { row: -7 },
  }
  const draft: Static<typeof Draft> = decode(full)
  assert.deepEqual(draft, full)
  assert.deepEqual(decode({ items: [line] }), { items: [line] })
})

test('a Content-Type other than JSON in UTF-8 is refused', () => {
  const bytes = Buffer.from(JSON.stringify({ items: [line] }))
  const accepted = [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json ;charset="UTF-8"; profile=x',
    'application/json;',
    'application/json; charset=utf8',
    'application/json;charset="UTF8"',
    "application/json; Charset = 'utf-8';",
    'application/json; charset=UTF_8; charset=utf-8',
  ]
  for (const type of accepted) assert.ok(decodeBody(Draft, type, bytes))
  const refused = [
    undefined,
    '',
    'text/plain',
    'application/jsonp',
    'application/problem+json',
    'application/json, application/json',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json; charset="utf-8',
    'application/json; charset=utf-16',
    'application/json; charset=',
    'json',
  ]
  for (const type of refused) {
    const [code, message] = refusal(() => decodeBody(Draft, type, bytes))
    assert.equal(code, 'bad_request')
    assert.match(message, /application\/json/)
  }
})

test('a call without a body is asked for one, whatever type it names', () => {
  for (const type of [undefined, 'application/json', 'application/x-www-form-urlencoded']) {
    const [code, message] = refusal(() => decodeBody(Draft, type, new Uint8Array()))
    assert.equal(code, 'bad_request')
    assert.match(message, /тело пустое, ожидается JSON с Content-Type: application\/json/)
  }
})

test('invalid or ambiguous JSON is a bad request', () => {
  const bodies: [string | number[], RegExp][] = [
    ['', /тело пустое, ожидается JSON/],
    ['{"items":', /не JSON, текст обрывается раньше конца$/],
    ['{\n"items": [],\n}', /не JSON, ошибка в строке 3, символ 1$/],
    [[0x7b, 0xff, 0x7d], /не UTF-8/],
    ['{"comment":"a","comment":"b"}', /поле comment указано .* дважды/],
    ['{"__proto__":{}}', /недопустимое имя поля __proto__/],
    [`${'['.repeat(40)}${']'.repeat(40)}`, /вложенность/],
  ]
  for (const [body, reason] of bodies) {
    const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body)
    const [code, message] = refusal(() => decodeBody(Draft, 'application/json', bytes))
    assert.equal(code, 'bad_request')
    assert.match(message, reason)
  }
})

test('the body must be an object, or an array where the schema has one', () => {
  for (const body of [null, [], 'a', 1, true]) bad(body, 'Тело запроса: ожидается объект')
  const List = Type.Array(Line, { minItems: 1, maxItems: 2 })
  const list = (body: unknown) =>
    decodeBody(List, 'application/json', Buffer.from(JSON.stringify(body)))
  assert.deepEqual(list([line]), [line])
  assert.deepEqual(
    refusal(() => list({})),
    ['bad_request', 'Тело запроса: ожидается массив от 1 до 2 элементов'],
  )
  assert.equal(refusal(() => list([]))[1], 'Поле []: массив от 1 до 2 элементов')
  assert.match(refusal(() => list([{ ...line, qty: 0 }]))[1], /^Поле \[0\]\.qty: /)
})

test('the message names an unknown field by its path, at any level', () => {
  bad({ items: [line], cabinet: 1 }, 'Неизвестное поле cabinet')
  bad({ items: [line, { ...line, sku: 1 }] }, 'Неизвестное поле items[1].sku')
  bad({ items: [line], place: { row: 1, shelf: 2 } }, 'Неизвестное поле place.shelf')
  bad({ items: [line], toString: 1 }, 'Неизвестное поле toString')
  bad({ items: [line], '': 1 }, 'Неизвестное поле „“')
  const [, message] = refusal(() => decode({ items: [line], [`\u0000\n${'a'.repeat(5000)}`]: 1 }))
  assert.ok(message.length < 100 && !/\p{Cc}/u.test(message))
})

test('unknown fields are refused before any rule is checked', () => {
  bad({ items: [{ qty: 0 }], comment: 7, nope: 1 }, 'Неизвестное поле nope')
  bad({ items: [{ qty: 'x' }, { ...line, nope: 1 }] }, 'Неизвестное поле items[1].nope')
})

test('the refusal of an unknown field says what was probably meant', () => {
  const withLine = (change: object) => ({ items: [{ ...line, ...change }] })
  const meant = ', возможно, вы имели в виду'
  bad({ items: [line], palletId: '1' }, `Неизвестное поле palletId${meant} pallet_id`)
  bad(withLine({ honestMark: true }), `Неизвестное поле items[0].honestMark${meant} honest_mark`)
  bad({ item: [line] }, `Неизвестное поле item${meant} items`)
  const { qty, ...rest } = line
  const missing = '; не хватает обязательных: qty'
  bad({ items: [{ ...rest, quantity: qty }] }, `Неизвестное поле items[0].quantity${missing}`)
})

test('a field that has one value, and one of a pattern in words, name what is allowed', () => {
  const Fixed = Type.Object({
    status: Type.Optional(Type.Literal('FAILED')),
    answer: Type.Optional(Type.String({ pattern: '^2..$|^no$', title: 'от 200 до 299 или no' })),
  })
  const refused = (body: object) =>
    refusal(() => decodeBody(Fixed, 'application/json', Buffer.from(JSON.stringify(body))))[1]
  assert.equal(refused({ status: 'x' }), 'Поле status: допустимо: FAILED; передано „x“')
  assert.equal(refused({ answer: '100' }), 'Поле answer: строка от 200 до 299 или no')
})

test('elements of an array that is too long are not read', () => {
  invalid({ items: [{ nope: 1 }, 2, 3, 4] }, 'items: массив от 1 до 3 элементов')
})

test('the message names a field that breaks its rule by its path', () => {
  const withLine = (change: object) => ({ items: [line, { ...line, ...change }] })
  const qty = 'items[1].qty: целое число от 1 до 100000'
  for (const value of [0, 100_001, -1, 1.5]) {
    invalid(withLine({ qty: value }), `${qty}; передано „${value}“`)
  }
  const barcode = 'items[1].barcode: строка от 1 до 64 символов'
  for (const value of ['', ' ']) {
    invalid(withLine({ barcode: value }), `${barcode}; передана пустая строка`)
  }
  for (const value of ['a'.repeat(65), '😀'.repeat(65)]) {
    invalid(withLine({ barcode: value }), barcode)
  }
  assert.ok(decode(withLine({ barcode: '😀'.repeat(64) })))
  invalid(withLine({ marketplace: 'wb' }), 'items[1].marketplace: одно из: WB, OZON; передано „wb“')
  invalid({ items: [] }, 'items: массив от 1 до 3 элементов')
  const good = { items: [line] }
  invalid({ ...good, comment: 'a'.repeat(22) }, 'comment: строка до 21 символа')
  invalid({ ...good, inn: '12' }, 'inn: строка, например 7707083893')
  invalid(
    { ...good, event: 'ping' },
    'event: одно из: receipt.created, order.status_changed; передано „ping“',
  )
  invalid({ ...good, share: 2 }, 'share: число от 0 до 1; передано „2“')
})

test('the message names all fields that break their rules, in order, and counts those above ten', () => {
  invalid(
    {
      items: [
        { ...line, qty: 0 },
        { barcode: '1', qty: 1 },
      ],
      comment: 7,
      share: 2,
    },
    'items[0].qty: целое число от 1 до 100000; передано „0“. ' +
      'Поле items[1].honest_mark: обязательно, true или false. ' +
      'Поле comment: строка до 21 символа; передано число: возьмите его в кавычки. ' +
      'Поле share: число от 0 до 1; передано „2“',
  )
  const List = Type.Array(Line)
  const bytes = Buffer.from(JSON.stringify(Array(12).fill({ ...line, qty: 0 })))
  const [code, message] = refusal(() => decodeBody(List, 'application/json', bytes))
  assert.equal(code, 'validation_error')
  assert.match(message, /^Поле \[0\]\.qty: /)
  assert.match(message, /Поле \[9\]\.qty: [^.]+\. Неверных полей ещё: 2$/)
})

test('where a value has another type, the message says what was sent and what to do', () => {
  const withLine = (change: object) => ({ items: [{ ...line, ...change }] })
  const good = { items: [line] }
  const breaches: [object, string][] = [
    [
      withLine({ barcode: 1 }),
      'items[0].barcode: строка от 1 до 64 символов; передано число: возьмите его в кавычки',
    ],
    [withLine({ barcode: null }), 'items[0].barcode: строка от 1 до 64 символов; передано null'],
    [
      withLine({ honest_mark: 'false' }),
      'items[0].honest_mark: true или false; передано значение в кавычках: уберите кавычки',
    ],
    [withLine({ honest_mark: 1 }), 'items[0].honest_mark: true или false; передано число'],
    [
      withLine({ qty: '1' }),
      'items[0].qty: целое число от 1 до 100000; передано значение в кавычках: уберите кавычки',
    ],
    [withLine({ qty: [] }), 'items[0].qty: целое число от 1 до 100000; передан массив'],
    [
      { ...good, comment: true },
      'comment: строка до 21 символа; передано логическое значение: возьмите его в кавычки',
    ],
    [
      { ...good, pallet_id: 1 },
      'pallet_id: строка или null; передано число: возьмите его в кавычки',
    ],
    [{ ...good, box: 1 }, 'box: строка или null; передано число: возьмите его в кавычки'],
    [{ ...good, place: 'A' }, 'place: null или объект; передано значение в кавычках'],
    [{ items: [line, 5] }, 'items[1]: объект; передано число'],
    [{ items: line }, 'items: массив от 1 до 3 элементов; передан объект'],
    [
      { items: JSON.stringify([line]) },
      'items: массив от 1 до 3 элементов; передано значение в кавычках: уберите кавычки',
    ],
  ]
  for (const [body, message] of breaches) invalid(body, message)
})

test('quotes are advised only where they mend the field', () => {
  const good = { items: [line] }
  const qty = 'items[0].qty: целое число от 1 до 100000; передано значение в кавычках'
  for (const text of ['', '5 шт', '0', '1.5', 'true', '05', '\u0000']) {
    invalid({ items: [{ ...line, qty: text }] }, qty)
  }
  const mark = 'items[0].honest_mark: true или false; передано значение в кавычках'
  for (const text of ['нет', '1', '\ud800']) {
    invalid({ items: [{ ...line, honest_mark: text }] }, mark)
  }
  invalid(
    { items: [{ ...line, marketplace: 1 }] },
    'items[0].marketplace: одно из: WB, OZON; передано число',
  )
  invalid({ ...good, inn: 12 }, 'inn: строка, например 7707083893; передано число')
  const date =
    'planned_date: дата YYYY-MM-DD или время RFC 3339 со смещением, например 2026-11-20T18:25:02+03:00'
  for (const day of [20261224, true]) {
    const sent = day === true ? 'логическое значение' : 'число'
    invalid({ ...good, planned_date: day }, `${date}; передано ${sent}`)
  }
  invalid({ ...good, planned_date: 'завтра' }, date)
})

test('integers outside the safe range are refused', () => {
  const place = (row: string) =>
    Buffer.from(`{"items":[${JSON.stringify(line)}],"place":{"row":${row}}}`)
  assert.ok(decodeBody(Draft, 'application/json', place('9007199254740991')))
  assert.ok(decodeBody(Draft, 'application/json', place('1.0')))
  for (const row of ['9007199254740992', '1e400', '1e-7', '-9007199254740993']) {
    const [code] = refusal(() => decodeBody(Draft, 'application/json', place(row)))
    assert.equal(code, 'validation_error')
  }
})

test('the message names a missing field', () => {
  invalid({}, 'items: обязательно, массив от 1 до 3 элементов')
  invalid(
    { items: [{ barcode: '1', qty: 1 }] },
    'items[0].honest_mark: обязательно, true или false',
  )
  invalid({ items: [line], place: {} }, 'place.row: обязательно, целое число')
})

test('text that the database cannot store is a validation error', () => {
  for (const text of ['a\u0000', '\ud800', 'x\udc00']) {
    for (const body of [
      { items: [line], comment: text },
      { items: [line], pallet_id: text },
      { items: [{ ...line, marketplace: text }] },
    ]) {
      assert.equal(refusal(() => decode(body))[0], 'validation_error')
    }
  }
})

test('a schema of an unknown type throws TypeError', () => {
  const wrong: TSchema[] = [Type.Object({ a: Type.Unknown() }), Type.Object({ a: Type.Ref('A') })]
  for (const schema of wrong) {
    assert.throws(() => decodeBody(schema, 'application/json', Buffer.from('{"a":1}')), TypeError)
  }
})

const key = fc.constantFrom('items', 'comment', 'inn', 'event', 'pallet_id', 'box', 'place', 'zzz')
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 1, 1.5, -1, '', 'WB', '\u0000', '\ud800', [], {}),
    fc.constant([line]),
    fc.array(tie('any'), { maxLength: 5 }),
    fc.record(
      { barcode: tie('any'), qty: tie('any'), honest_mark: tie('any') },
      { requiredKeys: [] },
    ),
    fc.record({ row: tie('any') }),
    fc.jsonValue({ maxDepth: 2 }),
  ),
})).any

test('any body is decoded or refused with a ServiceError', () => {
  const outcomes = { good: 0, bad_request: 0, validation_error: 0 }
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(key, value), value), fc.boolean(), (body, whole) => {
      const sent = whole && typeof body === 'object' ? { items: [line], ...body } : body
      try {
        decode(sent)
        outcomes.good++
      } catch (error) {
        assert.ok(error instanceof ServiceError, String(error))
        assert.ok(error.code === 'bad_request' || error.code === 'validation_error')
        outcomes[error.code]++
      }
    }),
    { numRuns: 3000 },
  )
  for (const count of Object.values(outcomes)) assert.ok(count > 20, JSON.stringify(outcomes))
})

test('null, or an empty text if asked, in an optional field is absent unless its rule allows null', () => {
  const lenient = (body: unknown) =>
    decodeBody(Draft, 'application/json', Buffer.from(JSON.stringify(body)), {
      emptyIsAbsent: true,
    })
  const given = {
    items: [{ ...line, marketplace: null }],
    comment: null,
    inn: '',
    event: '',
    pallet_id: null,
    box: null,
    place: null,
  }
  assert.deepEqual(lenient(given), { items: [line], pallet_id: null, box: null, place: null })
  assert.deepEqual(decode({ items: [line], comment: null }), { items: [line] })
  assert.deepEqual(decode({ items: [line], comment: '' }), { items: [line], comment: '' })
  invalid({ items: [line], inn: '' }, 'inn: строка, например 7707083893; передана пустая строка')
  const blank = { items: [line], pallet_id: '' }
  assert.deepEqual(lenient({ ...blank, comment: '' }), blank)
  assert.deepEqual(decode({ items: [line], comment: ' ' }), { items: [line], comment: ' ' })
  const required = [{ items: null }, { items: '' }, { items: [{ ...line, qty: null }] }]
  for (const body of [...required, { items: [null] }, { items: [{ ...line, barcode: '' }] }]) {
    assert.equal(refusal(() => lenient(body))[0], 'validation_error')
  }
  assert.equal(refusal(() => decode({ items: [line], note: null }))[0], 'bad_request')
})

test('what nobody sees is no part of a barcode or an article, and a barcode is its digits', () => {
  const schema = Type.Object({ barcode: Type.String(), article: Type.String() })
  const read = (barcode: string, article: string) => {
    const bytes = Buffer.from(JSON.stringify({ barcode, article }))
    return decodeBody(schema, 'application/json', bytes)
  }
  assert.deepEqual(read('4\u00a0600000\u2009000015\u200b', '\u202aP-1\u00ad\u001f'), {
    barcode: '4600000000015',
    article: 'P-1',
  })
  assert.deepEqual(read("'4600000000015", "'P 1"), { barcode: '4600000000015', article: "'P 1" })
})

test('white space around barcode, name and article is taken off before all else', () => {
  const Goods = Type.Object({
    barcode: Type.String({ minLength: 1, maxLength: 3 }),
    name: Type.Optional(Type.String({ maxLength: 3 })),
    article: Type.Optional(Type.String()),
    external_ref: Type.Optional(Type.String()),
  })
  const read = (body: object) =>
    decodeBody(Goods, 'application/json', Buffer.from(JSON.stringify(body)), {
      emptyIsAbsent: true,
    })
  assert.deepEqual(read({ barcode: '\t 1 2\u00a0\n', name: ' \ufeffabc ', article: ' ' }), {
    barcode: '1 2',
    name: 'abc',
  })
  assert.deepEqual(read({ barcode: '1', external_ref: ' a ' }), {
    barcode: '1',
    external_ref: ' a ',
  })
  assert.equal(refusal(() => read({ barcode: '  ' }))[0], 'validation_error')
})
