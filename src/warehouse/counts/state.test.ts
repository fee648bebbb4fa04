import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterCountVerb, countStatuses, countVerbs, differenceOf, isAtWork } from './state.ts'

test('a count goes along its diagram, and every other verb is refused in every other state', () => {
  const allowed = countStatuses.flatMap((status) =>
    countVerbs.flatMap((verb) => {
      const after = afterCountVerb(status, verb)
      return after === undefined ? [] : [`${status} ${verb} ${after}`]
    }),
  )
  assert.deepEqual(allowed, [
    'DRAFT start COUNTING',
    'DRAFT cancel CANCELLED',
    'COUNTING scan COUNTING',
    'COUNTING finish COUNTING',
    'COUNTING resume COUNTING',
    'COUNTING review REVIEW',
    'COUNTING cancel CANCELLED',
    'REVIEW recount COUNTING',
    'REVIEW decide REVIEW',
    'REVIEW close CLOSED',
    'REVIEW cancel CANCELLED',
  ])
})

test('whoever has scanned in this round and has not said that nothing is left is at work', () => {
  const [before, review, after] = [
    '2026-11-30T10:00:00.000+03:00',
    '2026-11-30T11:00:00.000+03:00',
    '2026-11-30T12:00:00.000+03:00',
  ] as const
  const isAt = (last_at: string, reviewed: string | null, finished_at: string | null = null) =>
    isAtWork({ last_at, finished_at }, reviewed)
  assert.deepEqual(
    [isAt(before, null), isAt(before, review), isAt(after, review)],
    [true, false, true],
  )
  assert.equal(isAt(after, review, after), false)
})

test('only units outside of all that was expected meanwhile are a difference', () => {
  const difference = (counted: number) =>
    differenceOf({ counted, expected_min: 7, expected_max: 9 })
  assert.deepEqual([5, 6, 7, 8, 9, 10].map(difference), [-2, -1, 0, 0, 0, 1])
})
