import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { steppingTime } from '../../tests/support/marketplaces/time.ts'
import { openLimits } from './limits.ts'

const rule = { burst: 3, intervalMs: 100 }

/** When calls of accounts that all ask now may go, in milliseconds from now. */
function openScene(given = rule) {
  const time = steppingTime()
  const limits = openLimits(given, time)
  const gone: { account: string; call: number; at: number }[] = []
  let calls = 0
  const ask = (account = 'a') => {
    const call = ++calls
    void limits.take(account).then(() => gone.push({ account, call, at: time.now() }))
  }
  return { time, limits, gone, ask, times: () => gone.map(({ at }) => at) }
}

test('a full bucket lets its burst go at once, and then a call every interval', async () => {
  const { ask, time, times } = openScene()
  for (let call = 0; call < 6; call++) ask()
  await time.run()
  assert.deepEqual(times(), [0, 0, 0, 100, 200, 300])
})

test('a bucket that rested is full again, and no fuller', async () => {
  const { ask, time, times } = openScene()
  for (let call = 0; call < 3; call++) ask()
  await time.pass(10_000)
  for (let call = 0; call < 4; call++) ask()
  await time.run()
  assert.deepEqual(times(), [0, 0, 0, 10_000, 10_000, 10_000, 10_100])
})

test('what the marketplace charges on top is waited for', async () => {
  const { ask, time, times, limits } = openScene()
  ask()
  await time.run()
  limits.charge('a', 9)
  ask()
  ask()
  await time.run()
  assert.deepEqual(times(), [0, 800, 900])
})

test('a held account waits, also with its call that waits already', async () => {
  const { ask, time, times, limits } = openScene()
  for (let call = 0; call < 4; call++) ask()
  await time.pass(0)
  limits.hold('a', 5_000)
  limits.hold('a', 1_000)
  ask()
  await time.run()
  assert.deepEqual(times(), [0, 0, 0, 5_000, 5_000])
})

test('accounts wait for their own bucket only', async () => {
  const { ask, time, gone, limits } = openScene()
  limits.hold('a', 60_000)
  ask('a')
  ask('b')
  await time.pass(0)
  assert.deepEqual(
    gone.map(({ account }) => account),
    ['b'],
  )
})

test('calls of an account go in the order in which they were asked for', async () => {
  const { ask, time, gone } = openScene()
  for (let call = 0; call < 20; call++) ask()
  await time.run()
  const calls = gone.map(({ call }) => call)
  assert.deepEqual(
    calls,
    calls.toSorted((a, b) => a - b),
  )
})

test('buckets that are forgotten are the full ones', async () => {
  const { time, limits, ask, times } = openScene()
  limits.hold('a', 5_000)
  for (let other = 0; other < 20_000; other++) limits.charge(`other ${other}`, 0)
  ask()
  await time.run()
  assert.deepEqual(times(), [5_000])
})

test('however calls come, no stretch of time has more than the rule allows', async () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 250 }), { minLength: 1, maxLength: 60 })
  const rules = fc.record({
    burst: fc.integer({ min: 1, max: 20 }),
    intervalMs: fc.integer({ min: 1, max: 500 }),
  })
  await fc.assert(
    fc.asyncProperty(rules, pauses, async (given, pausesMs) => {
      const { ask, time, times } = openScene(given)
      for (const pauseMs of pausesMs) {
        ask()
        await time.pass(pauseMs)
      }
      await time.run()
      const gone = times()
      assert.equal(gone.length, pausesMs.length)
      for (let first = 0; first < gone.length; first++) {
        for (let last = first; last < gone.length; last++) {
          const stretch = (gone[last] ?? 0) - (gone[first] ?? 0)
          assert.ok(last - first + 1 <= given.burst + stretch / given.intervalMs)
        }
      }
    }),
    { numRuns: 50 },
  )
})
