import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { seededRandom } from '../../src/kernel/random.ts'
import type { Connector, ShippedOrder } from '../../src/marketplaces/connector.ts'
import { MarketplaceError } from '../../src/marketplaces/failure.ts'
import { openLimits } from '../../src/marketplaces/limits.ts'
import { ozonLimit } from '../../src/marketplaces/ozon/client.ts'
import { openOzon } from '../../src/marketplaces/ozon/connector.ts'
import type { FakeAccount, FakeCard } from '../support/marketplaces/fake.ts'
import { deliveryMethod, type FakeOzon, startFakeOzon } from '../support/marketplaces/ozon.ts'
import { passingTime } from '../support/marketplaces/time.ts'

/** What the OZON connector promises beyond the contract of all connectors. */
const now = Date.parse('2026-11-20T12:00:00Z')
const hour = 3_600_000
const day = 24 * hour

let fake: FakeOzon
let account: FakeAccount<'OZON'>
let connector: Connector
let time: ReturnType<typeof passingTime>

before(async () => {
  fake = await startFakeOzon({ now: () => now })
})
beforeEach(() => {
  fake.heal()
  account = fake.account()
  time = passingTime()
  connector = openOzon({
    credentials: { clientId: account.credentials.client_id, apiKey: account.credentials.api_key },
    baseUrl: fake.baseUrl,
    limits: openLimits(ozonLimit, time),
    time,
    now: () => now,
  })
})
after(() => fake.close())

const made = (path = '') =>
  fake.calls().filter((call) => call.account === account.id && call.path.includes(path))

async function refusal(asked: Promise<unknown>, kind: MarketplaceError['kind'], words: RegExp) {
  const failure = await asked.then(
    () => assert.fail('it was answered'),
    (error: unknown) => error,
  )
  assert.ok(failure instanceof MarketplaceError, `${failure}`)
  assert.equal(failure.kind, kind)
  assert.match(failure.message, words)
  return failure
}

async function all<Item>(pages: AsyncIterable<{ readonly items: readonly Item[] }>) {
  return (await Array.fromAsync(pages)).flatMap(({ items }) => items)
}

function shipped(ids: readonly string[], units = 1): ShippedOrder[] {
  return ids.map((externalId) => ({ externalId, units }))
}

function lineOf({ itemId, article, barcodes }: FakeCard, quantity = 1) {
  return { itemId, article, barcode: barcodes[0] ?? '', quantity }
}

