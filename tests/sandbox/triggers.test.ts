import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { reconcile } from '../../src/operations/maintenance.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { describeTriggers, type TriggerName } from '../../src/sandbox/triggers/triggers.ts'
import {
  eventTypes,
  meShape,
  orderShape,
  receiptWithItems,
  stockShape,
} from '../acceptance/resources.ts'
import { assertRefused, type Client, newSandbox, openClient } from '../support/client.ts'
import { openReceiver } from '../support/receiver.ts'
import { addLiveClient, startService } from '../support/service.ts'
import { list, object, oneOf, read, russian, text } from '../support/shape.ts'

const began = Date.now()
const service = await startService()
const live = await addLiveClient(service)
const receiver = await openReceiver()

const playedShape = object({
  trigger: text,
  touched: list(
    object({ object: oneOf('receipt', 'order', 'shipment', 'stock_item', 'cabinet'), id: text }),
  ),
  message: russian,
})
type Played = ReturnType<typeof playedOf>

function playedOf(body: unknown) {
  return read(playedShape, body)
}

async function play(client: Client, name: string): Promise<Played> {
  const answer = await client.post(`/v1/sandbox/triggers/${name}`)
  assert.equal(answer.status, 200, `${name}: ${answer.text}`)
  return playedOf(answer.body)
}

const first = (played: Played) => played.touched[0]?.id ?? ''
const order = async (client: Client, id: string) =>
  read(orderShape, (await client.get(`/v1/orders/${id}`)).body)
const receipt = async (client: Client, id: string) =>
  read(receiptWithItems, (await client.get(`/v1/receipts/${id}`)).body)
const shipment = async (client: Client, id: string) =>
  (await client.get(`/v1/shipments/${id}`)).body as { status: string }
const item = async (client: Client, id: string) =>
  read(stockShape, (await client.get(`/v1/stock/${encodeURIComponent(id)}`)).body)
const cabinet = async (client: Client, id: string) =>
  read(meShape, (await client.get('/v1/me')).body).cabinets.find((each) => each.id === id)

interface Situation {
  /** Asserts that the situation is there. */
  readonly holds: (client: Client, id: string) => Promise<void>
}

const becomes = (status: string): Situation['holds'] => {
  return async (client, id) => assert.equal((await order(client, id)).status, status)
}

const situations: Readonly<Record<TriggerName, Situation>> = {
  receipt_confirmed: {
    holds: async (client, id) => assert.equal((await receipt(client, id)).status, 'EXPECTED'),
  },
  receipt_completed: {
    async holds(client, id) {
      const { status, accepted_qty, expected_qty } = await receipt(client, id)
      assert.deepEqual([status, accepted_qty], ['RECEIVED', expected_qty])
    },
  },
  receipt_with_shortage: {
    async holds(client, id) {
      const { status, discrepancy_qty, items } = await receipt(client, id)
      assert.deepEqual([status, discrepancy_qty], ['RECEIVED_WITH_DISCREPANCY', 1])
      assert.equal(items.filter((line) => line.shortage_reason !== undefined).length, 1)
    },
  },
  order_new: { holds: becomes('NEW') },
  order_cancelled: { holds: becomes('CANCELLED') },
  order_delivered: { holds: becomes('COMPLETED') },
  mark_refused: {
    async holds(client, id) {
      const { status, packed_at } = await order(client, id)
      assert.deepEqual([status, packed_at], ['ASSEMBLING', null])
    },
  },
  shipment_handed_over: {
    holds: async (client, id) => assert.equal((await shipment(client, id)).status, 'HANDED_OVER'),
  },
  shipment_accepted: {
    holds: async (client, id) => assert.equal((await shipment(client, id)).status, 'ACCEPTED'),
  },
  goods_in_question: {
    holds: async (client, id) => assert.ok((await item(client, id)).in_question > 0),
  },
  sync_error: {
    holds: async (client, id) => assert.match((await cabinet(client, id))?.sync_error ?? '', /WB/),
  },
  sync_restored: {
    async holds(client, id) {
      const { sync_error, synced_at } = (await cabinet(client, id)) ?? {}
      assert.equal(sync_error, undefined)
      const synced = Date.parse(synced_at ?? '')
      assert.ok(began <= synced && synced <= Date.now(), `${synced_at}`)
    },
  },
  unknown_status: { holds: becomes('OTHER') },
  goods_without_barcode: {
    async holds(client, id) {
      const { status, barcode } = await order(client, id)
      assert.deepEqual([status, barcode], ['NEW', undefined])
    },
  },
  empty_stock: {
    async holds(client, id) {
      const { quantity, available } = await item(client, id)
      assert.deepEqual([quantity, available], [0, 0])
    },
  },
}

