import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterQuiet, nextHour } from './times.ts'

const at = (text: string) => Date.parse(`2026-11-${text}:00+03:00`)
const night = { from: 22, to: 8 }

test('what comes about in quiet hours waits for their end, over midnight too', () => {
  assert.equal(afterQuiet(at('20T23:30'), night), at('21T08:00'))
  assert.equal(afterQuiet(at('20T00:00'), night), at('20T08:00'))
  assert.equal(afterQuiet(at('20T22:00'), night), at('21T08:00'))
  assert.equal(afterQuiet(at('20T13:59'), { from: 13, to: 14 }), at('20T14:00'))
})

test('outside of quiet hours nothing waits', () => {
  for (const moment of ['20T08:00', '20T12:00', '20T21:59']) {
    assert.equal(afterQuiet(at(moment), night), at(moment))
  }
  assert.equal(afterQuiet(at('20T03:00'), undefined), at('20T03:00'))
  assert.equal(afterQuiet(at('20T03:00'), { from: 3, to: 3 }), at('20T03:00'))
})

test('a digest goes at its hour, and what comes at that very moment goes with the next one', () => {
  assert.equal(nextHour(at('20T08:59'), 9), at('20T09:00'))
  assert.equal(nextHour(at('20T09:00'), 9), at('21T09:00'))
  assert.equal(nextHour(at('20T23:59'), 0), at('21T00:00'))
})
