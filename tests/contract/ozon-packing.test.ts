import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import { deliveryMethod } from '../support/marketplaces/ozon.ts'
import {
  account,
  connector,
  fake,
  made,
  now,
  refusal,
  shipped,
  time,
} from '../support/marketplaces/ozon-fixture.ts'

/** The OZON connector beyond the contract of all connectors: packing. */
suite('packing', () => {
  let shipment: string
  let id: string

  beforeEach(async () => {
    id = fake.addOrder(account)
    shipment = await connector.shipping.create({ name: '', reference: '' })
  })
  const fill = (units = 1) => connector.shipping.addOrders(shipment, shipped([id], units))

  test('precedes joining and happens once', async () => {
    await fill()
    await fill()
    assert.equal(fake.statusOf(account, id).supplier, 'awaiting_deliver')
    assert.equal(made('/fbs/ship').length, 1)
  })

  test('of many orders takes as long as packing one', async () => {
    const ids = Array.from({ length: 20 }, () => fake.addOrder(account))
    for (const slow of ids) fake.injectFaults(account, slow, { pendingPolls: 2 })
    await connector.shipping.addOrders(shipment, shipped(ids))
    assert.equal(time.waits.filter((ms) => ms === 1000).length, 2)
    assert.equal(fake.shipments(account)[0]?.orders.length, 20)
  })

  test('that takes long is unreachable, and the next call completes it', async () => {
    fake.injectFaults(account, id, { pendingPolls: 8 })
    await refusal(fill(), 'unreachable', /ещё собирает/)
    assert.deepEqual(fake.shipments(account)[0]?.orders, [])
    fake.injectFaults(account, id, { pendingPolls: 0 })
    await fill()
    assert.deepEqual(fake.shipments(account)[0]?.orders, [id])
  })

  test('that fails after OZON accepted it is refused, and can be tried again', async () => {
    fake.injectFaults(account, id, { packingFailures: 1 })
    const failure = await refusal(fill(), 'rejected', /не смог собрать/)
    assert.equal(failure.code, 'ship_failed')
    assert.deepEqual(fake.shipments(account)[0]?.orders, [])
    await fill()
    assert.deepEqual(fake.shipments(account)[0]?.orders, [id])
  })

  test('that failed before is polled again', async () => {
    fake.setStatus(account, id, { supplier: 'awaiting_packaging', buyer: 'ship_failed' })
    fake.injectFaults(account, id, { pendingPolls: 2 })
    await fill()
    assert.deepEqual(fake.shipments(account)[0]?.orders, [id])
  })

  test('the refusal names the order that OZON does not take', async () => {
    const delivery_method = { ...deliveryMethod, id: 22_200 }
    const other = fake.addOrder(account, { raw: { delivery_method } })
    const filling = connector.shipping.addOrders(shipment, shipped([id, other]))
    const failure = await refusal(filling, 'rejected', new RegExp(other))
    assert.equal(failure.code, 'POSTING_HAS_INCORRECT_STATUS')
    assert.deepEqual(fake.shipments(account)[0]?.orders, [])
  })

  test('whose response was lost is not repeated', async () => {
    fake.failNext(1, { status: 504, done: true }, '/fbs/ship')
    await fill()
    assert.equal(made('/fbs/ship').length, 1)
  })

  test('does not start for a carriage that takes no more orders', async () => {
    fake.addShipment(account, { id: shipment, cancelled: true })
    await refusal(fill(), 'rejected', /отменена: добавьте эти заказы в другую/)
    fake.addShipment(account, { id: shipment, closedAt: now })
    await refusal(fill(), 'rejected', /уже передана: добавьте эти заказы в другую/)
    const gone = connector.shipping.addOrders('404', shipped([id]))
    assert.equal((await refusal(gone, 'rejected', /код 404/)).status, 404)
    assert.equal(fake.statusOf(account, id).supplier, 'awaiting_packaging')
    assert.equal(made('/fbs/ship').length, 0)
  })

  test('of a cancelled order is refused with its status and what to do', async () => {
    fake.setStatus(account, id, { supplier: 'cancelled', buyer: 'posting_canceled' })
    const failure = await refusal(fill(), 'rejected', /«Отменён» .*уберите его из отгрузки/)
    assert.ok(failure.message.includes(id))
  })

  test('of an order that the seller ships is refused, whoever carries it', async () => {
    for (const tpl_integration_type of ['3pl_tracking', 'by_drone']) {
      id = fake.addOrder(account, { raw: { tpl_integration_type } })
      await refusal(fill(), 'rejected', /продавец доставляет сам.*уберите его из отгрузки/)
    }
    assert.deepEqual(made('/fbs/ship'), [])
  })

  test('is refused if the number of units differs', async () => {
    await refusal(fill(2), 'rejected', /единиц: 1, а собирается: 2/)
    assert.equal(fake.statusOf(account, id).supplier, 'awaiting_packaging')
  })

  test('a forbidden change of a shipment is a refusal and no credentials failure', async () => {
    fake.failNext(1, { status: 403 }, 'set-postings')
    await refusal(fill(), 'rejected', /не даёт этому кабинету/)
  })

  test('an order cancelled inside a carriage does not block the others', async () => {
    await fill()
    fake.setStatus(account, id, { supplier: 'cancelled', buyer: 'posting_canceled' })
    const next = fake.addOrder(account)
    await connector.shipping.addOrders(shipment, shipped([next]))
    assert.deepEqual(fake.shipments(account)[0]?.orders, [next])
  })

  test('waits for a declaration until the hand-over, which says where workers add it', async () => {
    fake.injectFaults(account, id, { undeclared: true })
    await fill()
    assert.equal(fake.statusOf(account, id).supplier, 'awaiting_packaging')
    const leaving = connector.shipping.handOver(shipment, shipped([id]))
    const failure = await refusal(leaving, 'rejected', /декларации: добавьте к единицам/)
    assert.ok(failure.message.includes(id))
    assert.equal(made('exemplar/set').length, 0)
    fake.injectFaults(account, id, { undeclared: false })
    await fill()
    assert.deepEqual(fake.shipments(account)[0]?.orders, [id])
  })
})
