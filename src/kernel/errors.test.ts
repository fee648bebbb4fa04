import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import {
  ApiError,
  badRequest,
  conflict,
  excerpt,
  invalidField,
  notFound,
  publicErrors,
  rateLimited,
  staffErrors,
} from './errors.ts'

const statuses = (kinds: Record<string, { status: number }>) =>
  Object.fromEntries(Object.entries(kinds).map(([code, { status }]) => [code, status]))

test('the public codes are exactly those of the specification', () => {
  assert.deepEqual(statuses(publicErrors), {
    unauthorized: 401,
    key_revoked: 401,
    rate_limited: 429,
    not_found: 404,
    bad_request: 400,
    bad_cursor: 400,
    internal: 500,
    validation_error: 400,
    cabinet_required: 400,
    mixed_marking: 400,
    write_disabled: 503,
    warehouse_unavailable: 502,
    webhook_url_unverified: 400,
    webhook_limit: 400,
    webhooks_unavailable: 503,
    sandbox_only: 403,
  })
  assert.deepEqual(statuses(staffErrors), {
    conflict: 409,
    forbidden: 403,
    marketplace_unavailable: 502,
  })
})

test('every code has a Russian message of its own', () => {
  const messages = Object.values({ ...publicErrors, ...staffErrors }).map((kind) => kind.message)
  for (const message of messages) assert.match(message, /^[А-ЯЁ]/)
  assert.equal(new Set(messages).size, messages.length)
})

test('an error knows its status and keeps its cause', () => {
  const cause = new Error('socket closed')
  const error = new ApiError('warehouse_unavailable', undefined, { cause })
  assert.equal(error.status, 502)
  assert.equal(error.message, publicErrors.warehouse_unavailable.message)
  assert.equal(error.cause, cause)
  assert.equal(error.retryAfterSeconds, undefined)
  assert.ok(error instanceof Error)
})

test('the short forms', () => {
  const facts = (error: ApiError) => [error.code, error.status, error.message]
  assert.deepEqual(facts(notFound()), ['not_found', 404, 'Объект не найден'])
  assert.deepEqual(facts(notFound('Склад не найден')), ['not_found', 404, 'Склад не найден'])
  assert.deepEqual(facts(badRequest('Нет')), ['bad_request', 400, 'Нет'])
  assert.deepEqual(facts(conflict('Уже есть')), ['conflict', 409, 'Уже есть'])
  const field = invalidField('items[3].qty', 'целое число от 1 до 100000')
  assert.deepEqual(facts(field), [
    'validation_error',
    400,
    'Поле items[3].qty: целое число от 1 до 100000',
  ])
  assert.equal(rateLimited(7).retryAfterSeconds, 7)
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
