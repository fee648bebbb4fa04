import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type DispatcherEvent,
  type DispatcherState,
  isBusy,
  type LeaseRequest,
  opened,
  queuesMax,
  type Transition,
  transition,
} from './dispatcher-state.ts'

const nowMs = 1_000
const scanRequest: LeaseRequest = { kind: 'scan', queuesMax }
const noDemand = { scan: false, scanNotBefore: Number.NEGATIVE_INFINITY, clientIds: new Set([]) }

/** Every mode; those in which queues may or may not be at work, in both ways. */
const states = {
  idle: opened,
  'idle, one queue at work': { mode: 'idle', working: 1, demand: noDemand },
  leasing: { mode: 'leasing', working: 0, demand: noDemand, request: scanRequest },
  'leasing, one queue at work': {
    mode: 'leasing',
    working: 1,
    demand: noDemand,
    request: { kind: 'scan', queuesMax: queuesMax - 1 },
  },
  stopping: { mode: 'stopping', working: 0 },
  'stopping, one queue at work': { mode: 'stopping', working: 1 },
  draining: { mode: 'draining', working: 1 },
  'draining, two queues at work': { mode: 'draining', working: 2 },
  stopped: { mode: 'stopped' },
} as const satisfies Record<string, DispatcherState>

const events = {
  clientDue: { type: 'clientDue', clientId: 'c' },
  scanDue: { type: 'scanDue' },
  scanForced: { type: 'scanForced' },
  'leased none': { type: 'leased', queues: 0, tookMs: 5 },
  'leased two': { type: 'leased', queues: 2, tookMs: 5 },
  leaseFailed: { type: 'leaseFailed' },
  queueEnded: { type: 'queueEnded', clientId: 'c', mayBeDue: true },
  'queueEnded, nothing due': { type: 'queueEnded', clientId: 'c', mayBeDue: false },
  queueFailed: { type: 'queueFailed' },
  stop: { type: 'stop' },
} as const satisfies Record<string, DispatcherEvent>

type Expected = Record<keyof typeof events, string>

/** No lease statement can end where none runs. */
const noLeaseRuns = {
  'leased none': '!',
  'leased two': '!',
  leaseFailed: '!',
} as const

/** Mode and queues at work after the event; `!` where the event is impossible. */
const expected: Record<keyof typeof states, Expected> = {
  idle: {
    clientDue: 'leasing 0',
    scanDue: 'leasing 0',
    scanForced: 'leasing 0',
    ...noLeaseRuns,
    queueEnded: '!',
    'queueEnded, nothing due': '!',
    queueFailed: '!',
    stop: 'stopped',
  },
  'idle, one queue at work': {
    clientDue: 'leasing 1',
    scanDue: 'leasing 1',
    scanForced: 'leasing 1',
    ...noLeaseRuns,
    queueEnded: 'leasing 0',
    'queueEnded, nothing due': 'idle 0',
    queueFailed: 'idle 0',
    stop: 'draining 1',
  },
  leasing: {
    clientDue: 'leasing 0',
    scanDue: 'leasing 0',
    scanForced: 'leasing 0',
    'leased none': 'idle 0',
    'leased two': 'idle 2',
    leaseFailed: 'idle 0',
    queueEnded: '!',
    'queueEnded, nothing due': '!',
    queueFailed: '!',
    stop: 'stopping 0',
  },
  'leasing, one queue at work': {
    clientDue: 'leasing 1',
    scanDue: 'leasing 1',
    scanForced: 'leasing 1',
    'leased none': 'idle 1',
    'leased two': 'idle 3',
    leaseFailed: 'idle 1',
    queueEnded: 'leasing 0',
    'queueEnded, nothing due': 'leasing 0',
    queueFailed: 'leasing 0',
    stop: 'stopping 1',
  },
  stopping: {
    clientDue: 'stopping 0',
    scanDue: 'stopping 0',
    scanForced: 'stopping 0',
    'leased none': 'stopped',
    'leased two': 'draining 2',
    leaseFailed: 'stopped',
    queueEnded: '!',
    'queueEnded, nothing due': '!',
    queueFailed: '!',
    stop: 'stopping 0',
  },
  'stopping, one queue at work': {
    clientDue: 'stopping 1',
    scanDue: 'stopping 1',
    scanForced: 'stopping 1',
    'leased none': 'draining 1',
    'leased two': 'draining 3',
    leaseFailed: 'draining 1',
    queueEnded: 'stopping 0',
    'queueEnded, nothing due': 'stopping 0',
    queueFailed: 'stopping 0',
    stop: 'stopping 1',
  },
  draining: {
    clientDue: 'draining 1',
    scanDue: 'draining 1',
    scanForced: 'draining 1',
    ...noLeaseRuns,
    queueEnded: 'stopped',
    'queueEnded, nothing due': 'stopped',
    queueFailed: 'stopped',
    stop: 'draining 1',
  },
  'draining, two queues at work': {
    clientDue: 'draining 2',
    scanDue: 'draining 2',
    scanForced: 'draining 2',
    ...noLeaseRuns,
    queueEnded: 'draining 1',
    'queueEnded, nothing due': 'draining 1',
    queueFailed: 'draining 1',
    stop: 'draining 2',
  },
  stopped: {
    clientDue: 'stopped',
    scanDue: 'stopped',
    scanForced: 'stopped',
    ...noLeaseRuns,
    queueEnded: '!',
    'queueEnded, nothing due': '!',
    queueFailed: '!',
    stop: 'stopped',
  },
}

