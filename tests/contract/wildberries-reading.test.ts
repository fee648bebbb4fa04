import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { PartlyMalformed } from '../../src/exchange/marketplaces/calls/failure.ts'
import type { Limits } from '../../src/exchange/marketplaces/calls/limits.ts'
import { fakeToken, startFakeWildberries } from '../support/marketplaces/wildberries.ts'
import {
  account,
  connect,
  day,
  failureOf,
  fake,
  hour,
  itemsOf,
  made,
  now,
  supply,
} from '../support/marketplaces/wildberries-fixture.ts'

/** The WB connector beyond the contract of all connectors: reading. */
test('the token is sent without a scheme, and its expiry is known', async () => {
  const { expiresAt } = await connect().access()
  assert.equal(fake.calls().at(-1)?.headers.authorization, account.credentials.token)
  assert.equal(expiresAt, now + 180 * day)
})

test('cards are requested from their own host', async () => {
  const content = await startFakeWildberries()
  after(() => content.close())
  const { cards } = connect({ contentBaseUrl: content.baseUrl })
  const before = fake.calls().length
  await assert.rejects(itemsOf(cards(undefined)))
  assert.deepEqual(
    content.calls().map(({ path }) => path),
    ['/content/v2/get/cards/list'],
  )
  assert.equal(fake.calls().length, before)
})

test('the page of cards with which WB ends the list is the last that is requested', async () => {
  for (let count = 0; count < 3; count += 1) fake.addCard(account)
  const { cards } = connect()
  assert.equal((await itemsOf(cards(undefined))).length, 3)
  assert.equal(made('/cards/list').length, 1)
  fake.pagesOf(2)
  assert.equal((await itemsOf(cards(undefined))).length, 3)
  assert.equal(made('/cards/list').length, 3)
})

test('an order without a reported status has no reading', async () => {
  const externalId = fake.addOrder(account)
  fake.failNext(1, { status: 200, body: { orders: [] } }, '/orders/status')
  const [order] = await itemsOf(connect().orders(now - hour))
  assert.equal(order?.externalId, externalId)
  assert.equal(order.reading, undefined)
})

const query = { from: now - day, openFrom: now - day, known: [] }
const shownOrder = (id: number) => ({ id, createdAt: new Date(now - hour).toISOString() })

/** Sets the response to the next call of a path. */
function respondNext(path: string, body: unknown): void {
  fake.failNext(1, { status: 200, body }, path)
}

async function* goods(...itemIds: number[]) {
  yield itemIds.map((itemId) => ({ itemId, article: undefined, barcode: `b${itemId}` }))
}

