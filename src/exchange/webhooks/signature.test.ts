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

test('a secret is 33 random bytes in base64, of letters and digits alone', () => {
  const secrets = new Set(Array.from({ length: 100 }, newSecret))
  assert.equal(secrets.size, 100)
  for (const secret of secrets) {
    assert.match(secret, /^whsec_[A-Za-z0-9]{44}$/)
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
    assert.equal(bytes.length, 33)
    assert.equal(`whsec_${bytes.toString('base64')}`, secret)
  }
})

test('a secret of before has the headers of the specification alone', () => {
  const headers = deliveryHeaders({
    eventId: 'e1',
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

/**
 * Computed with `printf 'e1.1700000000.{"id":"ж"}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:KEY -binary | base64`, where
 * KEY is `printf ExampleExampleExampleExampleExampleExample00 | base64 -d | xxd -p -c 99`.
 */
const knownStandard = 'v1,Fx3Uh2UnsKO+CT0LrW6LCwNyvsHZJLQO1/viyEO81Ow='

test('a secret of letters and digits signs as Standard Webhooks say, too', () => {
  const secret = 'whsec_ExampleExampleExampleExampleExampleExample00'
  const body = Buffer.from('{"id":"ж"}')
  const facts = { eventType: 'receipt.created', timestamp: 1_700_000_000, secret, body }
  const headers = deliveryHeaders({ ...facts, eventId: 'e1', deliveryHeaderId: 'd1' })
  assert.equal(headers['X-SVC-Signature'], signatureOf(secret, '1700000000', body))
  assert.equal(headers['webhook-id'], 'e1')
  assert.equal(headers['webhook-timestamp'], '1700000000')
  assert.equal(headers['webhook-signature'], knownStandard)
  const repeat = deliveryHeaders({ ...facts, eventId: 'e1', deliveryHeaderId: 'd1.2' })
  assert.equal(repeat['webhook-id'], 'e1')
})
