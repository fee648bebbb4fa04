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
} from '../support/marketplaces/wildberries-fixture.ts'

/** The shipping method, which sellers in Russia must set before the hand-over of a supply. */

suite('the shipping method', () => {
  const earlier = (days: number, method = {}, orders: string[] = []) => {
    const createdAt = now - days * day
    const id = fake.addShipment(account, { createdAt, closedAt: createdAt + hour, orders })
    fake.setShippingMethod(account, id, method)
    return id
  }

  test('is not set unless WB requires it', async () => {
    const { shipping, id } = await filled()
    earlier(1)
    const before = made().length
    await shipping.handOver(id)
    assert.deepEqual(
      made()
        .slice(before)
        .map(({ method, path }) => `${method} ${path}`),
      [`PATCH /api/v3/supplies/${id}/deliver`],
    )
  })

  test("is the last one used, with today's date in Moscow", async () => {
    fake.requireShippingMethod(account)
    earlier(3, { shippingPointId: 103 })
    earlier(1, { shippingPointId: 101, shippingType: 'transportCompany' })
    earlier(2, { shippingPointId: 102 })
    fake.addShipment(account, { name: 'Без пункта' })
    const { shipping, id } = await filled(1, { now: () => Date.parse('2026-11-20T21:30:00Z') })
    await shipping.handOver(id)
    assert.notEqual(supplyOf(id)?.closedAt, undefined)
    assert.deepEqual(fake.shippingMethodOf(account, id), {
      shippingDt: '2026-11-21',
      shippingPointId: 101,
      shippingType: 'transportCompany',
    })
    assert.equal(made('/deliver').length, 2)
  })

  test('of a supply with another kind of cargo is not used', async () => {
    fake.requireShippingMethod(account)
    earlier(2, { shippingPointId: 102 }, ordersOf(1))
    const bulky = fake.addOrder(account, { raw: { cargoType: 2 } })
    earlier(1, { shippingPointId: 101 }, [bulky])
    const { shipping, id } = await filled()
    await shipping.handOver(id)
    assert.equal(fake.shippingMethodOf(account, id)?.shippingPointId, 102)
  })

  test('set for the supply itself stays, with its date if that is later than today', async () => {
    for (const [named, sent] of [
      ['2026-11-25', '2026-11-25'],
      ['2026-11-19', '2026-11-20'],
    ]) {
      const { shipping, id } = await filled()
      fake.setShippingMethod(account, id, { shippingDt: named ?? '', shippingPointId: 7 })
      earlier(0, { shippingPointId: 8 })
      fake.failNext(1, refused('SupplyShippingRequired'), '/deliver')
      await shipping.handOver(id)
      assert.deepEqual(
        [
          fake.shippingMethodOf(account, id)?.shippingPointId,
          fake.shippingMethodOf(account, id)?.shippingDt,
        ],
        [7, sent],
      )
    }
  })

  test('that is not known yet must be set by staff', async () => {
    fake.requireShippingMethod(account)
    const { shipping, id } = await filled()
    const failure = await failureOf(shipping.handOver(id))
    assert.deepEqual([failure.kind, failure.code], ['rejected', 'SupplyShippingRequired'])
    assert.match(failure.message, new RegExp(`поставку ${id} без пункта, способа и даты`))
    assert.match(failure.message, /один раз укажите их для неё в кабинете WB/)
    assert.equal(failure.forSeller, failure.message)
    assert.equal(made('shipping-method').length, 0)
    fake.setShippingMethod(account, id)
    await shipping.handOver(id)
    const next = await filled()
    await next.shipping.handOver(next.id)
    assert.equal(fake.shippingMethodOf(account, next.id)?.shippingPointId, 100)
  })

  test('that WB refuses must be set by staff, who read why', async () => {
    fake.requireShippingMethod(account)
    earlier(1, { shippingPointId: 101 })
    fake.closePoint(account, 101)
    const { shipping, id } = await filled()
    const failure = await failureOf(shipping.handOver(id))
    assert.equal(failure.kind, 'rejected')
    assert.match(failure.message, /прежние WB не принял: пункт или способ .* в кабинете WB/)
    assert.equal(made('/deliver').length, 1)
    fake.failNext(1, { status: 404 }, 'shipping-method')
    assert.match((await failureOf(shipping.handOver(id))).message, /код 404.*в кабинете WB/)
    fake.failNext(1, { status: 200, body: { results: [] } }, 'shipping-method')
    assert.match((await failureOf(shipping.handOver(id))).message, /без объяснений.*в кабинете WB/)
    assert.equal(supplyOf(id)?.closedAt, undefined)
  })

  test('is set once for each hand-over', async () => {
    earlier(1)
    const { shipping, id } = await filled()
    fake.failNext(3, refused('SupplyShippingRequired'), '/deliver')
    assert.match((await failureOf(shipping.handOver(id))).message, /один раз укажите/)
    assert.equal(made('/deliver').length, 2)
  })

  test('that cannot be looked up now is unreachable', async () => {
    fake.requireShippingMethod(account)
    earlier(1)
    const { shipping, id } = await filled()
    fake.failNext(9, { status: 503 }, 'shipping-method')
    assert.equal((await failureOf(shipping.handOver(id))).kind, 'unreachable')
  })
})
