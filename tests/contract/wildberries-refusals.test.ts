import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  account,
  connect,
  failureOf,
  fake,
  filled,
  itemsOf,
  made,
  ordersOf,
  refused,
  shipped,
  supplyOf,
} from '../support/marketplaces/wildberries-connected.ts'

/** What the WB connector makes of refusals that have a way out, and how it words the others. */

suite('marking codes', () => {
  test('that WB is still checking are waited for', async () => {
    const { shipping, id, ids } = await filled(2)
    for (const order of ids) fake.decide(account, order, 'pending')
    const failure = await failureOf(shipping.deliver(id))
    assert.equal(failure.kind, 'unreachable')
    assert.match(failure.message, new RegExp(`ещё проверяет .* ${ids.join(', ')}, повторите позже`))
    for (const order of ids) fake.decide(account, order, undefined)
    await shipping.deliver(id)
    assert.notEqual(supplyOf(id)?.closedAt, undefined)
  })

  test('that did not pass are told by order, up to five', async () => {
    const { shipping, id, ids } = await filled(8)
    const [first = '', second = '', third = '', waiting = '', ...others] = ids
    fake.decide(account, first, 'sgtinNotFound')
    fake.decide(account, second, 'sgtinNoGS')
    fake.decide(account, third, 'sgtinAte')
    fake.decide(account, waiting, 'pending')
    for (const order of others.slice(0, 3)) fake.decide(account, order, 'required')
    const failure = await failureOf(shipping.deliver(id))
    assert.deepEqual([failure.kind, failure.code], ['rejected', 'MetaValidationFail'])
    const told = [
      `заказ ${first}: кода нет в Честном знаке`,
      `заказ ${second}: в коде нет разделителя GS`,
      `заказ ${third}: sgtinAte`,
      `заказ ${others[0]}: нужен код маркировки`,
      `заказ ${others[1]}: нужен код маркировки и ещё 1`,
    ]
    assert.ok(failure.message.endsWith(told.join('; ')), failure.message)
  })

  test('of which nothing is told are refused all the same', async () => {
    const { shipping, id } = await filled()
    for (const data of [null, { orders: null }, { orders: [7] }]) {
      const body = { code: 'MetaValidationFail', message: 'No', data }
      fake.failNext(1, { status: 409, body }, '/deliver')
      const failure = await failureOf(shipping.deliver(id))
      assert.equal(failure.kind, 'rejected')
      assert.match(failure.message, /не принял коды маркировки заказов этой поставки/)
    }
  })

  test('that an order does not take are told of with its number', async () => {
    const { shipping, ids } = await filled(2)
    const [good = '', cancelled = ''] = ids
    fake.setStatus(account, cancelled, { supplier: 'cancel', buyer: 'declined_by_client' })
    const gone = await failureOf(shipping.attachMarks(cancelled, ['x'.repeat(31)]))
    assert.deepEqual([gone.kind, gone.code], ['rejected', 'FailedToUpdateMeta'])
    assert.match(gone.message, new RegExp(`Заказ ${cancelled} на WB отменён .*уберите его`))
    fake.failNext(1, refused('FailedToUpdateMeta'), '/meta/sgtin')
    const other = await failureOf(shipping.attachMarks(good, ['x'.repeat(31)]))
    assert.match(other.message, new RegExp(`не принял коды маркировки заказа ${good}`))
  })

  test('of goods that WB wants none of are passed over', async () => {
    const { shipping, ids } = await filled()
    fake.refuseMarks(account, ids[0] ?? '')
    await shipping.attachMarks(ids[0] ?? '', ['x'.repeat(31)])
    assert.deepEqual(fake.marksOf(account, ids[0] ?? ''), [])
  })
})

suite('orders that join a supply', () => {
  test('wait while WB is busy with it', async () => {
    const { shipping, time } = connect()
    const ids = ordersOf(2)
    const id = fake.addShipment(account)
    fake.failNext(2, refused('SupplyIsProcessing'), `${id}/orders`)
    await shipping.fill(id, shipped(ids))
    assert.deepEqual(supplyOf(id)?.orders, ids)
    assert.equal(time.waits.filter((ms) => ms === 2000).length, 2)
    fake.failNext(9, refused('SupplyIsProcessing'), `${id}/orders`)
    const failure = await failureOf(shipping.fill(id, shipped(ordersOf(1))))
    assert.equal(failure.kind, 'unreachable')
    assert.match(failure.message, /ещё обрабатывает поставку/)
  })

  test('are refused with what to do where the supply has left', async () => {
    const { shipping, id } = await filled()
    await shipping.deliver(id)
    const failure = await failureOf(shipping.fill(id, shipped(ordersOf(1))))
    assert.deepEqual([failure.kind, failure.code], ['rejected', 'SupplyAlreadyClosed'])
    assert.match(failure.message, /уже передана: добавьте эти заказы в другую отгрузку/)
  })

  test('are refused with the words of WB, all of a call at once', async () => {
    const { shipping } = connect()
    const ids = ordersOf(100)
    const odd = fake.addOrder(account, { raw: { cargoType: 2 } })
    const before = ordersOf(1)
    const id = fake.addShipment(account, { orders: before })
    const failure = await failureOf(shipping.fill(id, shipped([...ids.slice(1), odd])))
    assert.deepEqual([failure.kind, failure.code], ['rejected', 'FailedToAddSupplyOrder'])
    assert.deepEqual(supplyOf(id)?.orders, before)
  })
})

