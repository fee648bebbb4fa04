import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Listener } from '../../platform/db/connection.ts'
import { ManualClock } from '../../platform/kernel/clock.ts'
import { shortPauseMs, Wakeups } from './wakeups.ts'

const start = Date.parse('2026-11-20T12:00:00Z')

/** Wakeups on manual time, with a listening connection that the test plays. */
function scene(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const clock = new ManualClock(start)
  const woken: string[] = []
  let heard = (_: string): void => assert.fail('nothing listens')
  let reconnected = (): void => assert.fail('nothing listens')
  let listening = false
  const listen: Listener['listen'] = async (_, onNotify, onListen = () => {}) => {
    listening = true
    heard = onNotify
    reconnected = onListen
    return {
      reconnect() {},
      async unlisten() {
        listening = false
      },
    }
  }
  const wakeups = new Wakeups({
    db: { listen },
    clock,
    pollMs: 60_000,
    onClientDue: (clientId) => woken.push(clientId),
    onPoll: () => woken.push('poll'),
    onSetBack: () => woken.push('set back'),
  })
  return {
    wakeups,
    woken,
    clock,
    isListening: () => listening,
    notify: (clientId: string) => heard(clientId),
    reconnect: () => reconnected(),
    tick: (ms: number) => {
      clock.advance(ms)
      t.mock.timers.tick(ms)
    },
  }
}

test('a notification wakes for its client, a new connection and each interval for everything', async (t) => {
  const { wakeups, woken, notify, reconnect, tick } = scene(t)
  await wakeups.start()
  notify('a')
  reconnect()
  tick(59_999)
  assert.deepEqual(woken, ['a', 'poll'])
  tick(1)
  assert.deepEqual(woken, ['a', 'poll', 'poll'])
  await wakeups.stop()
})

test('a short pause wakes when it has ended; a longer one is left to the poll', async (t) => {
  const { wakeups, woken, clock, tick } = scene(t)
  await wakeups.start()
  wakeups.wakeAt('short', clock.now() + shortPauseMs)
  wakeups.wakeAt('long', clock.now() + shortPauseMs + 1)
  wakeups.wakeAt('past', clock.now())
  tick(shortPauseMs)
  assert.deepEqual(woken, [])
  tick(1)
  assert.deepEqual(woken, ['short'])
  tick(1_000)
  assert.deepEqual(woken, ['short'])
  await wakeups.stop()
})

test('a clock that was set back is noticed at the next poll, once', async (t) => {
  const { wakeups, woken, clock, tick } = scene(t)
  await wakeups.start()
  tick(60_000)
  clock.advance(-3_600_000)
  tick(120_000)
  assert.deepEqual(woken, ['poll', 'set back', 'poll', 'poll'])
  await wakeups.stop()
})

test('nothing wakes before the start or after the stop', async (t) => {
  const { wakeups, woken, clock, isListening, tick } = scene(t)
  wakeups.wakeAt('early', clock.now() + 10)
  tick(1_000)
  await wakeups.start()
  wakeups.wakeAt('a', clock.now() + 10)
  await wakeups.stop()
  wakeups.wakeAt('late', clock.now() + 10)
  tick(120_000)
  assert.deepEqual(woken, [])
  assert.equal(isListening(), false)
})