/** Types of the events that the client's subscriptions have got, newest first. */
async function eventsOf(client: Client): Promise<string[]> {
  const { id } = read(meShape, (await client.get('/v1/me')).body).client
  const rows = await service.db<{ type: string }[]>`
    select type from events where client_id = ${id} and type <> 'webhook.ping'`
  return rows.map((row) => row.type)
}

async function assertSound(): Promise<void> {
  assert.equal(await reconcile(service.db, systemClock), 0, 'something was not announced')
  assert.deepEqual((await audit(service.db)).findings, [])
}

for (const { name, events } of describeTriggers()) {
  const { holds } = situations[name]
  test(`${name} is brought about at once, with the events that the reference lists, and may be repeated`, async () => {
    const client = await newSandbox(service)
    await client.post('/v1/webhooks', { url: receiver.url, events: eventTypes })
    for (let n = 0; n < 12; n++) {
      const before = (await eventsOf(client)).length
      const played = await play(client, name)
      assert.equal(played.trigger, name)
      await holds(client, first(played))
      const sent = (await eventsOf(client)).slice(before)
      for (const type of events) assert.ok(sent.includes(type), `${name} ${n}: no ${type}`)
      if (n === 0 && events.length === 0) assert.deepEqual(sent, [], name)
    }
  })
}

test('every trigger works where nothing is left', async () => {
  const client = await newSandbox(service)
  const drained = ['receipt_completed', 'shipment_accepted', 'order_delivered', 'empty_stock']
  for (let n = 0; n < 30; n++) await play(client, 'empty_stock')
  for (const name of drained) for (let n = 0; n < 8; n++) await play(client, name)
  for (const [name, { holds }] of Object.entries(situations)) {
    await holds(client, first(await play(client, name)))
  }
  await assertSound()
})

test('an order whose mark was refused is packed with another unit and leaves', async () => {
  const client = await newSandbox(service)
  const id = first(await play(client, 'mark_refused'))
  const { barcode } = await order(client, id)
  const before = await item(client, barcode ?? '')
  await play(client, 'shipment_handed_over')
  const { status, packed_at } = await order(client, id)
  assert.equal(status, 'IN_DELIVERY')
  assert.notEqual(packed_at, null)
  assert.ok((await item(client, barcode ?? '')).quantity < before.quantity)
  await assertSound()
})

test('a trigger of receipts takes the own request first', async () => {
  const client = await newSandbox(service)
  const { cabinets } = read(meShape, (await client.get('/v1/me')).body)
  const request = async (ref: string) => {
    const { body } = await client.post('/v1/receipts', {
      cabinet_id: cabinets[0]?.id,
      external_ref: ref,
      items: [{ barcode: 'Т-1', name: 'Товар', qty: 3, honest_mark: false }],
    })
    return read(receiptWithItems, body).id
  }
  const own = await request('1')
  assert.equal(first(await play(client, 'receipt_confirmed')), own)
  assert.equal(first(await play(client, 'receipt_with_shortage')), own)
  const next = await request('2')
  assert.equal(first(await play(client, 'receipt_completed')), next)
})

test('triggers of one sandbox at once are played one after another', async () => {
  const client = await newSandbox(service)
  const names = ['order_new', 'shipment_handed_over', 'receipt_confirmed', 'order_delivered']
  const all = await Promise.all([...names, ...names, ...names].map((name) => play(client, name)))
  assert.equal(new Set(all.filter(({ trigger }) => trigger === 'order_new').map(first)).size, 3)
  await assertSound()
})

suite('a trigger is refused', () => {
  test('with an unknown name: not_found, with the names', async () => {
    const client = await newSandbox(service)
    for (const name of ['x', 'toString', 'ORDER_NEW', '%20']) {
      assertRefused(await client.post(`/v1/sandbox/triggers/${name}`), 'not_found', 'order_new')
    }
  })

  test('to a live key: sandbox_only, whatever the name', async () => {
    const client = openClient(service.baseUrl, live.writing)
    for (const name of ['order_new', 'x']) {
      assertRefused(await client.post(`/v1/sandbox/triggers/${name}`), 'sandbox_only')
    }
  })
})
