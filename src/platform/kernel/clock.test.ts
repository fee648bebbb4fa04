import assert from 'node:assert/strict'
import test from 'node:test'
import { ManualClock, systemClock } from './clock.ts'

test('a manual clock moves only when a test moves it', () => {
  const clock = new ManualClock(1000)
  assert.equal(clock.now(), 1000)
  clock.advance(500)
  assert.equal(clock.now(), 1500)
  clock.set(7)
  assert.equal(clock.now(), 7)
})

test('the system clock returns the current time in whole milliseconds', () => {
  const before = Date.now()
  const now = systemClock.now()
  assert.ok(Number.isInteger(now) && now >= before && now <= Date.now())
})
