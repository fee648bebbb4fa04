import assert from 'node:assert/strict'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Received } from './receiver.ts'

/**
 * Checks a request as the published algorithm of Standard Webhooks says: the key is what follows `whsec_`, decoded from
 * base64; signed is `id.timestamp.body`; the header lists signatures with their versions.
 */
export function assertStandard(
  { headers, bytes, event }: Pick<Received, 'headers' | 'bytes' | 'event'>,
  secret: string,
): void {
  const [id, timestamp, listed] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`]),
  )
  assert.equal(id, event.id)
  assert.equal(timestamp, headers['x-svc-timestamp'])
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), bytes])
  const expected = createHmac('sha256', key).update(signed).digest()
  const fits = String(listed)
    .split(' ')
    .some((each) => {
      const [version, signature = ''] = each.split(',')
      const given = Buffer.from(signature, 'base64')
      return version === 'v1' && given.length === 32 && timingSafeEqual(given, expected)
    })
  assert.ok(fits, `${listed} does not sign ${id}`)
}
