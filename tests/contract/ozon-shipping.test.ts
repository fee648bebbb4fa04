import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import { isNeedless, isTooEarly } from '../../src/exchange/marketplaces/calls/failure.ts'
import { deliveryMethod } from '../support/marketplaces/ozon.ts'
import {
  account,
  all,
  clock,
  connector,
  fake,
  hour,
  made,
  now,
  refusal,
  shipped,
  since,
} from '../support/marketplaces/ozon-fixture.ts'

/** The OZON connector beyond the contract of all connectors: carriages. */
suite('creating a carriage', () => {
  const elsewhere = { ...deliveryMethod, id: 22_200, name: 'Курьер' }

  test('uses the delivery method of its orders', async () => {
    fake.addOrder(account)
    const id = fake.addOrder(account, { raw: { delivery_method: elsewhere } })
    const plan = { name: '', reference: '', orders: shipped([id]) }
    await connector.shipping.create(plan)
    assert.deepEqual(fake.shipments(account)[0]?.orders, [id])
  })

  test('is refused for orders of two methods or an unknown one, and names them', async () => {
    const { shipping } = connector
    await refusal(shipping.create({ name: '', reference: '' }), 'rejected', /нет заказов/)
    const ids = [
      fake.addOrder(account),
      fake.addOrder(account, { raw: { delivery_method: elsewhere } }),
    ]
    await refusal(shipping.create({ name: '', reference: '' }), 'rejected', /Курьер/)
    const plan = { name: '', reference: '', orders: shipped(ids) }
    await refusal(shipping.create(plan), 'rejected', /разных способов.*выберите только те/)
    assert.deepEqual(fake.shipments(account), [])
  })

  test('that OZON refuses says what to do', async () => {
    const id = fake.addOrder(account)
    const plan = { name: '', reference: '', orders: shipped([id]) }
    const refusals = {
      posting_statuses_not_ready: ['unreachable', /ещё собирает/],
      first_mile_is_changing: ['unreachable', /настройки склада/],
      there_are_incomplete_carriages: ['rejected', /неподтверждённая отгрузка/],
      new_postings_are_possible: ['rejected', /могут прийти заказы/],
      POSTING_NOT_FOUND: ['rejected', /только с собранными заказами/],
    } as const
    for (const [message, [kind, words]] of Object.entries(refusals)) {
      fake.failNext(1, { status: 400, body: { code: 9, message } }, 'carriage/create')
      await refusal(connector.shipping.create(plan), kind, words)
    }
    assert.deepEqual(fake.shipments(account), [])
  })

  test('is asked for only where the list of the day offers it', async () => {
    const id = fake.addOrder(account)
    const plan = { name: '', reference: '', orders: shipped([id]) }
    fake.restrictCarriages(account)
    const create = () => connector.shipping.create(plan)
    const first = await create()
    await refusal(create(), 'rejected', /неподтверждённая отгрузка/)
    await connector.shipping.handOver(first)
    await refusal(create(), 'rejected', /пока не даёт создать отгрузку способа доставки «Склад FBS/)
    const marked = fake.addOrder(account)
    fake.require(account, marked, 'imei')
    const early = { ...plan, orders: shipped([marked]) }
    const failure = await refusal(
      connector.shipping.create(early),
      'rejected',
      /собранными заказами/,
    )
    assert.ok(isTooEarly(failure))
    assert.equal(made('carriage/create').length, 1)
  })

  test('is needless for orders that are brought to a point, which are packed all the same', async () => {
    fake.bringToPoint(account)
    const id = fake.addOrder(account)
    const plan = { name: '', reference: '', orders: shipped([id]) }
    for (const listed of ['listed', 'not listed']) {
      if (listed === 'not listed') {
        const body = { methods: [], has_next: false, cursor: '' }
        fake.failNext(1, { status: 200, body }, '/v2/carriage/delivery/list')
      }
      const failure = await refusal(connector.shipping.create(plan), 'rejected', /без неё/)
      assert.ok(isNeedless(failure))
    }
    assert.equal(fake.statusOf(account, id).supplier, 'awaiting_deliver')
    assert.deepEqual(made('carriage/create'), [])
  })

  test('removes the postings that OZON adds by itself', async () => {
    fake.addOrder(account, { status: { supplier: 'awaiting_deliver', buyer: '' } })
    const id = fake.addOrder(account)
    await connector.shipping.create({ name: '', reference: '', orders: shipped([id]) })
    assert.deepEqual(fake.shipments(account)[0]?.orders, [id])
  })

  test('a posting that cannot be removed at creation is removed at hand-over', async () => {
    const { shipping } = connector
    const other = fake.addOrder(account, { status: { supplier: 'awaiting_deliver', buyer: '' } })
    const id = fake.addOrder(account)
    const externalId = await shipping.create({ name: '', reference: '' })
    assert.deepEqual(await shipping.ordersOf(externalId), [other])
    await shipping.addOrders(externalId, shipped([id]))
    await shipping.handOver(externalId, shipped([id]))
    assert.deepEqual(fake.shipments(account)[0]?.orders, [id])
    fake.acceptShipment(account, externalId)
    await shipping.handOver(externalId, shipped([id]))
  })

  test('handing over packed orders costs no call for each order', async () => {
    const { shipping } = connector
    const orders = shipped(Array.from({ length: 30 }, () => fake.addOrder(account)))
    const externalId = await shipping.create({ name: '', reference: '', orders })
    const before = made().length
    await shipping.handOver(externalId, orders)
    assert.equal(made().length - before, 3)
    assert.notEqual(fake.shipments(account)[0]?.closedAt, undefined)
  })

  test('a carriage without a response is found only if it is the only candidate', async () => {
    const { shipping } = connector
    const id = fake.addOrder(account)
    const tried = { requestedAt: now, orders: shipped([id]) }
    fake.addShipment(account, { createdAt: now - hour })
    fake.addShipment(account, { closedAt: now })
    assert.equal(await shipping.findCreated('SK-1', tried), undefined)
    const made = await shipping.create({ name: '', reference: 'SK-1', orders: shipped([id]) })
    assert.equal(await shipping.findCreated('SK-1'), undefined)
    assert.equal(await shipping.findCreated('SK-1', tried), made)
    const other = fake.addShipment(account)
    const failure = await refusal(shipping.findCreated('SK-1', tried), 'unreachable', /несколько/)
    assert.ok(failure.message.includes(made))
    const found = await shipping.findCreated('SK-1', { ...tried, known: [other] })
    assert.equal(found, made)
  })

  test('a carriage that was requested by a clock ahead is found, and not made again', async () => {
    const { shipping } = connector
    const orders = shipped([fake.addOrder(account)])
    const requestedAt = now + 2 * hour
    const made = await shipping.create({ name: '', reference: 'SK-1', requestedAt, orders })
    clock.pass(hour)
    assert.equal(await shipping.findCreated('SK-1', { requestedAt, orders }), made)
  })

  test('a carriage that holds only other postings is not taken', async () => {
    const { shipping } = connector
    const packed = { supplier: 'awaiting_deliver', buyer: '' }
    const [id, foreign] = [0, 1].map(() => fake.addOrder(account, { status: packed }))
    const orders = shipped([id ?? ''])
    const strange = fake.addShipment(account, { orders: [foreign ?? ''] })
    assert.equal(await shipping.findCreated('SK-1', { requestedAt: now, orders }), undefined)
    fake.failNext(1, { status: 404 }, 'act/get-postings')
    assert.equal(
      await shipping.findCreated('SK-1', { requestedAt: now, orders }),
      strange,
      'OZON does not report what it holds',
    )
    const made = await shipping.create({ name: '', reference: 'SK-1', orders })
    assert.equal(await shipping.findCreated('SK-1', { requestedAt: now, orders }), made)
  })

  test('the carriage with our moment of departure is found, and no other', async () => {
    const { shipping } = connector
    fake.addOrder(account)
    const at = now - 1_234
    const strange = fake.addShipment(account)
    const tried = { requestedAt: at }
    assert.equal(
      await shipping.findCreated('SK-1', tried),
      strange,
      'the day of departure alone does not rule it out',
    )
    await shipping.create({ name: '', reference: 'SK-1', requestedAt: at })
    const [body] = made('carriage/create').map((call) => call.body as { departure_date: string })
    assert.equal(body?.departure_date, new Date(at).toISOString())
    const exact = (id: string, departure: number) => ({
      status: 200,
      body: { carriage_id: id, status: 'new', departure_date: new Date(departure).toISOString() },
    })
    const ids = fake.shipments(account).map(({ id }) => id)
    for (const id of ids) {
      fake.failNext(1, exact(id, id === strange ? at - 1 : at), 'carriage/get')
    }
    const found = await shipping.findCreated('SK-1', tried)
    assert.equal(found, ids.at(-1))
    for (const id of ids) fake.failNext(1, exact(id, at - 1), 'carriage/get')
    assert.equal(await shipping.findCreated('SK-1', tried), undefined)
  })

  test('succeeds even if the postings that OZON added cannot be removed', async () => {
    const id = fake.addOrder(account)
    for (const how of [{ status: 400 }, { status: 401 }, { status: 403 }, 'reset'] as const) {
      fake.failNext(4, how, 'set-postings')
      const plan = { name: '', reference: '', orders: shipped([id]) }
      assert.ok(await connector.shipping.create(plan))
      fake.heal()
    }
  })

  test('without orders uses the delivery method of the waiting postings', async () => {
    const raw = { delivery_method: elsewhere }
    const ended = { supplier: 'delivered', buyer: 'posting_received' }
    fake.addOrder(account)
    const postings = [
      {
        posting_number: '1',
        status: ended.supplier,
        delivery_method: deliveryMethod,
        products: [],
      },
      { posting_number: '2', status: 'awaiting_deliver', ...raw, products: [] },
    ]
    fake.addOrder(account, { raw })
    fake.failNext(1, { status: 200, body: { postings, has_next: false } }, '/v4/posting/fbs/list')
    await connector.shipping.create({ name: '', reference: '' })
    const body = made('carriage/create')[0]?.body as { delivery_method_id: unknown }
    assert.equal(String(body.delivery_method_id), String(elsewhere.id))
  })
})

