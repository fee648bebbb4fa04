import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepRenewed } from './renewal.ts'

test('a renewal that waits is not joined by others, and is followed by the next one', async ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setInterval'] })
  const waiting: PromiseWithResolvers<void>[] = []
  const stop = keepRenewed(() => {
    const renewal = Promise.withResolvers<void>()
    waiting.push(renewal)
    return renewal.promise
  }, 2_000)
  mock.timers.tick(20_000)
  assert.equal(waiting.length, 1)
  waiting[0]?.resolve()
  await settled()
  mock.timers.tick(4_000)
  assert.equal(waiting.length, 2)
  waiting[1]?.reject(new Error('the database is away'))
  await settled()
  mock.timers.tick(2_000)
  assert.equal(waiting.length, 3)
  stop()
  waiting[2]?.resolve()
  await settled()
  mock.timers.tick(20_000)
  assert.equal(waiting.length, 3)
})

/** All that waits for no more than promises has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve))