suite('warehouses', () => {
  const north = { id: 11, name: 'Север' }
  const south = { id: 12, name: 'Юг' }
  const stockAt = async (wanted: { askedAt: number; items: readonly unknown[] }[]) => {
    async function* goods() {
      for (const itemId of [1, 2]) yield [{ itemId, article: undefined, barcode: `b${itemId}` }]
    }
    for await (const page of connect().stock(goods())) wanted.push(page)
  }
  const stocked = () => {
    for (const warehouse of [north, south]) {
      for (const itemId of [1, 2]) fake.setStock(account, { itemId, warehouse, quantity: 5 })
    }
  }

  test('that are going or being changed are not asked', async () => {
    for (const changing of ['isDeleting', 'isProcessing'] as const) {
      stocked()
      fake.changeWarehouse(account, north.id, changing)
      const told: Parameters<typeof stockAt>[0] = []
      await stockAt(told)
      assert.equal(told.flatMap(({ items }) => items).length, 2)
      assert.equal(made(`stocks/${north.id}`).length, 0)
    }
  })

  test('of which WB tells nothing keep no others from being told', async () => {
    stocked()
    fake.failNext(9, { status: 404 }, `stocks/${north.id}`)
    const told: Parameters<typeof stockAt>[0] = []
    const failure = await failureOf(stockAt(told))
    assert.deepEqual([failure.kind, failure.status], ['rejected', 404])
    assert.equal(told.flatMap(({ items }) => items).length, 2)
    assert.equal(made(`stocks/${north.id}`).length, 1)
  })
})

test('a service that has not paid is told so, and may ask again', async () => {
  fake.failNext(1, { status: 402, body: { title: 'payment required', detail: 'no' } })
  const failure = await failureOf(connect().access())
  assert.deepEqual([failure.kind, failure.status], ['unreachable', 402])
  assert.match(failure.message, /пополните баланс/)
})

test('an order whose buyer was not reached is cancelled', async () => {
  const id = fake.addOrder(account, {
    status: { supplier: 'complete', buyer: 'canceled_by_missed_call' },
  })
  const [told] = await itemsOf(connect().statuses([id]))
  assert.equal(told?.reading.status, 'CANCELLED')
})

test('a sticker that waits for a customs declaration says so', async () => {
  fake.failNext(1, refused('CustomsDeclarationIsRequired'), '/orders/stickers')
  const failure = await failureOf(connect().shipping.stickers(ordersOf(1)))
  assert.match(failure.message, /номера таможенной декларации/)
})

test('an order that is in no supply has no sticker, and that says what comes first', async () => {
  const { shipping, ids } = await filled()
  const [fresh = ''] = ordersOf(1)
  fake.failNext(2, { status: 200, body: { stickers: [] } }, '/orders/stickers')
  const failure = await failureOf(shipping.stickers([fresh]))
  assert.equal(failure.kind, 'rejected')
  assert.match(failure.message, new RegExp(`${fresh}: сначала добавьте его в отгрузку`))
  assert.deepEqual(await shipping.stickers(ids), [])
})

test('a supply has its barcode once it has left, and before that says so', async () => {
  const { shipping, id } = await filled()
  assert.match((await failureOf(shipping.pass(id))).message, /сначала закройте отгрузку/)
  assert.match((await failureOf(shipping.pass('WB-GI-404'))).message, /больше нет/)
  await shipping.deliver(id)
  fake.failNext(1, refused('Broken'), '/barcode')
  assert.equal((await failureOf(shipping.pass(id))).code, 'Broken')
})

suite('a hand-over whose answer was lost', () => {
  const lost = { status: 504, done: true } as const

  test('is perhaps done, whatever is refused after it', async () => {
    const keyRefused = async (id: string) => {
      const { shipping } = connect()
      const failure = await failureOf(shipping.deliver(id))
      assert.deepEqual([failure.kind, failure.perhapsDone], ['credentials', true])
      assert.notEqual(supplyOf(id)?.closedAt, undefined)
    }
    const atOnce = await filled()
    fake.failNext(1, lost, '/deliver')
    fake.failNext(1, { status: 401 }, '/deliver')
    await keyRefused(atOnce.id)
    const atLook = await filled()
    fake.failNext(1, lost, '/deliver')
    fake.failNext(1, refused('SupplyAlreadyClosed'), '/deliver')
    fake.failNext(1, { status: 401 }, atLook.id)
    await keyRefused(atLook.id)
    const atWork = await filled()
    fake.failNext(1, lost, '/deliver')
    fake.failNext(1, refused('SupplyIsProcessing'), '/deliver')
    fake.failNext(1, { status: 401 }, '/deliver')
    await keyRefused(atWork.id)
  })

  test('is done where it is refused as done already', async () => {
    const { shipping, id } = await filled()
    fake.failNext(1, lost, '/deliver')
    await shipping.deliver(id)
    assert.notEqual(supplyOf(id)?.closedAt, undefined)
  })
})

test('a supply that is to have cargo places says so', async () => {
  const { shipping, id } = await filled()
  fake.failNext(1, refused('FulfillmentSupplyBoxesRequired'), '/deliver')
  const failure = await failureOf(shipping.deliver(id))
  assert.equal(failure.kind, 'rejected')
  assert.match(failure.message, /без грузомест: добавьте их в кабинете WB/)
})
