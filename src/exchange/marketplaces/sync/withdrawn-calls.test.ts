import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day, type Timestamp, toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import { MarketplaceError } from '../calls/failure.ts'
import { openWithdrawnCalls } from './withdrawn-calls.ts'

const now = Date.parse('2026-11-28T12:00:00+03:00')
const ago = (ms: number): Timestamp => toTimestamp(now - ms)

function refusal(status: number, call: string, meaning?: 'obsolete') {
  const error = new MarketplaceError('rejected', 'WB отказал', { status, meaning })
  error.call = call
  return error
}

test('a call that is unknown for a day, or withdrawn by name, is logged once', () => {
  const logged: unknown[] = []
  const calls = openWithdrawnCalls({
    warn: (details) => void logged.push(details),
    error: () => {},
  })
  const run = { cabinetId: 'one', since: ago(day) }
  const fresh = { ...run, since: ago(day - 1) }
  calls.look(fresh, refusal(404, '/young'), now)
  calls.look(run, refusal(400, '/bad'), now)
  calls.look(run, new Error('of ours'), now)
  assert.deepEqual(logged, [])
  calls.look(run, refusal(404, '/old'), now)
  calls.look({ ...run, cabinetId: 'two' }, refusal(404, '/old'), now)
  calls.look(fresh, refusal(400, '/named', 'obsolete'), now)
  assert.deepEqual(
    logged,
    ['/old', '/named'].map((call) => ({ cabinet: 'one', call })),
  )
})
