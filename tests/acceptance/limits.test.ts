import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, assertRefused, openClient } from '../support/client.ts'
import { openTarget } from '../support/target.ts'

/** The usual limits: no settings. */
const target = await openTarget({})

async function impatient() {
  const { key } = await target.sandbox()
  return openClient(target.baseUrl, key, false)
}

const number = (answer: Answer, name: string) => Number(answer.headers.get(name))
const remaining = (answer: Answer) => number(answer, 'X-RateLimit-Remaining')

const anyone = await impatient()
const limited = number(await anyone.get('/v1/me'), 'X-RateLimit-Limit') === 20
const skip = limited ? false : 'the service at SKLAD_BASE_URL has other limits'

test('the burst is twenty, then calls are refused until there is a token', { skip }, async () => {
  const client = await impatient()
  const started = performance.now()
  const answers = await Promise.all(Array.from({ length: 40 }, () => client.get('/v1/me')))
  const seconds = (performance.now() - started) / 1000
  const passed = answers.filter((answer) => answer.status === 200)
  const refused = answers.filter((answer) => answer.status !== 200)
  assert.ok(passed.length >= 20 && passed.length <= 20 + seconds, `${passed.length} passed`)
  for (const answer of refused) {
    assertRefused(answer, 'rate_limited')
    assert.equal(answer.headers.get('Retry-After'), '1')
    assert.equal(remaining(answer), 0)
  }
  const left = passed
    .map(remaining)
    .sort((a, b) => b - a)
    .slice(0, 20)
  assert.equal(left[0], 19)
  assert.ok(left.includes(0))
  for (const answer of answers) assert.equal(number(answer, 'X-RateLimit-Limit'), 20)
})

test('a token comes back in a second, and the reset says when all are back', { skip }, async () => {
  const client = await impatient()
  for (let spent = 0; spent < 12; spent++) {
    const answer = await client.get('/v1/me')
    const now = Date.parse(answer.headers.get('Date') ?? '') / 1000
    const full = number(answer, 'X-RateLimit-Reset') - now
    const missing = 20 - remaining(answer)
    assert.ok(full >= missing - 1 && full <= missing + 2, `${missing} missing, full in ${full} s`)
  }
})

test('every call that passes the key check takes a token, whatever its outcome', {
  skip,
}, async () => {
  const client = await impatient()
  const etag = (await client.get('/v1/stock')).headers.get('ETag') ?? ''
  const calls: [string, () => Promise<Answer>, number][] = [
    ['not modified', () => client.get('/v1/stock', { 'If-None-Match': etag }), 304],
    ['bad request', () => client.get('/v1/orders?limit=x'), 400],
    ['bad cursor', () => client.get('/v1/orders?cursor=x'), 400],
    ['not found', () => client.get('/v1/orders/x'), 404],
    ['unknown path', () => client.get('/v1/x'), 404],
    ['unknown method', () => client.call('/v1/me', { method: 'DELETE' }), 404],
    ['malformed path', () => client.get('/v1/%zz'), 400],
    ['bad body', () => client.post('/v1/receipts', 'x'), 400],
    ['reset', () => client.post('/v1/sandbox/reset'), 200],
  ]
  const started = performance.now()
  let before = 19
  for (const [name, call, status] of calls) {
    const answer = await call()
    assert.equal(answer.status, status, name)
    const back = Math.ceil((performance.now() - started) / 1000)
    assert.ok(remaining(answer) < before + back && remaining(answer) >= before - 1, name)
    before = remaining(answer)
  }
})

test('a key without tokens is refused before anything else is looked at', { skip }, async (t) => {
  if (target.live === undefined) return t.skip('no live keys')
  const client = openClient(target.baseUrl, target.live.reading, false)
  const drain = () => Promise.all(Array.from({ length: 22 }, () => client.get('/v1/me')))
  const calls = [
    () => client.get('/v1/orders?limit=x'),
    () => client.get('/v1/orders/x'),
    () => client.get('/v1/x'),
    () => client.get('/v1/%zz'),
    () => client.post('/v1/receipts', 'x'),
    () => client.post('/v1/sandbox/reset'),
  ]
  for (const call of calls) {
    // A token comes back each second, and on a busy machine just in time for the call.
    for (let triesLeft = 4; ; triesLeft -= 1) {
      const [, answer] = await Promise.all([drain(), drain().then(call)])
      if (triesLeft > 0 && answer.status !== 429) continue
      assertRefused(answer, 'rate_limited')
      break
    }
  }
})

test('keys have buckets of their own, and refused keys have none', { skip }, async () => {
  const client = await impatient()
  await Promise.all(Array.from({ length: 25 }, () => client.get('/v1/me')))
  assert.equal(remaining(await (await impatient()).get('/v1/me')), 19)
  const strangers = await Promise.all(
    Array.from({ length: 30 }, () => openClient(target.baseUrl, 'x', false).get('/v1/me')),
  )
  assert.ok(strangers.every((answer) => answer.status === 401))
})

test('the open call is limited by address', { skip: skip || !target.own }, async () => {
  const open = openClient(target.baseUrl, undefined, false)
  const left = remaining(await open.post('/v1/sandbox/keys'))
  const answers = await Promise.all(
    Array.from({ length: left + 5 }, () => open.post('/v1/sandbox/keys')),
  )
  const refused = answers.filter((answer) => answer.status !== 201)
  assert.equal(refused.length, 5)
  for (const answer of refused) {
    assertRefused(answer, 'rate_limited')
    const wait = number(answer, 'Retry-After')
    assert.ok(wait >= 1 && wait <= 60, String(wait))
  }
  const known = openClient(target.baseUrl, anyone.key, false)
  assertRefused(await known.post('/v1/sandbox/keys'), 'rate_limited')
})
