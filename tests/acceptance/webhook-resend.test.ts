import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertRefused, type Client } from '../support/client.ts'
import { eventually } from '../support/faults.ts'
import { openReceiver } from '../support/receiver.ts'
import { assertStandard } from '../support/standard-webhooks.ts'
import { openTarget } from '../support/target.ts'
import { manyWebhooks } from './resources.ts'

/** How a seller repairs an outage of the receiver: each attempt in the log, and events sent again. */

const target = await openTarget(manyWebhooks, 'all')
const here = { skip: !target.own }
const dawn = '2020-01-01'

type Fields = Record<string, unknown>
const fieldsOf = ({ body }: { body: unknown }) => body as Fields
const itemsOf = ({ body }: { body: unknown }) => (body as { items: Fields[] }).items

async function subscribe(client: Client, url: string): Promise<string> {
  return (await subscribeForSecret(client, url)).id
}

async function subscribeForSecret(client: Client, url: string) {
  const answer = await client.post('/v1/webhooks', { url, events: ['receipt.created'] })
  assert.equal(answer.status, 201, answer.text)
  const { webhook, secret } = answer.body as { webhook: { id: string }; secret: string }
  return { id: webhook.id, secret }
}

async function requestReceipt(client: Client): Promise<void> {
  const [cabinet] = fieldsOf(await client.get('/v1/me')).cabinets as Fields[]
  const items = [{ barcode: 'П-1', name: 'Плед', qty: 1, honest_mark: false }]
  assert.equal((await client.post('/v1/receipts', { cabinet_id: cabinet?.id, items })).status, 201)
}

async function log(client: Client, id: string, query = ''): Promise<Fields[]> {
  return itemsOf(await client.get(`/v1/webhooks/${id}/deliveries?limit=200&${query}`))
}

/** Waits until no delivery is pending, and returns the events, without pings, oldest first. */
async function settled(client: Client, id: string): Promise<Fields[]> {
  await eventually(
    'no delivery is pending',
    async () => (await log(client, id, 'status=PENDING')).length === 0,
  )
  const all = await log(client, id)
  return all.filter(({ event_type }) => event_type === 'receipt.created').toReversed()
}

const resend = (client: Client, id: string, draft: object) =>
  client.post(`/v1/webhooks/${id}/resend`, draft)

/** A subscription that eight failures have disabled. The receiver answers 200 afterwards. */
async function outage(client: Client, receiver: Awaited<ReturnType<typeof openReceiver>>) {
  const id = await subscribe(client, receiver.url)
  receiver.reply = () => 503
  await requestReceipt(client)
  await settled(client, id)
  receiver.reply = () => 200
  return id
}

suite('the log of a subscription', here, () => {
  test('shows every attempt of a delivery with its result', async () => {
    const client = await target.emptySandbox()
    const receiver = await openReceiver()
    const id = await subscribe(client, receiver.url)
    const replies = [500, 404, 200]
    receiver.reply = () => replies.shift() ?? 200
    await requestReceipt(client)
    const [delivery] = await settled(client, id)
    const path = `/v1/webhooks/${id}/deliveries/${delivery?.id}`
    const attempts = itemsOf(await client.get(`${path}/attempts`))
    assert.deepEqual(
      attempts.map(({ number, status_code }) => [number, status_code]),
      [
        [1, 500],
        [2, 404],
        [3, 200],
      ],
    )
    for (const attempt of attempts) {
      assert.deepEqual(Object.keys(attempt), [
        'number',
        'at',
        'status_code',
        'error',
        'duration_ms',
      ])
      assert.equal(attempt.error === null, attempt.status_code === 200)
    }
    assert.deepEqual(itemsOf(await client.get(`${path}.2/attempts`)), attempts)
    const stranger = await target.emptySandbox()
    assertRefused(await stranger.get(`${path}/attempts`), 'not_found')
  })

  test('keeps the reason of each delivery when eight failures disable the subscription', async () => {
    const client = await target.emptySandbox()
    const id = await outage(client, await openReceiver())
    const webhook = fieldsOf(await client.get(`/v1/webhooks/${id}`))
    assert.equal(webhook.active, false)
    assert.match(String(webhook.disabled_reason), /8 неудачных попыток.*503/)
    const [failed] = await log(client, id, 'status=FAILED')
    assert.match(String(failed?.last_error), /503/)
    const ping = await client.post(`/v1/webhooks/${id}/ping`)
    assert.equal(ping.status, 202)
    assert.match(String(fieldsOf(ping).message), /отключена/)
  })
})

