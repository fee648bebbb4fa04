// When a subscription is disabled and when it is not, by a real clock and over HTTP, with short pauses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openReceiver, type Received } from '../support/receiver.ts'
import { openTarget } from '../support/target.ts'

const pauseMs = 500
const target = await openTarget(
  {
    WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 7 }, () => `${pauseMs}ms`).join(),
    WEBHOOK_PRIVATE_TARGETS: 'sandbox',
    SANDBOX_ROBOT: 'off',
    RATE_LIMIT_BURST: '1000000',
    RATE_LIMIT_PER_MINUTE: '1000000',
  },
  'all',
)

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

/** A sandbox of its own with one subscription, whose ping is not among the requests. */
async function subscription() {
  const client = await target.sandbox()
  const receiver = await openReceiver()
  const { body: me } = await client.get('/v1/me')
  const { cabinets } = me as { cabinets: { id: string }[] }
  const draft = { url: receiver.url, events: ['receipt.created'] }
  const made = await client.post('/v1/webhooks', draft)
  assert.equal(made.status, 201)
  const { id } = (made.body as { webhook: Webhook }).webhook
  receiver.requests.length = 0
  const path = `/v1/webhooks/${id}`
  return {
    receiver,
    webhook: async () => (await client.get(path)).body as Webhook,
    async deliveries() {
      const { body } = await client.get(`${path}/deliveries?limit=100`)
      return (body as { items: Delivery[] }).items.slice(0, -1)
    },
    /** So many receipts are requested; answers their ids. */
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
  }
}

const receiptOf = ({ event }: Received) => (event.data as { id: string }).id

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await holds())) assert.ok(performance.now() < deadline, 'waited in vain')
}

test('the eighth failure in a row disables, and nothing more is sent', async () => {
  const { receiver, request, webhook, deliveries } = await subscription()
  receiver.reply = () => 500
  await request(1)
  await until(async () => !(await webhook()).active)
  const { failures_in_row, disabled_reason } = await webhook()
  assert.equal(failures_in_row, 8)
  assert.match(disabled_reason ?? '', /\p{Script=Cyrillic}/u)
  assert.equal(receiver.requests.length, 8)
  assert.deepEqual(
    (await deliveries()).map(({ status, attempts }) => [status, attempts]),
    [['FAILED', 8]],
  )
  await request(1)
  assert.equal((await deliveries()).length, 1)
})

test('a burst of thirty events in an outage does not disable', async () => {
  const { receiver, request, webhook, deliveries } = await subscription()
  receiver.reply = () => 503
  await request(30)
  await until(async () => (await webhook()).failures_in_row >= 3)
  assert.ok((await webhook()).active)
  receiver.reply = () => 200
  await until(async () => (await deliveries()).every(({ status }) => status === 'DELIVERED'))
  const { active, failures_in_row } = await webhook()
  assert.deepEqual([active, failures_in_row], [true, 0])
  assert.equal((await deliveries()).length, 30)
})

test('an event that is always refused, alone at first, holds up no other and disables nothing', async () => {
  const { receiver, request, webhook, deliveries } = await subscription()
  receiver.reply = () => 422
  const [poison = ''] = await request(1)
  const refused = (requests: readonly Received[]) =>
    requests.filter((each) => receiptOf(each) === poison)
  receiver.reply = (received) => (receiptOf(received) === poison ? 422 : 200)
  await until(async () => (await webhook()).failures_in_row >= 2 || !(await webhook()).active)

  // The lane rests now; each further event goes before the next repeat of the refused one.
  let others = 0
  while ((await deliveries()).some(({ status }) => status === 'PENDING')) {
    const before = refused(receiver.requests).length
    const [id] = await request(1)
    others += 1
    await receiver.until((requests) => requests.some((each) => receiptOf(each) === id))
    const came = receiver.requests.findIndex((each) => receiptOf(each) === id)
    const repeats = refused(receiver.requests.slice(0, came)).length - before
    assert.ok(repeats <= 1, `${repeats} repeats went before a first attempt`)
    await until(
      async () =>
        (await deliveries()).filter(({ status }) => status === 'DELIVERED').length === others,
    )
    const { failures_in_row } = await webhook()
    const since = refused(receiver.requests.slice(came)).length
    assert.ok(failures_in_row <= since, `${failures_in_row} failures count, ${since} came since`)
    const after = refused(receiver.requests).length
    await until(
      async () =>
        refused(receiver.requests).length > after ||
        (await deliveries()).every(({ status }) => status !== 'PENDING'),
    )
  }
  assert.equal(refused(receiver.requests).length, 8)
  const log = await deliveries()
  assert.equal(log.length, others + 1)
  assert.deepEqual(
    log.filter(({ status }) => status !== 'DELIVERED').map(({ attempts }) => attempts),
    [8],
  )
  assert.ok(log.every(({ status, attempts }) => status === 'FAILED' || attempts === 1))
  assert.equal((await webhook()).active, true)
})
