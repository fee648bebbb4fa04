import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterCountVerb, countStatuses, countVerbs, differenceOf } from './state.ts'

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

test('only units outside of all that was expected meanwhile are a difference', () => {
  const difference = (counted: number) =>
    differenceOf({ counted, expected_min: 7, expected_max: 9 })
  assert.deepEqual([5, 6, 7, 8, 9, 10].map(difference), [-2, -1, 0, 0, 0, 1])
})
