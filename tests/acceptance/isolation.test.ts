import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, assertRefused, type Client } from '../support/client.ts'
import { read } from '../support/shape.ts'
import { openTarget, readAll } from '../support/target.ts'
import {
  meShape,
  orderShape,
  receiptShape,
  returnShape,
  shipmentShape,
  stockShape,
} from './resources.ts'

const target = await openTarget()
const [one, other] = [await target.sandbox(), await target.sandbox()]
const nobody = '01a1fcc9-0c44-7024-87c2-000000000000'

async function allOf(client: Client) {
  return {
    orders: await readAll(client, '/v1/orders', {}, orderShape),
    receipts: await readAll(client, '/v1/receipts', {}, receiptShape),
    shipments: await readAll(client, '/v1/shipments', {}, shipmentShape),
    returns: await readAll(client, '/v1/returns', {}, returnShape),
  }
}

const [mine, theirs] = [await allOf(one), await allOf(other)]

/** The parts of an answer that a caller can compare with another answer. */
function visible({ status, text, headers }: Answer): unknown {
  const shownHeaders = Object.fromEntries(headers)
  const ofCall = ['x-request-id', 'date', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit']
  for (const name of ofCall) delete shownHeaders[name]
  return { status, shownHeaders, text: text.replace(/"request_id":"[^"]*"/, '') }
}

// Guarantee (keys): A key sees one client; objects of others look like none.
test('an object of another client gets the same answer as one that does not exist', async () => {
  for (const list of ['orders', 'receipts', 'shipments', 'returns'] as const) {
    const unknown = visible(await one.get(`/v1/${list}/${nobody}`))
    for (const { id } of theirs[list].slice(0, 20)) {
      const answer = await one.get(`/v1/${list}/${id}`)
      assertRefused(answer, 'not_found')
      assert.deepEqual(visible(answer), unknown)
    }
  }
})

test('no object of one client shares its id with an object of another', () => {
  for (const list of ['orders', 'receipts', 'shipments', 'returns'] as const) {
    const ids = new Set(mine[list].map(({ id }) => id))
    assert.ok(ids.size > 0)
    assert.ok(theirs[list].every(({ id }) => !ids.has(id)))
  }
})

test('filtering orders by a shipment of another client answers as for an unknown shipment', async () => {
  const foreign = await one.get(`/v1/orders?shipment_id=${theirs.shipments[0]?.id}`)
  assert.deepEqual(visible(foreign), visible(await one.get(`/v1/orders?shipment_id=${nobody}`)))
  assert.deepEqual(foreign.body, { items: [], total: 0, next_cursor: null })
})

test('a cabinet of another client gets the same answer as an unknown one', async () => {
  const { cabinets } = read(meShape, (await other.get('/v1/me')).body)
  const items = [{ barcode: '1', name: 'Товар', qty: 1, honest_mark: false }]
  const foreign = await one.post('/v1/receipts', { cabinet_id: cabinets[0]?.id, items })
  assertRefused(foreign, 'validation_error', 'cabinet_id')
  const unknown = await one.post('/v1/receipts', { cabinet_id: nobody, items })
  assert.deepEqual(visible(foreign), visible(unknown))
})

test('products of one client do not name the goods of another', async (t) => {
  if (target.live === undefined) return t.skip('no live keys')
  const [item] = await readAll(one, '/v1/stock', {}, stockShape)
  assert.ok(item)
  const live = target.client(target.live.writing)
  const answer = await live.get(`/v1/stock/${item.barcode}`)
  assert.deepEqual(visible(answer), visible(await live.get('/v1/stock/none')))
  const items = [{ barcode: item.barcode, qty: 1, honest_mark: false }]
  assertRefused(await live.post('/v1/receipts', { items }), 'validation_error', 'items[0].name')
})

test('a receipt and a reset of one client change nothing for another', async () => {
  const { cabinets } = read(meShape, (await one.get('/v1/me')).body)
  const items = [{ barcode: 'Т-1', name: 'Товар', qty: 1, honest_mark: false }]
  const made = await one.post('/v1/receipts', { cabinet_id: cabinets[0]?.id, items })
  assert.equal(made.status, 201)
  assert.deepEqual(await allOf(other), theirs)
  assert.equal((await one.post('/v1/sandbox/reset')).status, 200)
  assert.deepEqual(await allOf(other), theirs)
})