for (const status of [404, 400]) {
  suite(`a carriage whose postings OZON does not report, by ${status}`, () => {
    beforeEach(() => fake.failNext(100, { status }, 'act/get-postings'))

    test('it takes orders, takes more and is handed over with our orders', async () => {
      const { shipping } = connector
      const packed = { supplier: 'awaiting_deliver', buyer: '' }
      fake.addOrder(account, { status: packed })
      const [first, second, third] = [0, 1, 2].map(() => fake.addOrder(account))
      const ids = [first ?? '', second ?? '', third ?? '']
      const externalId = await shipping.create({ name: '', reference: '' })
      await shipping.addOrders(externalId, shipped(ids.slice(0, 1)), [])
      await shipping.addOrders(externalId, shipped(ids.slice(1)), shipped(ids.slice(0, 1)))
      assert.deepEqual(fake.shipments(account)[0]?.orders, ids)
      assert.equal(await shipping.ordersOf(externalId), undefined)
      await shipping.removeOrders(externalId, ids.slice(0, 1), shipped(ids.slice(1)))
      assert.deepEqual(fake.shipments(account)[0]?.orders, ids.slice(1))
      await shipping.handOver(externalId, shipped(ids.slice(1)))
      const [gone] = fake.shipments(account)
      assert.deepEqual(gone?.orders, ids.slice(1))
      assert.notEqual(gone?.closedAt, undefined)
    })

    test('it is listed without its orders', async () => {
      const open = fake.addShipment(account, { orders: ['1-1-1'] })
      const closed = fake.addShipment(account, { orders: ['1-1-2'], closedAt: now })
      const listed = await all(connector.shipments(since()))
      assert.deepEqual(
        listed.map(({ externalId, orders }) => [externalId, orders]).toSorted(),
        [open, closed].map((id) => [id, undefined]).toSorted(),
      )
    })
  })
}

