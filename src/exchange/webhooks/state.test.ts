import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { failuresMax, standardSchedule } from './schedule.ts'
import { afterAttempt, type QueueHealth } from './state.ts'

const now = 1_000_000_000
const pause = 60_000
const schedule = Array.from({ length: 7 }, () => pause)

const failing = (failuresInRow: number, pausedUntil: number) =>
  ({
    kind: 'failing',
    failuresInRow,
    lastFailureAt: now - 500,
    pausedUntil,
    soleFailingDelivery: 'a',
  }) as const

type QueueState = 'healthy' | 'probation' | 'paused' | 'disabled'

function queueStateAt(health: QueueHealth, at: number): QueueState {
  if (health.kind !== 'failing') return health.kind
  return health.pausedUntil > at ? 'paused' : 'probation'
}

/** Every state, with the last step before disabling as a case of its own. */
const healths = {
  healthy: { kind: 'healthy' },
  probation: failing(1, now - 500),
  paused: failing(2, now + 500),
  'on the last failure but one': failing(failuresMax - 1, now - 500),
  disabled: {
    kind: 'disabled',
    failuresInRow: failuresMax,
    lastFailureAt: now - 500,
    pausedUntil: now - 500,
    soleFailingDelivery: 'a',
  },
} as const satisfies Record<string, QueueHealth>

const attempts = {
  success: { deliveryId: 'a', ok: true, startedAt: now - 10 },
  failure: { deliveryId: 'a', ok: false, startedAt: now - 10 },
  'failure of another delivery': { deliveryId: 'b', ok: false, startedAt: now - 10 },
  'failure of the same outage': { deliveryId: 'a', ok: false, startedAt: now - 500 },
  'failure of the same outage, of another delivery': {
    deliveryId: 'b',
    ok: false,
    startedAt: now - 500,
  },
} as const

type Row = readonly [state: QueueState, failuresInRow: number, sole: string | null]

const expected: Record<keyof typeof healths, Record<keyof typeof attempts, Row>> = {
  healthy: {
    success: ['healthy', 0, null],
    failure: ['probation', 1, 'a'],
    'failure of another delivery': ['probation', 1, 'b'],
    'failure of the same outage': ['probation', 1, 'a'],
    'failure of the same outage, of another delivery': ['probation', 1, 'b'],
  },
  probation: {
    success: ['healthy', 0, null],
    failure: ['paused', 2, 'a'],
    'failure of another delivery': ['paused', 2, null],
    'failure of the same outage': ['probation', 1, 'a'],
    'failure of the same outage, of another delivery': ['probation', 1, null],
  },
  paused: {
    success: ['healthy', 0, null],
    failure: ['paused', 3, 'a'],
    'failure of another delivery': ['paused', 3, null],
    'failure of the same outage': ['paused', 2, 'a'],
    'failure of the same outage, of another delivery': ['paused', 2, null],
  },
  'on the last failure but one': {
    success: ['healthy', 0, null],
    failure: ['disabled', 8, 'a'],
    'failure of another delivery': ['disabled', 8, null],
    'failure of the same outage': ['probation', 7, 'a'],
    'failure of the same outage, of another delivery': ['probation', 7, null],
  },
  disabled: {
    success: ['disabled', 8, 'a'],
    failure: ['disabled', 8, 'a'],
    'failure of another delivery': ['disabled', 8, 'a'],
    'failure of the same outage': ['disabled', 8, 'a'],
    'failure of the same outage, of another delivery': ['disabled', 8, 'a'],
  },
}

test('every state × every outcome of an attempt', () => {
  for (const [name, health] of Object.entries(healths)) {
    for (const [outcome, attempt] of Object.entries(attempts)) {
      const after = afterAttempt(health, attempt, now, schedule)
      const failures = after.kind === 'healthy' ? 0 : after.failuresInRow
      const sole = after.kind === 'healthy' ? null : after.soleFailingDelivery
      assert.deepEqual(
        [queueStateAt(after, now), failures, sole],
        expected[name as keyof typeof healths][outcome as keyof typeof attempts],
        `${name}, ${outcome}`,
      )
    }
  }
})

test('a pause ends by time alone, and then the queue is on probation', () => {
  const paused = failing(2, now + 500)
  assert.equal(queueStateAt(paused, now + 499), 'paused')
  assert.equal(queueStateAt(paused, now + 500), 'probation')
  assert.equal(queueStateAt(healths.disabled, now + pause * 100), 'disabled')
})

test('a counted failure pauses by the schedule from the moment it is known', () => {
  const pauses = [10, 20, 30]
  let health: QueueHealth = { kind: 'healthy' }
  const until: (number | null)[] = []
  for (let n = 0; n < 5; n++) {
    const at = now + n * 1_000
    const attempt = { deliveryId: 'a', ok: false, startedAt: at - 1 }
    health = afterAttempt(health, attempt, at, pauses)
    until.push(health.kind === 'healthy' ? null : (health.pausedUntil ?? 0) - at)
  }
  assert.deepEqual(until, [0, 10, 20, 30, 30])
})

test('any number of failures that one outage cuts off together count once', () => {
  const many = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(many, (starts) => {
      let health: QueueHealth = { kind: 'healthy' }
      for (const [index, before] of starts.entries()) {
        const attempt = { deliveryId: `d${index}`, ok: false, startedAt: now - before }
        health = afterAttempt(health, attempt, now, standardSchedule)
      }
      assert.ok(health.kind === 'failing')
      assert.equal(health.failuresInRow, 1)
      assert.equal(health.soleFailingDelivery, starts.length === 1 ? 'd0' : null)
    }),
  )
})

// Guarantee (webhooks): A subscription is disabled only after the whole schedule of retries.
test('an outage disables after eight attempts one after the other and the whole schedule, never sooner', () => {
  let health: QueueHealth = { kind: 'healthy' }
  let at = now
  for (let attempt = 1; attempt <= failuresMax; attempt++) {
    assert.notEqual(queueStateAt(health, at), 'disabled')
    const failed = { deliveryId: 'a', ok: false, startedAt: at }
    health = afterAttempt(health, failed, at + 1, standardSchedule)
    if (health.kind === 'failing') at = Math.max(health.pausedUntil, at + 1) + 1
  }
  assert.equal(queueStateAt(health, at), 'disabled')
  const scheduled = standardSchedule.slice(0, -1).reduce((sum, each) => sum + each, 0)
  assert.ok(at - now >= scheduled, `${at - now} ms`)
})
