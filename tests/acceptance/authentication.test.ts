import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/client.ts'
import { openTarget } from '../support/target.ts'

const target = await openTarget()
const anonymous = target.client()
const { key = '' } = await target.emptySandbox()

function withHeaders(headers: Readonly<Record<string, string>>, path = '/v1/me') {
  return anonymous.get(path, headers)
}

test('a key in Authorization without Bearer is refused with the remedy', async () => {
  const answer = await withHeaders({ Authorization: key })
  assertRefused(answer, 'unauthorized', /Bearer/)
  assert.doesNotMatch(answer.message, /не передан:/)
  assert.ok(!answer.text.includes(key))
})

test('a key is accepted in either header', async () => {
  const accepted: Readonly<Record<string, string>>[] = [
    { Authorization: `Bearer ${key}` },
    { authorization: `bearer ${key}` },
    { Authorization: `BEARER ${key}` },
    { 'X-Api-Key': key },
    { 'x-api-key': key },
    { Authorization: `Bearer ${key}`, 'X-Api-Key': key },
    { Authorization: 'Basic dXNlcjpwYXNz', 'X-Api-Key': key },
  ]
  for (const headers of accepted) {
    assert.equal((await withHeaders(headers)).status, 200, JSON.stringify(headers))
  }
})

test('requests without a key in a header are refused', async () => {
  const refused: Readonly<Record<string, string>>[] = [
    {},
    { Authorization: '' },
    { Authorization: 'Bearer' },
    { Authorization: 'Bearer ' },
    { Authorization: key },
    { Authorization: `Basic ${key}` },
    { Authorization: `Token ${key}` },
    { Authorization: `Bearer ${key} ${key}` },
    { Authorization: `Bearer "${key}"` },
    { Authorization: `Bearer${key}` },
    { 'X-Api-Key': '' },
    { 'X-Api-Key': `Bearer ${key}` },
    { 'X-Api-Key': `${key},${key}` },
    { Cookie: `key=${key}` },
  ]
  for (const headers of refused) {
    assertRefused(await withHeaders(headers), 'unauthorized')
  }
  assertRefused(await anonymous.get(`/v1/me?key=${key}&api_key=${key}`), 'unauthorized')
})

test('a key has the form that secret scanners recognise', () => {
  assert.match(key, /^svc_test_[0-9A-Za-z]{49}$/)
})

test('a key with any character changed is refused', async () => {
  const wrong = [...key].map(
    (char, at) => key.slice(0, at) + (char === 'x' ? 'y' : 'x') + key.slice(at + 1),
  )
  wrong.push(key.slice(0, -1), `${key}0`, key.toLowerCase(), key.toUpperCase(), key.slice(9))
  wrong.push(key.replace('svc_test_', 'svc_live_'), 'svc_test_', 'x', '0', 'null', 'a'.repeat(5000))
  await Promise.all(
    wrong.map(async (each) => {
      assertRefused(await withHeaders({ 'X-Api-Key': each }), 'unauthorized')
      assertRefused(await withHeaders({ Authorization: `Bearer ${each}` }), 'unauthorized')
    }),
  )
})

test('a key with characters outside ASCII is refused', async () => {
  assertRefused(await withHeaders({ 'X-Api-Key': `${key}\u00e9` }), 'unauthorized')
  assertRefused(await withHeaders({ Authorization: `Bearer \u00ff${key}` }), 'unauthorized')
})

test('the key is checked before everything else', async () => {
  const paths = [
    '/v1/orders?limit=x',
    '/v1/orders?cursor=x',
    '/v1/orders/none',
    '/v1/nothing',
    '/v1',
    '/v1/',
    '/v1/%zz',
    '/v1/metrics?from=x',
  ]
  for (const path of paths) {
    assertRefused(await anonymous.get(path), 'unauthorized')
    assertRefused(await anonymous.call(path, { method: 'DELETE' }), 'unauthorized')
  }
  assertRefused(await anonymous.post('/v1/receipts', 'no JSON'), 'unauthorized')
  assertRefused(await anonymous.post('/v1/receipts', 'x'.repeat(3 * 1024 * 1024)), 'unauthorized')
  assertRefused(await anonymous.post('/v1/sandbox/reset'), 'unauthorized')
  assertRefused(await anonymous.get('/v1/sandbox/keys'), 'unauthorized')
})

test('every path refuses a revoked key with key_revoked, in either header', async (t) => {
  if (target.live === undefined) return t.skip('no live keys')
  const { revoked } = target.live
  for (const path of ['/v1/me', '/v1/orders?limit=x', '/v1/nothing']) {
    assertRefused(await withHeaders({ 'X-Api-Key': revoked }, path), 'key_revoked')
    assertRefused(await withHeaders({ Authorization: `Bearer ${revoked}` }, path), 'key_revoked')
  }
  assertRefused(await target.client(revoked).post('/v1/receipts', 'x'), 'key_revoked')
})

test('unknown paths and methods answer not_found with a key', async () => {
  const client = target.client(key)
  const paths = [
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/me/',
    '/v1/Me',
    '/v1/orders/a/b',
    '/v1/stock//x',
    '/v1/sandbox',
    '/v1/sandbox/keys/1',
    '/v1/me;v=1',
    '/v1/malformed',
  ]
  for (const path of paths) assertRefused(await client.get(path), 'not_found')
  const methods: [string, string][] = [
    ['DELETE', '/v1/me'],
    ['PUT', '/v1/receipts'],
    ['PATCH', '/v1/orders'],
    ['OPTIONS', '/v1/orders'],
    ['POST', '/v1/orders'],
    ['POST', '/v1/me'],
    ['GET', '/v1/sandbox/keys'],
    ['GET', '/v1/sandbox/reset'],
    ['PROPFIND', '/v1/stock'],
    ['QUERY', '/v1/stock'],
    ['SEARCH', '/v1/nothing'],
  ]
  for (const [method, path] of methods) {
    assertRefused(await client.call(path, { method }), 'not_found')
  }
})

test('the refusal of a wrong method names the methods of the path', async () => {
  const client = target.client(key)
  for (const [method, path, message] of [
    ['PATCH', '/v1/webhooks/1?x=1', 'Вызова PATCH /v1/webhooks/{id} нет; есть DELETE, GET'],
    ['PUT', '/v1/receipts', 'Вызова PUT /v1/receipts нет; есть GET, POST'],
  ] as const) {
    assertRefused(await client.call(path, { method }), 'not_found', message)
  }
})

test('an unknown path answers not_found whatever is sent to it', async () => {
  const client = target.client(key)
  const large = { body: 'x'.repeat(3 * 1024 * 1024) }
  const strange = { body: 'x', headers: { 'Content-Type': ';;;' } }
  for (const call of [large, strange, { body: '{}' }, { body: 'no JSON' }]) {
    assertRefused(await client.call('/v1/nothing', call), 'not_found')
    assertRefused(await client.call('/v1/orders', call), 'not_found')
  }
})