suite('sending again', here, () => {
  test('one delivery becomes a new one with the same event and bytes', async () => {
    const client = await target.emptySandbox()
    const receiver = await openReceiver()
    const { id, secret } = await subscribeForSecret(client, receiver.url)
    await requestReceipt(client)
    const [first] = await settled(client, id)
    const path = `/v1/webhooks/${id}/deliveries/${first?.id}/resend`
    const answer = await client.post(path)
    assert.equal(answer.status, 202, answer.text)
    assert.equal(fieldsOf(answer).event_id, first?.event_id)
    const [, second] = await settled(client, id)
    assert.equal(second?.id, fieldsOf(answer).delivery_id)
    assert.deepEqual([second?.event_id, second?.attempts], [first?.event_id, 1])
    const [, one, again] = receiver.requests
    assert.deepEqual(again?.bytes, one?.bytes)
    assert.notEqual(again?.headers['x-svc-delivery'], one?.headers['x-svc-delivery'])
    for (const request of receiver.requests) assertStandard(request, secret)
    const stranger = await target.emptySandbox()
    assertRefused(await stranger.post(path), 'not_found')
  })

  test('a subscription made after an outage gets the events of before it, each once', async () => {
    const client = await target.emptySandbox()
    const receiver = await openReceiver()
    const disabled = await outage(client, receiver)
    await requestReceipt(client)
    assertRefused(await resend(client, disabled, { since: dawn }), 'bad_request')
    const [failed] = await log(client, disabled, 'status=FAILED')
    assertRefused(
      await client.post(`/v1/webhooks/${disabled}/deliveries/${failed?.id}/resend`),
      'bad_request',
    )
    const id = await subscribe(client, receiver.url)
    const resent = await resend(client, id, { since: dawn })
    assert.equal(resent.status, 202, resent.text)
    assert.deepEqual([fieldsOf(resent).queued, fieldsOf(resent).has_more], [2, false])
    assert.equal((await settled(client, id)).length, 2)
    const together = await Promise.all([1, 2, 3].map(() => resend(client, id, { since: dawn })))
    assert.deepEqual(
      together.map((answer) => fieldsOf(answer).queued),
      [0, 0, 0],
    )
  })

  test('what was delivered, is not yet due or belongs to another client is left alone', async () => {
    const [client, stranger] = [await target.emptySandbox(), await target.emptySandbox()]
    const id = await subscribe(client, (await openReceiver()).url)
    await requestReceipt(client)
    await settled(client, id)
    for (const draft of [
      { since: dawn },
      { since: dawn, status: 'FAILED' },
      { since: '2100-01-01' },
    ]) {
      assert.equal(fieldsOf(await resend(client, id, draft)).queued, 0)
    }
    assertRefused(await resend(stranger, id, { since: dawn }), 'not_found')
  })

  test('a wrong period is refused by its field', async () => {
    const client = await target.emptySandbox()
    const id = await subscribe(client, (await openReceiver()).url)
    for (const [draft, field] of [
      [{}, 'since'],
      [{ since: 'yesterday' }, 'since'],
      [{ since: 5 }, 'since'],
      [{ since: '2026-11-22', until: '2026-11-21' }, 'since'],
      [{ since: dawn, until: '2026-02-30' }, 'until'],
      [{ since: dawn, status: 'DELIVERED' }, 'status'],
    ] as const) {
      assertRefused(await resend(client, id, draft), 'validation_error', field)
    }
    assertRefused(await resend(client, id, { since: dawn, types: [] }), 'bad_request', 'types')
    assertRefused(await resend(client, 'x', { since: dawn }), 'not_found')
  })
})
