import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { inspect } from 'node:util'
import {
  type Call,
  type CallsOptions,
  openCalls,
} from '../../src/exchange/marketplaces/calls/calls.ts'
import { MarketplaceError } from '../../src/exchange/marketplaces/calls/failure.ts'
import type { Limits } from '../../src/exchange/marketplaces/calls/limits.ts'
import type { FakeControls, FakeResponse } from '../support/marketplaces/fake.ts'
import { openFake } from '../support/marketplaces/fake-server.ts'
import { passingTime } from '../support/marketplaces/fake-time.ts'
import { openLimits } from '../support/marketplaces/in-memory-limits.ts'

/** Calls as all connectors make them, to an HTTP server on this machine. */
const secret = 'the-secret-of-the-cabinet'
const read: Call = { method: 'GET', path: '/read', repeatable: true }
const change: Call = { method: 'POST', path: '/change', repeatable: false, body: {} }

/** The deadline in tests with hanging calls; a busy machine still responds sooner. */
const patienceMs = 1_000

let fake: FakeControls
let response: FakeResponse

before(async () => {
  fake = await openFake(
    {
      accountOf: () => 'a',
      respond: () => response,
      retryAfterHeader: 'X-Retry',
      remainingHeader: 'X-Remaining',
      problem: (status) => ({ code: `C${status}`, message: 'Поставка пуста\u0007' }),
    },
    {},
  )
})
beforeEach(() => {
  response = { body: { ok: true } }
})
after(() => fake.close())

function openScene(given: Partial<CallsOptions> = {}) {
  const time = passingTime()
  const charged: number[] = []
  const real = openLimits({ burst: 1000, intervalMs: 1 }, time)
  const limits: Limits = {
    ...real,
    take: (account, cost = 1, part) => {
      if (cost !== 1) charged.push(cost)
      return real.take(account, cost, part)
    },
    charge: (account, calls) => {
      charged.push(calls)
      return real.charge(account, calls)
    },
  }
  const calls = openCalls({
    baseUrl: fake.baseUrl,
    headers: { 'api-key': secret },
    account: 'a',
    limits,
    retryAfterHeader: 'X-Retry',
    remainingHeader: 'X-Remaining',
    readError: (body) => {
      const { code, message } = (body ?? {}) as { code?: string; message?: string }
      return { code, text: message }
    },
    marketplaceName: 'WB',
    time,
    chance: () => 0.5,
    refusalCost: 9,
    ...given,
  })
  const before = fake.calls().length
  return { ...calls, time, charged, made: () => fake.calls().slice(before) }
}

async function failureOf(call: Promise<unknown>): Promise<MarketplaceError> {
  const failure = await call.then(
    () => assert.fail('the call succeeded'),
    (error: unknown) => error,
  )
  assert.ok(failure instanceof MarketplaceError, inspect(failure))
  assert.ok(!inspect(failure, { depth: 10 }).includes(secret), 'the failure reveals the secret')
  assert.match(failure.message, /^[А-ЯA-Z].*[^.]$/)
  return failure
}

test('a call sends its query, headers and body', async () => {
  const { json, made } = openScene()
  const query = { limit: 10, next: '9007199254740993', absent: undefined }
  const { fields } = await json({ ...change, query, body: { имя: 'да' } })
  assert.deepEqual(fields, { ok: true })
  const [call] = made()
  assert.deepEqual(call?.query, { limit: '10', next: '9007199254740993' })
  assert.deepEqual(call?.body, { имя: 'да' })
  assert.equal(call?.headers['api-key'], secret)
})

test('responses are parsed without loss', async () => {
  const { json, list } = openScene()
  response = { bytes: Buffer.from('{"id": 9223372036854775807, "n": 9007199254740991, "f": 1.5}') }
  const { fields } = await json(read)
  assert.deepEqual(fields, { id: '9223372036854775807', n: 9007199254740991, f: 1.5 })
  response = { status: 204 }
  assert.deepEqual((await json(read)).fields, {})
  response = { body: [{ id: 1 }] }
  assert.deepEqual((await list(read)).items, [{ id: 1 }])
})

