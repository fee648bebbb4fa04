import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import { deliveryMethod } from '../support/marketplaces/ozon.ts'
import {
  account,
  all,
  connector,
  fake,
  hour,
  lineOf,
  made,
  now,
  refusal,
  shipped,
  since,
  time,
} from '../support/marketplaces/ozon-connected.ts'

/** What the OZON connector promises beyond the contract of all connectors: shipping. */
suite('creating', () => {
  const elsewhere = { ...deliveryMethod, id: 22_200, name: 'Курьер' }

  test('is of the delivery method of its orders', async () => {
    fake.addOrder(account)
    const id = fake.addOrder(account, { raw: { delivery_method: elsewhere } })
    const plan = { name: '', mark: '', orders: shipped([id]) }
    await connector.shipping.create(plan)
    assert.deepEqual(fake.shipments(account)[0]?.orders, [id])
  })

  test('of orders of two methods, or of none known, is refused by name', async () => {
    const { shipping } = connector
    await refusal(shipping.create({ name: '', mark: '' }), 'rejected', /нет заказов/)
    const ids = [
      fake.addOrder(account),
      fake.addOrder(account, { raw: { delivery_method: elsewhere } }),
    ]
    await refusal(shipping.create({ name: '', mark: '' }), 'rejected', /Курьер/)
    const plan = { name: '', mark: '', orders: shipped(ids) }
    await refusal(shipping.create(plan), 'rejected', /разных способов/)
    assert.deepEqual(fake.shipments(account), [])
  })

  test('keeps out what OZON puts in by itself', async () => {
    fake.addOrder(account, { status: { supplier: 'awaiting_deliver', buyer: '' } })
    const id = fake.addOrder(account)
    await connector.shipping.create({ name: '', mark: '', orders: shipped([id]) })
    assert.deepEqual(fake.shipments(account)[0]?.orders, [id])
  })

  test('what a shipment can not be rid of at once does not leave with it', async () => {
    const { shipping } = connector
    const other = fake.addOrder(account, { status: { supplier: 'awaiting_deliver', buyer: '' } })
    const id = fake.addOrder(account)
    const externalId = await shipping.create({ name: '', mark: '' })
    assert.deepEqual(await shipping.ordersOf(externalId), [other])
    await shipping.fill(externalId, shipped([id]))
    await shipping.deliver(externalId, shipped([id]))
    assert.deepEqual(fake.shipments(account)[0]?.orders, [id])
    fake.acceptShipment(account, externalId)
    await shipping.deliver(externalId, shipped([id]))
  })

  test('handing over what is packed and inside asks nothing of each order', async () => {
    const { shipping } = connector
    const orders = shipped(Array.from({ length: 30 }, () => fake.addOrder(account)))
    const externalId = await shipping.create({ name: '', mark: '', orders })
    const before = made().length
    await shipping.deliver(externalId, orders)
    assert.equal(made().length - before, 3)
    assert.notEqual(fake.shipments(account)[0]?.closedAt, undefined)
  })

  test('a tried one is found only if it can be no other', async () => {
    const { shipping } = connector
    const id = fake.addOrder(account)
    const tried = { at: now, orders: shipped([id]) }
    fake.addShipment(account, { createdAt: now - hour })
    fake.addShipment(account, { closedAt: now })
    assert.equal(await shipping.find('SK-1', tried), undefined)
    const made = await shipping.create({ name: '', mark: 'SK-1', orders: shipped([id]) })
    assert.equal(await shipping.find('SK-1'), undefined)
    assert.equal(await shipping.find('SK-1', tried), made)
    const other = fake.addShipment(account)
    const failure = await refusal(shipping.find('SK-1', tried), 'unreachable', /несколько/)
    assert.ok(failure.message.includes(made))
    const found = await shipping.find('SK-1', { ...tried, known: [other] })
    assert.equal(found, made)
  })

  test('one that departs when ours was to is it, and no other is', async () => {
    const { shipping } = connector
    fake.addOrder(account)
    const at = now - 1_234
    const strange = fake.addShipment(account)
    const tried = { at }
    assert.equal(await shipping.find('SK-1', tried), strange, 'a day alone may be it')
    await shipping.create({ name: '', mark: 'SK-1', at })
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
    const found = await shipping.find('SK-1', tried)
    assert.equal(found, ids.at(-1))
    for (const id of ids) fake.failNext(1, exact(id, at - 1), 'carriage/get')
    assert.equal(await shipping.find('SK-1', tried), undefined)
  })

  test('is done, whatever becomes of the orders that OZON put in', async () => {
    const id = fake.addOrder(account)
    for (const how of [{ status: 400 }, { status: 401 }, { status: 403 }, 'reset'] as const) {
      fake.failNext(4, how, 'set-postings')
      const plan = { name: '', mark: '', orders: shipped([id]) }
      assert.ok(await connector.shipping.create(plan))
      fake.heal()
    }
  })

  test('of nothing in particular is of the method of those that wait, whatever else is told', async () => {
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
    await connector.shipping.create({ name: '', mark: '' })
    const body = made('carriage/create')[0]?.body as { delivery_method_id: unknown }
    assert.equal(String(body.delivery_method_id), String(elsewhere.id))
  })
})