test('an order leaves a carriage that holds a cancelled one, and a refused change is undone', async () => {
  const { shipping } = connector
  const ids = [0, 1, 2].map(() => fake.addOrder(account))
  const [first = '', second = '', third = ''] = ids
  const externalId = await shipping.create({ name: '', reference: '' })
  await shipping.addOrders(externalId, shipped(ids), [])
  fake.setStatus(account, first, { supplier: 'cancelled', buyer: '' })
  await shipping.removeOrders(externalId, [second])
  assert.deepEqual(fake.shipments(account)[0]?.orders, [third])
  await shipping.addOrders(externalId, shipped([second]), [])
  // OZON took the other posting of the refused change: the connector restores the list.
  const result = [{ posting_number: third, result: false, error: 'NOT_NOW' }]
  fake.failNext(1, { status: 200, body: { result }, done: true }, 'carriage/set-postings')
  await refusal(shipping.removeOrders(externalId, [second]), 'rejected', /NOT_NOW/)
  assert.deepEqual(fake.shipments(account)[0]?.orders.toSorted(), [second, third].toSorted())
})

test('a carriage with cargo places is approved with their number, others without', async () => {
  const { shipping } = connector
  for (const places of [3, 0]) {
    const order = fake.addOrder(account, { status: { supplier: 'awaiting_deliver', buyer: '' } })
    const id = fake.addShipment(account, { orders: [order], places })
    await shipping.handOver(id, shipped([order]))
    assert.equal(await shipping.remoteStateOf(id), 'handedOver')
  }
  assert.deepEqual(
    made('carriage/approve').map(({ body }) => (body as Record<string, unknown>).containers_count),
    [3, undefined],
  )
})

