import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hour, minute } from '../../../platform/kernel/moscow-time.ts'
import { momentBefore, openMarketplaceClock } from './marketplace-clock.ts'

const remote = Date.parse('2026-11-20T12:00:00Z')
const call = {}
const answer = { call, status: 200 }
const dated = (at: number) => ({ date: new Date(at).toUTCString() })

function openClock(ownAheadMs: number) {
  let aheadMs = ownAheadMs
  const reports: number[] = []
  const set = (ms: number) => {
    aheadMs = ms
  }
  const clock = openMarketplaceClock(
    () => remote + aheadMs,
    (ms) => reports.push(ms),
  )
  return { clock, reports, set }
}

test('a clock that differs by minutes counts, and one that differs by more does not', () => {
  for (const aheadMs of [-5 * minute, 0, 5 * minute]) {
    const { clock, reports } = openClock(aheadMs)
    clock.heed({ ...answer, headers: dated(remote) })
    assert.equal(clock.now(), remote + aheadMs)
    assert.deepEqual(reports, [])
  }
  for (const aheadMs of [-2 * hour, -6 * minute, 6 * minute, 2 * hour]) {
    const { clock, reports, set } = openClock(aheadMs)
    clock.heed({ ...answer, headers: dated(remote) })
    assert.equal(clock.now(), remote)
    clock.heed({ ...answer, headers: dated(remote + 1000) })
    assert.deepEqual(reports, [aheadMs])
    set(0)
    clock.heed({ ...answer, headers: dated(remote) })
    assert.equal(clock.now(), remote)
    assert.deepEqual(reports, [aheadMs, 0])
  }
})

test('refusals, files of other hosts and answers without a readable time tell nothing', () => {
  const { clock } = openClock(0)
  const headers = dated(remote + 2 * hour)
  clock.heed({ ...answer, status: 502, headers })
  clock.heed({ ...answer, call: { ...call, baseUrl: 'https://files.example' }, headers })
  clock.heed({ call })
  clock.heed({ ...answer, headers: {} })
  clock.heed({ ...answer, headers: { date: 'soon' } })
  assert.equal(clock.now(), remote)
})

test('the moment before a call is read anew where the clock was corrected meanwhile', () => {
  assert.equal(momentBefore(remote, 20, remote + 21), remote)
  assert.equal(momentBefore(remote + 2 * hour, 20.3, remote + 20), remote)
  assert.equal(momentBefore(remote - 2 * hour, 20.3, remote + 20), remote)
})