test('a response has the time of its request', async () => {
  const { json, time } = openScene({ now: () => 1000 + time.now() })
  assert.equal((await json(read)).requestedAt, 1000)
  fake.failNext(1, { status: 503 })
  const { requestedAt } = await json(read)
  assert.ok(time.now() > 0)
  assert.equal(requestedAt, 1000 + time.now())
})

test('unreadable responses are malformed and not requested again', async () => {
  const { json, list, made } = openScene()
  const kinds = []
  for (const bytes of ['{"id": 1', 'null', '[]', '"text"', '<html></html>']) {
    response = { bytes: Buffer.from(bytes) }
    kinds.push((await failureOf(json(read))).kind)
  }
  response = { body: { a: 1 } }
  kinds.push((await failureOf(list(read))).kind)
  response = { body: [1] }
  kinds.push((await failureOf(list(read))).kind)
  assert.deepEqual(kinds, Array(7).fill('malformed'))
  assert.equal(made().length, 7)
})

test('a page in place of data is called one', async () => {
  const { json } = openScene()
  response = { bytes: Buffer.from('\n<!doctype html><title>Технические работы</title>') }
  assert.match(
    (await failureOf(json(read))).message,
    /^WB прислал страницу вместо данных: .*работы$/,
  )
})

test('an oversized response is malformed', async () => {
  const { json, made } = openScene()
  response = { bytes: Buffer.alloc(33 * 1024 * 1024, '[') }
  const failure = await failureOf(json(read))
  assert.equal(failure.kind, 'malformed')
  assert.match(failure.message, /велик/)
  assert.equal(made().length, 1)
})

test('after a 429 any call waits as long as the response says, repeatable or not', async () => {
  const { json, made, time } = openScene()
  fake.failNext(2, { status: 429, headers: { 'X-Retry': '7' } })
  await json(change)
  assert.equal(made().length, 3)
  assert.deepEqual(time.waits, [7000, 7000])
})

test('the usual Retry-After header is read as well', async () => {
  const { json, time } = openScene()
  fake.failNext(1, { status: 429, headers: { 'Retry-After': '3' } })
  fake.failNext(1, { status: 429, headers: { 'X-Retry': '', 'Retry-After': '4' } })
  await json(read)
  assert.deepEqual(time.waits, [3000, 4000])
})

test('after a 429 without a time the pauses begin at a second and grow', async () => {
  for (const headers of [{}, { 'X-Retry': '' }, { 'X-Retry': 'soon' }]) {
    const { json, time } = openScene()
    fake.failNext(3, { status: 429, headers })
    await json(read)
    assert.deepEqual(time.waits, [1000, 1000, 2000], inspect(headers))
  }
})

test('after a 429 with a shorter time the pause is a second', async () => {
  for (const seconds of ['0', '0.2', '-7']) {
    const { json, time } = openScene()
    fake.failNext(3, { status: 429, headers: { 'X-Retry': seconds } })
    await json(read)
    assert.deepEqual(time.waits, [1000, 1000, 1000], seconds)
  }
})

test('an answer after which no call is left makes the next one wait, for as long as it says', async () => {
  const { json, made, time } = openScene()
  for (const headers of [{}, { 'X-Retry': '4' }]) {
    response = { body: { ok: true }, headers: { 'X-Remaining': '0', ...headers } }
    await json(read)
  }
  for (const left of ['1', '', 'many']) {
    response = { body: { ok: true }, headers: { 'X-Remaining': left } }
    await json(change)
  }
  assert.equal(made().length, 5)
  assert.deepEqual(time.waits, [1000, 4000])
})

