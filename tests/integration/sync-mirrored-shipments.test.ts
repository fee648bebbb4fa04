import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { addSubscription } from '../support/subscription.ts'
import { openScene, ordersOf, shipmentsOf } from '../support/sync-scene.ts'
import { stockUp } from '../support/warehouse.ts'

const scene = await openScene()
const { db, wb, ozon } = scene
const hour = 3_600_000
const barcode = '4600000000017'

async function mirrored(fake: typeof wb | typeof ozon, units: number) {
  const connected = await scene.connect(fake, { shipments: 'mirrored' })
  const { clientId, account } = connected
  const card = fake.addCard(account, { barcodes: [barcode] })
  if (units > 0) await stockUp(db, clientId, { [barcode]: units })
  const packed =
    fake === wb
      ? { supplier: 'confirm', buyer: 'waiting' }
      : { supplier: 'awaiting_deliver', buyer: 'posting_in_carriage' }
  const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }
  const order = () => fake.addOrder(account, { lines: [line], status: packed })
  return { ...connected, order }
}

async function balance(clientId: string) {
  const [row] = await db`
    select quantity, reserved from stock_balances
    where client_id = ${clientId} and barcode = ${barcode}`
  return { quantity: row?.quantity ?? 0, reserved: row?.reserved ?? 0 }
}

function shortages(clientId: string) {
  return db<{ barcode: string; units: number }[]>`
    select barcode, units from shipment_shortages where client_id = ${clientId}`
}

for (const [name, fake] of [
  ['WB', wb],
  ['OZON', ozon],
] as const) {
  test(`${name}: a mirrored shipment reserves nothing and takes available units when it leaves`, async () => {
    const { clientId, cabinetId, account, order } = await mirrored(fake, 2)
    const orders = [order(), order(), order()]
    const id = fake.addShipment(account, { orders })
    await scene.sync()
    const [open] = await shipmentsOf(db, cabinetId)
    assert.equal(open?.external_id, id)
    assert.equal(open?.status, 'ASSEMBLING')
    assert.equal(open?.orders_count, 3)
    assert.deepEqual(await balance(clientId), { quantity: 2, reserved: 0 })
    assert.ok((await ordersOf(db, cabinetId)).every(({ status }) => status === 'ASSEMBLING'))
    await addSubscription(db, clientId)
    fake.acceptShipment(account, id)
    await scene.sync()
    await scene.sync()
    const [gone] = await shipmentsOf(db, cabinetId)
    assert.equal(gone?.status, 'ACCEPTED')
    assert.equal(gone?.units, 2)
    assert.deepEqual(await balance(clientId), { quantity: 0, reserved: 0 })
    assert.deepEqual(
      (await shortages(clientId)).map((row) => ({ ...row })),
      [{ barcode, units: 1 }],
    )
    assert.ok((await ordersOf(db, cabinetId)).every(({ status }) => status === 'IN_DELIVERY'))
    const events = await db<{ type: string; n: number }[]>`
      select type, count(*)::int as n from events where client_id = ${clientId} group by 1 order by 1`
    assert.deepEqual(
      events.map(({ type, n }) => [type, n]),
      [
        ['order.status_changed', 3],
        ['shipment.status_changed', 2],
      ],
    )
  })

  test(`${name}: a shipment that left before the connection is shown and does not touch the ledger`, async () => {
    const { clientId, cabinetId, account, order } = await mirrored(fake, 5)
    await addSubscription(db, clientId)
    const createdAt = Date.now() - 3 * hour
    const closedAt = Date.now() - 2 * hour
    const acceptedAt = name === 'WB' ? Date.now() - hour : undefined
    const id = fake.addShipment(account, { orders: [order()], createdAt, closedAt, acceptedAt })
    await scene.sync()
    const [shown] = await shipmentsOf(db, cabinetId)
    assert.equal(shown?.external_id, id)
    assert.equal(shown?.status, name === 'WB' ? 'ACCEPTED' : 'HANDED_OVER')
    assert.deepEqual([shown?.units, shown?.orders_count], [0, 1])
    assert.equal((await ordersOf(db, cabinetId))[0]?.status, 'IN_DELIVERY')
    assert.deepEqual(await balance(clientId), { quantity: 5, reserved: 0 })
    assert.equal((await shortages(clientId)).length, 0)
    const [sent] = await db`
      select count(*)::int as n from events where client_id = ${clientId} and type = 'shipment.status_changed'`
    assert.equal(sent?.n, 0)
  })
}

test('a new key of the same seller keeps the day of the connection', async () => {
  const { clientId, cabinetId, account, order } = await mirrored(wb, 5)
  await scene.sync()
  const id = wb.addShipment(account, { orders: [order()] })
  wb.acceptShipment(account, id)
  await db`update cabinets set credentials_at = now() + interval '2 seconds' where id = ${cabinetId}`
  await scene.sync()
  assert.equal((await shipmentsOf(db, cabinetId))[0]?.units, 1)
  assert.deepEqual(await balance(clientId), { quantity: 4, reserved: 0 })
})