suite('reading', () => {
  test('every call is a POST of JSON with the account in its headers', async () => {
    await connector.access()
    await all(connector.orders(now - day))
    for (const { method, headers } of made()) {
      assert.equal(method, 'POST')
      assert.equal(headers['content-type'], 'application/json')
      assert.equal(headers['client-id'], account.credentials.client_id)
    }
  })

  test('an order tells all its goods and units', async () => {
    const [one, two] = [fake.addCard(account), fake.addCard(account)]
    fake.addOrder(account, { lines: [lineOf(one, 3), lineOf(two)] })
    const [order] = await all(connector.orders(now - day))
    assert.deepEqual(order?.lines, [
      { itemId: one.itemId, article: one.article, quantity: 3 },
      { itemId: two.itemId, article: two.article, quantity: 1 },
    ])
  })

  test('an old order is told again when its status changes, and at no other time', async () => {
    const id = fake.addOrder(account, { createdAt: now - 60 * day })
    assert.deepEqual(await all(connector.orders(now - day)), [])
    fake.setStatus(account, id, { supplier: 'delivered', buyer: 'posting_received' })
    const told = await all(connector.orders(now - day))
    assert.deepEqual(
      told.map(({ externalId, reading }) => [externalId, reading?.status]),
      [[id, 'COMPLETED']],
    )
    assert.deepEqual(await all(connector.statuses([id])), [])
  })

  test('years back are asked for as far as OZON tells', async () => {
    const id = fake.addOrder(account, { createdAt: now - 300 * day })
    const told = await all(connector.orders(now - 1000 * day))
    assert.deepEqual(
      told.map(({ externalId }) => externalId),
      [id],
    )
  })

  test('pages that lead in a circle, or say that there are more and not where, are malformed', async () => {
    const page = (cursor?: string) => ({
      status: 200,
      body: { postings: [], has_next: true, cursor },
    })
    fake.failNext(2, page('a'), '/v4/posting/fbs/list')
    await refusal(all(connector.orders(now - day)), 'malformed', /cursor/)
    fake.failNext(1, page(), '/v4/posting/fbs/list')
    await refusal(all(connector.orders(now - day)), 'malformed', /cursor/)
  })

  test('answers are read with and without the wrapper of older versions', async () => {
    for (const wrapped of [true, false]) {
      account = fake.account()
      const { client_id: clientId, api_key: apiKey } = account.credentials
      const credentials = { clientId, apiKey }
      const limits = openLimits(ozonLimit, time)
      const ozon = openOzon({ credentials, baseUrl: fake.baseUrl, limits, time, now: () => now })
      fake.wrap(wrapped)
      const card = fake.addCard(account)
      const id = fake.addOrder(account)
      fake.setStock(account, { itemId: card.itemId, warehouse: { id: 1, name: 'А' }, quantity: 2 })
      assert.notEqual((await ozon.access()).expiresAt, undefined)
      assert.equal((await all(ozon.cards(undefined))).length, 1)
      assert.equal((await all(ozon.orders(now - day))).length, 1)
      const key = { itemId: card.itemId, article: undefined, barcode: 'b' }
      assert.equal((await all(ozon.stock(keys(key)))).length, 1)
      const { externalId } = await ozon.shipping.create({
        name: '',
        mark: '',
        orders: shipped([id]),
      })
      await ozon.shipping.deliver(externalId)
      assert.equal((await all(ozon.shipments(now - day, [])))[0]?.orders?.length, 1)
      assert.ok((await ozon.shipping.pass(externalId)).code?.includes(externalId))
    }
  })

  async function* keys(...page: { itemId: number; article: undefined; barcode: string }[]) {
    yield page
  }

  test('a key whose end nobody tells is as good as any other', async () => {
    fake.failNext(1, { status: 404 }, '/v1/roles')
    assert.deepEqual(await connector.access(), { expiresAt: undefined })
  })

  test('cards are all goods, in questions of bounded length', async () => {
    for (let count = 0; count < 501; count++) fake.addCard(account)
    const pages = await Array.fromAsync(connector.cards(''))
    assert.deepEqual(
      pages.map(({ items, mark }) => [items.length, mark]),
      [
        [500, ''],
        [1, ''],
      ],
    )
  })
})

suite('shipments', () => {
  test('cancelled ones are told, and what is no number of OZON is not asked for', async () => {
    const gone = fake.addShipment(account, { cancelled: true })
    const told = await all(connector.shipments(now - day, [{ externalId: 'WB-1', closed: false }]))
    assert.deepEqual(
      told.map(({ externalId, cancelled }) => [externalId, cancelled]),
      [[gone, true]],
    )
  })

  test('of the days before and after are told by the time of their making', async () => {
    const made = { createdAt: now - 20 * hour }
    const expected = ['2026-11-19', '2026-11-20', '2026-11-27'].map((departureDate) =>
      fake.addShipment(account, { ...made, departureDate }),
    )
    fake.addShipment(account, { createdAt: now - 30 * hour, departureDate: '2026-11-20' })
    const told = await all(connector.shipments(now - day, []))
    assert.deepEqual(
      told.map(({ externalId }) => externalId),
      expected,
    )
  })

  test('orders of one that was closed at the last look are not asked for', async () => {
    const externalId = fake.addShipment(account, { closedAt: now, orders: ['1-1-1'] })
    const [told] = await all(connector.shipments(now - day, [{ externalId, closed: true }]))
    assert.equal(told?.orders, undefined)
    assert.equal(made('get-postings').length, 0)
  })

  test('a closed one that OZON has no more is left alone', async () => {
    const known = [{ externalId: '404', closed: true }]
    assert.deepEqual(await all(connector.shipments(now - day, known)), [])
  })
})

