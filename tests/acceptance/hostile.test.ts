import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertRefused } from '../support/client.ts'
import { exchange, rawRequest, sendRaw } from '../support/raw-http.ts'
import { openTarget } from '../support/target.ts'

/** Requests that no regular client sends. Every answer must keep the rules of answers. */

const target = await openTarget()
const sandbox = await target.sandbox()
const { key } = sandbox
await sandbox.get('/v1/me')
const plain = new URL(target.baseUrl).protocol === 'http:'
const skip = plain ? false : 'bytes are sent without TLS only'

function send(path: string, bytes: string | Uint8Array) {
  return sendRaw(target.baseUrl, path, bytes)
}

function get(path: string, more = '') {
  return send(path, rawRequest(`GET ${path}`, key, more))
}

function post(path: string, more: string, body: string) {
  return send(path, rawRequest(`POST ${path}`, key, more, body))
}

const json = 'Content-Type: application/json\r\n'

suite('bytes that are not HTTP get the envelope', { skip, concurrency: true }, () => {
  const good = rawRequest('GET /v1/me', key)
  const messages: Readonly<Record<string, string | Uint8Array>> = {
    'a greeting': 'hello there\r\n\r\n',
    'an unknown method': good.replace('GET', 'BREW'),
    'an unknown version': good.replace('HTTP/1.1', 'HTTP/3.7'),
    'the start of TLS': Buffer.from('16030100c8010000c40303', 'hex'),
    'a preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a header with NUL': good.replace('Connection', 'X-\u0000: 1\r\nConnection'),
    'a header without a name': good.replace('Connection', ': x\r\nConnection'),
    'a header with a space in its name': good.replace('Connection', 'X Y: x\r\nConnection'),
    'headers of 20 KB': good.replace('Connection', `X-Large: ${'x'.repeat(20_000)}\r\nConnection`),
    'a path of 20 KB': good.replace('/v1/me', `/v1/${'x'.repeat(20_000)}`),
    'a negative length': good.replace('Connection', 'Content-Length: -3\r\nConnection'),
    'a length that is no number': good.replace('Connection', 'Content-Length: x\r\nConnection'),
    'two lengths': good.replace(
      'Connection',
      'Content-Length: 1\r\nContent-Length: 2\r\nConnection',
    ),
    'a length and chunks': good.replace(
      'Connection',
      'Content-Length: 3\r\nTransfer-Encoding: chunked\r\nConnection',
    ),
    'an unknown transfer coding': rawRequest(
      'POST /v1/receipts',
      key,
      'Transfer-Encoding: gzip\r\n',
      'x',
    ),
    'a chunk without a size': rawRequest(
      'POST /v1/receipts',
      key,
      `${json}Transfer-Encoding: chunked\r\n`,
      'zz\r\n\r\n',
    ),
    'a tunnel': good.replace('GET /v1/me', 'CONNECT sklad.test:443'),
    'no Host': good.replace('Host: sklad.test\r\n', ''),
  }
  for (const [name, bytes] of Object.entries(messages)) {
    test(name, async () => assertRefused(await send('', bytes), 'bad_request'))
  }
  const explained: readonly (readonly [string, string, RegExp])[] = [
    ['letters', good.replace('/v1/me', '/v1/stock?search=плед'), /%XX/],
    ['a space', good.replace('/v1/me', '/v1/stock?search=a b'), /%20/],
    [
      'headers of 20 KB',
      good.replace('Connection', `X: ${'x'.repeat(20_000)}\r\nConnection`),
      /16 КБ/,
    ],
    [
      'a wrong length',
      good.replace('Connection', 'Content-Length: x\r\nConnection'),
      /Content-Length/,
    ],
    ['a wrong header', good.replace('Connection', 'X Y: x\r\nConnection'), /заголов/],
    ['two hosts', good.replace('Connection', 'Host: sklad.test\r\nConnection'), /Host/],
    ['no host', good.replace('Host: sklad.test\r\n', ''), /Host/],
  ]
  for (const [name, text, reason] of explained) {
    test(`${name}: the message says what to do`, async () => {
      const answer = await send('', Buffer.from(text))
      assertRefused(answer, 'bad_request', reason)
      assert.equal(answer.headers.get('X-Content-Type-Options'), 'nosniff')
    })
  }
})

test('every answer forbids browsers to guess its type', async () => {
  for (const path of ['/v1/me', '/v1/nothing', '/nothing', '/openapi.json']) {
    assert.equal((await sandbox.get(path)).headers.get('X-Content-Type-Options'), 'nosniff', path)
  }
})

