import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { cabinetFigures } from '../../src/exchange/marketplaces/sync/figures.ts'
import { type WebhookFigures, webhookFigures } from '../../src/exchange/webhooks/figures.ts'
import { windowFirst } from '../../src/exchange/webhooks/queue-attempts.ts'
import { type MetricsServer, openMetricsServer } from '../../src/http/metrics/metrics-server.ts'
import type { Database } from '../../src/platform/db/connection.ts'
import { fromTimestamp, type Timestamp } from '../../src/platform/kernel/moscow-time.ts'
import { setSwitch } from '../../src/platform/process/switches.ts'
import { openCallJournal } from '../../src/warehouse/journal/calls.ts'
import { deliveryScene } from '../support/deliveries.ts'
import { openReceiver } from '../support/receiver.ts'
import { addSubscription } from '../support/subscription.ts'

test('figures count due, paused and later deliveries apart', async (t) => {
  const { db, clock, client, emit, open } = await deliveryScene(t)
  const figures = () => webhookFigures(db, clock.now())
  const nothing = { pending: { due: 0, paused: 0, later: 0 }, oldestDueMs: 0 }
  const { subscriptions, eventsWritten: _, ...none } = await figures()
  assert.deepEqual(none, { enabled: true, ...nothing })
  assert.deepEqual(subscriptions, [])

  const [good, bad] = [await openReceiver(), await openReceiver(() => 500)]
  await addSubscription(db, client, { url: good.url })
  const { id } = await addSubscription(db, client, { url: bad.url })
  await emit(20)
  clock.advance(7_000)
  const before = await figures()
  assert.deepEqual(before.pending, { due: 40, paused: 0, later: 0 })
  assert.equal(before.oldestDueMs, 7_000)
  assert.deepEqual(before.subscriptions, [{ mode: 'test', state: 'healthy', count: 2 }])

  const movingClock = {
    now() {
      clock.advance(1)
      return clock.now()
    },
  }
  await open({ clock: movingClock }).runOnce()
  const paused = await figures()
  assert.deepEqual(paused.pending, { due: 0, paused: 19 - windowFirst, later: 1 + windowFirst })
  assert.equal(paused.oldestDueMs, 0)
  assert.deepEqual(paused.subscriptions.map(({ state, count }) => [state, count]).sort(), [
    ['failing', 1],
    ['healthy', 1],
  ])
  const [queue] = await db<{ paused_until: Timestamp }[]>`
    select paused_until from webhook_subscriptions where id = ${id}`
  assert.ok(queue)
  clock.set(fromTimestamp(queue.paused_until) + 5)
  const resumed = await figures()
  assert.deepEqual([resumed.pending.paused, resumed.pending.due > 2], [0, true])
  assert.equal(resumed.oldestDueMs, 5, 'the pause itself is not counted')

  await db`update webhook_subscriptions set disabled_at = now() where id = ${id}`
  await setSwitch(db, 'webhooks', false)
  const { enabled, pending, subscriptions: after } = await figures()
  assert.deepEqual([enabled, pending], [false, nothing.pending])
  assert.deepEqual(
    new Map(after.map(({ state, count }) => [state, count])),
    new Map([
      ['healthy', 1],
      ['disabled', 1],
    ]),
  )
})

/** A metrics server; a scrape returns its values by name and labels. */
async function metricsOf(t: TestContext, db: Database, read: () => Promise<WebhookFigures>) {
  const calls = openCallJournal(db, [], (error) => assert.fail(String(error)))
  const metrics = openMetricsServer({
    server: Fastify(),
    calls,
    webhookFigures: read,
    cabinetFigures: () => cabinetFigures(db),
    houseFigures: async () => ({
      queued: 0,
      oldestQueuedMs: 0,
      lastBackup: undefined,
      notices: { enabled: true, channels: [] },
      photos: { waiting: 0, oldestMs: 0 },
    }),
    build: { version: '1.0.0', role: 'all' },
  })
  t.after(metrics.close)
  await metrics.listen('127.0.0.1', 0)
  return { ...metrics, scrape: () => scrape(metrics) }
}

async function scrape({ port }: MetricsServer): Promise<Map<string, number>> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  assert.equal(answer.status, 200)
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('sklad_'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end))]
    }),
  )
}

test('/metrics has the figures, and many scrapes read the database once', async (t) => {
  const { db, clock, client, emit, open } = await deliveryScene(t)
  let reads = 0
  const metrics = await metricsOf(t, db, () => {
    reads += 1
    return webhookFigures(db, clock.now())
  })
  const [good, bad] = [await openReceiver(), await openReceiver(() => 503)]
  const gone = await openReceiver()
  await gone.close()
  for (const { url } of [good, bad, gone]) await addSubscription(db, client, { url })
  await emit(1)
  await open({ onAttempt: metrics.webhooks.onAttempt }).runOnce()
  const [shown] = await Promise.all([metrics.scrape(), metrics.scrape(), metrics.scrape()])
  await metrics.scrape()
  assert.equal(reads, 1)
  assert.ok(shown)
  const expected = {
    'sklad_webhook_attempts_total{outcome="2xx"}': 1,
    'sklad_webhook_attempts_total{outcome="3xx"}': 0,
    'sklad_webhook_attempts_total{outcome="5xx"}': 1,
    'sklad_webhook_attempts_total{outcome="none"}': 1,
    'sklad_webhook_attempt_duration_seconds_count{outcome="2xx"}': 1,
    sklad_webhooks_enabled: 1,
    'sklad_webhook_deliveries_pending{state="later"}': 2,
    'sklad_webhook_deliveries_pending{state="due"}': 0,
    'sklad_webhook_deliveries_pending{state="resting"}': 0,
    sklad_webhook_oldest_due_seconds: 0,
    'sklad_webhook_subscriptions{mode="test",state="failing"}': 2,
    'sklad_webhook_subscriptions{mode="live",state="disabled"}': 0,
  }
  for (const [name, value] of Object.entries(expected)) assert.equal(shown.get(name), value, name)
  assert.ok(shown.has('sklad_events_written_total'))
})

test('/metrics leaves out the figures that the database does not answer', async (t) => {
  const { db } = await deliveryScene(t)
  const metrics = await metricsOf(t, db, () => Promise.reject(new Error('away')))
  const names = [...(await metrics.scrape()).keys()]
  const own = names.filter((name) => /webhook|events/.test(name))
  assert.deepEqual(
    own.filter((name) => !name.startsWith('sklad_webhook_attempt')),
    [],
  )
  assert.ok(own.length > 0)
})
