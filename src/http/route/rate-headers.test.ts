import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describe } from '../../platform/kernel/token-bucket.ts'
import { rateHeaders } from './rate-headers.ts'

const second = 1_000_000
const noon = Date.UTC(2026, 10, 20, 12) * 1000

test('a bucket of a key is shown by the specification and by the draft', () => {
  const rule = { capacity: 20, intervalMicros: second }
  assert.deepEqual(rateHeaders(describe(rule, noon + 2.5 * second, noon)), {
    'X-RateLimit-Limit': 20,
    'X-RateLimit-Remaining': 17,
    'X-RateLimit-Reset': noon / second + 3,
    RateLimit: '"burst";r=17;t=3',
    'RateLimit-Policy': '"burst";q=20;w=20, "average";q=60;w=60',
  })
})

test('an average below one in a minute is said by the hour', () => {
  const rule = { capacity: 10, intervalMicros: 120 * second }
  const headers = rateHeaders(describe(rule, undefined, noon))
  assert.equal(headers.RateLimit, '"burst";r=10;t=0')
  assert.equal(headers['RateLimit-Policy'], '"burst";q=10;w=1200, "average";q=30;w=3600')
})
