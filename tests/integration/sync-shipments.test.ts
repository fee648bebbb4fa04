import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { actor, cabinetState, openScene, ordersOf, shipmentsOf } from '../support/sync-scene.ts'
import { stockUp } from '../support/warehouse.ts'

/** Failures of single shipments, and which shipments the service takes for its own. */
const scene = await openScene()
const { db, wb, ozon, coordinator, run } = scene

const statusesOf = async (cabinetId: string) =>
  (await shipmentsOf(db, cabinetId))
    .map(({ external_id, status }) => `${external_id} ${status}`)
    .toSorted()

for (const fake of [wb, ozon] as const) {
  const name = fake.marketplace
  test(`${name}: a shipment that is refused or can’t be parsed stops no other shipment`, async () => {
    const { cabinetId, account } = await scene.connect(fake, { shipments: 'mirrored' })
    const [bad = '', good = ''] = [1, 2].map(() =>
      fake.addShipment(account, { orders: [fake.addOrder(account)] }),
    )
    await scene.sync()
    fake.addShipment(account, { id: good, orders: [], closedAt: Date.now() })
    const path = fake === wb ? `${bad}/order-ids` : '/v1/carriage/get'
    const body = fake === wb ? { orderIds: [null] } : { carriage_id: bad, status: null }
    for (const failure of [{ status: 409 }, { status: 200, body }]) {
      fake.failNext(1, failure, path)
      await scene.sync()
      const statuses = [`${bad} ASSEMBLING`, `${good} HANDED_OVER`]
      assert.deepEqual(await statusesOf(cabinetId), statuses.toSorted())
      assert.notEqual((await cabinetState(db, cabinetId)).sync_error, null)
    }
    await scene.sync()
    assert.equal((await cabinetState(db, cabinetId)).sync_error, null)
  })

  test(`${name}: a shipment requested here stays ours, whatever the setting becomes meanwhile`, async () => {
    const { clientId, cabinetId, account } = await scene.connect(fake)
    fake.addOrder(account)
    await scene.sync()
    const path = fake === wb ? '/api/v3/supplies' : '/carriage/create'
    fake.failNext(1, { status: 500, done: true }, path)
    const draft = { cabinetId, externalId: 'утро', name: undefined }
    await assert.rejects(coordinator.open(clientId, draft, actor, run))
    await db`update cabinets set shipments = 'mirrored' where id = ${cabinetId}`
    await scene.sync()
    assert.deepEqual(await statusesOf(cabinetId), [], 'it may be ours')
    await db`update remote_commands set requested_at = requested_at - interval '1 minute'`
    await scene.sync()
    const [ours] = await db`select mirrored from shipments where cabinet_id = ${cabinetId}`
    assert.equal(ours?.mirrored, false)
    assert.deepEqual((await audit(db)).findings, [])
  })
}

test('a leftover supply is not shown as a shipment', async () => {
  const { clientId, cabinetId, account } = await scene.connect(wb, { shipments: 'mirrored' })
  wb.addShipment(account, { name: 'SK-REST Остаток', orders: [wb.addOrder(account)] })
  const own = wb.addShipment(account, { name: 'SK-RESTORAN', orders: [] })
  await scene.sync()
  assert.deepEqual(await statusesOf(cabinetId), [`${own} ASSEMBLING`])
  assert.equal((await ordersOf(db, cabinetId))[0]?.shipment_id, null, clientId)
})

test('adding orders whose result OZON does not report is repeated and adopted', async () => {
  const { clientId, cabinetId, account } = await scene.connect(ozon)
  const barcode = '4600000000017'
  await stockUp(db, clientId, { [barcode]: 5 })
  ozon.addCard(account, { barcodes: [barcode] })
  ozon.addOrder(account)
  await scene.sync()
  const [order] = await ordersOf(db, cabinetId)
  assert.ok(order !== undefined)
  const draft = { cabinetId, externalId: 'вечер', name: undefined }
  const { id } = await coordinator.open(clientId, draft, actor, run)
  ozon.failNext(100, { status: 404 }, 'act/get-postings')
  ozon.failNext(4, { status: 500, done: true }, 'set-postings')
  await assert.rejects(coordinator.addOrders(clientId, id, [order.id], actor, run))
  await db`update remote_commands set requested_at = requested_at - interval '1 minute'`
  await scene.sync()
  ozon.heal()
  assert.equal((await ordersOf(db, cabinetId))[0]?.shipment_id, id)
})
