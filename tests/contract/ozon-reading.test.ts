import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ozonLimit } from '../../src/exchange/marketplaces/ozon/client.ts'
import { openOzon } from '../../src/exchange/marketplaces/ozon/connector.ts'
import { seededRandom } from '../../src/platform/kernel/random.ts'
import { openLimits } from '../support/marketplaces/in-memory-limits.ts'
import {
  account,
  all,
  connector,
  day,
  fake,
  hour,
  lineOf,
  made,
  now,
  refusal,
  shipped,
  since,
  time,
} from '../support/marketplaces/ozon-fixture.ts'

const posting = {
  posting_number: '1-1-1',
  status: 'awaiting_packaging',
  in_process_at: new Date(now).toISOString(),
  products: [{ sku: 7, offer_id: 'A', quantity: 1 }],
}

/** The OZON connector beyond the contract of all connectors: reading. */
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

  test('an order has all its goods and units', async () => {
    const [one, two] = [fake.addCard(account), fake.addCard(account)]
    fake.addOrder(account, { lines: [lineOf(one, 3), lineOf(two)] })
    const [order] = await all(connector.orders(now - day))
    const unmarked = { requiredMarks: [], optionalMarks: [], unnamedMarks: ['weight'] }
    assert.deepEqual(order?.lines, [
      { itemId: one.itemId, article: one.article, quantity: 3, ...unmarked },
      { itemId: two.itemId, article: two.article, quantity: 1, ...unmarked },
    ])
  })

  test('an old order is listed again only when its status changes', async () => {
    const id = fake.addOrder(account, { createdAt: now - 60 * day })
    assert.deepEqual(await all(connector.orders(now - day)), [])
    fake.setStatus(account, id, { supplier: 'delivered', buyer: 'posting_received' })
    const listed = await all(connector.orders(now - day))
    assert.deepEqual(
      listed.map(({ externalId, reading }) => [externalId, reading?.status]),
      [[id, 'COMPLETED']],
    )
    assert.deepEqual(await all(connector.statuses([id])), [])
  })

  test('orders are requested as far back as OZON keeps them', async () => {
    const id = fake.addOrder(account, { createdAt: now - 300 * day })
    const listed = await all(connector.orders(now - 1000 * day))
    assert.deepEqual(
      listed.map(({ externalId }) => externalId),
      [id],
    )
  })

  test('a repeated or missing cursor is malformed', async () => {
    const page = (body: object) => ({ status: 200, body: { has_next: true, ...body } })
    const postings = [posting]
    fake.failNext(2, page({ postings, cursor: 'a' }), '/v4/posting/fbs/list')
    await refusal(all(connector.orders(now - day)), 'malformed', /cursor/)
    fake.failNext(1, page({ postings }), '/v4/posting/fbs/list')
    const orders = await itemsUntilFailure(connector.orders(now - day), /cursor/)
    assert.equal(orders.length, 1)
  })

  test('a page with items and a new cursor has a next page, even if has_next is absent', async () => {
    const empty = { postings: [], cursor: 'a', has_next: true }
    const pages = [{ postings: [posting], cursor: 'a' }, empty]
    for (const body of pages) {
      fake.failNext(1, { status: 200, body }, '/v4/posting/fbs/list')
    }
    assert.equal((await all(connector.orders(now - day))).length, 1)
    const cursors = made('/v4/posting/fbs/list').map(
      ({ body }) => (body as { cursor: string }).cursor,
    )
    assert.deepEqual(cursors.slice(-2), ['', 'a'])
  })

  test('responses are read with and without the wrapper of older versions', async () => {
    for (const wrapped of [true, false]) {
      const account = fake.account()
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
      const externalId = await ozon.shipping.create({
        name: '',
        reference: '',
        orders: shipped([id]),
      })
      await ozon.shipping.handOver(externalId)
      assert.equal((await all(ozon.shipments(since())))[0]?.orders?.length, 1)
      assert.ok((await ozon.shipping.pass(externalId)).code?.includes(externalId))
    }
  })

  test('a list may be in the wrapper without a name', async () => {
    const body = { result: [posting], has_next: false }
    fake.failNext(1, { status: 200, body }, '/v4/posting/fbs/list')
    assert.equal((await all(connector.orders(now - day)))[0]?.externalId, '1-1-1')
    const stock = { sku: 7, warehouse_id: 1, warehouse_name: 'А', present: 3, reserved: 1 }
    fake.failNext(1, { status: 200, body: { result: [stock] } }, 'stocks-by-warehouse')
    const figures = await all(
      connector.stock(keys({ itemId: 7, article: undefined, barcode: 'b' })),
    )
    assert.equal(figures[0]?.quantity, 2)
  })

  test('empty lists may be null, with or without a name', async () => {
    const key = { itemId: 7, article: undefined, barcode: 'b' }
    for (const list of ['postings', 'items', 'products', 'methods', 'result']) {
      fake.failNext(1, { status: 200, body: { [list]: null } }, '/v4/posting/fbs/list')
      fake.failNext(1, { status: 200, body: { [list]: null } }, '/v3/product/list')
      fake.failNext(1, { status: 200, body: { [list]: null } }, 'stocks-by-warehouse')
      fake.failNext(9, { status: 200, body: { [list]: null } }, '/v2/carriage/delivery/list')
      const lists = {
        postings: () => all(connector.orders(now - day)),
        items: () => all(connector.cards('')),
        products: () => all(connector.stock(keys(key))),
        methods: () => all(connector.shipments(since())),
      }
      for (const [name, read] of Object.entries(lists)) {
        if (list === name || list === 'result') assert.deepEqual(await read(), [])
        else await refusal(read(), 'malformed', new RegExp(name))
      }
      fake.heal()
    }
  })

  test('an item that is no object does not hide the others', async () => {
    const postings = { status: 200, body: { postings: [null, posting, 7] } }
    fake.failNext(1, postings, '/v4/posting/fbs/list')
    const orders = await itemsUntilFailure(connector.orders(now - day), /postings\[0\]$/)
    assert.equal(orders[0]?.externalId, '1-1-1')
    fake.addCard(account)
    const goods = { status: 200, body: { items: [[], { product_id: 7 }], last_id: '' } }
    fake.failNext(1, goods, '/v3/product/list')
    const info = { id: 7, sku: 7, offer_id: 'A', name: 'Товар', barcodes: ['b'] }
    fake.failNext(1, { status: 200, body: { items: [info, null] } }, '/v3/product/info/list')
    assert.equal((await itemsUntilFailure(connector.cards(''), /items\[0\]$/)).length, 1)
    const carriage = fake.addShipment(account, { departureDate: '2026-11-20' })
    const methods = [null, { delivery_method_id: 1, carriages: [{ id: Number(carriage) }] }]
    fake.failNext(1, { status: 200, body: { methods } }, '/v2/carriage/delivery/list')
    const shipments = await itemsUntilFailure(connector.shipments(since()), /methods\[0\]$/)
    assert.equal(shipments[0]?.externalId, carriage)
  })

  async function itemsUntilFailure<Item>(
    pages: AsyncIterable<{ readonly items: readonly Item[] }>,
    words: RegExp,
  ) {
    const listed: Item[] = []
    const reading = async () => {
      for await (const { items } of pages) listed.push(...items)
    }
    await refusal(reading(), 'malformed', words)
    return listed
  }

  async function* keys(...page: { itemId: number; article: undefined; barcode: string }[]) {
    yield page
  }

  test('a key without a known expiry is accepted', async () => {
    fake.failNext(1, { status: 404 }, '/v1/roles')
    assert.deepEqual(await connector.access(), { expiresAt: undefined })
  })

  test('cards are listed by the stock call if the list of products is withdrawn', async () => {
    const cards = [fake.addCard(account), fake.addCard(account), fake.addCard(account)]
    fake.pagesOf(2)
    fake.failNext(9, { status: 404 }, '/v3/product/list')
    const listed = await all(connector.cards(''))
    assert.deepEqual(
      listed.map(({ itemId }) => itemId),
      cards.map(({ itemId }) => itemId),
    )
  })

  test('cards are listed until as many came as OZON says, or until a page is empty', async () => {
    const list = '/v3/product/list'
    const cards = [1, 2, 3].map(() => fake.addCard(account))
    fake.pagesOf(2)
    const listed = async () => (await all(connector.cards(''))).map(({ itemId }) => itemId)
    const expected = cards.map(({ itemId }) => itemId)
    assert.deepEqual(await listed(), expected)
    assert.equal(made(list).length, 2)
    const ids = cards.map(({ nmId: product_id }) => ({ product_id }))
    const first = { items: ids.slice(0, 2), last_id: 'a' }
    const last = { items: ids.slice(2), last_id: 'b' }
    const plans: readonly (readonly [pages: readonly object[], calls: number])[] = [
      [
        [
          { ...first, total: 3 },
          { ...last, total: 3 },
        ],
        2,
      ],
      [[first, last, { items: [], last_id: '' }], 3],
      [
        [
          { ...first, total_items: null, total: 0 },
          { ...last, last_id: '' },
        ],
        2,
      ],
    ]
    for (const [pages, calls] of plans) {
      const before = made(list).length
      for (const body of pages) fake.failNext(1, { status: 200, body: { result: body } }, list)
      assert.deepEqual(await listed(), expected)
      assert.equal(made(list).length, before + calls)
    }
  })

  test('cards cover all goods, in calls of bounded length', async () => {
    for (let count = 0; count < 501; count++) fake.addCard(account)
    const pages = await Array.fromAsync(connector.cards(''))
    assert.deepEqual(
      pages.map(({ items, cursor }) => [items.length, cursor]),
      [
        [500, ''],
        [1, ''],
      ],
    )
  })
})

