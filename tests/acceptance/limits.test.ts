import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, assertRefused, openClient } from '../support/client.ts'
import { openTarget } from '../support/target.ts'

/** The default limits, which other tests never meet. */
const target = await openTarget({
  RATE_LIMIT_BURST: '20',
  RATE_LIMIT_PER_MINUTE: '60',
  SANDBOX_KEY_BURST: '20',
})

async function impatient() {
  const { key } = await target.emptySandbox()
  return openClient(target.baseUrl, key, false)
}

const number = (answer: Answer, name: string) => Number(answer.headers.get(name))
const remaining = (answer: Answer) => number(answer, 'X-RateLimit-Remaining')

const anyone = await impatient()
const limited = number(await anyone.get('/v1/me'), 'X-RateLimit-Limit') === 20
const skip = limited ? false : 'the service at SKLAD_BASE_URL has other limits'

test('twenty calls pass at once, further ones are refused until the bucket has a token', {
  skip,
}, async () => {
  const client = await impatient()
  const started = performance.now()
  const answers = await Promise.all(Array.from({ length: 40 }, () => client.get('/v1/me')))
  const seconds = (performance.now() - started) / 1000
  const passed = answers.filter((answer) => answer.status === 200)
  const refused = answers.filter((answer) => answer.status !== 200)
  assert.ok(passed.length >= 20 && passed.length <= 20 + seconds, `${passed.length} passed`)
  for (const answer of refused) {
    assertRefused(answer, 'rate_limited', `через ${answer.headers.get('Retry-After')} с`)
    assert.equal(answer.headers.get('Retry-After'), '1')
    assert.equal(remaining(answer), 0)
  }
  const left = passed.map(remaining)
  assert.equal(Math.max(...left), 19)
  if (refused.length > 0) assert.ok(left.includes(0))
  for (const answer of answers) assert.equal(number(answer, 'X-RateLimit-Limit'), 20)
})

test('a token comes back in a second, and X-RateLimit-Reset says when the bucket is full', {
  skip,
}, async () => {
  const client = await impatient()
  for (let spent = 0; spent < 12; spent++) {
    const answer = await client.get('/v1/me')
    const now = Date.parse(answer.headers.get('Date') ?? '') / 1000
    const full = number(answer, 'X-RateLimit-Reset') - now
    const missing = 20 - remaining(answer)
    assert.ok(full >= missing - 1 && full <= missing + 2, `${missing} missing, full in ${full} s`)
    const [, seconds] = /;t=(\d+)$/.exec(answer.headers.get('RateLimit') ?? '') ?? []
    assert.ok(Math.abs(Number(seconds) - missing) <= 1, `${missing} missing, full in ${seconds} s`)
    const policy = answer.headers.get('RateLimit-Policy')
    assert.equal(policy, '"burst";q=20;w=20, "average";q=60;w=60')
  }
})

test('every call with a valid key takes a token, whatever its outcome', {
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
    ['malformed path', () => client.get('/v1/%zz'), 404],
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

test('a call with an empty bucket is refused before its parameters and body are checked', {
  skip,
}, async (t) => {
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
    // A token comes back each second: on a busy machine it may be there before the call.
    for (let triesLeft = 4; ; triesLeft -= 1) {
      const [, answer] = await Promise.all([drain(), drain().then(call)])
      if (triesLeft > 0 && answer.status !== 429) continue
      assertRefused(answer, 'rate_limited')
      break
    }
  }
})

test('each key has its own bucket, and refused keys have none', { skip }, async () => {
  const client = await impatient()
  await Promise.all(Array.from({ length: 25 }, () => client.get('/v1/me')))
  assert.equal(remaining(await (await impatient()).get('/v1/me')), 19)
  const strangers = await Promise.all(
    Array.from({ length: 30 }, () => openClient(target.baseUrl, 'x', false).get('/v1/me')),
  )
  assert.ok(strangers.every((answer) => answer.status === 401))
})

test('calls without a key are limited by address', { skip: skip || !target.own }, async () => {
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