suite('creating', () => {
  const elsewhere = { ...deliveryMethod, id: 22_200, name: 'Курьер' }

  test('is of the delivery method of its orders', async () => {
    fake.addOrder(account)
    const id = fake.addOrder(account, { raw: { delivery_method: elsewhere } })
    const plan = { name: '', mark: '', orders: shipped([id]) }
    assert.deepEqual((await connector.shipping.create(plan)).orders, [id])
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
    const { externalId, orders } = await shipping.create({ name: '', mark: '' })
    assert.deepEqual(orders, [other])
    await shipping.fill(externalId, shipped([id]))
    await shipping.deliver(externalId, shipped([id]))
    assert.deepEqual(fake.shipments(account)[0]?.orders, [id])
    fake.acceptShipment(account, externalId)
    await shipping.deliver(externalId, shipped([id]))
  })

  test('handing over what is packed and inside asks nothing of each order', async () => {
    const { shipping } = connector
    const orders = shipped(Array.from({ length: 30 }, () => fake.addOrder(account)))
    const { externalId } = await shipping.create({ name: '', mark: '', orders })
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
    assert.deepEqual((await shipping.find('SK-1', tried))?.orders, [id])
    fake.addShipment(account)
    const failure = await refusal(shipping.find('SK-1', tried), 'rejected', /несколько/)
    assert.ok(failure.message.includes(made.externalId))
  })
})

suite('packing', () => {
  let shipment: string
  let id: string

  beforeEach(async () => {
    id = fake.addOrder(account)
    shipment = (await connector.shipping.create({ name: '', mark: '' })).externalId
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

  test('come before packing: an order joins with them, or with the hand-over', async () => {
    const { shipping } = connector
    const { externalId } = await shipping.create({ name: '', mark: '' })
    await shipping.fill(externalId, shipped([id], 4))
    assert.deepEqual(await shipping.ordersOf(externalId), [])
    await shipping.fill(externalId, [{ externalId: id, units: 4, codes: codes() }])
    assert.deepEqual(await shipping.ordersOf(externalId), [id])

    const late = fake.addOrder(account, {
      lines: [lineOf(fake.addCard(account, { honestMark: true }))],
    })
    await shipping.fill(externalId, shipped([late]))
    const leaving = [...shipped([id], 4), { externalId: late, units: 1, codes: ['any'] }]
    await shipping.deliver(externalId, leaving)
    assert.deepEqual(fake.shipments(account)[0]?.orders.toSorted(), [id, late].toSorted())
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

test('a day that happens by itself is told as it happens', async () => {
  const chance = seededRandom('a day').next
  for (let count = 0; count < 4; count++) fake.addCard(account)
  for (let step = 0; step < 200; step++) fake.step(account, chance)
  const fresh = await all(connector.orders(now - day))
  assert.ok(fresh.length > 20 && fresh.some(({ lines }) => lines.length > 1))
  const orders = fresh
    .filter(({ reading }) => reading?.status === 'NEW')
    .map(({ externalId, lines }) => ({
      externalId,
      units: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    }))
  const { externalId } = await connector.shipping.create({ name: '', mark: '', orders })
  await connector.shipping.deliver(externalId, orders)
  for (let step = 0; step < 400; step++) fake.step(account, chance)
  const [shipment] = await all(connector.shipments(now - day, []))
  assert.notEqual(shipment?.acceptedAt, undefined)
  const statuses = new Set(
    (await all(connector.orders(now - day))).map(({ reading }) => reading?.status),
  )
  assert.deepEqual([...statuses].toSorted(), ['CANCELLED', 'COMPLETED', 'NEW'])
})
