import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { suite, test } from 'node:test'
import { assertRefused, type Client } from '../support/client.ts'
import { eventually } from '../support/faults.ts'
import { openReceiver, type Received, type Reply } from '../support/receiver.ts'
import {
  count,
  flag,
  integer,
  list,
  moment,
  object,
  oneOf,
  optional,
  orNull,
  read,
  russian,
  type Shaped,
  text,
} from '../support/shape.ts'
import { assertStandard } from '../support/standard-webhooks.ts'
import { openTarget, type Page, readAll, readPage } from '../support/target.ts'
import { eventTypes, manyWebhooks, meShape, receiptWithItems } from './resources.ts'

/**
 * Webhooks as a seller's system sees them. The receivers run on this machine, so the service must run here
 * too and let test keys reach loopback.
 */

const target = await openTarget(manyWebhooks, 'all')
const here = { skip: !target.own && !/127\.0\.0\.1|localhost/.test(target.baseUrl) }

const eventType = oneOf(...eventTypes, 'webhook.ping')

const webhookShape = object({
  id: text,
  url: text,
  events: list(oneOf(...eventTypes)),
  description: optional(text),
  active: flag,
  created_at: moment,
  disabled_at: orNull(moment),
  disabled_reason: optional(russian),
  last_delivery_at: orNull(moment),
  last_status_code: optional(integer),
  failures_in_row: count,
})
type Webhook = Shaped<typeof webhookShape>
const createdShape = object({ webhook: webhookShape, secret: text })
const listShape = object({ items: list(webhookShape) })

const deliveryFields = {
  id: text,
  webhook_id: text,
  event_id: text,
  event_type: eventType,
  status: oneOf('PENDING', 'DELIVERED', 'FAILED'),
  attempts: count,
  last_attempt_at: orNull(moment),
  last_status_code: optional(integer),
  last_error: optional(russian),
  next_attempt_at: orNull(moment),
  created_at: moment,
}
const deliveryShape = object(deliveryFields)
type Delivery = Shaped<typeof deliveryShape>
const anything = { check: () => {} }
const deliveryWithPayload = object({
  ...deliveryFields,
  payload: object({ id: text, type: eventType, occurred_at: moment, data: anything }),
})

const draft = (url: string, changes: object = {}) => ({
  url,
  events: ['receipt.created'],
  ...changes,
})

async function subscribe(client: Client, url: string, changes: object = {}) {
  const answer = await client.post('/v1/webhooks', draft(url, changes))
  assert.equal(answer.status, 201, answer.text)
  return { answer, ...read(createdShape, answer.body) }
}

const remove = (client: Client, id: string) =>
  client.call(`/v1/webhooks/${id}`, { method: 'DELETE' })

async function webhooksOf(client: Client): Promise<readonly Webhook[]> {
  return read(listShape, (await client.get('/v1/webhooks')).body).items
}

async function webhookOf(client: Client, id: string): Promise<Webhook> {
  return read(webhookShape, (await client.get(`/v1/webhooks/${id}`)).body)
}

async function page(client: Client, id: string, query = ''): Promise<Page<Delivery>> {
  const { body } = await client.get(`/v1/webhooks/${id}/deliveries?${query}`)
  return readPage(deliveryShape, body)
}

const sent = (client: Client, id: string) =>
  eventually(
    'no delivery is pending',
    async () => (await page(client, id, 'status=PENDING')).total === 0,
  )

async function ping(client: Client, id: string): Promise<string> {
  const answer = await client.post(`/v1/webhooks/${id}/ping`)
  assert.equal(answer.status, 202)
  return read(object({ event_id: text, message: russian }), answer.body).event_id
}

async function requestReceipt(client: Client) {
  const { cabinets } = read(meShape, (await client.get('/v1/me')).body)
  const items = [{ barcode: 'Ж-1', name: 'Плед «Ёлка» 🎄', qty: 3, honest_mark: true }]
  const answer = await client.post('/v1/receipts', {
    cabinet_id: cabinets[0]?.id,
    comment: 'Строка\n"вторая"',
    items,
  })
  return read(receiptWithItems, answer.body)
}

