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
} from '../support/marketplaces/ozon-connected.ts'

/** What the OZON connector promises beyond the contract of all connectors: packing. */
suite('packing', () => {
  let shipment: string
  let id: string

  beforeEach(async () => {
    id = fake.addOrder(account)
    shipment = await connector.shipping.create({ name: '', mark: '' })
  })
  const fill = (units = 1) => connector.shipping.fill(shipment, shipped([id], units))

  test('comes before joining, and once', async () => {
    await fill()
    await fill()
    assert.equal(fake.statusOf(account, id).supplier, 'awaiting_deliver')
    assert.equal(made('/fbs/ship').length, 1)
  })

  test('of many waits as long as of one', async () => {
    const ids = Array.from({ length: 20 }, () => fake.addOrder(account))
    for (const slow of ids) fake.hinder(account, slow, { looks: 2 })
    await connector.shipping.fill(shipment, shipped(ids))
    assert.equal(time.waits.filter((ms) => ms === 1000).length, 2)
    assert.equal(fake.shipments(account)[0]?.orders.length, 20)
  })

  test('that takes long is told as such, and done by the next call', async () => {
    fake.hinder(account, id, { looks: 8 })
    await refusal(fill(), 'unreachable', /ещё собирает/)
    assert.deepEqual(fake.shipments(account)[0]?.orders, [])
    fake.hinder(account, id, { looks: 0 })
    await fill()
    assert.deepEqual(fake.shipments(account)[0]?.orders, [id])
  })

  test('that fails after its promise is no success, and can be tried again', async () => {
    fake.hinder(account, id, { shipFails: 1 })
    const failure = await refusal(fill(), 'rejected', /не смог собрать/)
    assert.equal(failure.code, 'ship_failed')
    assert.deepEqual(fake.shipments(account)[0]?.orders, [])
    await fill()
    assert.deepEqual(fake.shipments(account)[0]?.orders, [id])
  })

  test('that had failed before is waited for', async () => {
    fake.setStatus(account, id, { supplier: 'awaiting_packaging', buyer: 'ship_failed' })
    fake.hinder(account, id, { looks: 2 })
    await fill()
    assert.deepEqual(fake.shipments(account)[0]?.orders, [id])
  })

  test('an order that OZON does not let in is named', async () => {
    const delivery_method = { ...deliveryMethod, id: 22_200 }
    const other = fake.addOrder(account, { raw: { delivery_method } })
    const filling = connector.shipping.fill(shipment, shipped([id, other]))
    const failure = await refusal(filling, 'rejected', new RegExp(other))
    assert.equal(failure.code, 'POSTING_HAS_INCORRECT_STATUS')
    assert.deepEqual(fake.shipments(account)[0]?.orders, [])
  })

  test('whose answer was lost is not done twice', async () => {
    fake.failNext(1, { status: 504, done: true }, '/fbs/ship')
    await fill()
    assert.equal(made('/fbs/ship').length, 1)
  })

  test('is not begun for a carriage that has ended', async () => {
    fake.addShipment(account, { id: shipment, cancelled: true })
    await refusal(fill(), 'rejected', /отменена: добавьте эти заказы в другую/)
    fake.addShipment(account, { id: shipment, closedAt: now })
    await refusal(fill(), 'rejected', /уже передана: добавьте эти заказы в другую/)
    const gone = connector.shipping.fill('404', shipped([id]))
    assert.equal((await refusal(gone, 'rejected', /код 404/)).status, 404)
    assert.equal(fake.statusOf(account, id).supplier, 'awaiting_packaging')
    assert.equal(made('/fbs/ship').length, 0)
  })

  test('of what was cancelled is refused, with its status and what to do', async () => {
    fake.setStatus(account, id, { supplier: 'cancelled', buyer: 'posting_canceled' })
    const failure = await refusal(fill(), 'rejected', /«Отменён» .*уберите его из отгрузки/)
    assert.ok(failure.message.includes(id))
  })

  test('of another number of units than was collected is refused', async () => {
    await refusal(fill(2), 'rejected', /единиц: 1, а собирается: 2/)
    assert.equal(fake.statusOf(account, id).supplier, 'awaiting_packaging')
  })

  test('a cabinet that may not change shipments keeps its key', async () => {
    fake.failNext(1, { status: 403 }, 'set-postings')
    await refusal(fill(), 'rejected', /не даёт этому кабинету/)
  })

  test('an order that was cancelled inside does not hold up the others', async () => {
    await fill()
    fake.setStatus(account, id, { supplier: 'cancelled', buyer: 'posting_canceled' })
    const next = fake.addOrder(account)
    await connector.shipping.fill(shipment, shipped([next]))
    assert.deepEqual(fake.shipments(account)[0]?.orders, [next])
  })

  test('waits for declarations that only the seller may give, and says so', async () => {
    fake.hinder(account, id, { undeclared: true })
    const failure = await refusal(fill(), 'rejected', /требует ГТД: укажите в кабинете/)
    assert.ok(failure.message.includes(id))
    assert.equal(made('exemplar/set').length, 0)
    fake.hinder(account, id, { undeclared: false })
    await fill()
    assert.deepEqual(fake.shipments(account)[0]?.orders, [id])
  })
})
