import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { steppingTime } from '../../../../tests/support/marketplaces/fake-time.ts'
import { openLimits } from '../../../../tests/support/marketplaces/in-memory-limits.ts'
import { AccountHeld } from './limits.ts'

const rule = { burst: 3, intervalMs: 100 }

/** Calls that all reserve now, and when they start, in milliseconds from now. */
function openScene(given = rule) {
  const time = steppingTime()
  const limits = openLimits(given, time)
  const started: { account: string; call: number; cost: number; at: number }[] = []
  let calls = 0
  const ask = (account = 'a', cost = 1, part?: string) => {
    const call = ++calls
    void limits
      .take(account, cost, part)
      .then(() => started.push({ account, call, cost, at: time.now() }))
  }
  return { time, limits, started, ask, times: () => started.map(({ at }) => at) }
}

test('a hold delays all calls of the account, the waiting one included', async () => {
  const { ask, time, times, limits } = openScene()
  for (let call = 0; call < 4; call++) ask()
  await time.pass(0)
  await limits.hold('a', 5_000)
  await limits.hold('a', 1_000)
  ask()
  await time.run()
  assert.deepEqual(times(), [0, 0, 0, 5_000, 5_000])
})

test('an account waits for its own bucket only', async () => {
  const { ask, time, started, limits } = openScene()
  await limits.hold('a', 60_000)
  ask('a')
  ask('b')
  await time.pass(0)
  assert.deepEqual(
    started.map(({ account }) => account),
    ['b'],
  )
})

test('calls of an account start in the order in which they reserved', async () => {
  const { ask, time, started } = openScene()
  for (let call = 0; call < 20; call++) ask()
  await time.run()
  const calls = started.map(({ call }) => call)
  assert.deepEqual(
    calls,
    calls.toSorted((a, b) => a - b),
  )
})

test('a call of an account that is held for long fails at once and takes nothing', async () => {
  const { limits, ask, time, times } = openScene()
  await limits.hold('a', 60_001)
  for (let call = 0; call < 10; call++) await assert.rejects(limits.take('a'), AccountHeld)
  await time.pass(101)
  for (let call = 0; call < 4; call++) ask()
  await time.run()
  assert.deepEqual(times(), [60_001, 60_001, 60_001, 60_101])
})

test('a held part waits, and the other calls of the account start', async () => {
  const { limits, ask, time, started } = openScene()
  await limits.hold('a/part', 5_000)
  ask('a', 1, 'a/part')
  ask('a')
  await time.run()
  assert.deepEqual(
    started.map(({ call, at }) => [call, at]),
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
  assert.equal(started.length, 4)
})

test('a call of a part waits longer if the part is held meanwhile', async () => {
  const { limits, ask, time, times } = openScene()
  for (let call = 0; call < 3; call++) ask('a')
  ask('a', 1, 'a/part')
  await time.pass(50)
  await limits.hold('a/part', 5_000)
  await time.run()
  assert.deepEqual(times(), [0, 0, 0, 5_050])
})

test('no period has more calls than the rule allows, however calls come', async () => {
  const step = fc.record({
    cost: fc.integer({ min: 1, max: 4 }),
    pauseMs: fc.integer({ min: 0, max: 250 }),
    holdMs: fc.option(fc.integer({ min: 0, max: 5_000 }), { freq: 10 }),
  })
  const rules = fc.record({
    burst: fc.integer({ min: 4, max: 20 }),
    intervalMs: fc.integer({ min: 1, max: 200 }),
  })
  const asks = fc.array(step, { minLength: 1, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(rules, asks, async (given, scene) => {
      const { ask, time, limits, started } = openScene(given)
      for (const { cost, pauseMs, holdMs } of scene) {
        ask('a', cost)
        await time.pass(pauseMs)
        if (holdMs !== null) await limits.hold('a', holdMs)
      }
      await time.run()
      assert.equal(started.length, scene.length)
      for (const [first, { at: from }] of started.entries()) {
        let spent = 0
        for (const { at, cost } of started.slice(first)) {
          spent += cost
          assert.ok(spent <= given.burst + (at - from) / given.intervalMs)
        }
      }
    }),
    { numRuns: 50 },
  )
})
