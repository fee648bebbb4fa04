import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openLimits } from '../../../tests/support/marketplaces/buckets-in-memory.ts'
import { steppingTime } from '../../../tests/support/marketplaces/time.ts'
import { AccountHeld } from './limits.ts'

const rule = { burst: 3, intervalMs: 100 }

/** When calls of accounts that all ask now may go, in milliseconds from now. */
function openScene(given = rule) {
  const time = steppingTime()
  const limits = openLimits(given, time)
  const gone: { account: string; call: number; cost: number; at: number }[] = []
  let calls = 0
  const ask = (account = 'a', cost = 1, part?: string) => {
    const call = ++calls
    void limits
      .take(account, cost, part)
      .then(() => gone.push({ account, call, cost, at: time.now() }))
  }
  return { time, limits, gone, ask, times: () => gone.map(({ at }) => at) }
}

test('a held account waits, also with its call that waits already', async () => {
  const { ask, time, times, limits } = openScene()
  for (let call = 0; call < 4; call++) ask()
  await time.pass(0)
  await limits.hold('a', 5_000)
  await limits.hold('a', 1_000)
  ask()
  await time.run()
  assert.deepEqual(times(), [0, 0, 0, 5_000, 5_000])
})

test('accounts wait for their own bucket only', async () => {
  const { ask, time, gone, limits } = openScene()
  await limits.hold('a', 60_000)
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

test('an account that is held for long is told so at once, and takes nothing', async () => {
  const { limits, ask, time, times } = openScene()
  await limits.hold('a', 60_001)
  for (let call = 0; call < 10; call++) await assert.rejects(limits.take('a'), AccountHeld)
  await time.pass(101)
  for (let call = 0; call < 4; call++) ask()
  await time.run()
  assert.deepEqual(times(), [60_001, 60_001, 60_001, 60_101])
})

test('a part that is held waits by itself, and the rest of the account goes on', async () => {
  const { limits, ask, time, gone } = openScene()
  await limits.hold('a/part', 5_000)
  ask('a', 1, 'a/part')
  ask('a')
  await time.run()
  assert.deepEqual(
    gone.map(({ call, at }) => [call, at]),
    [
      [2, 0],
      [1, 5_000],
    ],
  )
  await limits.hold('a/part', 60_001)
  for (let call = 0; call < 10; call++) {
    await assert.rejects(limits.take('a', 1, 'a/part'), AccountHeld)
  }
  for (let call = 0; call < 2; call++) ask('a')
  await time.pass(0)
  assert.equal(gone.length, 4)
})

test('a call of a part waits longer where that is held while it waits for its place', async () => {
  const { limits, ask, time, times } = openScene()
  for (let call = 0; call < 3; call++) ask('a')
  ask('a', 1, 'a/part')
  await time.pass(50)
  await limits.hold('a/part', 5_000)
  await time.run()
  assert.deepEqual(times(), [0, 0, 0, 5_050])
})

test('however calls come, no stretch of time has more than the rule allows', async () => {
  const asked = fc.record({
    cost: fc.integer({ min: 1, max: 4 }),
    pauseMs: fc.integer({ min: 0, max: 250 }),
    holdMs: fc.option(fc.integer({ min: 0, max: 5_000 }), { freq: 10 }),
  })
  const rules = fc.record({
    burst: fc.integer({ min: 4, max: 20 }),
    intervalMs: fc.integer({ min: 1, max: 200 }),
  })
  const asks = fc.array(asked, { minLength: 1, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(rules, asks, async (given, scene) => {
      const { ask, time, limits, gone } = openScene(given)
      for (const { cost, pauseMs, holdMs } of scene) {
        ask('a', cost)
        await time.pass(pauseMs)
        if (holdMs !== null) await limits.hold('a', holdMs)
      }
      await time.run()
      assert.equal(gone.length, scene.length)
      for (const [first, { at: from }] of gone.entries()) {
        let spent = 0
        for (const { at, cost } of gone.slice(first)) {
          spent += cost
          assert.ok(spent <= given.burst + (at - from) / given.intervalMs)
        }
      }
    }),
    { numRuns: 50 },
  )
})