suite('shipments', () => {
  test('that are cancelled are listed, and a number that OZON cannot have is not requested', async () => {
    const gone = fake.addShipment(account, { cancelled: true })
    const listed = await all(connector.shipments(since([{ externalId: 'WB-1', closed: false }])))
    assert.deepEqual(
      listed.map(({ externalId, cancelled }) => [externalId, cancelled]),
      [[gone, true]],
    )
  })

  test('are listed by their time of creation, whatever their day of departure', async () => {
    const made = { createdAt: now - 20 * hour }
    const expected = ['2026-11-19', '2026-11-20', '2026-11-27'].map((departureDate) =>
      fake.addShipment(account, { ...made, departureDate }),
    )
    fake.addShipment(account, { createdAt: now - 30 * hour, departureDate: '2026-11-20' })
    const listed = await all(connector.shipments(since()))
    assert.deepEqual(
      listed.map(({ externalId }) => externalId),
      expected,
    )
  })

  test('that are known as closed cost no request for their orders', async () => {
    const externalId = fake.addShipment(account, { closedAt: now, orders: ['1-1-1'] })
    const [listed] = await all(connector.shipments(since([{ externalId, closed: true }])))
    assert.equal(listed?.orders, undefined)
    assert.equal(made('get-postings').length, 0)
  })

  test('that are closed and no longer exist are left out', async () => {
    const known = [{ externalId: '404', closed: true }]
    assert.deepEqual(await all(connector.shipments(since(known))), [])
  })
})

test('a simulated day is listed as it happens', async () => {
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
  const externalId = await connector.shipping.create({ name: '', reference: '', orders })
  await connector.shipping.handOver(externalId, orders)
  for (let step = 0; step < 400; step++) fake.step(account, chance)
  const [shipment] = await all(connector.shipments(since()))
  assert.notEqual(shipment?.acceptedAt, undefined)
  const statuses = new Set(
    (await all(connector.orders(now - day))).map(({ reading }) => reading?.status),
  )
  assert.deepEqual([...statuses].toSorted(), ['CANCELLED', 'COMPLETED', 'NEW'])
})
