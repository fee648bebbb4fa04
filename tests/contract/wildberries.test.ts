import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { PartlyMalformed } from '../../src/marketplaces/calls/failure.ts'
import type { Limits } from '../../src/marketplaces/calls/limits.ts'
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
} from '../support/marketplaces/wildberries-connected.ts'

/** What the WB connector promises beyond the contract of all connectors: reading. */
test('the token goes without a scheme, and says when it ends', async () => {
  const { expiresAt } = await connect().access()
  assert.equal(fake.calls().at(-1)?.headers.authorization, account.credentials.token)
  assert.equal(expiresAt, now + 180 * day)
})

test('cards are asked for at their own host', async () => {
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

test('an order of whose status nothing is said is told without one', async () => {
  const externalId = fake.addOrder(account)
  fake.failNext(1, { status: 200, body: { orders: [] } }, '/orders/status')
  const [order] = await itemsOf(connect().orders(now - hour))
  assert.equal(order?.externalId, externalId)
  assert.equal(order.reading, undefined)
})

const asked = { from: now - day, openFrom: now - day, known: [] }
const shownOrder = (id: number) => ({ id, createdAt: new Date(now - hour).toISOString() })

/** What the next call to a path answers. */
function answerNext(path: string, body: unknown): void {
  fake.failNext(1, { status: 200, body }, path)
}

async function* goods(...itemIds: number[]) {
  yield itemIds.map((itemId) => ({ itemId, article: undefined, barcode: `b${itemId}` }))
}

suite('lists', () => {
  test('empty ones may be null', async () => {
    const { cards, orders, shipments, shipping, statuses, stock } = connect()
    answerNext('/orders/new', { orders: null })
    answerNext('/api/v3/orders', { next: 0, orders: null })
    assert.deepEqual(await itemsOf(orders(now - hour)), [])
    answerNext('/api/v3/supplies', { next: 0, supplies: null })
    assert.deepEqual(await itemsOf(shipments(asked)), [])
    answerNext('/cards/list', { cards: null, cursor: null })
    assert.deepEqual(await itemsOf(cards(undefined)), [])
    answerNext('/orders/status', { orders: null })
    assert.deepEqual(await itemsOf(statuses(['1'])), [])
    fake.setStock(account, { itemId: 1, warehouse: { id: 11, name: 'Север' }, quantity: 5 })
    answerNext('/api/v3/stocks', { stocks: null })
    assert.deepEqual(await itemsOf(stock(goods(1))), [])
    answerNext('/orders/stickers', { stickers: null })
    assert.deepEqual(await shipping.stickers(['1']), [])
    answerNext('/order-ids', { orderIds: null })
    assert.deepEqual(await shipping.ordersOf('WB-GI-1'), [])
  })

  test('absent ones are malformed', async () => {
    const { orders, shipments } = connect()
    answerNext('/orders/new', {})
    assert.match((await failureOf(itemsOf(orders(now - hour)))).message, /orders$/)
    answerNext('/api/v3/supplies', { next: 0 })
    assert.match((await failureOf(itemsOf(shipments(asked)))).message, /supplies$/)
  })

  test('what is no object in one takes no others with it', async () => {
    const { cards, orders, shipments, statuses, stock } = connect()
    answerNext('/orders/new', { orders: [null, shownOrder(5), 7] })
    answerNext('/orders/status', {
      orders: [null, { id: 5, supplierStatus: 'new', wbStatus: 'waiting' }],
    })
    const told = await toldUntil(orders(now - hour), /orders\[0\]$/)
    assert.deepEqual(
      told.map(({ externalId, reading }) => [externalId, reading?.status]),
      [['5', 'NEW']],
    )
    answerNext('/api/v3/supplies', { next: 0, supplies: [null, supply('WB-GI-5')] })
    answerNext('/order-ids', { orderIds: [5] })
    const [shipment] = await toldUntil(shipments(asked), /supplies\[0\]$/)
    assert.deepEqual([shipment?.externalId, shipment?.orders], ['WB-GI-5', ['5']])
    const card = { nmID: 5, sizes: [{ chrtID: 51, skus: ['b'] }] }
    answerNext('/cards/list', { cards: [[], card], cursor: { updatedAt: 'x', nmID: 5 } })
    assert.equal((await toldUntil(cards(undefined), /cards\[0\]$/)).length, 1)
    answerNext('/orders/status', { orders: [null, { id: 5, supplierStatus: 'cancel' }] })
    assert.equal((await toldUntil(statuses(['5']), /orders\[0\]$/)).length, 1)
    fake.setStock(account, { itemId: 1, warehouse: { id: 11, name: 'Север' }, quantity: 5 })
    answerNext('/api/v3/stocks', { stocks: [null, { chrtId: 1, amount: 5 }] })
    assert.equal((await toldUntil(stock(goods(1)), /stocks\[0\]$/)).length, 1)
  })

  test('a supply whose orders can not be read takes no others with it', async () => {
    const ids = [1, 2].map(() => fake.addShipment(account))
    answerNext(`${ids[0]}/order-ids`, { orderIds: [5, null] })
    const told = await toldUntil(connect().shipments(asked), /orderIds$/)
    assert.deepEqual(
      told.map(({ externalId }) => externalId),
      ids.slice(1),
    )
  })

  test('a doubled row is asked about once', async () => {
    const id = fake.addOrder(account)
    answerNext('/orders/new', { orders: [shownOrder(Number(id)), shownOrder(Number(id))] })
    await itemsOf(connect().orders(now - hour))
    assert.deepEqual(
      made('/orders/status').map(({ body }) => body),
      [{ orders: [Number(id)] }],
    )
  })

  async function toldUntil<Item>(
    pages: AsyncIterable<{ items: readonly Item[] }>,
    words: RegExp,
  ): Promise<Item[]> {
    const told: Item[] = []
    const reading = async () => {
      for await (const { items } of pages) told.push(...items)
    }
    const failure = await failureOf(reading())
    assert.ok(failure instanceof PartlyMalformed)
    assert.match(failure.message, words)
    return told
  }
})

test('words of WB are shown to staff, and to sellers where they are Russian', async () => {
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

test('pages end however they say it', async () => {
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
      // The orders of the supply that was told.
      fake.failNext(1, { status: 200, body: { orderIds: [] } }, '/order-ids')
    }
    const told = await itemsOf(
      connect().shipments({ from: now - day, openFrom: now - day, known: [] }),
    )
    assert.deepEqual(
      told.map(({ externalId }) => externalId),
      ids,
      JSON.stringify(pages),
    )
    fake.heal()
  }
})

test('old supplies that are still open are told where they are asked for', async () => {
  const old = { createdAt: now - 60 * day }
  fake.addShipment(account, { ...old, closedAt: now - 59 * day })
  const open = fake.addShipment(account, old)
  const asked = { from: now - day, openFrom: now - 90 * day, known: [] }
  const told = await itemsOf(connect().shipments(asked))
  assert.deepEqual(
    told.map(({ externalId }) => externalId),
    [open],
  )
})

test('an empty page that says where more is, is not the last', async () => {
  const supplies = [supply('WB-GI-7')]
  const empty = (next: number) => ({ status: 200, body: { next, supplies: [] } })
  fake.failNext(1, empty(5), '/api/v3/supplies')
  fake.failNext(1, empty(6), '/api/v3/supplies')
  fake.failNext(1, { status: 200, body: { next: 0, supplies } }, '/api/v3/supplies')
  fake.failNext(1, { status: 200, body: { orderIds: [] } }, '/order-ids')
  const asked = { from: now - day, openFrom: now - day, known: [] }
  const told = await itemsOf(connect().shipments(asked))
  assert.deepEqual(
    told.map(({ externalId }) => externalId),
    ['WB-GI-7'],
  )
  for (let next = 5; next < 50; next++) fake.failNext(1, empty(next), '/api/v3/supplies')
  const before = fake.calls().length
  assert.deepEqual(await itemsOf(connect().shipments(asked)), [])
  assert.ok(fake.calls().length - before < 10)
})

test('what was entered by hand and is no number of WB is not asked for', async () => {
  const known = [{ externalId: 'Отгрузка 7', closed: false }]
  const asked = { from: now - day, openFrom: now - day, known }
  assert.deepEqual(await itemsOf(connect().shipments(asked)), [])
  assert.equal(fake.calls().at(-1)?.path, '/api/v3/supplies')
})

test('a refused call costs ten', async () => {
  const { shipping, time } = connect()
  const id = fake.addShipment(account)
  await assert.rejects(shipping.deliver(id), { code: 'SupplyHasZeroOrders' })
  // Ten for the refusal and one for the look whether it was delivered before.
  for (let call = 0; call < 9; call++) await shipping.ordersOf(id)
  assert.deepEqual(time.waits, [])
  await shipping.ordersOf(id)
  assert.equal(time.waits.length, 1)
})

test('the limits of a seller are those of all its tokens, and tell nothing of them', async () => {
  const accounts: string[] = []
  const limits: Limits = {
    take: async (taken) => void accounts.push(taken),
    async charge() {},
    async hold() {},
  }
  const asked = async (payload: Record<string, unknown>) => {
    const token = fakeToken(payload)
    await assert.rejects(connect({ limits, credentials: { token } }).access())
    return { token, account: accounts.at(-1) ?? '' }
  }
  const first = await asked({ sid: 'one', exp: 1 })
  const second = await asked({ sid: 'one', exp: 2 })
  const other = await asked({ sid: 'two', exp: 1 })
  assert.equal(first.account, second.account)
  assert.notEqual(first.account, other.account)
  assert.doesNotMatch(first.account, /one/)
  assert.ok(!first.token.includes(first.account))
})

test('orders that are too old to be told are not asked for', async () => {
  const seconds = (await questionsFor(now - 400 * day)).map(({ query }) => Number(query.dateFrom))
  assert.equal(Math.min(...seconds), (now - 90 * day) / 1000)
  assert.equal(seconds.length, 3)

  async function questionsFor(from: number) {
    const before = fake.calls().length
    await itemsOf(connect().orders(from))
    return fake
      .calls()
      .slice(before)
      .filter(({ path }) => path === '/api/v3/orders')
  }
})

test('a day happens by itself', async () => {
  let seed = 1
  const chance = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  fake.addCard(account)
  for (let step = 0; step < 50; step++) fake.step(account, chance)
  const { orders, shipping, statuses } = connect()
  const fresh = (await itemsOf(orders(now - hour))).map(({ externalId }) => externalId)
  assert.ok(fresh.length > 3)
  const externalId = await shipping.create({ name: 'День', mark: 'SK-1' })
  const shipped = fresh.filter((id) => fake.statusOf(account, id).supplier === 'new')
  await shipping.fill(
    externalId,
    shipped.map((id) => ({ externalId: id, units: 1 })),
  )
  await shipping.deliver(externalId)
  for (let step = 0; step < 500; step++) fake.step(account, chance)
  assert.equal(fake.shipments(account)[0]?.acceptedAt, now)
  const read = (await itemsOf(statuses(shipped))).map(({ reading }) => reading.status)
  assert.ok(read.includes('COMPLETED'))
})