test('after a refused call no more calls follow at once than it names, at no other time', async () => {
  const rule = { burst: 20, intervalMs: 100 }
  const scene = () => {
    const time = passingTime()
    return { ...openScene({ time, limits: openLimits(rule, time) }), time }
  }
  for (const [left, waits] of [
    ['3', [0, 0, 0, 100]],
    ['15', [0, 0, 0, 0]],
    ['', [0, 0, 0, 0]],
  ] as const) {
    const { json, time } = scene()
    fake.failNext(1, { status: 409, headers: { 'X-Remaining': left } })
    await failureOf(json(change))
    const before = time.waits.length
    for (const _ of waits) await json(read)
    assert.deepEqual(
      time.waits.slice(before),
      waits.filter((wait) => wait > 0),
      left,
    )
  }
  response = { body: { ok: true }, headers: { 'X-Remaining': '1' } }
  const { json, time } = scene()
  for (let call = 0; call < 5; call++) await json(read)
  assert.deepEqual(time.waits, [])
})

test('Retry-After may be a date', async () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  const { json, time } = openScene({ now: () => now })
  for (const date of ['Fri, 20 Nov 2026 12:00:05 GMT', 'Fri, 20 Nov 2026 11:00:00 GMT']) {
    fake.failNext(1, { status: 429, headers: { 'Retry-After': date } })
  }
  await json(read)
  assert.deepEqual(time.waits, [5000, 1000])
})

test('after a 429 with a long pause all calls of the account fail at once until it is near', async () => {
  const { json, made, time } = openScene()
  fake.failNext(1, { status: 429, headers: { 'X-Retry': '1800' } })
  const limited = await failureOf(json(read))
  assert.deepEqual([limited.kind, limited.status], ['unreachable', 429])
  for (const passedMs of [0, 1_739_999]) {
    await time.wait(passedMs)
    const held = await failureOf(json(change))
    assert.deepEqual([held.kind, held.message], ['unreachable', limited.message])
  }
  assert.equal(made().length, 1)
  await time.wait(1)
  await json(change)
  assert.equal(made().length, 2)
  assert.deepEqual(time.waits, [0, 1_739_999, 1, 60_000])
})

test('an account is held for an hour at most', async () => {
  const { json, time } = openScene()
  fake.failNext(1, { status: 429, headers: { 'X-Retry': '86400' } })
  await failureOf(json(read))
  await time.wait(3_600_000)
  await json(read)
  assert.deepEqual(time.waits, [3_600_000])
})

test('a refusal reaches the caller even if its cost cannot be stored', async () => {
  const limits = openLimits({ burst: 1000, intervalMs: 1 }, passingTime())
  const broken = () => Promise.reject(new Error('the database is gone'))
  const { json } = openScene({ limits: { ...limits, charge: broken, hold: broken } })
  fake.failNext(1, { status: 409 })
  assert.equal((await failureOf(json(read))).code, 'C409')
  fake.failNext(1, { status: 429, headers: { 'X-Retry': '61' } })
  assert.equal((await failureOf(json(read))).status, 429)
})

test('a hold of a part stops no other calls, and a hold of the account stops the part', async () => {
  const limits = openLimits({ burst: 1000, intervalMs: 1 }, passingTime())
  const [whole, part] = [{ limits }, { limits, part: 'a/part' }].map(openScene)
  assert.ok(whole && part)
  const tooMany = (seconds: string) => ({ status: 429, headers: { 'X-Retry': seconds } })
  fake.failNext(1, tooMany('600'))
  assert.equal((await failureOf(part.json(read))).status, 429)
  await whole.json(read)
  await failureOf(part.json(read))
  fake.failNext(1, tooMany('1200'))
  await failureOf(whole.json(read))
  await failureOf(whole.json(read))
  assert.equal(part.made().length, 3)
})

test('attempts during an outage have growing pauses and end after four', async () => {
  const { json, made, time } = openScene()
  fake.failNext(2, { status: 502 })
  await json(read)
  assert.deepEqual([made().length, time.waits], [3, [500, 1000]])
  fake.failNext(4, { status: 500, body: '<html>' })
  const failure = await failureOf(json(read))
  assert.deepEqual([failure.kind, failure.status], ['unreachable', 500])
  assert.deepEqual([made().length, time.waits.length], [7, 5])
})

