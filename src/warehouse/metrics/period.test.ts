import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metricsPeriod } from './period.ts'

const day = 24 * 60 * 60 * 1000
const now = Date.parse('2026-11-20T18:00:00.123+03:00')
const limits = { defaultDays: 30, maxDays: 366 }
const period = (from?: number, to?: number) => metricsPeriod({ from, to }, now, limits)

test('a missing bound is 30 days away from the given one', () => {
  assert.deepEqual(period(), { from: now - 30 * day, to: now })
  assert.deepEqual(period(now - 90 * day), { from: now - 90 * day, to: now - 60 * day })
  assert.deepEqual(period(undefined, now - day), { from: now - 31 * day, to: now - day })
})

test('a period runs forward and is at most 366 days long', () => {
  assert.throws(() => period(now, now), /from должен быть раньше to/)
  assert.throws(() => period(now + 1, now), { code: 'bad_request' })
  assert.deepEqual(period(now - 366 * day, now), { from: now - 366 * day, to: now })
  assert.throws(() => period(now - 366 * day - 1, now), /366 дней/)
})

test('a period outside of the calendar is refused', () => {
  assert.throws(() => period(Date.parse('9999-12-20T00:00:00+03:00')), /календарь/)
  assert.throws(() => period(undefined, Date.parse('0001-01-10T00:00:00+03:00')), /календарь/)
})
