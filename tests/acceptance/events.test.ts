import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, type Client } from '../support/client.ts'
import {
  flag,
  list,
  moment,
  object,
  oneOf,
  read,
  type Shape,
  type Shaped,
  text,
} from '../support/shape.ts'
import { openTarget } from '../support/target.ts'
import { eventTypes, receiptWithItems, unhurried } from './resources.ts'

/** The feed of events as a seller's system without an address of its own reads it. */

const target = await openTarget(unhurried)

const anything: Shape<unknown> = { check: () => {} }
const feedShape = object({
  items: list(
    object({ id: text, type: oneOf(...eventTypes), occurred_at: moment, data: anything }),
  ),
  next_after: text,
  has_more: flag,
})
type FeedPage = Shaped<typeof feedShape>

async function feed(client: Client, query: Record<string, string> = {}): Promise<FeedPage> {
  const answer = await client.get(`/v1/events?${new URLSearchParams(query)}`)
  assert.equal(answer.status, 200, answer.text)
  return read(feedShape, answer.body)
}

async function announceReceipt(client: Client) {
  const items = [{ barcode: 'F-1', name: 'Товар', qty: 1, honest_mark: false }]
  const { cabinets } = (await client.get('/v1/me')).body as { cabinets: { id: string }[] }
  const answer = await client.post('/v1/receipts', { cabinet_id: cabinets[0]?.id, items })
  assert.equal(answer.status, 201, answer.text)
  return read(receiptWithItems, answer.body)
}

test('a new client reads an empty page, and then the event of its receipt as GET shows it', async () => {
  const client = await target.emptySandbox()
  const first = await client.get('/v1/events')
  const page = read(feedShape, first.body)
  assert.deepEqual([page.items, page.has_more], [[], false])
  const since = read(moment, first.headers.get('X-Events-Since'))
  const receipt = await announceReceipt(client)
  const { items } = await feed(client, { after: page.next_after })
  assert.equal(items.length, 1)
  assert.equal(items[0]?.type, 'receipt.created')
  assert.deepEqual(items[0]?.data, receipt)
  assert.ok(Date.parse(items[0]?.occurred_at ?? '') >= Date.parse(String(since)))
})

test('a poll that waits is answered by the event itself', async () => {
  const client = await target.emptySandbox()
  const { next_after: after } = await feed(client)
  const waiting = feed(client, { after, wait: '25' })
  const receipt = await announceReceipt(client)
  const { items } = await waiting
  assert.deepEqual(items[0]?.data, receipt)
})

test('a poll whose types do not come waits on, and then shows the one that did', async () => {
  const client = await target.emptySandbox()
  const { next_after: after } = await feed(client)
  const waiting = feed(client, { after, wait: '25', types: 'receipt.created' })
  await announceReceipt(client)
  assert.equal((await waiting).items.length, 1)
  const none = await feed(client, { after, types: 'order.status_changed,shipment.status_changed' })
  assert.deepEqual(none.items, [])
  assert.deepEqual((await feed(client, { after: none.next_after })).items, [])
})

test('more waiting polls than connections leave room for other calls', async () => {
  const clients = await Promise.all(Array.from({ length: 4 }, () => target.emptySandbox()))
  const polls = clients.map(async (client) => {
    const { next_after: after } = await feed(client)
    return Array.from({ length: 5 }, () => feed(client, { after, wait: '25' }))
  })
  const waiting = (await Promise.all(polls)).flat()
  for (const client of clients) {
    assert.equal((await client.get('/v1/me')).status, 200)
    await announceReceipt(client)
  }
  for (const { items } of await Promise.all(waiting)) assert.equal(items.length, 1)
})

test('a position holds for the client that it was given to alone, and until the reset', async () => {
  const [client, other] = [await target.emptySandbox(), await target.emptySandbox()]
  const { next_after: after } = await feed(client)
  await feed(other)
  assertRefused(await other.get(`/v1/events?after=${after}`), 'bad_cursor', 'after')
  for (const broken of ['', 'x', '%ZZ', '%00', `${after}x`, after.slice(1)]) {
    assertRefused(await client.get(`/v1/events?after=${broken}`), 'bad_cursor', 'after')
  }
  assertRefused(await client.get('/v1/events?after='), 'bad_cursor', 'after: пустое значение')
  assert.equal((await client.post('/v1/sandbox/reset')).status, 200)
  assertRefused(await client.get(`/v1/events?after=${after}`), 'bad_cursor', 'after')
})

test('wrong parameters are refused by name, and a wait beyond the bounds is shortened', async () => {
  const client = await target.emptySandbox()
  for (const [query, name] of [
    ['types=receipt.created,order.new', 'types'],
    ['types=', 'types'],
    ['types=webhook.ping', 'types'],
    ['wait=soon', 'wait'],
    ['wait=1.5', 'wait'],
    ['limit=many', 'limit'],
    ['after=latest&after=latest', 'after'],
  ] as const) {
    assertRefused(await client.get(`/v1/events?${query}`), 'bad_request', name)
  }
  await announceReceipt(client)
  assert.equal((await client.get('/v1/events?wait=-5&limit=0')).status, 200)
  const { next_after: end } = await feed(client, { after: 'latest', wait: '25' })
  await announceReceipt(client)
  assert.equal((await feed(client, { after: end, wait: '3600', limit: '100000' })).items.length, 1)
})