suite('lists', () => {
  test('an empty list may be null', async () => {
    const { cards, orders, shipments, shipping, statuses, stock } = connect()
    respondNext('/orders/new', { orders: null })
    respondNext('/api/v3/orders', { next: 0, orders: null })
    assert.deepEqual(await itemsOf(orders(now - hour)), [])
    respondNext('/api/v3/supplies', { next: 0, supplies: null })
    assert.deepEqual(await itemsOf(shipments(query)), [])
    respondNext('/cards/list', { cards: null, cursor: null })
    assert.deepEqual(await itemsOf(cards(undefined)), [])
    respondNext('/orders/status', { orders: null })
    assert.deepEqual(await itemsOf(statuses(['1'])), [])
    fake.setStock(account, { itemId: 1, warehouse: { id: 11, name: 'Север' }, quantity: 5 })
    respondNext('/api/v3/stocks', { stocks: null })
    assert.deepEqual(await itemsOf(stock(goods(1))), [])
    respondNext('/orders/stickers', { stickers: null })
    assert.deepEqual(await shipping.stickers(['1']), [])
    respondNext('/order-ids', { orderIds: null })
    assert.deepEqual(await shipping.ordersOf('WB-GI-1'), [])
  })

  test('an absent list is malformed', async () => {
    const { orders, shipments } = connect()
    respondNext('/orders/new', {})
    assert.match((await failureOf(itemsOf(orders(now - hour)))).message, /orders$/)
    respondNext('/api/v3/supplies', { next: 0 })
    assert.match((await failureOf(itemsOf(shipments(query)))).message, /supplies$/)
  })

  test('an item that is no object does not hide the others', async () => {
    const { cards, orders, shipments, statuses, stock } = connect()
    respondNext('/orders/new', { orders: [null, shownOrder(5), 7] })
    respondNext('/orders/status', {
      orders: [null, { id: 5, supplierStatus: 'new', wbStatus: 'waiting' }],
    })
    const listed = await itemsUntilFailure(orders(now - hour), /orders\[0\]$/)
    assert.deepEqual(
      listed.map(({ externalId, reading }) => [externalId, reading?.status]),
      [['5', 'NEW']],
    )
    respondNext('/api/v3/supplies', { next: 0, supplies: [null, supply('WB-GI-5')] })
    respondNext('/order-ids', { orderIds: [5] })
    const [shipment] = await itemsUntilFailure(shipments(query), /supplies\[0\]$/)
    assert.deepEqual([shipment?.externalId, shipment?.orders], ['WB-GI-5', ['5']])
    const card = { nmID: 5, sizes: [{ chrtID: 51, skus: ['b'] }] }
    respondNext('/cards/list', { cards: [[], card], cursor: { updatedAt: 'x', nmID: 5 } })
    assert.equal((await itemsUntilFailure(cards(undefined), /cards\[0\]$/)).length, 1)
    respondNext('/orders/status', { orders: [null, { id: 5, supplierStatus: 'cancel' }] })
    assert.equal((await itemsUntilFailure(statuses(['5']), /orders\[0\]$/)).length, 1)
    fake.setStock(account, { itemId: 1, warehouse: { id: 11, name: 'Север' }, quantity: 5 })
    respondNext('/api/v3/stocks', { stocks: [null, { chrtId: 1, amount: 5 }] })
    assert.equal((await itemsUntilFailure(stock(goods(1)), /stocks\[0\]$/)).length, 1)
  })

  test('a supply with unreadable orders does not hide the others', async () => {
    const ids = [1, 2].map(() => fake.addShipment(account))
    respondNext(`${ids[0]}/order-ids`, { orderIds: [5, null] })
    const listed = await itemsUntilFailure(connect().shipments(query), /orderIds$/)
    assert.deepEqual(
      listed.map(({ externalId }) => externalId),
      ids.slice(1),
    )
  })

  test('the status of a repeated row is requested once', async () => {
    const id = fake.addOrder(account)
    respondNext('/orders/new', { orders: [shownOrder(Number(id)), shownOrder(Number(id))] })
    await itemsOf(connect().orders(now - hour))
    assert.deepEqual(
      made('/orders/status').map(({ body }) => body),
      [{ orders: [Number(id)] }],
    )
  })

  async function itemsUntilFailure<Item>(
    pages: AsyncIterable<{ items: readonly Item[] }>,
    words: RegExp,
  ): Promise<Item[]> {
    const listed: Item[] = []
    const reading = async () => {
      for await (const { items } of pages) listed.push(...items)
    }
    const failure = await failureOf(reading())
    assert.ok(failure instanceof PartlyMalformed)
    assert.match(failure.message, words)
    return listed
  }
})

test("WB's text is shown to staff, and to sellers if it is Russian", async () => {
  const refusal = async (message: string) => {
    fake.failNext(1, { status: 400, body: { code: 'IncorrectParameter', message } }, '/orders/new')
    return failureOf(itemsOf(connect().orders(now - hour)))
  }
  const english = await refusal('Parameter dateFrom is wrong')
  assert.equal(english.message, 'WB отказал (код 400): Parameter dateFrom is wrong')
  assert.equal(english.forSeller, 'WB отказал (код 400)')
  assert.equal(english.code, 'IncorrectParameter')
  const russian = await refusal('Нет доступа')
  assert.equal(russian.forSeller, 'WB отказал (код 400): Нет доступа')
})

test('a list ends at every documented and observed last page', async () => {
  const ends = [
    [{ next: 0 }],
    [{ next: null }],
    [{}],
    [{ next: 7 }, { next: 7 }],
    [{ next: 7 }, { next: 8 }, { next: 7 }],
    [{ next: '9007199254740993' }, { next: 0 }],
  ]
  for (const pages of ends) {
    const ids = pages.map((_, at) => fake.addShipment(account, { id: `WB-GI-${at}` }))
    for (const [at, id] of ids.entries()) {
      const body = { ...pages[at], supplies: [supply(id)] }
      fake.failNext(1, { status: 200, body }, '/api/v3/supplies')
      // The orders of that supply.
      fake.failNext(1, { status: 200, body: { orderIds: [] } }, '/order-ids')
    }
    const listed = await itemsOf(
      connect().shipments({ from: now - day, openFrom: now - day, known: [] }),
    )
    assert.deepEqual(
      listed.map(({ externalId }) => externalId),
      ids,
      JSON.stringify(pages),
    )
    fake.heal()
  }
})

test('old supplies that are still open are listed if requested', async () => {
  const old = { createdAt: now - 60 * day }
  fake.addShipment(account, { ...old, closedAt: now - 59 * day })
  const open = fake.addShipment(account, old)
  const query = { from: now - day, openFrom: now - 90 * day, known: [] }
  const listed = await itemsOf(connect().shipments(query))
  assert.deepEqual(
    listed.map(({ externalId }) => externalId),
    [open],
  )
})