function assertSigned(received: Received, secret: string): void {
  const { headers, bytes, event } = received
  const timestamp = String(headers['x-svc-timestamp'])
  assert.ok(Math.abs(Number(timestamp) - Date.now() / 1000) < 60)
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(bytes).digest('hex')
  assert.equal(headers['x-svc-signature'], `sha256=${hmac}`)
  assert.equal(headers['x-svc-event'], event.type)
  assert.equal(headers['content-type'], 'application/json')
  assertStandard(received, secret)
}

suite('a subscription', here, () => {
  // Guarantee (webhooks): A signing secret is readable only in the answer that created it.
  test('is created after its address has answered a signed ping', async () => {
    const client = await target.emptySandbox()
    const receiver = await openReceiver(() => 204)
    const { answer, webhook, secret } = await subscribe(client, receiver.url, {
      events: ['receipt.created', 'order.status_changed'],
      description: 'я'.repeat(200),
    })
    assert.match(secret, /^whsec_[A-Za-z0-9]{44}$/)
    assert.match(answer.headers.get('Cache-Control') ?? '', /no-store/)
    assert.equal(webhook.url, receiver.url)
    assert.deepEqual(webhook.events, ['receipt.created', 'order.status_changed'])
    assert.equal(webhook.description, 'я'.repeat(200))
    assert.deepEqual(
      [webhook.active, webhook.disabled_at, webhook.failures_in_row, webhook.last_status_code],
      [true, null, 0, 204],
    )
    const [received, ...more] = receiver.requests
    assert.ok(received)
    assert.equal(more.length, 0)
    assertSigned(received, secret)
    assert.equal(received.event.type, 'webhook.ping')
    const data = read(object({ webhook_id: text, message: russian }), received.event.data)
    assert.equal(data.webhook_id, webhook.id)

    const { items, total } = await page(client, webhook.id)
    assert.equal(total, 1)
    assert.equal(items[0]?.id, received.headers['x-svc-delivery'])
    assert.deepEqual([items[0]?.status, items[0]?.attempts], ['DELIVERED', 1])
    for (const path of ['/v1/webhooks', `/v1/webhooks/${webhook.id}`]) {
      const shown = await client.get(path)
      assert.ok(!shown.text.includes(secret.slice(6)), 'the secret is shown only at creation')
    }
    assert.deepEqual(await webhookOf(client, webhook.id), webhook)
  })

  test('may name a type of event any number of times, and has it once', async () => {
    const receiver = await openReceiver(() => 204)
    const events = Array.from({ length: 20 }, (_, n) => eventTypes[n % 2])
    const { webhook } = await subscribe(await target.emptySandbox(), receiver.url, { events })
    assert.deepEqual(webhook.events, eventTypes.slice(0, 2))
  })

  test('is not created if the address does not answer 2xx in time', async () => {
    const client = await target.emptySandbox()
    const elsewhere = await openReceiver()
    const replies: Reply[] = [404, 500, { location: elsewhere.url }, 'reset', 'hang']
    for (const reply of replies) {
      const { url } = await openReceiver(() => reply)
      const answer = await client.post('/v1/webhooks', draft(url))
      assertRefused(answer, 'webhook_url_unverified', /url не прошёл проверку\. [^:]+(: [^:]+)?$/)
      assert.doesNotMatch(answer.text, /SECRET/, 'the error quotes nothing of the answer')
    }
    const gone = await openReceiver()
    await gone.close()
    assertRefused(await client.post('/v1/webhooks', draft(gone.url)), 'webhook_url_unverified')
    assert.deepEqual(await webhooksOf(client), [])
    assert.equal(elsewhere.requests.length, 0)
  })

  test('is listed newest first, and disappears when it is deleted', async () => {
    const client = await target.emptySandbox()
    const { url, requests, until } = await openReceiver()
    const made: string[] = []
    for (let n = 0; n < 3; n++) made.unshift((await subscribe(client, url)).webhook.id)
    const [newest = '', gone = '', oldest = ''] = made
    assert.deepEqual(
      (await webhooksOf(client)).map(({ id }) => id),
      made,
    )
    const { items } = await page(client, gone)
    const deleted = await remove(client, gone)
    assert.deepEqual([deleted.status, deleted.text], [204, ''])
    assertRefused(await remove(client, gone), 'not_found')
    for (const path of ['', '/deliveries', `/deliveries/${items[0]?.id}`]) {
      assertRefused(await client.get(`/v1/webhooks/${gone}${path}`), 'not_found')
    }
    assertRefused(await client.post(`/v1/webhooks/${gone}/ping`), 'not_found')
    await requestReceipt(client)
    await Promise.all([newest, oldest].map((id) => sent(client, id)))
    await until(({ length }) => length >= 5)
    assert.equal(
      requests.length,
      5,
      'three pings, and the event for the two remaining subscriptions',
    )
  })

  test('does not outlive the reset of its sandbox', async () => {
    const client = await target.emptySandbox()
    const receiver = await openReceiver()
    const { webhook } = await subscribe(client, receiver.url)
    assert.equal((await client.post('/v1/sandbox/reset')).status, 200)
    assert.deepEqual(await webhooksOf(client), [])
    assertRefused(await client.get(`/v1/webhooks/${webhook.id}/deliveries`), 'not_found')
  })

  // Guarantee (webhooks): A client has at most ten subscriptions.
  test('there are at most ten, even with concurrent requests', async () => {
    const client = await target.emptySandbox()
    const receiver = await openReceiver()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post('/v1/webhooks', draft(receiver.url))),
    )
    const codes = answers.map(({ status, code }) => code ?? status).sort()
    assert.deepEqual(codes, [
      ...Array.from({ length: 10 }, () => 201),
      ...Array.from({ length: 10 }, () => 'webhook_limit'),
    ])
    const all = await webhooksOf(client)
    assert.equal(all.length, 10)

    const came = receiver.requests.length
    assertRefused(await client.post('/v1/webhooks', draft('x')), 'validation_error', 'url')
    assertRefused(await client.post('/v1/webhooks', draft(receiver.url)), 'webhook_limit')
    assert.equal(receiver.requests.length, came, 'the limit is checked before the ping')
    await remove(client, all[0]?.id ?? '')
    await subscribe(client, receiver.url)
  })
})

