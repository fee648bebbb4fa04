import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  account,
  day,
  failureOf,
  fake,
  filled,
  hour,
  made,
  now,
  ordersOf,
  refused,
  supplyOf,
} from '../support/marketplaces/wildberries-connected.ts'

/** How a supply gets to WB, which sellers in Russia have to say before it leaves. */

suite('the way to WB', () => {
  const earlier = (days: number, method = {}, orders: string[] = []) => {
    const createdAt = now - days * day
    const id = fake.addShipment(account, { createdAt, closedAt: createdAt + hour, orders })
    fake.nameMethod(account, id, method)
    return id
  }

  test('is not asked for where WB does not ask for it', async () => {
    const { shipping, id } = await filled()
    earlier(1)
    const before = made().length
    await shipping.deliver(id)
    assert.deepEqual(
      made()
        .slice(before)
        .map(({ method, path }) => `${method} ${path}`),
      [`PATCH /api/v3/supplies/${id}/deliver`],
    )
  })

  test('goes on as people chose it last, with the date of today in Moscow', async () => {
    fake.demandMethod(account)
    earlier(3, { shippingPointId: 103 })
    earlier(1, { shippingPointId: 101, shippingType: 'transportCompany' })
    earlier(2, { shippingPointId: 102 })
    fake.addShipment(account, { name: 'Без пункта' })
    const { shipping, id } = await filled(1, { now: () => Date.parse('2026-11-20T21:30:00Z') })
    await shipping.deliver(id)
    assert.notEqual(supplyOf(id)?.closedAt, undefined)
    assert.deepEqual(fake.methodOf(account, id), {
      shippingDt: '2026-11-21',
      shippingPointId: 101,
      shippingType: 'transportCompany',
    })
    assert.equal(made('/deliver').length, 2)
  })

  test('is none of a supply with another kind of cargo', async () => {
    fake.demandMethod(account)
    earlier(2, { shippingPointId: 102 }, ordersOf(1))
    const bulky = fake.addOrder(account, { raw: { cargoType: 2 } })
    earlier(1, { shippingPointId: 101 }, [bulky])
    const { shipping, id } = await filled()
    await shipping.deliver(id)
    assert.equal(fake.methodOf(account, id)?.shippingPointId, 102)
  })

  test('named for the supply itself stays, with its date where that is to come', async () => {
    for (const [named, sent] of [
      ['2026-11-25', '2026-11-25'],
      ['2026-11-19', '2026-11-20'],
    ]) {
      const { shipping, id } = await filled()
      fake.nameMethod(account, id, { shippingDt: named ?? '', shippingPointId: 7 })
      earlier(0, { shippingPointId: 8 })
      fake.failNext(1, refused('SupplyShippingRequired'), '/deliver')
      await shipping.deliver(id)
      assert.deepEqual(
        [fake.methodOf(account, id)?.shippingPointId, fake.methodOf(account, id)?.shippingDt],
        [7, sent],
      )
    }
  })

  test('that nobody has named yet is asked of the worker', async () => {
    fake.demandMethod(account)
    const { shipping, id } = await filled()
    const failure = await failureOf(shipping.deliver(id))
    assert.deepEqual([failure.kind, failure.code], ['rejected', 'SupplyShippingRequired'])
    assert.match(failure.message, new RegExp(`поставку ${id} без пункта, способа и даты`))
    assert.match(failure.message, /один раз укажите их для неё в кабинете WB/)
    assert.equal(failure.forSeller, failure.message)
    assert.equal(made('shipping-method').length, 0)
    fake.nameMethod(account, id)
    await shipping.deliver(id)
    const next = await filled()
    await next.shipping.deliver(next.id)
    assert.equal(fake.methodOf(account, next.id)?.shippingPointId, 100)
  })

  test('that WB refuses is asked of the worker, and why', async () => {
    fake.demandMethod(account)
    earlier(1, { shippingPointId: 101 })
    fake.closePoint(account, 101)
    const { shipping, id } = await filled()
    const failure = await failureOf(shipping.deliver(id))
    assert.equal(failure.kind, 'rejected')
    assert.match(failure.message, /прежние WB не принял: пункт или способ .* в кабинете WB/)
    assert.equal(made('/deliver').length, 1)
    fake.failNext(1, { status: 404 }, 'shipping-method')
    assert.match((await failureOf(shipping.deliver(id))).message, /код 404.*в кабинете WB/)
    fake.failNext(1, { status: 200, body: { results: [] } }, 'shipping-method')
    assert.match((await failureOf(shipping.deliver(id))).message, /без объяснений.*в кабинете WB/)
    assert.equal(supplyOf(id)?.closedAt, undefined)
  })

  test('is tried once', async () => {
    earlier(1)
    const { shipping, id } = await filled()
    fake.failNext(3, refused('SupplyShippingRequired'), '/deliver')
    assert.match((await failureOf(shipping.deliver(id))).message, /один раз укажите/)
    assert.equal(made('/deliver').length, 2)
  })

  test('that can not be asked for now is no refusal', async () => {
    fake.demandMethod(account)
    earlier(1)
    const { shipping, id } = await filled()
    fake.failNext(9, { status: 503 }, 'shipping-method')
    assert.equal((await failureOf(shipping.deliver(id))).kind, 'unreachable')
  })
})