test('an empty page with a next cursor is not the last, up to five in a row', async () => {
  const supplies = [supply('WB-GI-7')]
  const empty = (next: number) => ({ status: 200, body: { next, supplies: [] } })
  fake.failNext(1, empty(5), '/api/v3/supplies')
  fake.failNext(1, empty(6), '/api/v3/supplies')
  fake.failNext(1, { status: 200, body: { next: 0, supplies } }, '/api/v3/supplies')
  fake.failNext(1, { status: 200, body: { orderIds: [] } }, '/order-ids')
  const query = { from: now - day, openFrom: now - day, known: [] }
  const listed = await itemsOf(connect().shipments(query))
  assert.deepEqual(
    listed.map(({ externalId }) => externalId),
    ['WB-GI-7'],
  )
  for (let next = 5; next < 50; next++) fake.failNext(1, empty(next), '/api/v3/supplies')
  const before = fake.calls().length
  assert.deepEqual(await itemsOf(connect().shipments(query)), [])
  assert.ok(fake.calls().length - before < 10)
})

test('a number that WB cannot have is not requested', async () => {
  const known = [{ externalId: 'Отгрузка 7', closed: false }]
  const query = { from: now - day, openFrom: now - day, known }
  assert.deepEqual(await itemsOf(connect().shipments(query)), [])
  assert.equal(fake.calls().at(-1)?.path, '/api/v3/supplies')
})

test('a refused call costs ten places', async () => {
  const { shipping, time } = connect()
  const id = fake.addShipment(account)
  await assert.rejects(shipping.handOver(id), { code: 'SupplyHasZeroOrders' })
  // Ten for the refusal, and one for the check whether the supply is handed over.
  for (let call = 0; call < 9; call++) await shipping.ordersOf(id)
  assert.deepEqual(time.waits, [])
  await shipping.ordersOf(id)
  assert.equal(time.waits.length, 1)
})

test('all tokens of a seller share one bucket, whose name reveals nothing of them', async () => {
  const accounts: string[] = []
  const limits: Limits = {
    take: async (taken) => void accounts.push(taken),
    async charge() {},
    async leave() {},
    async hold() {},
    async holdPart() {},
  }
  const accountWith = async (payload: Record<string, unknown>) => {
    const token = fakeToken(payload)
    await assert.rejects(connect({ limits, credentials: { token } }).access())
    return { token, account: accounts.at(-1) ?? '' }
  }
  const first = await accountWith({ sid: 'one', exp: 1 })
  const second = await accountWith({ sid: 'one', exp: 2 })
  const other = await accountWith({ sid: 'two', exp: 1 })
  assert.equal(first.account, second.account)
  assert.notEqual(first.account, other.account)
  assert.doesNotMatch(first.account, /one/)
  assert.ok(!first.token.includes(first.account))
})

test('orders older than WB keeps are not requested', async () => {
  const seconds = (await requestsFor(now - 400 * day)).map(({ query }) => Number(query.dateFrom))
  assert.equal(Math.min(...seconds), (now - 90 * day) / 1000)
  assert.equal(seconds.length, 3)

  async function requestsFor(from: number) {
    const before = fake.calls().length
    await itemsOf(connect().orders(from))
    return fake
      .calls()
      .slice(before)
      .filter(({ path }) => path === '/api/v3/orders')
  }
})

test('a simulated day is reported as it happens', async () => {
  let seed = 1
  const chance = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  fake.addCard(account)
  for (let step = 0; step < 50; step++) fake.step(account, chance)
  const { orders, shipping, statuses } = connect()
  // Orders of companies need a supply of their own.
  const listed = (await itemsOf(orders(now - hour))).filter(({ isB2b }) => !isB2b)
  const fresh = listed.map(({ externalId }) => externalId)
  assert.ok(fresh.length > 3)
  const externalId = await shipping.create({ name: 'День', reference: 'SK-1' })
  const shipped = fresh.filter((id) => fake.statusOf(account, id).supplier === 'new')
  await shipping.addOrders(
    externalId,
    shipped.map((id) => ({ externalId: id, units: 1 })),
  )
  await shipping.handOver(externalId)
  for (let step = 0; step < 500; step++) fake.step(account, chance)
  assert.equal(fake.shipments(account)[0]?.acceptedAt, now)
  const read = (await itemsOf(statuses(shipped))).map(({ reading }) => reading.status)
  assert.ok(read.includes('COMPLETED'))
})
