import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openTarget } from '../support/target.ts'

const target = await openTarget()
const { key = '' } = await target.sandbox()

/** The answer as its bytes come, which fetch would not show. */
async function get(path: string, headers: Readonly<Record<string, string>> = {}) {
  const call = request(`${target.baseUrl}${path}`, { headers: { 'X-Api-Key': key, ...headers } })
  call.end()
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) }
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync } as const
const plain = await get('/v1/stock')

test('an answer comes in the encoding that the caller prefers, and is the same once decoded', async () => {
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.equal(plain.headers.vary, 'Accept-Encoding')
  for (const [accepted, encoding] of [
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
  ] as const) {
    const answer = await get('/v1/stock', { 'Accept-Encoding': accepted })
    assert.equal(answer.headers['content-encoding'], encoding, accepted)
    assert.equal(answer.headers.vary, 'Accept-Encoding')
    assert.ok(answer.bytes.length < plain.bytes.length / 4)
    assert.deepEqual(decoders[encoding](answer.bytes), plain.bytes)
  }
})

test('a caller who accepts no known encoding gets plain bytes', async () => {
  for (const accepted of ['identity', 'deflate', 'br;q=0', '', 'zstd', ';;,q=,']) {
    const answer = await get('/v1/stock', { 'Accept-Encoding': accepted })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-encoding'], undefined, accepted)
    assert.deepEqual(answer.bytes, plain.bytes)
  }
})

test('short answers and errors come as they are', async () => {
  for (const path of ['/v1/me', '/v1/orders/x', '/v1/stock?limit=x']) {
    const answer = await get(path, { 'Accept-Encoding': 'br, gzip' })
    assert.equal(answer.headers['content-encoding'], undefined, path)
    assert.doesNotThrow(() => JSON.parse(answer.bytes.toString()), path)
  }
})

// Guarantee (http): Each encoding of an answer has an ETag of its own.
test('each encoding has an ETag of its own, which holds for that encoding alone', async () => {
  const tags = new Map<string, string>()
  for (const accepted of ['identity', 'gzip', 'br']) {
    const { headers } = await get('/v1/stock', { 'Accept-Encoding': accepted })
    tags.set(accepted, headers.etag ?? '')
  }
  assert.equal(new Set(tags.values()).size, 3)
  for (const [accepted, etag] of tags) {
    for (const [other, otherTag] of tags) {
      const headers = { 'Accept-Encoding': accepted, 'If-None-Match': otherTag }
      const answer = await get('/v1/stock', headers)
      assert.equal(answer.status, other === accepted ? 304 : 200, `${accepted} with ${otherTag}`)
      assert.equal(answer.headers.etag, etag)
      assert.equal(answer.headers.vary, 'Accept-Encoding')
    }
  }
})

test('a tag that a proxy added its encoding to holds, though the caller now accepts another', async () => {
  const { etag = '' } = (await get('/v1/stock', { 'Accept-Encoding': 'identity' })).headers
  for (const accepted of ['identity', 'gzip', 'br']) {
    const held = { 'Accept-Encoding': accepted, 'If-None-Match': `${etag.slice(0, -1)}-gzip"` }
    assert.equal((await get('/v1/stock', held)).status, 304, accepted)
  }
})