suite('refusals', () => {
  test('an invalid field is named', async () => {
    const client = await target.emptySandbox()
    const url = 'https://example.com/hook'
    const fields: readonly [string, readonly unknown[]][] = [
      ['url', [undefined, null, 1, '', 'x', '/hook', 'ftp://example.com/', 'https://', `${url}#a`]],
      ['url', ['https://user:word@example.com/', `https://example.com/${'x'.repeat(2048)}`]],
      ['events', [undefined, null, 'receipt.created', [], ['x'], ['webhook.ping'], [null]]],
      ['description', [1, 'я'.repeat(201), '\u0000']],
    ]
    for (const [field, values] of fields) {
      for (const value of values) {
        const answer = await client.post('/v1/webhooks', draft(url, { [field]: value }))
        assertRefused(answer, 'validation_error', field)
      }
    }
    for (const other of ['ftp://example.com/', 'mailto:a@example.com', 'ws://example.com']) {
      const answer = await client.post('/v1/webhooks', draft(other))
      assertRefused(answer, 'validation_error', /^Поле url: .*https:\/\/ .*http:\/\//)
    }
    for (const body of ['', '{', '[]', 'null', JSON.stringify(draft(url, { secret: 'x' }))]) {
      assertRefused(await client.post('/v1/webhooks', body), 'bad_request')
    }
    assert.deepEqual(await webhooksOf(client), [])
  })

  test('an address and events that are both wrong are named by one answer', async () => {
    const client = await target.emptySandbox()
    for (const [url, words] of [
      ['http://10.0.0.1/hook', 'доступный из интернета'],
      ['ftp://example.com/', 'https://'],
      ['', 'пустая строка'],
    ] as const) {
      const answer = await client.post('/v1/webhooks', draft(url, { events: [] }))
      assertRefused(
        answer,
        'validation_error',
        new RegExp(`^Поле url: .*${words}.*\\. Поле events: `),
      )
    }
    const { body } = await client.post('/v1/sandbox/receivers', { answers: ['204'] })
    const { url } = body as { url: string }
    const own = await client.post('/v1/webhooks', draft(url, { events: [] }))
    assertRefused(own, 'validation_error', /^Поле events: /)
  })

  const hidden = [
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '0.0.0.0',
    '0x0a.1',
    '012.0.0.1',
    '167772161',
    '[fd00::1]',
    '[fe80::1]',
    '[ff02::1]',
    '[::]',
    '[::ffff:10.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[2002:0a00:0001::]',
    '[64:ff9b::10.0.0.1]',
    '[2001:0:4136:e378::]',
    'printer.local',
    'metadata.google.internal',
    'server',
  ]

  test('addresses that are not on the public internet', async () => {
    const client = await target.emptySandbox()
    for (const host of hidden) {
      const answer = await client.post('/v1/webhooks', draft(`https://${host}/hook`))
      assertRefused(answer, 'validation_error', 'url')
    }
  })

  test('for a live key also loopback and http', { skip: !target.live }, async () => {
    const client = target.client(target.live?.reading)
    const local = [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '0177.1',
      '[::1]',
      'localhost',
      'a.localhost',
    ]
    const urls = [...local, ...hidden].map((host) => `https://${host}/hook`)
    for (const url of [...urls, 'http://example.com/hook']) {
      assertRefused(await client.post('/v1/webhooks', draft(url)), 'validation_error', 'url')
    }
  })

  test('ids of other clients, exactly like unknown ids', here, async () => {
    const [client, stranger] = [await target.emptySandbox(), await target.emptySandbox()]
    const { url } = await openReceiver()
    const { webhook } = await subscribe(client, url)
    const own = (await subscribe(stranger, url)).webhook
    const delivery = (await page(client, webhook.id)).items[0]?.id ?? ''
    const ids = [webhook.id, '01a1fcc9-0000-7000-8000-000000000000', 'x', webhook.id.toUpperCase()]
    const messages = new Set<string>()
    for (const id of ids) {
      for (const [method, path] of [
        ['GET', ''],
        ['DELETE', ''],
        ['POST', '/ping'],
        ['GET', '/deliveries'],
        ['GET', `/deliveries/${delivery}`],
      ] as const) {
        const answer = await stranger.call(`/v1/webhooks/${id}${path}`, { method })
        assertRefused(answer, 'not_found')
        messages.add(answer.message)
      }
    }
    assert.equal(messages.size, 1)
    const mixed = await stranger.get(`/v1/webhooks/${own.id}/deliveries/${delivery}`)
    assertRefused(mixed, 'not_found')
    assert.equal((await webhooksOf(client)).length, 1)
  })
})

suite('events', here, () => {
  // Guarantee (events): An event shows the object as GET showed it at that moment.
  test('contain the object as GET shows it', async () => {
    const client = await target.emptySandbox()
    const receiver = await openReceiver()
    const { webhook, secret } = await subscribe(client, receiver.url)
    const receipt = await requestReceipt(client)
    await receiver.until(({ length }) => length === 2)
    const received = receiver.requests[1]
    assert.ok(received)
    assertSigned(received, secret)
    const { id, type, occurred_at, data } = received.event
    assert.equal(type, 'receipt.created')
    assert.equal(occurred_at, receipt.created_at)
    const shown = await client.get(`/v1/receipts/${receipt.id}`)
    assert.equal(JSON.stringify(data), shown.text)
    await sent(client, webhook.id)
    const path = `/v1/webhooks/${webhook.id}/deliveries/${received.headers['x-svc-delivery']}`
    const { payload, ...delivery } = read(deliveryWithPayload, (await client.get(path)).body)
    assert.equal(JSON.stringify(payload), received.bytes.toString())
    assert.deepEqual([delivery.event_id, delivery.status], [id, 'DELIVERED'])
    assert.deepEqual((await page(client, webhook.id)).items[0], delivery)
    assertRefused(await client.get(`${path}.2`), 'not_found')
  })

  test('are logged newest first, in pages, by status', async () => {
    const client = await target.emptySandbox()
    const receiver = await openReceiver()
    const { webhook } = await subscribe(client, receiver.url)
    const made = [(await page(client, webhook.id)).items[0]?.event_id]
    for (let n = 0; n < 6; n++) made.unshift(await ping(client, webhook.id))
    await sent(client, webhook.id)
    const path = `/v1/webhooks/${webhook.id}/deliveries`
    for (const limit of ['1', '3', '7', '200']) {
      const all = await readAll(client, path, { limit }, deliveryShape)
      assert.deepEqual(
        all.map(({ event_id }) => event_id),
        made,
      )
    }
    assert.equal((await page(client, webhook.id, 'status=DELIVERED')).total, 7)
    assert.equal((await page(client, webhook.id, 'status=FAILED')).total, 0)
    const { next_cursor: cursor, total } = await page(client, webhook.id, 'limit=2')
    assert.equal(total, 7)
    assert.ok(cursor)
    const other = (await subscribe(client, receiver.url)).webhook
    for (const elsewhere of [
      `${path}?status=DELIVERED&cursor=${cursor}`,
      `/v1/webhooks/${other.id}/deliveries?cursor=${cursor}`,
      `${path}?cursor=${cursor}x`,
    ]) {
      assertRefused(await client.get(elsewhere), 'bad_cursor')
    }
    for (const query of ['status=delivered', 'status=', 'limit=x']) {
      assertRefused(await client.get(`${path}?${query}`), 'bad_request', query.split('=')[0])
    }
  })

  test('after eight failures in a row a subscription is disabled', {
    skip: !target.own,
  }, async () => {
    const client = await target.emptySandbox()
    const receiver = await openReceiver()
    const { webhook } = await subscribe(client, receiver.url)
    receiver.reply = () => 500
    await requestReceipt(client)
    await receiver.until(({ length }) => length === 9)
    await sent(client, webhook.id)
    const over = await webhookOf(client, webhook.id)
    assert.deepEqual([over.active, over.failures_in_row, over.last_status_code], [false, 8, 500])
    assert.ok(over.disabled_at)
    assert.ok(over.disabled_reason)
    const { items } = await page(client, webhook.id, 'status=FAILED')
    const [failed] = items
    assert.deepEqual([items.length, failed?.attempts, failed?.next_attempt_at], [1, 8, null])
    assert.doesNotMatch(failed?.last_error ?? '', /SECRET/)
    const path = `/v1/webhooks/${webhook.id}/deliveries`
    const named = receiver.requests.slice(1).map(({ headers }) => headers['x-svc-delivery'])
    const id = failed?.id ?? ''
    assert.deepEqual(named, [id, ...[2, 3, 4, 5, 6, 7, 8].map((n) => `${id}.${n}`)])
    for (const name of named) {
      assert.equal(read(deliveryWithPayload, (await client.get(`${path}/${name}`)).body).id, id)
    }
    for (const name of [`${id}.9`, `${id}.0`, `${id}.`, `${id}.02`]) {
      assertRefused(await client.get(`${path}/${name}`), 'not_found')
    }

    receiver.reply = () => 200
    const event = await ping(client, webhook.id)
    const [last] = (await page(client, webhook.id)).items
    assert.deepEqual([last?.event_id, last?.status, last?.attempts], [event, 'FAILED', 0])
    await requestReceipt(client)
    assert.equal(
      (await page(client, webhook.id)).total,
      3,
      'a disabled subscription gets no more deliveries',
    )
    assert.equal(receiver.requests.length, 9)
  })
})
