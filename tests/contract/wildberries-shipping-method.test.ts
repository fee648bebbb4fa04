import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { PartlyMalformed } from '../../src/exchange/marketplaces/calls/failure.ts'
import {
  account,
  connect,
  failureOf,
  fake,
  filled,
  made,
  refused,
  supplyOf,
} from '../support/marketplaces/wildberries-fixture.ts'

/** Where supplies go: shipping points, the shipping method and boxes, as the connector sends them. */

async function filledFor(pointId: number, orders: number) {
  const scene = await filled(orders)
  const { destinations } = scene.shipping
  assert.ok(destinations)
  const method = { pointId, type: 'selfShipping', date: undefined }
  return { ...scene, destinations, method }
}

const responded = (body: unknown) => ({ status: 200, body })
const shippingMethod = 'shipping-method'

suite('shipping points', () => {
  const points = (city: string, cargoType?: number) =>
    connect().shipping.destinations?.points(city, cargoType) ?? Promise.resolve([])

  test('are those of a city that take the cargo', async () => {
    const [first, ...others] = await points('Москва', 1)
    assert.deepEqual(first, {
      id: 100,
      name: 'Москва (Складская)',
      address: 'Москва, 100',
      city: 'Москва',
      kind: 'sc',
      cargo_types: [1, 2, 3],
    })
    assert.deepEqual(
      others.map(({ id, kind }) => [id, kind]),
      [[200, 'pp']],
    )
    assert.deepEqual(made(shippingMethod), [])
    assert.deepEqual(made('shipping-points').at(-1)?.query, { city: 'Москва', cargoType: '1' })
    assert.deepEqual(
      (await points('Москва', 3)).map(({ id }) => id),
      [100],
    )
    assert.deepEqual(await points('Нигде'), [])
  })

  test('that cannot be read hide no others', async () => {
    const readable = { id: 7, name: 'Пункт', cargoTypes: ['x', 1, -1] }
    fake.failNext(1, responded({ shippingPoints: [null, { id: 8 }, readable] }), 'shipping-points')
    assert.deepEqual(
      (await points('Москва')).map(({ id, kind, cargo_types }) => [id, kind, cargo_types]),
      [[7, null, [1]]],
    )
    fake.failNext(1, responded({ shippingPoints: [{ id: 8 }] }), 'shipping-points')
    assert.ok((await failureOf(points('Москва'))) instanceof PartlyMalformed)
  })
})

suite('the shipping method', () => {
  test('is sent with its date, or that of today in Moscow where it has passed', async () => {
    const given = { now: () => Date.parse('2026-11-20T21:30:00Z') }
    for (const [date, sent] of [
      [undefined, '2026-11-21'],
      ['2026-11-20', '2026-11-21'],
      ['2026-12-01', '2026-12-01'],
    ]) {
      const { shipping, id } = await filled(1, given)
      const method = { pointId: 300, type: 'transportCompany', date }
      await shipping.destinations?.send(id, method)
      assert.deepEqual(fake.shippingMethodOf(account, id), {
        shippingDt: sent,
        shippingPointId: 300,
        shippingType: 'transportCompany',
      })
    }
  })

  test('that somebody set in the cabinet is seen, with the cargo of the supply', async () => {
    const { destinations, id, method } = await filledFor(100, 1)
    assert.deepEqual(await destinations.methodOf(id), { cargoType: 1, method: undefined })
    fake.setShippingMethod(account, id, { shippingDt: '2026-11-25', shippingPointId: 7 })
    const set = { ...method, pointId: 7, date: '2026-11-25' }
    assert.deepEqual(await destinations.methodOf(id), { cargoType: 1, method: set })
    const empty = fake.addShipment(account)
    assert.deepEqual(await destinations.methodOf(empty), {
      cargoType: undefined,
      method: undefined,
    })
  })

  test('that WB refuses says why and what to do', async () => {
    const { destinations, id, method } = await filledFor(100, 1)
    const detail = (code: string) => ({
      results: [{ supplyId: id, error: { code: 409, detail: code } }],
    })
    for (const [body, words] of [
      [detail('InvalidShippingDt'), /дата 2026-11-20 не подходит, выберите другую/],
      [detail('SupplyAlreadyScanned'), /уже принял, менять пункт поздно/],
      [detail('FulfillmentRequired'), /нет услуги «Фулфилмент в СЦ», выберите другой/],
      [detail('IncorrectRequestBody'), /выберите другой пункт/],
      [detail('NotFound'), /такой поставки на WB нет/],
      [detail('Новое'), /Новое: выберите другой пункт/],
      [{ results: [] }, /без объяснений/],
      [{ results: null }, /без объяснений/],
    ] as const) {
      fake.failNext(1, responded(body), shippingMethod)
      const failure = await failureOf(destinations.send(id, method))
      assert.equal(failure.kind, 'rejected')
      assert.match(failure.message, words)
      assert.match(failure.message, new RegExp(id))
    }
    fake.closePoint(account, 100)
    assert.match((await failureOf(destinations.send(id, method))).message, /другой пункт/)
    const empty = fake.addShipment(account)
    assert.match((await failureOf(destinations.send(empty, method))).message, /другой пункт/)
  })

  test('is never guessed: the hand-over is refused once and says what to choose', async () => {
    fake.requireShippingMethod(account)
    const earlier = await filledFor(100, 1)
    await earlier.destinations.send(earlier.id, earlier.method)
    await earlier.shipping.handOver(earlier.id)
    const { shipping, id } = await filled()
    const failure = await failureOf(shipping.handOver(id))
    assert.deepEqual([failure.kind, failure.code], ['rejected', 'SupplyShippingRequired'])
    assert.match(failure.message, /выберите пункт для отгрузки или для кабинета/)
    assert.equal(made('/deliver').filter(({ path }) => path.includes(id)).length, 1)
    assert.equal(supplyOf(id)?.closedAt, undefined)
  })
})