suite('where OZON does not tell what is in a carriage', () => {
  beforeEach(() => fake.failNext(100, { status: 404 }, 'act/get-postings'))

  test('it is filled, filled up and handed over with what is ours', async () => {
    const { shipping } = connector
    const packed = { supplier: 'awaiting_deliver', buyer: '' }
    fake.addOrder(account, { status: packed })
    const [first, second, third] = [0, 1, 2].map(() => fake.addOrder(account))
    const ids = [first ?? '', second ?? '', third ?? '']
    const externalId = await shipping.create({ name: '', mark: '' })
    await shipping.fill(externalId, shipped(ids.slice(0, 1)), [])
    await shipping.fill(externalId, shipped(ids.slice(1)), shipped(ids.slice(0, 1)))
    assert.deepEqual(fake.shipments(account)[0]?.orders, ids)
    assert.equal(await shipping.ordersOf(externalId), undefined)
    await shipping.putAside(externalId, ids.slice(0, 1), shipped(ids.slice(1)))
    assert.deepEqual(fake.shipments(account)[0]?.orders, ids.slice(1))
    await shipping.deliver(externalId, shipped(ids.slice(1)))
    const [gone] = fake.shipments(account)
    assert.deepEqual(gone?.orders, ids.slice(1))
    assert.notEqual(gone?.closedAt, undefined)
  })

  test('it is told without its orders', async () => {
    const open = fake.addShipment(account, { orders: ['1-1-1'] })
    const closed = fake.addShipment(account, { orders: ['1-1-2'], closedAt: now })
    const told = await all(connector.shipments(since()))
    assert.deepEqual(
      told.map(({ externalId, orders }) => [externalId, orders]).toSorted(),
      [open, closed].map((id) => [id, undefined]).toSorted(),
    )
  })
})

test('one answer for all orders of a carriage is taken for what it says', async () => {
  const { shipping } = connector
  const id = fake.addOrder(account)
  const externalId = await shipping.create({ name: '', mark: '' })
  fake.failNext(1, { status: 200, body: { result: false } }, 'set-postings')
  await refusal(shipping.fill(externalId, shipped([id])), 'rejected', /не принял/)
  fake.failNext(1, { status: 200, body: { result: true } }, 'set-postings')
  await shipping.fill(externalId, shipped([id]))
})

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
})