test('the pauses between attempts are spread by chance', async () => {
  for (const [chance, waits] of [
    [0, [250, 500, 1000]],
    [0.75, [625, 1250, 2500]],
  ] as const) {
    const { json, time } = openScene({ chance: () => chance })
    fake.failNext(4, { status: 500 })
    await failureOf(json(read))
    assert.deepEqual(time.waits, waits)
  }
})

test('an outage that says when it ends is waited for', async () => {
  for (const status of [408, 500, 502, 503, 504]) {
    const { json, time } = openScene()
    fake.failNext(1, { status, headers: { 'Retry-After': '30' } })
    fake.failNext(1, { status, headers: { 'X-Retry': '0' } })
    await json(read)
    assert.deepEqual(time.waits, [30_000, 1000], String(status))
  }
})

test('a long outage fails the call at once and holds no other call', async () => {
  const { json, made, time } = openScene()
  fake.failNext(1, { status: 503, headers: { 'Retry-After': '61' } })
  assert.equal((await failureOf(json(read))).kind, 'unreachable')
  assert.deepEqual([made().length, time.waits], [1, []])
  await json(change)
  assert.deepEqual(time.waits, [])
})

test('all pauses of a call together take at most a minute', async () => {
  for (const status of [429, 503]) {
    const { json, time } = openScene()
    fake.failNext(4, { status, headers: { 'Retry-After': '25' } })
    assert.equal((await failureOf(json(read))).kind, 'unreachable')
    const waitedMs = time.waits.reduce((sum, ms) => sum + ms, 0)
    assert.ok(waitedMs >= 50_000 && waitedMs <= 60_000, `${status}: ${waitedMs}`)
    fake.heal()
  }
})

test('a call that must not be repeated is not repeated after a 503 that names a time', async () => {
  const { json, made } = openScene()
  fake.failNext(1, { status: 503, headers: { 'Retry-After': '1' } })
  assert.equal((await failureOf(json(change))).kind, 'unreachable')
  assert.equal(made().length, 1)
})

test('a call that must not be repeated is not repeated if it may have been carried out', async () => {
  const { json, made } = openScene({ timeoutMs: patienceMs })
  const failures = [{ status: 500 }, { status: 504, done: true }, 'hang', 'reset'] as const
  for (const failure of failures) {
    fake.failNext(1, failure)
    assert.equal((await failureOf(json(change))).kind, 'unreachable')
  }
  assert.equal(made().length, failures.length)
})

test('a repeatable call is repeated after silence and broken connections', async () => {
  const { json, made } = openScene({ timeoutMs: patienceMs })
  fake.failNext(1, 'hang')
  fake.failNext(1, 'reset')
  assert.deepEqual((await json(read)).fields, { ok: true })
  assert.equal(made().length, 3)
})

test('a call that times out is attempted twice', async () => {
  const { json, made } = openScene({ timeoutMs: patienceMs })
  fake.failNext(2, 'hang')
  assert.equal((await failureOf(json(read))).kind, 'unreachable')
  assert.equal(made().length, 2)
})

test('a refusal after an attempt that may have been carried out has an unknown outcome', async () => {
  const again: Call = { ...change, method: 'PATCH', repeatable: true }
  const { json } = openScene()
  for (const status of [401, 409]) {
    for (const [before, call, outcomeUnknown] of [
      ['reset', again, true],
      [{ status: 504, done: true }, again, true],
      [{ status: 429 }, again, false],
      ['reset', read, false],
    ] as const) {
      fake.failNext(1, before)
      fake.failNext(1, { status })
      const failure = await failureOf(json(call))
      assert.deepEqual([failure.status, failure.outcomeUnknown], [status, outcomeUnknown])
    }
    fake.failNext(1, { status })
    const plain = await failureOf(json(again))
    assert.deepEqual([plain.status, plain.outcomeUnknown], [status, false])
  }
})

