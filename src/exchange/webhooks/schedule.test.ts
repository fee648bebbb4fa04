import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { failuresMax, pauseAfterFailures, retryPause, standardSchedule } from './schedule.ts'

test('the standard schedule makes eight attempts', () => {
  const minutes = Array.from({ length: 9 }, (_, n) => {
    const pause = retryPause(standardSchedule, n + 1, 0)
    return pause === undefined ? undefined : pause / 60_000
  })
  assert.deepEqual(minutes, [1, 5, 30, 120, 720, 720, 720, undefined, undefined])
  assert.equal(standardSchedule.length + 1, failuresMax)
})

test('chance adds to a pause up to a tenth of it, at most two seconds', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (pause, chance) => {
        const added = (retryPause([pause], 1, chance) ?? Number.NaN) - pause
        assert.ok(Number.isInteger(added) && added >= 0)
        assert.ok(added <= Math.min(pause * 0.1, 2000) + 0.5)
      },
    ),
  )
  assert.equal(retryPause([1000], 1, 1), 1100)
  assert.equal(retryPause([60_000], 1, 1), 62_000)
})

test('the first failure pauses nothing; each later one pauses as long as the schedule says', () => {
  const pauses = [10, 20, 30]
  assert.deepEqual(
    [1, 2, 3, 4, 5, 9].map((failures) => pauseAfterFailures(pauses, failures)),
    [0, 10, 20, 30, 30, 30],
  )
  assert.equal(pauseAfterFailures([], 5), 0)
})
