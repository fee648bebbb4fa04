import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renewPeriodically } from './lease-renewal.ts'

test('renewals never overlap, go on after a failure, and end when stopped', async ({ mock }) => {
  mock.timers.enable({ apis: ['setInterval'] })
  const renewals: PromiseWithResolvers<void>[] = []
  const stop = renewPeriodically(() => {
    const renewal = Promise.withResolvers<void>()
    renewals.push(renewal)
    return renewal.promise
  }, 2_000)
  mock.timers.tick(20_000)
  assert.equal(renewals.length, 1)
  renewals[0]?.resolve()
  await promisesSettled()
  mock.timers.tick(4_000)
  assert.equal(renewals.length, 2)
  renewals[1]?.reject(new Error('connection lost'))
  await promisesSettled()
  mock.timers.tick(2_000)
  assert.equal(renewals.length, 3)
  stop()
  renewals[2]?.resolve()
  await promisesSettled()
  mock.timers.tick(20_000)
  assert.equal(renewals.length, 3)
})

const promisesSettled = () => new Promise((resolve) => setImmediate(resolve))