test('staff read that they should retry, sellers that the service will', async () => {
  const { json } = openScene({ attemptsMax: 1 })
  for (const how of [{ status: 502 }, { status: 429 }, 'reset'] as const) {
    fake.failNext(1, how)
    const { message, forSeller } = await failureOf(json(read))
    assert.match(message, /, повторите позже$/)
    assert.match(forSeller, /, повторим позже$/)
  }
})

test('any call is repeated after a refused connection', async () => {
  const gone = await openFake(
    {
      accountOf: () => 'a',
      respond: () => ({}),
      retryAfterHeader: 'X-Retry',
      remainingHeader: 'X-Remaining',
      problem: () => ({}),
    },
    {},
  )
  await gone.close()
  const { json, time } = openScene({ baseUrl: gone.baseUrl })
  assert.equal((await failureOf(json(change))).kind, 'unreachable')
  assert.equal(time.waits.length, 3)
})

test('refused credentials are a credentials failure and not tried again', async () => {
  const { json, made } = openScene()
  for (const status of [401, 403]) {
    fake.failNext(1, { status, body: { message: secret } })
    const failure = await failureOf(json(read))
    assert.deepEqual([failure.kind, failure.status], ['credentials', status])
    assert.match(failure.message, /ключ/)
  }
  assert.equal(made().length, 2)
})

test('credentials that no header can hold fail without a call', async () => {
  for (const key of ['ключ', 'a\r\nb', 'a\0b']) {
    const { json, made } = openScene({ headers: { 'api-key': key } })
    const failure = await failureOf(json(read))
    assert.equal(failure.kind, 'credentials')
    assert.ok(!inspect(failure, { depth: 10 }).includes(key))
    assert.equal(made().length, 0)
  }
})

test("a refusal has the marketplace's code and text, is charged and not repeated", async () => {
  const { json, made, charged } = openScene()
  fake.failNext(1, { status: 409 })
  const failure = await failureOf(json(read))
  assert.deepEqual([failure.kind, failure.status, failure.code], ['rejected', 409, 'C409'])
  assert.equal(failure.message, 'WB отказал (код 409): Поставка пуста\ufffd')
  assert.deepEqual([made().length, charged], [1, [9]])
  fake.failNext(1, { status: 404, body: '<html>' })
  assert.equal((await failureOf(json(read))).code, undefined)
})

test('a 429 costs as much as any other refusal', async () => {
  const { json, charged } = openScene()
  fake.failNext(2, { status: 429 })
  await json(read)
  assert.deepEqual(charged, [9, 9])
})

test('an outage and a redirect cost nothing extra', async () => {
  const { json, charged } = openScene()
  fake.failNext(1, { status: 503 })
  fake.failNext(1, { status: 302 })
  await failureOf(json(read))
  assert.deepEqual(charged, [])
})

test('a long text of the marketplace is kept on one line, up to 200 characters', async () => {
  const { json } = openScene()
  const message = `Заказ${' уже в поставке'.repeat(8)}:\nповторите\u2028позже`
  fake.failNext(1, { status: 409, body: { code: 'C', message } })
  const failure = await failureOf(json(read))
  assert.match(failure.message, /:\ufffdповторите\ufffdпозже$/)
  fake.failNext(1, { status: 409, body: { code: 'C', message: 'х'.repeat(300) } })
  assert.match((await failureOf(json(read))).message, /: х{200}…$/)
})

test('a redirection is not followed', async () => {
  const { json, made } = openScene()
  fake.failNext(1, { status: 302, headers: { location: `${fake.baseUrl}/elsewhere` } })
  assert.equal((await failureOf(json(read))).kind, 'rejected')
  assert.equal(made().length, 1)
})

test('calls with an extra cost take more places of the bucket', async () => {
  const { json, charged } = openScene({ extraCost: 3 })
  await json(read)
  assert.deepEqual(charged, [4])
})
