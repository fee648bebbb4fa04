import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { openDispatcher } from '../../src/exchange/webhooks/dispatcher.ts'
import { makeEgress } from '../../src/exchange/webhooks/egress.ts'
import { standardSchedule } from '../../src/exchange/webhooks/schedule.ts'
import { signatureOf } from '../../src/exchange/webhooks/signature.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { makeSecretBox } from '../../src/platform/kernel/secret-box.ts'
import { loadSecrets } from '../../src/platform/process/secrets.ts'
import { openSandboxReceivers } from '../../src/sandbox/receivers.ts'
import { assertRefused, type Client, newSandbox, openClient } from '../support/client.ts'
import type { Received } from '../support/receiver.ts'
import { addLiveClient, emptySandbox, startService } from '../support/service.ts'
import { assertStandard } from '../support/standard-webhooks.ts'

/** Nothing listens at the address of the service, and no private address may be reached. */
const settings = {
  SECRET_KEY: randomBytes(32).toString('base64'),
  BASE_URL: 'http://127.0.0.1:9',
  WEBHOOK_PRIVATE_TARGETS: 'deny',
}
const service = await startService(settings)
const live = await addLiveClient(service)
const { webhookKeys } = await loadSecrets(readConfig(settings))

/** Another process of the service, whose clock the tests move. */
const clock = new ManualClock(Date.now())
const dispatcher = openDispatcher({
  db: service.db,
  clock,
  egress: makeEgress({ privateTargets: 'deny' }),
  receivers: openSandboxReceivers(service.db, clock, settings.BASE_URL),
  secretBox: makeSecretBox(webhookKeys),
  schedule: standardSchedule,
  chance: () => 0,
  log: { error: ({ err }: { err: unknown }) => assert.fail(String(err)) },
})

/** Moves the time past the longest pause and sends what is due. */
async function laterAttempts(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    clock.advance(13 * 60 * 60 * 1000)
    await dispatcher.runOnce()
  }
}

interface Receiver {
  readonly id: string
  readonly url: string
  readonly answers: readonly string[]
  readonly requests: readonly {
    readonly at: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly signature_valid: boolean
    readonly answer: string
  }[]
}

async function addReceiver(client: Client, answers: readonly string[]): Promise<Receiver> {
  const answer = await client.post('/v1/sandbox/receivers', { answers })
  assert.equal(answer.status, 201, answer.text)
  assert.deepEqual(Object.keys(answer.body as Receiver), ['id', 'url'])
  return answer.body as Receiver
}

async function look(client: Client, { id }: Receiver): Promise<Receiver> {
  return (await client.get(`/v1/sandbox/receivers/${id}`)).body as Receiver
}

interface Subscribed {
  readonly webhook: { readonly id: string; readonly active: boolean }
  readonly secret: string
}

async function subscribe(client: Client, url: string): Promise<Subscribed> {
  const answer = await client.post('/v1/webhooks', { url, events: ['receipt.confirmed'] })
  assert.equal(answer.status, 201, answer.text)
  return answer.body as Subscribed
}

const play = (client: Client) => client.post('/v1/sandbox/triggers/receipt_confirmed')
const answersOf = ({ requests }: Receiver) => requests.map(({ answer }) => answer).reverse()

test('a receiver answers a delivery in the order of its list, the last answer for ever', async () => {
  const client = await newSandbox(service)
  const receiver = await addReceiver(client, ['500', 'timeout', '204'])
  assert.equal(new URL(receiver.url).pathname.startsWith('/v1'), false)
  const { webhook, secret } = await subscribe(client, receiver.url)
  await play(client)
  await laterAttempts(4)
  await play(client)
  await laterAttempts(2)
  const { requests, ...shown } = await look(client, receiver)
  assert.deepEqual(shown, { ...receiver, answers: ['500', 'timeout', '204'] })
  assert.deepEqual(answersOf({ ...shown, requests }), ['204', '500', 'timeout', '204', '204'])
  assert.equal(requests.at(-1)?.headers['X-SVC-Event'], 'webhook.ping')
  for (const { headers, body, signature_valid } of requests) {
    assert.equal(signature_valid, true)
    const timestamp = headers['X-SVC-Timestamp'] ?? ''
    const bytes = Buffer.from(body)
    assert.equal(headers['X-SVC-Signature'], signatureOf(secret, timestamp, bytes))
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    const event = JSON.parse(body) as Received['event']
    assertStandard({ headers: Object.fromEntries(lower), bytes, event }, secret)
  }
  assert.equal(requests[1]?.body, requests[2]?.body)
  const log = await client.get(`/v1/webhooks/${webhook.id}/deliveries?limit=2`)
  const { items } = log.body as { items: { status: string; attempts: number }[] }
  assert.deepEqual(
    items.map(({ status, attempts }) => [status, attempts]),
    [
      ['DELIVERED', 1],
      ['DELIVERED', 3],
    ],
  )
})

