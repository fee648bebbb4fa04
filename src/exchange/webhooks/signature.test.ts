import assert from 'node:assert/strict'
import test from 'node:test'
import { deliveryHeaders, newSecret, signatureOf } from './signature.ts'

/** Computed with `printf '1700000000.{"id":"ж"}' | openssl dgst -sha256 -hmac whsec_test`. */
const known = 'sha256=438a65781e5bfeec832297593e0e44194b4d3fc4b9444180822be1ae191797db'

test('the signature covers timestamp, dot and raw bytes, with the whole secret as key', () => {
  const body = Buffer.from('{"id":"ж"}')
  assert.equal(signatureOf('whsec_test', '1700000000', body), known)
  assert.notEqual(signatureOf('test', '1700000000', body), known)
  assert.notEqual(signatureOf('whsec_test', '1700000001', body), known)
  assert.notEqual(signatureOf('whsec_test', '1700000000', Buffer.from('{"id": "ж"}')), known)
})

test('bytes that are not text are signed unchanged', () => {
  const [one, two] = [Uint8Array.of(0xff, 0), Uint8Array.of(0xfe, 0)]
  assert.notEqual(signatureOf('whsec_test', '1', one), signatureOf('whsec_test', '1', two))
})

test('a secret is 32 random bytes in base64url', () => {
  const secrets = new Set(Array.from({ length: 100 }, newSecret))
  assert.equal(secrets.size, 100)
  for (const secret of secrets) assert.match(secret, /^whsec_[\w-]{43}$/)
})

test('the headers of an attempt', () => {
  const headers = deliveryHeaders({
    eventType: 'receipt.created',
    deliveryHeaderId: 'd1.2',
    timestamp: 1_700_000_000,
    secret: 'whsec_test',
    body: Buffer.from('{"id":"ж"}'),
  })
  assert.deepEqual(headers, {
    'Content-Type': 'application/json',
    'User-Agent': 'Sklad-Webhooks/1.1',
    'X-SVC-Event': 'receipt.created',
    'X-SVC-Delivery': 'd1.2',
    'X-SVC-Timestamp': '1700000000',
    'X-SVC-Signature': known,
  })
})
