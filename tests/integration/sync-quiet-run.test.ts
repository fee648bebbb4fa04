import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShipmentsPlace } from '../../src/warehouse/clients/marketplace.ts'
import type { FakeAccount } from '../support/marketplaces/fake.ts'
import { cabinetState, openScene } from '../support/sync-scene.ts'

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
    update cabinet_syncs set shipments_back_to = null,
      next_at = case when cabinet_id = ${cabinetId} then now() else 'infinity' end`
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

const readAlone = (account: FakeAccount, from: number) =>
  ozon
    .calls()
    .slice(from)
    .filter((call) => call.account === account.id && call.path === '/v3/posting/fbs/get').length

test('a posting is read alone once, and again when its requirements change', async () => {
  const { account, cabinetId } = await scene.connect(ozon)
  const waiting = ozon.addOrder(account)
  ozon.require(account, waiting, 'weight')
  ozon.addOrder(account)
  ozon.addOrder(account, { status: { supplier: 'awaiting_deliver', buyer: 'posting_in_carriage' } })
  const required = async () => {
    const [line] = await db<{ required_marks: string[] }[]>`
      select l.required_marks from order_lines l
      join orders o on o.client_id = l.client_id and o.id = l.order_id
      where o.cabinet_id = ${cabinetId} and o.external_id = ${waiting}`
    return line?.required_marks
  }
  const before = ozon.calls().length
  await scene.sync()
  assert.deepEqual([readAlone(account, before), await required()], [2, ['weight']])
  ozon.setStatus(account, waiting, ozon.statusOf(account, waiting))
  await scene.sync()
  assert.deepEqual([readAlone(account, before), await required()], [2, ['weight']])
  ozon.require(account, waiting, 'weight', 'gtd')
  ozon.setStatus(account, waiting, ozon.statusOf(account, waiting))
  await scene.sync()
  assert.deepEqual(
    [readAlone(account, before), await required()],
    [3, ['customs_declaration', 'weight']],
  )
})

test('a backlog is read alone in parts, and a posting that OZON does not show is asked for once', async () => {
  const { account, cabinetId } = await scene.connect(ozon)
  const numbers = Array.from({ length: 450 }, () => ozon.addOrder(account))
  const before = ozon.calls().length
  ozon.failNext(1, { status: 404, body: { code: 5, message: 'NOT_FOUND' } }, '/v3/posting/fbs/get')
  await scene.sync()
  assert.equal(readAlone(account, before), 400)
  await scene.sync()
  await scene.sync()
  assert.equal(readAlone(account, before), numbers.length)
  assert.equal((await cabinetState(db, cabinetId)).sync_error, null)
})