suite('broken paths', { skip, concurrency: true }, () => {
  for (const path of [
    '/v1/%zz',
    '/v1/orders/%zz',
    '/v1/stock/%C3',
    '/v1/stock/%',
    '/v1/%zz?limit=%zz',
    '/v1/stock/%ED%A0%80',
  ]) {
    test(path, async () => {
      assertRefused(await get(path), 'not_found', '%XX')
      const anonymous = await send(path, rawRequest(`GET ${path}`, undefined))
      assertRefused(anonymous, 'unauthorized')
    })
  }

  const unknown = [
    '/v1/orders/%00',
    '/v1/stock/%00',
    '/v1/stock/a%00b',
    '/v1/stock/%2F',
    '/v1/stock/..%2F..%2Fetc%2Fpasswd',
    `/v1/stock/${'x'.repeat(12_000)}`,
    '/v1/../v1/me',
    '/v1//me',
    '/v1/./me',
    '/v1/orders/__proto__',
    '/v1/receipts/constructor',
    "/v1/stock/'%20or%201=1--",
    '/v1/stock/',
    '/v1/stock/%F0%9F%98%80',
  ]
  for (const path of unknown) {
    test(`${path.slice(0, 60)} is not found`, async () => {
      assertRefused(await get(path), 'not_found')
    })
  }

  for (const path of ['*', '/', 'http://sklad.test']) {
    test(`${path} is the front page`, async () => {
      const answer = await exchange(target.baseUrl, rawRequest(`GET ${path}`, key))
      assert.match(answer.toString(), /^HTTP\/1\.1 200 OK\r\n.*<!doctype html>/s)
    })
  }

  for (const path of ['//', '//v1/me', '/V1/me', '/v2/me', '/v1x/me', '/%zz', '/.env']) {
    test(`${path} outside of the interface has the envelope too`, async () => {
      assertRefused(await get(path), 'not_found')
    })
  }
})

test('a slash too many is named, with the address that was meant', { skip }, async () => {
  for (const [path, meant] of [
    ['/v1/orders/', '/v1/orders'],
    ['/v1/receipts/?limit=1', '/v1/receipts'],
    ['/v1/stock//', '/v1/stock'],
    ['/v1//me', '/v1/me'],
    ['/v1/orders/x/', '/v1/orders/x'],
    ['/v1/stock//in-question', '/v1/stock/in-question'],
    ['/v1/webhooks/x/deliveries/', '/v1/webhooks/x/deliveries'],
    ['/v1/me/', '/v1/me'],
  ] as const) {
    const answer = await get(path)
    assertRefused(answer, 'not_found', /косой черты/)
    assert.ok(answer.message.endsWith(` ${meant}`), answer.message)
  }
  const posted = await sandbox.post('/v1/receipts/', {})
  assertRefused(posted, 'not_found', '/v1/receipts')
})

test('a whole address is accepted in place of the path', { skip }, async () => {
  for (const base of ['http://sklad.test', 'https://sklad.test:443', 'HTTP://SKLAD.TEST']) {
    const bytes = rawRequest(`GET ${base}/v1/orders?limit=1`, key)
    assert.equal((await send('/v1/orders', bytes)).status, 200)
    const unknown = rawRequest(`GET ${base}/v1/nothing`, key)
    assertRefused(await send('/v1/nothing', unknown), 'not_found')
  }
})

test('HEAD answers as GET does, without a body', { skip }, async () => {
  const paths: [string, number][] = [
    ['/v1/me', 200],
    ['/v1/stock', 200],
    ['/v1/orders?limit=x', 400],
    ['/v1/orders/x', 404],
    ['/v1/nothing', 404],
  ]
  for (const [path, status] of paths) {
    const answer = await send(path, rawRequest(`HEAD ${path}`, key))
    assert.equal(answer.status, status, path)
    assert.equal(answer.text, '')
    const length = Number(answer.headers.get('Content-Length'))
    assert.equal(length > 0, true, path)
  }
  assert.equal((await send('/v1/me', rawRequest('HEAD /v1/me', undefined))).status, 401)
})

test('the header Expect is met or ignored', { skip }, async () => {
  const body = '{"items":[]}'
  const length = `Content-Length: ${body.length}\r\n`
  for (const expected of ['100-continue', '100-Continue', 'banana', '200-ok']) {
    const answer = await post('/v1/receipts', `${json}${length}Expect: ${expected}\r\n`, body)
    assertRefused(answer, 'validation_error', 'items')
  }
  assert.equal((await get('/v1/me', 'Expect: banana\r\n')).status, 200)
})

test('an upgrade of the protocol is ignored', { skip }, async () => {
  const asked = rawRequest('GET /v1/me', key).replace(
    'Connection: close',
    'Upgrade: websocket\r\nConnection: close, Upgrade',
  )
  assert.equal((await send('/v1/me', asked)).status, 200)
})