const shown = ({ state }: Transition) =>
  'working' in state ? `${state.mode} ${state.working}` : state.mode

test('every mode × every event', () => {
  for (const [from, state] of Object.entries(states)) {
    for (const [name, event] of Object.entries(events)) {
      const due = expected[from as keyof typeof states][name as keyof typeof events]
      const what = `${from}, ${name}`
      if (due === '!') {
        assert.throws(() => transition(state, event, nowMs), /impossible/, what)
        continue
      }
      const step = transition(state, event, nowMs)
      assert.equal(shown(step), due, what)
      const began = step.state.mode === 'leasing' && state.mode !== 'leasing'
      assert.equal(step.request !== undefined, began, `${what}: a request begins a lease`)
    }
  }
})

/** The state after events, at `nowMs`, and the last request. */
function after(...all: readonly DispatcherEvent[]): Transition {
  return all.reduce<Transition>((step, event) => transition(step.state, event, nowMs), {
    state: opened,
  })
}
const due = (clientId: string): DispatcherEvent => ({ type: 'clientDue', clientId })
const leased = (queues: number, tookMs = 0): DispatcherEvent => ({ type: 'leased', queues, tookMs })

test('clients that become due during a lease are leased together, next', () => {
  const { state, request } = after(due('a'), due('b'), due('c'), due('b'), leased(1))
  assert.deepEqual(request, { kind: 'clients', clientIds: ['b', 'c'], queuesMax: queuesMax - 1 })
  assert.equal(state.mode, 'leasing')
})

test('a scan covers the clients that were due before it, and none that become due during it', () => {
  const step = after(due('a'), due('b'), { type: 'scanDue' }, leased(0))
  assert.deepEqual(step.request, scanRequest)
  const next = transition(transition(step.state, due('c'), nowMs).state, leased(0), nowMs)
  assert.deepEqual(next.request, { kind: 'clients', clientIds: ['c'], queuesMax })
})

test('a scan that took long postpones the next one, and clients that are due do not wait for it', () => {
  const { state } = after({ type: 'scanDue' }, leased(0, 50))
  const early = transition(state, { type: 'scanDue' }, nowMs + 499)
  assert.equal(early.state.mode, 'idle')
  const client = transition(early.state, due('a'), nowMs + 499)
  assert.equal(client.request?.kind, 'clients')
  const late = transition(early.state, { type: 'scanDue' }, nowMs + 500)
  assert.equal(late.request?.kind, 'scan')
  const forced = transition(early.state, { type: 'scanForced' }, nowMs + 499)
  assert.equal(forced.request?.kind, 'scan')
})

