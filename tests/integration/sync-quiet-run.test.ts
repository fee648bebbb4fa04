import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShipmentsPlace } from '../../src/clients/marketplace.ts'
import { openScene } from '../support/sync-scene.ts'

/** What a sync run asks of a marketplace where nothing has happened since the last one. */
const scene = await openScene()
const { db, wb, ozon, syncing } = scene

async function quietCalls(fake: typeof wb | typeof ozon, shipments: ShipmentsPlace) {
  const { account, cabinetId } = await scene.connect(fake, { shipments })
  const inside = fake.addOrder(account)
  fake.addOrder(account)
  fake.addShipment(account, { orders: [inside] })
  await scene.sync()
  // Orders that were reported in the first run are reported once more, without a change.
  const before = fake.calls().length
  await db`
    update cabinet_syncs set next_at = case when cabinet_id = ${cabinetId} then now() else 'infinity' end`
  const runner = syncing()
  await runner.runOnce()
  await runner.stop()
  const made = fake.calls().slice(before)
  assert.deepEqual([...new Set(made.map((call) => call.account))], [account.id])
  return made.map(({ method, path }) => `${method} ${path.replace(/WB-GI-\d+/, '*')}`)
}

test('a quiet run of OZON asks for changed orders and open carriages, and for nothing else', async () => {
  assert.deepEqual(await quietCalls(ozon, 'ours'), ['POST /v4/posting/fbs/list'])
  assert.deepEqual(await quietCalls(ozon, 'mirrored'), [
    'POST /v4/posting/fbs/list',
    'POST /v1/carriage/get',
    'POST /v2/posting/fbs/act/get-postings',
  ])
})

test('a quiet run of WB asks for orders, their statuses and open supplies, and for nothing else', async () => {
  const orders = ['GET /api/v3/orders/new', 'POST /api/v3/orders/status', 'GET /api/v3/orders']
  assert.deepEqual(await quietCalls(wb, 'ours'), orders)
  assert.deepEqual(await quietCalls(wb, 'mirrored'), [
    ...orders,
    'GET /api/v3/supplies/*',
    'GET /api/marketplace/v3/supplies/*/order-ids',
  ])
})

test('a changed order makes a run look for new shipments at once', async () => {
  const { account, clientId } = await scene.connect(ozon, { shipments: 'mirrored' })
  const order = ozon.addOrder(account)
  await scene.sync()
  const id = ozon.addShipment(account, { orders: [order] })
  ozon.setStatus(account, order, { supplier: 'awaiting_deliver', buyer: 'posting_in_carriage' })
  await db`update cabinet_syncs set next_at = case when client_id = ${clientId} then now() else 'infinity' end`
  const runner = syncing()
  await runner.runOnce()
  await runner.stop()
  const rows = await db`select from shipments where client_id = ${clientId} and external_id = ${id}`
  assert.equal(rows.length, 1)
})
