import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, type Client } from '../support/client.ts'
import { object, oneOf, read, russian, text } from '../support/shape.ts'
import { openTarget, readAll } from '../support/target.ts'
import { meShape, orderShape, receiptShape, receiptWithItems, stockShape } from './resources.ts'

const target = await openTarget()
const anonymous = target.client()

const keyShape = object({ key: text, expires_after_idle: oneOf('24h'), docs: text })

async function request(client: Client): Promise<string> {
  const { cabinets } = read(meShape, (await client.get('/v1/me')).body)
  const answer = await client.post('/v1/receipts', {
    cabinet_id: cabinets[0]?.id,
    external_ref: 'ПЕСОЧНИЦА-1',
    items: [{ barcode: 'Т-1', name: 'Товар', qty: 3, honest_mark: false }],
  })
  assert.equal(answer.status, 201)
  return read(receiptWithItems, answer.body).id
}

test('anybody gets a test key, and every call issues another one', async () => {
  const answer = await anonymous.post('/v1/sandbox/keys')
  assert.equal(answer.status, 201)
  const { key, docs } = read(keyShape, answer.body)
  assert.match(key, /^svc_test_/)
  assert.ok(['http:', 'https:'].includes(new URL(docs).protocol))
  const another = read(keyShape, (await anonymous.post('/v1/sandbox/keys')).body)
  assert.notEqual(another.key, key)
  const owners = await Promise.all(
    [key, another.key].map(
      async (each) => read(meShape, (await target.client(each).get('/v1/me')).body).client.id,
    ),
  )
  assert.notEqual(owners[0], owners[1])
})

test('calls without a body accept any content type', async () => {
  const types = ['application/json', 'text/plain', 'x', ';;;', 'application/json; charset=koi8-r']
  for (const type of types) {
    const call = { method: 'POST', headers: { 'Content-Type': type } }
    assert.equal((await anonymous.call('/v1/sandbox/keys', call)).status, 201, type)
  }
  const client = await target.sandbox()
  const call = { method: 'POST', headers: { 'Content-Type': ';;;' } }
  assert.equal((await client.call('/v1/sandbox/reset', call)).status, 200)
})

test("the call that issues keys ignores the caller's key", async () => {
  for (const key of ['x', 'svc_live_x', target.live?.revoked ?? 'x']) {
    assert.equal((await target.client(key).post('/v1/sandbox/keys')).status, 201)
  }
})

test('a reset restores the scenario and deletes what the key has made', async () => {
  const client = await target.sandbox()
  const snapshot = async () => ({
    orders: (await readAll(client, '/v1/orders', {}, orderShape)).map(({ external_id, status }) => [
      external_id,
      status,
    ]),
    receipts: (await readAll(client, '/v1/receipts', {}, receiptShape)).map(
      ({ number, status, expected_qty, accepted_qty }) => [
        number,
        status,
        expected_qty,
        accepted_qty,
      ],
    ),
    stock: (await readAll(client, '/v1/stock', {}, stockShape)).map(
      ({ barcode, quantity, in_question, reserved }) => [barcode, quantity, in_question, reserved],
    ),
  })
  const scenario = await snapshot()
  const id = await request(client)
  assert.notDeepEqual(await snapshot(), scenario)
  const answer = await client.post('/v1/sandbox/reset')
  assert.equal(answer.status, 200)
  read(object({ message: russian }), answer.body)
  assertRefused(await client.get(`/v1/receipts/${id}`), 'not_found')
  assert.deepEqual(await snapshot(), scenario)
  assert.notEqual(await request(client), id)
})

test('the key and the client survive a reset', async () => {
  const client = await target.sandbox()
  const before = read(meShape, (await client.get('/v1/me')).body)
  await client.post('/v1/sandbox/reset')
  const after = read(meShape, (await client.get('/v1/me')).body)
  assert.equal(after.client.id, before.client.id)
  assert.equal(after.key.id, before.key.id)
})

test('resets concurrent with other calls leave one complete scenario', async () => {
  const client = await target.sandbox()
  const goods = (await readAll(client, '/v1/stock', {}, stockShape)).length
  const calls = [
    '/v1/sandbox/reset',
    '/v1/orders',
    '/v1/sandbox/reset',
    '/v1/me',
    '/v1/sandbox/reset',
  ]
  const answers = await Promise.all(
    calls.map((path) => (path.endsWith('reset') ? client.post(path) : client.get(path))),
  )
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 200, 200, 200, 200],
  )
  assert.equal((await readAll(client, '/v1/stock', {}, stockShape)).length, goods)
})

test('a live client has no sandbox to reset', async (t) => {
  if (target.live === undefined) return t.skip('no live keys')
  for (const key of [target.live.reading, target.live.writing]) {
    assertRefused(await target.client(key).post('/v1/sandbox/reset'), 'sandbox_only')
  }
})
