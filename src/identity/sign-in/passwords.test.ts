import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPassword } from './passwords.ts'

test('two passwords are checked at once; one that waits for three seconds is refused and computes nothing', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const checks = Array.from({ length: 4 }, () => isPassword('кто угодно', null))
  t.mock.timers.tick(3_000)
  const settled = await Promise.allSettled(checks)
  assert.deepEqual(
    settled.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.code)),
    [false, false, 'rate_limited', 'rate_limited'],
  )
})