test('a shipment deleted in the cabinet releases its orders and disappears', async () => {
  const { clientId, cabinetId, account, order } = await mirrored(ozon, 1)
  const id = ozon.addShipment(account, { orders: [order()] })
  await scene.sync()
  assert.equal((await ordersOf(db, cabinetId))[0]?.shipment_id !== null, true)
  ozon.addShipment(account, { id, cancelled: true, orders: [] })
  await scene.sync()
  await scene.sync()
  assert.equal((await ordersOf(db, cabinetId))[0]?.shipment_id, null)
  assert.deepEqual(await shipmentsOf(db, cabinetId), [])
  assert.deepEqual(await balance(clientId), { quantity: 1, reserved: 0 })
})

test('after the setting changes to ours, mirrored shipments are still followed to their end', async () => {
  const { clientId, cabinetId, account, order } = await mirrored(wb, 2)
  const begun = wb.addShipment(account, { orders: [order()] })
  await scene.sync()
  await db`update cabinets set shipments = 'ours' where id = ${cabinetId}`
  const strange = wb.addShipment(account, { orders: [order()] })
  for (const id of [begun, strange]) wb.acceptShipment(account, id)
  await scene.sync()
  const shown = await shipmentsOf(db, cabinetId)
  assert.deepEqual(
    shown.map(({ external_id, status }) => [external_id, status]),
    [[begun, 'ACCEPTED']],
  )
  assert.deepEqual(await balance(clientId), { quantity: 1, reserved: 0 })
})

test('a shipment that was closed by a clock ahead of the marketplace is accepted when it is scanned there', async () => {
  const { cabinetId, account, order } = await mirrored(wb, 1)
  const closed = wb.addShipment(account, { orders: [order()], closedAt: Date.now() })
  await scene.sync()
  await db`
    update shipments set closed_at = closed_at + interval '10 minutes' where cabinet_id = ${cabinetId}`
  wb.acceptShipment(account, closed)
  await scene.sync()
  const [shown] = await shipmentsOf(db, cabinetId)
  assert.equal(shown?.status, 'ACCEPTED')
})

test('orders move between open shipments as the marketplace reports them', async () => {
  const { cabinetId, account, order } = await mirrored(wb, 0)
  const numbers = [order(), order()]
  const first = wb.addShipment(account, { orders: numbers })
  await scene.sync()
  wb.addShipment(account, { id: first, orders: numbers.slice(0, 1) })
  const second = wb.addShipment(account, { orders: numbers.slice(1) })
  await scene.sync()
  const counts = (await shipmentsOf(db, cabinetId)).map(({ external_id, orders_count }) => [
    external_id,
    orders_count,
  ])
  assert.deepEqual(counts.toSorted(), [
    [first, 1],
    [second, 1],
  ])
})

test('a mirrored shipment waits for orders that could not be taken in', async () => {
  const { clientId, cabinetId, account, order } = await mirrored(wb, 3)
  await scene.sync()
  const id = wb.addShipment(account, { orders: [order()] })
  wb.acceptShipment(account, id)
  wb.failNext(100, { status: 400 }, '/api/v3/orders')
  await scene.sync()
  wb.heal()
  assert.deepEqual(await balance(clientId), { quantity: 3, reserved: 0 })
  await scene.sync()
  assert.equal((await shipmentsOf(db, cabinetId))[0]?.status, 'ACCEPTED')
  assert.deepEqual(await balance(clientId), { quantity: 2, reserved: 0 })
})

test('a shipment that we create during a sync run is not mistaken for a mirrored one', async () => {
  const changes = [
    (cabinetId: string) => db`update cabinets set shipments = 'ours' where id = ${cabinetId}`,
    (cabinetId: string) => db`
      insert into remote_commands (client_id, id, cabinet_id, kind, detail, state, actor, requested_at)
      select client_id, ${newId()}, id, 'create', '{"name": "Утренняя"}', 'requested', 'service', now()
      from cabinets where id = ${cabinetId}`,
  ]
  for (const change of changes) {
    const { cabinetId, account, order } = await mirrored(wb, 1)
    await scene.sync()
    wb.addShipment(account, { orders: [order()] })
    const list = wb.holdNext('/api/v3/supplies')
    const run = scene.sync()
    await list.reached
    await change(cabinetId)
    list.release()
    await run
    assert.deepEqual(await shipmentsOf(db, cabinetId), [])
    await db`update cabinets set active = false where id = ${cabinetId}`
  }
})

test('the audit finds nothing', async () => {
  assert.deepEqual((await audit(db)).findings, [])
  assert.deepEqual(scene.logged(), [])
})
