import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { reconcile } from '../../src/operations/maintenance.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import {
  meShape,
  orderShape,
  receiptShape,
  receiptWithItems,
  shipmentShape,
} from '../acceptance/resources.ts'
import { assertRefused, type Client, newSandbox, openClient } from '../support/client.ts'
import { openReceiver } from '../support/receiver.ts'
import { addLiveClient, startService } from '../support/service.ts'
import { count, integer, object, read, russian } from '../support/shape.ts'
import { readAll } from '../support/target.ts'

const service = await startService()
const live = await addLiveClient(service)
const receiver = await openReceiver()

const advancedShape = object({
  hours: integer,
  completed_receipts: count,
  new_orders: count,
  handed_over_shipments: count,
  message: russian,
})

async function advance(client: Client, hours: number) {
  const answer = await client.post('/v1/sandbox/advance', { hours })
  assert.equal(answer.status, 200, answer.text)
  return read(advancedShape, answer.body)
}

async function request(client: Client, qty: number): Promise<string> {
  const { cabinets } = read(meShape, (await client.get('/v1/me')).body)
  const { body } = await client.post('/v1/receipts', {
    cabinet_id: cabinets[0]?.id,
    items: [{ barcode: 'Т-1', name: 'Товар', qty, honest_mark: false }],
  })
  return read(receiptWithItems, body).id
}

const orders = (client: Client) => readAll(client, '/v1/orders', {}, orderShape)

async function assertSound(): Promise<void> {
  assert.equal(await reconcile(service.db, systemClock), 0, 'something was not announced')
  assert.deepEqual((await audit(service.db)).findings, [])
}

test('an hour brings new orders, ships open ones and counts the own receipts', async () => {
  const client = await newSandbox(service)
  const [plain, short] = [await request(client, 3), await request(client, 13)]
  const before = await orders(client)
  const { hours, new_orders: added, completed_receipts, ...rest } = await advance(client, 1)
  assert.deepEqual([hours, completed_receipts], [1, 2])
  assert.ok(added > 0 && rest.handed_over_shipments > 0)
  const after = await orders(client)
  assert.equal(after.length, before.length + added)
  const statusOf = async (id: string) =>
    read(receiptWithItems, (await client.get(`/v1/receipts/${id}`)).body).status
  assert.equal(await statusOf(plain), 'RECEIVED')
  assert.equal(await statusOf(short), 'RECEIVED_WITH_DISCREPANCY')
  const open = before.filter(
    ({ marketplace, status }) => marketplace === 'WB' && status === 'ASSEMBLING',
  )
  assert.ok(open.length > 0)
  const now = new Map(after.map((order) => [order.id, order.status]))
  for (const { id } of open) assert.notEqual(now.get(id), 'ASSEMBLING')
  await assertSound()
})

test('a week ends in seconds of work with orders in every stage, and may be repeated', async () => {
  const client = await newSandbox(service)
  const before = new Set((await orders(client)).map(({ id }) => id))
  for (let n = 0; n < 2; n++) {
    const { new_orders: added, handed_over_shipments: sent } = await advance(client, 168)
    assert.ok(added > 100 && sent > 20, `${added} orders, ${sent} shipments`)
  }
  const added = (await orders(client)).filter(({ id }) => !before.has(id))
  const statuses = new Set(added.map(({ status }) => status))
  for (const status of ['NEW', 'IN_DELIVERY', 'COMPLETED', 'CANCELLED'] as const) {
    assert.ok(statuses.has(status), status)
  }
  await assertSound()
})

test('everything carries the present time, and events come in order', async () => {
  const client = await newSandbox(service)
  const { id } = read(meShape, (await client.get('/v1/me')).body).client
  const events = ['order.status_changed', 'shipment.status_changed', 'receipt.completed']
  await client.post('/v1/webhooks', { url: receiver.url, events })
  await request(client, 3)
  const before = new Set((await orders(client)).map((order) => order.id))
  const started = Date.now()
  await advance(client, 24)
  const ended = Date.now()
  const isPresent = (at: string) => {
    assert.ok(Date.parse(at) >= started - 1000 && Date.parse(at) <= ended + 1000, at)
  }
  for (const order of await orders(client)) if (!before.has(order.id)) isPresent(order.created_at)
  for (const list of [
    await readAll(client, '/v1/shipments', {}, shipmentShape),
    await readAll(client, '/v1/receipts', {}, receiptShape),
  ]) {
    for (const each of list) assert.ok(Date.parse(each.created_at) <= ended + 1000)
  }
  const rows = await service.db<{ body: string }[]>`
    select body from events where client_id = ${id} and type = 'order.status_changed' order by number`
  assert.ok(rows.length > 50)
  const last = new Map<string, string>()
  for (const { body } of rows) {
    const { occurred_at, data } = JSON.parse(body)
    isPresent(occurred_at)
    const known = last.get(data.object.id)
    if (known !== undefined) assert.equal(data.previous_status, known)
    last.set(data.object.id, data.object.status)
  }
})

test('calls of one sandbox at once are played one after another', async () => {
  const client = await newSandbox(service)
  const before = (await orders(client)).length
  const all = await Promise.all(
    Array.from({ length: 5 }, (_, n) =>
      n === 2 ? client.post('/v1/sandbox/triggers/shipment_accepted') : advance(client, 2),
    ),
  )
  const added = all.flatMap((each) => ('new_orders' in each ? [each.new_orders] : []))
  assert.deepEqual(added, [6, 6, 6, 6])
  assert.ok((await orders(client)).length >= before + 24)
  await assertSound()
})

test('while the WB cabinet does not answer only receipts are played', async () => {
  const client = await newSandbox(service)
  await client.post('/v1/sandbox/triggers/sync_error')
  await request(client, 3)
  const { completed_receipts, new_orders: added } = await advance(client, 5)
  assert.deepEqual([completed_receipts, added], [1, 0])
  await client.post('/v1/sandbox/triggers/sync_restored')
  assert.ok((await advance(client, 5)).new_orders > 0)
})

test('hours outside of 1 to 168 and live keys are refused', async () => {
  const client = await newSandbox(service)
  for (const hours of [0, 169, -1, 1.5, '1', null]) {
    assertRefused(await client.post('/v1/sandbox/advance', { hours }), 'validation_error', 'hours')
  }
  assertRefused(await client.post('/v1/sandbox/advance', {}), 'validation_error', 'hours')
  assertRefused(await client.post('/v1/sandbox/advance'), 'bad_request')
  const seller = openClient(service.baseUrl, live.writing)
  assertRefused(await seller.post('/v1/sandbox/advance', { hours: 1 }), 'sandbox_only')
})