test('a hand-over whose response was lost has an unknown outcome, whatever is refused later', async () => {
  const { shipping } = connector
  const orders = shipped([fake.addOrder(account)])
  const id = await shipping.create({ name: '', reference: '', orders })
  fake.failNext(1, { status: 504, done: true }, 'carriage/approve')
  const held = fake.holdNext('carriage/approve')
  const handingOver = refusal(shipping.handOver(id), 'credentials', /ключ доступа/)
  await held.reached
  fake.failNext(9, { status: 401 }, 'carriage/get')
  held.release()
  assert.equal((await handingOver).outcomeUnknown, true)
})

test('a list whose response was lost keeps its unknown outcome if the next call is forbidden', async () => {
  const { shipping } = connector
  const [first, second] = [0, 1].map(() => fake.addOrder(account))
  const id = await shipping.create({ name: '', reference: '', orders: shipped([first ?? '']) })
  fake.failNext(1, { status: 504, done: true }, 'set-postings')
  fake.failNext(1, { status: 403 }, 'set-postings')
  const adding = shipping.addOrders(id, shipped([second ?? '']))
  assert.equal((await refusal(adding, 'credentials', /не хватает прав/)).outcomeUnknown, true)
  assert.deepEqual(fake.shipments(account)[0]?.orders, [first, second])
})

test('a single result for all orders of a carriage is read', async () => {
  const { shipping } = connector
  const id = fake.addOrder(account)
  const externalId = await shipping.create({ name: '', reference: '' })
  fake.failNext(1, { status: 200, body: { result: false } }, 'set-postings')
  await refusal(shipping.addOrders(externalId, shipped([id])), 'rejected', /не принял/)
  fake.failNext(1, { status: 200, body: { result: true } }, 'set-postings')
  await shipping.addOrders(externalId, shipped([id]))
})