test('a body in chunks is read like any other', { skip }, async () => {
  const chunked = `${json}Transfer-Encoding: chunked\r\n`
  const [head, tail] = ['{"items"', ':[]}']
  const body = `${head.length}\r\n${head}\r\n${tail.length}\r\n${tail}\r\n0\r\n\r\n`
  assertRefused(await post('/v1/receipts', chunked, body), 'validation_error', 'items')
  assertRefused(await post('/v1/receipts', chunked, '0\r\n\r\n'), 'bad_request')
  const large = 3 * 1024 * 1024
  const flood = `${large.toString(16)}\r\n${'x'.repeat(large)}\r\n0\r\n\r\n`
  assertRefused(await post('/v1/receipts', chunked, flood), 'bad_request')
  assert.equal((await post('/v1/sandbox/reset', chunked, '0\r\n\r\n')).status, 200)
})

test('a body that is too large by its Content-Length is refused before it arrives', {
  skip,
}, async () => {
  const announced = `${json}Content-Length: 3000000000\r\n`
  assertRefused(await post('/v1/receipts', announced, '{'), 'bad_request')
})

test('a caller who sends a body that is too large may finish, so that the refusal reaches it', {
  skip,
}, async () => {
  const size = 3 * 1024 * 1024
  const body = 'x'.repeat(size)
  const next = rawRequest('GET /v1/me', key)
  for (const [more, sent] of [
    [`Content-Length: ${size}\r\n`, body],
    ['Transfer-Encoding: chunked\r\n', `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
  ] as const) {
    const large = rawRequest('POST /v1/receipts', key, `${json}${more}`, sent)
    const kept = large.replace('Connection: close\r\n', '')
    const answers = (await exchange(target.baseUrl, kept + next)).toString()
    assert.match(answers, /^HTTP\/1\.1 400 .*"bad_request".*HTTP\/1\.1 200 OK\r\n/s, more)
  }
})

test('a compressed body is refused', { skip }, async () => {
  const more = `${json}Content-Encoding: gzip\r\nContent-Length: 3\r\n`
  for (const body of ['\u001f\u008b\u0008', '{ }']) {
    assertRefused(await post('/v1/receipts', more, body), 'bad_request', 'Content-Encoding')
  }
  const both = more.replace('gzip', 'identity, gzip')
  assertRefused(await post('/v1/receipts', both, '{ }'), 'bad_request', 'Content-Encoding')
})

test('a body that says that it is not compressed is read', { skip }, async () => {
  for (const encoding of ['identity', 'Identity', '', ' identity , identity']) {
    const more = `${json}Content-Encoding: ${encoding}\r\nContent-Length: 3\r\n`
    assertRefused(await post('/v1/receipts', more, '{ }'), 'validation_error', 'items')
  }
})

test('a body of a request without a body is ignored', { skip }, async () => {
  for (const type of [json, 'Content-Type: ;;;\r\n', '']) {
    const answer = await send(
      '/v1/me',
      rawRequest('GET /v1/me', key, `${type}Content-Length: 3\r\n`, 'abc'),
    )
    assert.equal(answer.status, 200)
  }
})

test('the service makes a new request id for every call', { skip }, async () => {
  const given = 'X-Request-Id: mine\r\nRequest-Id: mine\r\nX-Correlation-Id: mine\r\n'
  const ids = await Promise.all(
    ['/v1/me', '/v1/me', '/v1/x', '/v1/%zz', '/nothing'].map(async (path) =>
      (await get(path, given)).headers.get('X-Request-Id'),
    ),
  )
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.every((id) => id !== 'mine'))
})

test('SQL and markup in parameters select nothing and break nothing', async () => {
  const texts = [
    "' or 1=1 --",
    '\\',
    '%',
    '_',
    '"',
    '$1',
    '{{7*7}}',
    '#{7*7}',
    '\u202e',
    '\uffff',
    '😀'.repeat(500),
    'x'.repeat(8000),
  ]
  for (const text of texts) {
    const encoded = encodeURIComponent(text)
    for (const path of [
      `/v1/orders?barcode=${encoded}`,
      `/v1/orders?shipment_id=${encoded}`,
      `/v1/stock?search=${encoded}`,
      `/v1/stock?barcode=${encoded}`,
    ]) {
      const answer = await sandbox.get(path)
      assert.equal(answer.status, 200, path.slice(0, 80))
      assert.deepEqual(answer.body, { items: [], total: 0, next_cursor: null }, path.slice(0, 80))
    }
    assertRefused(await sandbox.get(`/v1/stock/${encoded}`), 'not_found')
  }
})