test('a ping gets 204 and uses up no answer', async () => {
  const client = await emptySandbox(service)
  const receiver = await addReceiver(client, ['503'])
  const { webhook } = await subscribe(client, receiver.url)
  await client.post(`/v1/webhooks/${webhook.id}/ping`)
  await dispatcher.runOnce()
  assert.deepEqual(answersOf(await look(client, receiver)), ['204', '204'])
})

test('a timeout is a failed attempt with its reason, and always failing disables', async () => {
  const client = await newSandbox(service)
  const receiver = await addReceiver(client, ['timeout'])
  const { webhook } = await subscribe(client, receiver.url)
  await play(client)
  await laterAttempts(1)
  const one = await client.get(`/v1/webhooks/${webhook.id}/deliveries?status=PENDING`)
  assert.match(one.text, /не ответил за 10 с/)
  await laterAttempts(12)
  const { active } = (await client.get(`/v1/webhooks/${webhook.id}`)).body as { active: boolean }
  assert.equal(active, false)
  assert.equal((await look(client, receiver)).requests.length, 9)
})

test('what came is kept for the newest hundred requests', async () => {
  const client = await emptySandbox(service)
  const receiver = await addReceiver(client, ['204'])
  const { webhook } = await subscribe(client, receiver.url)
  for (let n = 0; n < 105; n++) await client.post(`/v1/webhooks/${webhook.id}/ping`)
  await laterAttempts(1)
  assert.equal((await look(client, receiver)).requests.length, 100)
})

test('there are at most five receivers, also with calls at once, until a reset', async () => {
  const client = await emptySandbox(service)
  const calls = Array.from({ length: 8 }, () =>
    client.post('/v1/sandbox/receivers', { answers: ['204'] }),
  )
  const answers = await Promise.all(calls)
  assert.equal(answers.filter(({ status }) => status === 201).length, 5)
  for (const answer of answers) if (answer.status !== 201) assertRefused(answer, 'webhook_limit')
  await client.post('/v1/sandbox/reset')
  const [first] = answers.filter(({ status }) => status === 201)
  assert.ok(first)
  const { id } = first.body as Receiver
  assertRefused(await client.get(`/v1/sandbox/receivers/${id}`), 'not_found')
  await addReceiver(client, ['204'])
})

test('a receiver is of no use to another client', async () => {
  const [owner, stranger] = [await emptySandbox(service), await emptySandbox(service)]
  const receiver = await addReceiver(owner, ['204'])
  assertRefused(await stranger.get(`/v1/sandbox/receivers/${receiver.id}`), 'not_found')
  const seller = openClient(service.baseUrl, live.writing)
  for (const client of [stranger, seller]) {
    const draft = { url: receiver.url, events: ['receipt.confirmed'] }
    assertRefused(await client.post('/v1/webhooks', draft), 'validation_error', 'url')
  }
  assertRefused(await seller.get(`/v1/sandbox/receivers/${receiver.id}`), 'sandbox_only')
  assert.deepEqual((await look(owner, receiver)).requests, [])
})

test('answers outside of 200 to 599, none and more than twenty are refused', async () => {
  const client = await emptySandbox(service)
  const long = Array.from({ length: 21 }, () => '204')
  for (const answers of [[], ['199'], ['600'], ['2e2'], ['TIMEOUT'], [''], [204], long, '204']) {
    const answer = await client.post('/v1/sandbox/receivers', { answers })
    assertRefused(answer, 'validation_error', 'answers')
  }
  await addReceiver(client, long.slice(1))
})