suite('marking codes', () => {
  const codeOf = (gtin: string, serial: string) => `01${gtin}21${serial}\u001d93abcd`
  const tea = '04600000000015'
  const shoes = '04600000000022'
  let id: string

  beforeEach(() => {
    const marked = [
      fake.addCard(account, { honestMark: true, barcodes: ['OZN1', '4600000000015'] }),
      fake.addCard(account, { honestMark: true, barcodes: ['4600000000022'] }),
      fake.addCard(account),
    ]
    id = fake.addOrder(account, { lines: marked.map((card, at) => lineOf(card, at === 0 ? 2 : 1)) })
  })
  const codes = () => [codeOf(shoes, 'b1'), codeOf(tea, 'a1'), codeOf(tea, 'a2')]

  test('go to the goods whose barcode they name', async () => {
    await connector.shipping.attachMarks(id, codes())
    const [b1, a1, a2] = codes()
    assert.deepEqual(fake.marksOf(account, id), [a1, a2, b1])
  })

  test('of goods without a number of their own go to the only such goods', async () => {
    const [own, nameless] = [
      fake.addCard(account, { honestMark: true, barcodes: ['4600000000015'] }),
      fake.addCard(account, { honestMark: true, barcodes: ['OZN77'] }),
    ]
    const mixed = fake.addOrder(account, { lines: [lineOf(nameless), lineOf(own)] })
    const given = [codeOf(tea, 'a1'), codeOf('04600000000039', 'c1')]
    await connector.shipping.attachMarks(mixed, given)
    assert.deepEqual(fake.marksOf(account, mixed), given.toReversed())
  })

  test('that are there already are not sent again', async () => {
    await connector.shipping.attachMarks(id, codes())
    await connector.shipping.attachMarks(id, codes().toReversed())
    assert.equal(made('exemplar/set').length, 1)
  })

  test('of other goods, or too many, are refused', async () => {
    const { attachMarks } = connector.shipping
    await refusal(attachMarks(id, [codeOf('04600000000039', 'c1')]), 'rejected', /не видно, какого/)
    const many = ['a1', 'a2', 'a3'].map((serial) => codeOf(tea, serial))
    await refusal(attachMarks(id, many), 'rejected', /больше, чем единиц/)
    assert.deepEqual(fake.marksOf(account, id), [])
  })

  test('that nobody asked for are passed over', async () => {
    const plain = fake.addCard(account, { barcodes: ['4600000000039'] })
    const other = fake.addOrder(account, { lines: [lineOf(plain)] })
    await connector.shipping.attachMarks(other, [codeOf('04600000000039', 'c1')])
    assert.deepEqual(fake.marksOf(account, other), [])
    const marked = fake.addCard(account, { honestMark: true, barcodes: ['4600000000015'] })
    const mixed = fake.addOrder(account, { lines: [lineOf(plain), lineOf(marked)] })
    const given = [codeOf('04600000000039', 'c1'), codeOf(tea, 'a1')]
    for (const _again of [1, 2]) await connector.shipping.attachMarks(mixed, given)
    assert.deepEqual(fake.marksOf(account, mixed), given.slice(1))
    assert.equal(made('exemplar/set').length, 1)
  })

  test('that OZON does not take are refused with its reason', async () => {
    fake.hinder(account, id, { unknownMarks: [codeOf(tea, 'a1')] })
    const attached = connector.shipping.attachMarks(id, codes())
    const failure = await refusal(attached, 'rejected', /MARK_NOT_IN_CIRCULATION/)
    assert.equal(failure.code, 'MARK_NOT_IN_CIRCULATION')
  })

  test('are waited for while OZON looks at them, for some time', async () => {
    fake.hinder(account, id, { looks: 3 })
    await connector.shipping.attachMarks(id, codes())
    fake.hinder(account, id, { looks: 9 })
    await refusal(connector.shipping.attachMarks(id, codes()), 'unreachable', /ещё проверяет/)
  })

  test('come before packing: an order that needs them joins with the hand-over', async () => {
    const { shipping } = connector
    const externalId = await shipping.create({ name: '', mark: '' })
    await shipping.fill(externalId, shipped([id], 4))
    assert.deepEqual(await shipping.ordersOf(externalId), [])
    const leaving = shipped([id], 4)
    await refusal(shipping.deliver(externalId, leaving), 'rejected', /./)
    await shipping.attachMarks(id, codes())
    await shipping.deliver(externalId, leaving)
    assert.deepEqual(fake.shipments(account)[0]?.orders, [id])
  })
})

suite('printing', () => {
  test('a label is a PDF for each order, in whatever form it came', async () => {
    const packed = { supplier: 'awaiting_deliver', buyer: 'posting_registered' }
    const ids = [0, 1].map(() => fake.addOrder(account, { status: packed }))
    const stickers = await connector.shipping.stickers(ids)
    for (const [at, { externalId, bytes, contentType }] of stickers.entries()) {
      assert.deepEqual([externalId, contentType], [ids[at], 'application/pdf'])
      assert.ok(bytes.toString().includes(ids[at] ?? ''))
    }
    const pdf = Buffer.from('%PDF-1.4 \u00ff', 'latin1')
    for (const encoding of ['base64', 'latin1'] as const) {
      const body = { content_type: 'application/pdf', file_content: pdf.toString(encoding) }
      fake.failNext(1, { status: 200, body }, 'package-label')
      const [sticker] = await connector.shipping.stickers(ids.slice(0, 1))
      assert.deepEqual(sticker?.bytes, pdf)
    }
  })

  test('a label that is not ready is one for later', async () => {
    const packed = { supplier: 'awaiting_deliver', buyer: 'posting_registered' }
    const id = fake.addOrder(account, { status: packed })
    fake.hinder(account, id, { labelsLate: true })
    await refusal(connector.shipping.stickers([id]), 'unreachable', /ещё готовит/)
  })

  test('the pass is a picture with the text of its code', async () => {
    const shipment = fake.addShipment(account, { closedAt: now })
    const pass = await connector.shipping.pass(shipment)
    assert.deepEqual([pass.contentType, pass.code], ['image/png', `%303%${shipment}`])
    fake.failNext(1, { status: 404 }, 'get-barcode/text')
    assert.equal((await connector.shipping.pass(shipment)).code, undefined)
    const open = fake.addShipment(account)
    await refusal(connector.shipping.pass(open), 'rejected', /INCORRECT_STATUS/)
  })
})
