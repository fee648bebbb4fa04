import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Limits } from '../../src/marketplaces/limits.ts'
import { openLimits } from '../../src/marketplaces/limits.ts'
import {
  type WildberriesOptions,
  wildberriesLimit,
} from '../../src/marketplaces/wildberries/client.ts'
import { openWildberries } from '../../src/marketplaces/wildberries/connector.ts'
import type { FakeAccount } from '../support/marketplaces/fake.ts'
import { passingTime } from '../support/marketplaces/time.ts'
import {
  type FakeWildberries,
  fakeToken,
  startFakeWildberries,
} from '../support/marketplaces/wildberries.ts'

/** What WB has that other marketplaces have not. */
const now = Date.parse('2026-11-20T12:00:00Z')
const hour = 3_600_000
const day = 24 * hour

let fake: FakeWildberries
let account: FakeAccount<'WB'>

before(async () => {
  fake = await startFakeWildberries({ now: () => now })
})
beforeEach(() => {
  fake.heal()
  account = fake.account()
})
after(() => fake.close())

function connect(given: Partial<WildberriesOptions> = {}) {
  const time = passingTime()
  const options = {
    credentials: account.credentials,
    baseUrl: fake.baseUrl,
    contentBaseUrl: fake.baseUrl,
    limits: openLimits(wildberriesLimit, time),
    time,
    now: () => now,
    ...given,
  }
  return { ...openWildberries(options), time }
}

const supply = (id: string) => ({ id, createdAt: new Date(now).toISOString(), done: false })

async function itemsOf<Item>(pages: AsyncIterable<{ items: readonly Item[] }>): Promise<Item[]> {
  return (await Array.fromAsync(pages)).flatMap(({ items }) => items)
}

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
    charge() {},
    hold() {},
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
  const { externalId } = await shipping.create({ name: 'День', mark: 'SK-1' })
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
