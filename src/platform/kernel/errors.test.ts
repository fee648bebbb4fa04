import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import {
  badRequest,
  conflict,
  excerpt,
  invalidField,
  invalidFields,
  invalidParameter,
  notFound,
  publicErrors,
  rateLimited,
  ServiceError,
  staffErrors,
} from './errors.ts'

test('every code has a Russian message of its own', () => {
  const messages = Object.values({ ...publicErrors, ...staffErrors })
  for (const message of messages) assert.match(message, /^[А-ЯЁ]/)
  assert.equal(new Set(messages).size, messages.length)
})

test('an error has the message of its code and keeps its cause', () => {
  const cause = new Error('socket closed')
  const error = new ServiceError('warehouse_unavailable', undefined, { cause })
  assert.equal(error.code, 'warehouse_unavailable')
  assert.equal(error.message, publicErrors.warehouse_unavailable)
  assert.equal(error.cause, cause)
  assert.equal(error.retryAfterSeconds, undefined)
  assert.ok(error instanceof Error)
})

test('each constructor function sets its code and the given message', () => {
  const facts = (error: ServiceError) => [error.code, error.message]
  assert.deepEqual(facts(notFound()), ['not_found', 'Объект не найден'])
  assert.deepEqual(facts(notFound('Склад не найден')), ['not_found', 'Склад не найден'])
  assert.deepEqual(facts(badRequest('Нет')), ['bad_request', 'Нет'])
  assert.deepEqual(facts(conflict('Уже есть')), ['conflict', 'Уже есть'])
  const field = invalidField('items[3].qty', 'целое число от 1 до 100000')
  assert.deepEqual(facts(field), [
    'validation_error',
    'Поле items[3].qty: целое число от 1 до 100000',
  ])
  assert.deepEqual(facts(invalidParameter('limit', 'целое число')), [
    'bad_request',
    'Параметр limit: целое число',
  ])
  assert.equal(rateLimited(7).retryAfterSeconds, 7)
})

test('an error keeps what is wrong with each field, and its message names ten', () => {
  const breaches = Array.from({ length: 12 }, (_, at) => ({ path: `items[${at}]`, rule: 'объект' }))
  const [first, ...others] = breaches
  const said = `${first?.path}: объект; передано число`
  const error = invalidFields([{ path: 'items[0]', rule: 'объект', said }, ...others])
  assert.deepEqual(
    error.breaches.map(({ path, rule }) => ({ path, rule })),
    breaches,
  )
  assert.match(
    error.message,
    /^Поле items\[0\]: объект; передано число\. Поле items\[1\]: объект\./,
  )
  assert.match(error.message, /Поле items\[9\]: объект\. Неверных полей ещё: 2$/)
  assert.deepEqual(notFound().breaches, [])
})

test('an excerpt of any text is short, well-formed and free of control characters', () => {
  assert.equal(excerpt('qty'), 'qty')
  assert.equal(excerpt('a\u0000b\ud800'), 'a\ufffdb\ufffd')
  assert.equal(excerpt('a\nb\u2028c\u2029d'), 'a\ufffdb\ufffdc\ufffdd')
  assert.equal(excerpt('abcd', 3), 'abc…')
  assert.equal(excerpt(`${'a'.repeat(59)}😀`), `${'a'.repeat(59)}\ufffd…`)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const shown = excerpt(text)
      assert.ok(shown.length <= 61 && shown.isWellFormed() && !/\p{Cc}/u.test(shown))
    }),
  )
})