suite('boxes', () => {
  test('are made, listed, printed and removed', async () => {
    const { destinations, id, method } = await filledFor(200, 4)
    assert.deepEqual(await destinations.boxesOf(id), [])
    await destinations.send(id, method)
    await destinations.addBoxes(id, 2)
    const boxes = await destinations.boxesOf(id)
    assert.deepEqual(boxes, fake.boxesOf(account, id))
    assert.equal(boxes.length, 2)
    const [first = '', second = ''] = boxes
    const sticker = await destinations.boxSticker(id, second)
    assert.match(String(sticker?.bytes), new RegExp(`^<svg.*${second}`))
    await destinations.removeBoxes(id, [first, 'WB-TRBX-0'])
    assert.deepEqual(await destinations.boxesOf(id), [second])
  })

  test('beyond half of the orders, or for another point, are refused in words', async () => {
    const { destinations, id, method } = await filledFor(200, 4)
    const words =
      /не больше половины числа заказов, и только в поставке до пункта выдачи или с услугой/
    assert.match((await failureOf(destinations.addBoxes(id, 1))).message, words)
    await destinations.send(id, method)
    assert.match((await failureOf(destinations.addBoxes(id, 3))).message, words)
    assert.deepEqual(fake.boxesOf(account, id), [])
  })

  test('are for a sorting centre too, where the supply goes with its service', async () => {
    const { destinations, shipping, id, method } = await filledFor(300, 2)
    fake.fulfil(account, id)
    assert.match(
      (await failureOf(destinations.send(id, method))).message,
      /нет услуги «Фулфилмент в СЦ», выберите другой/,
    )
    await destinations.send(id, { ...method, pointId: 100 })
    assert.match((await failureOf(shipping.handOver(id))).message, /без грузомест: добавьте их/)
    await destinations.addBoxes(id, 1)
    await shipping.handOver(id)
    assert.notEqual(supplyOf(id)?.closedAt, undefined)
  })

  test('that were asked for without an answer are not asked for again', async () => {
    const { destinations, id, method } = await filledFor(200, 4)
    await destinations.send(id, method)
    fake.failNext(1, { status: 504, done: true }, '/trbx')
    assert.equal((await failureOf(destinations.addBoxes(id, 1))).kind, 'unreachable')
    assert.equal(fake.boxesOf(account, id).length, 1)
  })

  test('that are missing at the hand-over are named', async () => {
    const { destinations, shipping, id, method } = await filledFor(200, 4)
    await destinations.send(id, method)
    const failure = await failureOf(shipping.handOver(id))
    assert.match(failure.message, /без грузомест: добавьте их в отгрузку/)
    fake.failNext(1, refused('SupplyIsProcessing'), '/deliver')
    await destinations.addBoxes(id, 1)
    await shipping.handOver(id)
    assert.notEqual(supplyOf(id)?.closedAt, undefined)
  })
})
