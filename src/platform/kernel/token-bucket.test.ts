import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { type BucketRule, describe } from './token-bucket.ts'

const SECOND = 1_000_000
const perKey: BucketRule = { capacity: 20, intervalMicros: SECOND }
const NOON = Date.UTC(2026, 10, 20, 12) * 1000

const aRule = fc.record({
  capacity: fc.integer({ min: 1, max: 50 }),
  intervalMicros: fc.integer({ min: 1, max: 60 * SECOND }),
})
/** Calls with the pause before each, in thirds of an interval and a few microseconds. */
const someCalls = fc.array(
  fc.record({
    thirds: fc.integer({ min: 0, max: 12 }),
    micros: fc.integer({ min: 0, max: 2 }),
    calls: fc.integer({ min: 0, max: 30 }),
  }),
  { maxLength: 60 },
)

/** Takes up to `calls` tokens at `now`, as the SQL of admission does. `fullAt` is undefined for a bucket that was never used. */
function take(rule: BucketRule, fullAt: number | undefined, now: number, calls: number) {
  const granted = Math.min(calls, describe(rule, fullAt, now).remaining)
  const empty = now + rule.capacity * rule.intervalMicros
  const isTooFar = fullAt !== undefined && fullAt > empty + SECOND
  const base = isTooFar ? empty : Math.max(fullAt ?? now, now)
  return { granted, fullAt: base + granted * rule.intervalMicros }
}

/** Sends calls through a bucket and returns each with its time. */
function play(
  rule: BucketRule,
  calls: readonly { thirds: number; micros: number; calls: number }[],
) {
  let fullAt: number | undefined
  let now = NOON
  return calls.map((call) => {
    now += Math.floor((call.thirds * rule.intervalMicros) / 3) + call.micros
    const before = fullAt
    const result = take(rule, before, now, call.calls)
    fullAt = result.fullAt
    return { ...result, before, now, calls: call.calls }
  })
}

test('a full bucket grants its capacity at once, then one call per interval', () => {
  let fullAt: number | undefined
  const call = (now: number) => {
    const result = take(perKey, fullAt, now, 1)
    fullAt = result.fullAt
    return result.granted === 1
  }
  for (let n = 0; n < 20; n++) assert.ok(call(NOON))
  assert.ok(!call(NOON))
  assert.ok(!call(NOON + SECOND - 1))
  assert.ok(call(NOON + SECOND))
  assert.ok(!call(NOON + SECOND))
  assert.equal(take(perKey, fullAt, NOON + 100 * SECOND, 25).granted, 20)
})

test('describe returns the values of the rate headers', () => {
  const unix = NOON / SECOND
  const rule = { limit: 20, intervalMicros: SECOND }
  const full = {
    ...rule,
    remaining: 20,
    resetUnixSeconds: unix,
    fullInSeconds: 0,
    retryAfterSeconds: 1,
  }
  assert.deepEqual(describe(perKey, undefined, NOON), full)
  assert.deepEqual(describe(perKey, NOON - SECOND, NOON), full)
  const { fullAt } = take(perKey, undefined, NOON, 20)
  assert.deepEqual(describe(perKey, fullAt, NOON + 1), {
    ...rule,
    remaining: 0,
    resetUnixSeconds: unix + 20,
    fullInSeconds: 20,
    retryAfterSeconds: 1,
  })
  const hourly: BucketRule = { capacity: 20, intervalMicros: 60 * SECOND }
  const spent = take(hourly, undefined, NOON, 20).fullAt
  assert.equal(describe(hourly, spent, NOON + SECOND + 1).retryAfterSeconds, 59)
})

test('a smaller rule finds the bucket empty', () => {
  const { fullAt } = take(perKey, undefined, NOON, 20)
  const smaller: BucketRule = { capacity: 5, intervalMicros: SECOND }
  assert.equal(describe(smaller, fullAt, NOON).remaining, 0)
  assert.equal(describe(smaller, fullAt, NOON).retryAfterSeconds, 1)
  const refused = take(smaller, fullAt, NOON, 1)
  assert.equal(refused.granted, 0)
  assert.equal(take(smaller, refused.fullAt, NOON + SECOND, 1).granted, 1)
})

test('a clock that goes back an hour empties the bucket and locks nobody out', () => {
  const used = take(perKey, undefined, NOON, 1).fullAt
  const back = NOON - 3600 * SECOND
  assert.equal(describe(perKey, used, back).retryAfterSeconds, 1)
  const refused = take(perKey, used, back, 1)
  assert.equal(refused.granted, 0)
  assert.equal(take(perKey, refused.fullAt, back + SECOND, 2).granted, 1)
})

test('a reader of the clock that comes late gives no token back', () => {
  const { fullAt } = take(perKey, undefined, NOON, 20)
  assert.equal(take(perKey, fullAt, NOON - SECOND / 2, 1).fullAt, fullAt)
})

test('the bucket equals one that fills continuously', () => {
  fc.assert(
    fc.property(aRule, someCalls, (rule, calls) => {
      const interval = BigInt(rule.intervalMicros)
      const brim = BigInt(rule.capacity) * interval
      let level = brim
      let last = NOON
      for (const { now, calls: requested, granted } of play(rule, calls)) {
        level += BigInt(now - last)
        if (level > brim) level = brim
        last = now
        const expected = Math.min(requested, Number(level / interval))
        level -= BigInt(expected) * interval
        assert.equal(granted, expected)
      }
    }),
  )
})

test('a batch takes the same tokens as its calls one by one', () => {
  fc.assert(
    fc.property(aRule, someCalls, (rule, calls) => {
      for (const { before, now, calls: requested, granted, fullAt } of play(rule, calls)) {
        let [single, count] = [before, 0]
        for (let n = 0; n < requested; n++) {
          const one = take(rule, single, now, 1)
          single = one.fullAt
          count += one.granted
        }
        assert.equal(count, granted)
        assert.equal(single ?? now, requested === 0 ? (single ?? now) : fullAt)
      }
    }),
  )
})

test('no period grants more than the capacity and the tokens that returned in it', () => {
  fc.assert(
    fc.property(aRule, someCalls, (rule, calls) => {
      const played = play(rule, calls)
      for (const [from, first] of played.entries()) {
        let sum = 0
        for (const { now, granted } of played.slice(from)) {
          sum += granted
          assert.ok(sum <= rule.capacity + (now - first.now) / rule.intervalMicros)
        }
      }
    }),
  )
})

test('describe predicts the next grants', () => {
  fc.assert(
    fc.property(aRule, someCalls, (rule, calls) => {
      for (const { now, fullAt } of play(rule, calls)) {
        const state = describe(rule, fullAt, now)
        assert.equal(take(rule, fullAt, now, 1000).granted, state.remaining)
        const later = now + state.retryAfterSeconds * SECOND
        assert.equal(take(rule, fullAt, later, 1).granted, 1)
        const reset = describe(rule, fullAt, Math.max(now, state.resetUnixSeconds * SECOND))
        assert.equal(reset.remaining, rule.capacity)
        assert.ok(Object.values(state).every(Number.isSafeInteger))
      }
    }),
  )
})
