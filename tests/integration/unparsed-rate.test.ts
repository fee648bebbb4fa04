import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawRequest, sendRaw } from '../support/raw-http.ts'
import { addLiveClient, startService } from '../support/service.ts'

// Requests that Node's parser refuses count like all others of their key.
const service = await startService({ RATE_LIMIT_BURST: '3', RATE_LIMIT_PER_MINUTE: '1' })
const { db, baseUrl } = service

/** With the checks of every answer below /v1, which want the headers of the bucket. */
async function remainingAfter(bytes: string): Promise<string | null> {
  const { status, headers } = await sendRaw(baseUrl, '/v1/me', Buffer.from(bytes))
  assert.equal(status, 400)
  assert.equal(headers.get('X-RateLimit-Limit'), '3')
  return headers.get('X-RateLimit-Remaining')
}

test('a request that the parser refuses takes a token and shows the bucket', async () => {
  const { writing } = await addLiveClient(service)
  const bad = rawRequest('GET /v1/stock?search=плед', writing)
  assert.equal(await remainingAfter(bad), '2')
  const bearer = bad.replace('X-Api-Key: ', 'X-Api-Key: none\r\nauthorization:  BEARER ')
  assert.equal(await remainingAfter(bearer), '1')
  assert.equal(await remainingAfter(bad.replace('Host', 'A B: 1\r\nHost')), '0')
  assert.equal(await remainingAfter(bad), '0')
  const good = await sendRaw(baseUrl, '/v1/me', rawRequest('GET /v1/me', writing))
  assert.equal(good.status, 429)
})

test('a bad chunk of a call that is served takes no second token', async () => {
  const { writing } = await addLiveClient(service)
  const head = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n'
  assert.equal(
    await remainingAfter(rawRequest('POST /v1/receipts', writing, head, 'zz\r\n\r\n')),
    '2',
  )
  assert.equal(await remainingAfter(rawRequest('GET /v1/stock?search=плед', writing)), '1')
})

test('without a key that is valid the answer has no headers of a bucket', async () => {
  const { writing } = await addLiveClient(service)
  const bad = rawRequest('GET /v1/stock?search=плед', writing)
  const [{ full_at: before } = {}] = await db`select max(full_at) as full_at from rate_buckets`
  for (const bytes of [
    'hello\r\n\r\n',
    bad.replace(/X-Api-Key.*\r\n/, ''),
    bad.replace(writing, `${writing}x`),
    bad.replace('/v1/', '/staff/v1/'),
  ]) {
    const { headers } = await sendRaw(baseUrl, '', Buffer.from(bytes))
    assert.equal(headers.has('X-RateLimit-Limit'), false, bytes)
  }
  await db`update api_keys set revoked_at = now()`
  const { headers } = await sendRaw(baseUrl, '', Buffer.from(bad))
  assert.equal(headers.has('X-RateLimit-Limit'), false)
  const [{ full_at: after } = {}] = await db`select max(full_at) as full_at from rate_buckets`
  assert.equal(after, before)
})

test('the answer does not wait for a database that is busy', async () => {
  const { writing } = await addLiveClient(service)
  await db.begin(async (tx) => {
    await tx`lock table rate_buckets in exclusive mode`
    const bytes = Buffer.from(rawRequest('GET /v1/stock?search=плед', writing))
    const { status, headers } = await sendRaw(baseUrl, '', bytes)
    assert.equal(status, 400)
    assert.equal(headers.has('X-RateLimit-Limit'), false)
  })
})
