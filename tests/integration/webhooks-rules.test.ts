// When a subscription is disabled, when it is paused and when not: over HTTP, by the standard schedule, on a
// clock that the test moves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardSchedule } from '../../src/exchange/webhooks/schedule.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { leaseOf, wakeDispatchers } from '../support/deliveries.ts'
import { eventually } from '../support/faults.ts'
import { openReceiver, type Received } from '../support/receiver.ts'
import { emptySandbox, startService } from '../support/service.ts'

const clock = new ManualClock(Date.now())
const service = await startService(
  {
    WEBHOOK_PRIVATE_TARGETS: 'sandbox',
    SANDBOX_ROBOT: 'off',
  },
  'all',
  undefined,
  clock,
)

/** Chance adds up to two seconds to a pause. */
const jitterMsMax = 2_000

interface Webhook {
  readonly id: string
  readonly active: boolean
  readonly failures_in_row: number
  readonly disabled_reason?: string
}

interface Delivery {
  readonly event_id: string
  readonly status: string
  readonly attempts: number
}

/** A sandbox with one subscription; the first ping is not among the requests. */
async function subscription() {
  const client = await emptySandbox(service)
  const receiver = await openReceiver()
  const { body: me } = await client.get('/v1/me')
  const { cabinets } = me as { cabinets: { id: string }[] }
  const draft = { url: receiver.url, events: ['receipt.created'] }
  const made = await client.post('/v1/webhooks', draft)
  assert.equal(made.status, 201)
  const { id } = (made.body as { webhook: Webhook }).webhook
  receiver.requests.length = 0
  const path = `/v1/webhooks/${id}`
  const webhook = async () => (await client.get(path)).body as Webhook
  return {
    receiver,
    webhook,
    async deliveries() {
      const { body } = await client.get(`${path}/deliveries?limit=100`)
      return (body as { items: Delivery[] }).items.slice(0, -1)
    },
    /** Requests receipts; returns their ids. */
    async request(count: number) {
      const items = [{ barcode: 'new', name: 'Новый', qty: 1, honest_mark: false }]
      const ids: string[] = []
      for (let n = 0; n < count; n++) {
        const answer = await client.post('/v1/receipts', { cabinet_id: cabinets[0]?.id, items })
        assert.equal(answer.status, 201)
        ids.push((answer.body as { id: string }).id)
      }
      return ids
    },
    /**
     * Waits until so many requests came, the failures in a row are recorded as given, and the queue rests. If a clock
     * jumps past the end of a lease while the queue works, a second worker sends the same again.
     */
    async settled(requests: number, failures: number) {
      await receiver.until(({ length }) => length >= requests)
      await eventually(`${failures} failures in a row are recorded`, async () => {
        return (await webhook()).failures_in_row === failures
      })
      await eventually('the queue rests', async () => (await leaseOf(service.db, id)) === null)
      assert.equal(receiver.requests.length, requests)
    },
  }
}

/** Moves the clock past a pause and wakes the dispatchers. */
async function pass(pauseMs: number): Promise<void> {
  clock.advance(pauseMs + jitterMsMax)
  await wakeDispatchers(service.db)
}

const receiptOf = ({ event }: Received) => (event.data as { id: string }).id

test('the eighth failure in a row disables, and nothing more is sent', async () => {
  const { receiver, request, webhook, deliveries, settled } = await subscription()
  receiver.reply = () => 500
  await request(1)
  await settled(1, 1)
  for (const [index, pause] of standardSchedule.entries()) {
    assert.ok((await webhook()).active)
    await pass(pause)
    await settled(index + 2, index + 2)
  }
  const { active, disabled_reason } = await webhook()
  assert.equal(active, false)
  assert.match(disabled_reason ?? '', /\p{Script=Cyrillic}/u)
  assert.deepEqual(
    (await deliveries()).map(({ status, attempts }) => [status, attempts]),
    [['FAILED', 8]],
  )
  await request(1)
  assert.equal((await deliveries()).length, 1)
  assert.equal(receiver.requests.length, 8)
})

test('a burst of thirty events in an outage does not disable', async () => {
  const { receiver, request, webhook, deliveries } = await subscription()
  receiver.reply = () => 503
  await request(30)
  for (const [index, pause] of standardSchedule.slice(0, 3).entries()) {
    await eventually('the outage is noticed', async () => {
      return (await webhook()).failures_in_row >= index + 1
    })
    await pass(pause)
  }
  assert.ok((await webhook()).active)
  receiver.reply = () => 200
  await eventually('everything is delivered', async () => {
    await pass(standardSchedule.at(-1) ?? 0)
    return (await deliveries()).every(({ status }) => status === 'DELIVERED')
  })
  const { active, failures_in_row } = await webhook()
  assert.deepEqual([active, failures_in_row], [true, 0])
  assert.equal((await deliveries()).length, 30)
})

test('an event that the receiver always refuses delays no other and disables nothing', async () => {
  const { receiver, request, webhook, deliveries, settled } = await subscription()
  receiver.reply = () => 422
  const [poison = ''] = await request(1)
  await settled(1, 1)
  receiver.reply = (received) => (receiptOf(received) === poison ? 422 : 200)

  for (const [index, pause] of standardSchedule.entries()) {
    await pass(pause)
    const repeats = index + 2
    await settled(repeats + index, index === 0 ? 2 : 1)
    assert.equal(receiptOf(receiver.requests.at(-1) as Received), poison)
    // The first attempt of another event does not wait for the pause, and ends it.
    const [id] = await request(1)
    await settled(repeats + index + 1, 0)
    assert.equal(receiptOf(receiver.requests.at(-1) as Received), id)
  }
  const log = await deliveries()
  assert.equal(log.length, standardSchedule.length + 1)
  assert.deepEqual(
    log.filter(({ status }) => status !== 'DELIVERED').map(({ attempts }) => attempts),
    [8],
  )
  assert.ok(log.every(({ status, attempts }) => status === 'FAILED' || attempts === 1))
  assert.equal((await webhook()).active, true)
})