test('with all places taken nothing is leased until a queue ends', () => {
  const full = after({ type: 'scanDue' }, leased(queuesMax))
  assert.equal(full.request, undefined)
  const waiting = transition(full.state, due('a'), nowMs)
  assert.deepEqual([waiting.state.mode, waiting.request], ['idle', undefined])
  const { request } = transition(waiting.state, { type: 'queueFailed' }, nowMs)
  assert.deepEqual(request, { kind: 'scan', queuesMax: 1 })
})

test('a lease that found as many queues as it had room for is repeated for the same clients', () => {
  const full = after(due('a'), due('b'), leased(1), leased(queuesMax - 1))
  const { request } = transition(full.state, { type: 'queueFailed' }, nowMs)
  assert.deepEqual(request, { kind: 'clients', clientIds: ['b'], queuesMax: 1 })
})

test('more queues than requested are impossible', () => {
  assert.throws(() => after({ type: 'scanDue' }, leased(queuesMax + 1)), /501 queues leased/)
})

test('a failed lease is not repeated at once; the next event scans everything', () => {
  const failed = after(due('a'), { type: 'leaseFailed' })
  assert.equal(failed.request, undefined)
  assert.equal(transition(failed.state, due('b'), nowMs).request?.kind, 'scan')
})

test('a queue that ended is looked at once more where something may be due since', () => {
  const ended = (mayBeDue: boolean) =>
    after({ type: 'scanDue' }, leased(1), { type: 'queueEnded', clientId: 'a', mayBeDue }).request
  assert.deepEqual(ended(true), { kind: 'clients', clientIds: ['a'], queuesMax })
  assert.equal(ended(false), undefined)
})

test('whatever happens, one lease runs at a time, places hold, and a stop ends', () => {
  const commands = fc.array(
    fc.oneof(
      fc.constantFrom<DispatcherEvent>(
        due('a'),
        due('b'),
        { type: 'scanDue' },
        { type: 'scanForced' },
        { type: 'leaseFailed' },
        { type: 'queueEnded', clientId: 'a', mayBeDue: true },
        { type: 'queueEnded', clientId: 'a', mayBeDue: false },
        { type: 'queueFailed' },
      ),
      fc.record({
        type: fc.constant('leased' as const),
        queues: fc.integer({ min: 0, max: queuesMax }),
        tookMs: fc.integer({ min: 0, max: 100 }),
      }),
    ),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(commands, fc.nat({ max: 60 }), (sequence, stopAt) => {
      let state: DispatcherState = opened
      let time = 0
      let running: LeaseRequest | undefined
      let working = 0
      const apply = (event: DispatcherEvent) => {
        const lease = ['leased', 'leaseFailed'].includes(event.type)
        const queue = ['queueEnded', 'queueFailed'].includes(event.type)
        if ((lease && running === undefined) || (queue && working === 0)) return
        if (event.type === 'leased' && event.queues > (running?.queuesMax ?? 0)) return
        if (event.type === 'leased') working += event.queues
        if (queue) working -= 1
        if (lease) running = undefined
        const step = transition(state, event, time++)
        state = step.state
        if (step.request === undefined) return
        assert.equal(running, undefined, 'one lease at a time')
        assert.ok(step.request.queuesMax >= 1)
        assert.equal(step.request.queuesMax, queuesMax - working)
        running = step.request
      }
      for (const [index, event] of sequence.entries()) {
        if (index === stopAt) apply({ type: 'stop' })
        apply(event)
        assert.equal(isBusy(state), running !== undefined || working > 0)
      }
      apply({ type: 'stop' })
      apply({ type: 'leased', queues: 0, tookMs: 0 })
      while (working > 0) apply({ type: 'queueFailed' })
      assert.equal(state.mode, 'stopped')
    }),
  )
})
