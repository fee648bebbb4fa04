import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { inspect } from 'node:util'
import type { Connector, KnownShipment, Told } from '../../src/marketplaces/connector.ts'
import { MarketplaceError, PartlyMalformed } from '../../src/marketplaces/failure.ts'
import { orderStatuses } from '../../src/orders/state.ts'
import type { Fake, FakeAccount, FakeCard } from '../support/marketplaces/fake.ts'
import { type ConnectOptions, type Plug, plugs } from '../support/marketplaces/plugs.ts'
import { passingTime } from '../support/marketplaces/time.ts'

/** What every connector promises, tried with each of them on its marketplace's fake. */
const now = Date.parse('2026-11-20T12:00:00Z')
const hour = 3_600_000
const day = 24 * hour

for (const plug of plugs) suite(`${plug.marketplace} connector`, () => contract(plug))

function contract(plug: Plug): void {
  let fake: Fake
  let account: FakeAccount
  let connector: Connector
  let time: ReturnType<typeof passingTime>

  before(async () => {
    fake = await plug.start({ now: () => now })
  })
  beforeEach(() => {
    fake.heal()
    account = fake.account()
    connector = connect()
  })
  after(() => fake.close())

  function connect(options: Partial<ConnectOptions> = {}, who = account): Connector {
    time = passingTime()
    return plug.connect(fake, who, { time, now: () => now, ...options })
  }

  const onTheWay = plug.statuses.IN_DELIVERY
  const made = () => fake.calls().filter((call) => call.account === account.id)

  async function failureOf(asked: Promise<unknown>): Promise<MarketplaceError> {
    const failure = await asked.then(
      () => assert.fail('it was answered'),
      (error: unknown) => error,
    )
    assert.ok(failure instanceof MarketplaceError, inspect(failure))
    for (const secret of Object.values(account.credentials)) {
      assert.ok(!inspect(failure, { depth: 10 }).includes(secret), 'a secret is shown')
    }
    return failure
  }

  suite('orders', () => {
    test('pages of any fullness are told whole, and no longer than they came', async () => {
      fake.pagesOf(3)
      const expected: string[] = []
      for (let count = 0; count <= 7; count++) {
        const pages = await pagesOf(connector.orders(now - day))
        const told = pages.flatMap(({ items }) => items.map(({ externalId }) => externalId))
        assert.deepEqual(told.toSorted(), expected.toSorted(), `${count} orders`)
        for (const { items } of pages) assert.ok(items.length <= 3)
        expected.push(fake.addOrder(account, { status: onTheWay, createdAt: now - count * hour }))
      }
    })

    test('an order has its number, time and goods', async () => {
      const card = fake.addCard(account, { barcodes: ['4600000000017'], article: 'A-1' })
      const createdAt = now - 2 * hour
      const lines = [{ ...lineOf(card), quantity: 1 }]
      const externalId = fake.addOrder(account, { createdAt, lines, isB2b: true })
      const [order] = await itemsOf(connector.orders(now - day))
      assert.equal(order?.externalId, externalId)
      assert.equal(order.createdAt, createdAt)
      assert.equal(order.isB2b, true)
      assert.equal(order.lines.length, 1)
      const [line] = order.lines
      assert.deepEqual(
        [line?.itemId, line?.article, line?.quantity],
        [card.itemId, card.article, 1],
      )
    })

    test('orders that are older than asked for, and ended, are not told again', async () => {
      fake.addOrder(account, { createdAt: now - 3 * day, status: plug.statuses.COMPLETED })
      const young = fake.addOrder(account, { createdAt: now - hour, status: onTheWay })
      const told = await itemsOf(connector.orders(now - day))
      assert.deepEqual(
        told.map(({ externalId }) => externalId),
        [young],
      )
    })

    test('orders of months are told, each of them once', async () => {
      const expected = []
      for (let days = 0; days <= 85; days += 5) {
        expected.push(fake.addOrder(account, { createdAt: now - days * day, status: onTheWay }))
      }
      const told = await itemsOf(connector.orders(now - 86 * day))
      assert.deepEqual(told.map(({ externalId }) => externalId).toSorted(), expected.toSorted())
    })

    test('the present status is told with its raw pair', async () => {
      for (const status of orderStatuses) {
        const externalId = fake.addOrder(account, { status: plug.statuses[status] })
        const told = await itemsOf(connector.orders(now - hour))
        const reading = told.find((order) => order.externalId === externalId)?.reading
        const { supplier, buyer, status: read } = reading ?? {}
        assert.deepEqual({ supplier, buyer }, plug.statuses[status])
        assert.equal(read, status)
      }
    })

    test('nulls, absent and unknown fields are passed over', async () => {
      const externalId = fake.addOrder(account, { raw: plug.sparse })
      const [order] = await itemsOf(connector.orders(now - hour))
      assert.equal(order?.externalId, externalId)
      assert.equal(order.reading?.status, 'NEW')
      assert.ok(order.lines.length > 0)
    })

    test('an order without what it needs names the field', async () => {
      for (const value of [undefined, null, {}]) {
        fake.addOrder(account, { raw: { [plug.required]: value } })
        const failure = await failureOf(itemsOf(connector.orders(now - hour)))
        assert.equal(failure.kind, 'malformed')
        assert.match(failure.message, new RegExp(plug.required))
      }
    })

    test('one that can not be read takes no others with it', async () => {
      fake.pagesOf(2)
      const bad = { raw: { [plug.required]: null } }
      const expected = [0, 1, 2, 3, 4].map((at) => {
        if (at === 1) fake.addOrder(account, { ...bad, status: onTheWay, createdAt: now - hour })
        return fake.addOrder(account, { status: onTheWay, createdAt: now - at * hour })
      })
      const told: string[] = []
      const reading = async () => {
        for await (const { items } of connector.orders(now - day)) {
          told.push(...items.map(({ externalId }) => externalId))
        }
      }
      const failure = await failureOf(reading())
      assert.ok(failure instanceof PartlyMalformed)
      assert.match(failure.message, new RegExp(plug.required))
      assert.deepEqual(told.toSorted(), expected.toSorted())
    })

    test('numbers of any length are kept', async () => {
      const externalId = fake.addOrder(account, { externalId: plug.longNumber })
      const [order] = await itemsOf(connector.orders(now - hour))
      assert.equal(order?.externalId, externalId)
      assert.equal(order.reading?.status, 'NEW')
      if (!plug.statusesAreAsked) return
      const told = await itemsOf(connector.statuses([externalId]))
      assert.deepEqual(told[0]?.externalId, externalId)
    })

    test('one who stops reading has asked for no further page', async () => {
      fake.pagesOf(1)
      for (let count = 0; count < 20; count++) fake.addOrder(account, { status: onTheWay })
      for await (const { items } of connector.orders(now - hour)) {
        assert.equal(items.length, 1)
        break
      }
      assert.ok(made().length <= 4, `${made().length} calls`)
    })

    test('a new order is told once', async () => {
      const externalId = fake.addOrder(account, { createdAt: now - 60_000 })
      const told = await itemsOf(connector.orders(now - day))
      assert.deepEqual(
        told.map((order) => order.externalId),
        [externalId],
      )
    })

    test('an account sees its own orders', async () => {
      fake.addOrder(fake.account())
      assert.deepEqual(await itemsOf(connector.orders(now - day)), [])
    })
  })

  suite('statuses', { skip: !plug.statusesAreAsked }, () => {
    test('are told for those asked, and nothing is said of unknown ones', async () => {
      const one = fake.addOrder(account)
      const other = fake.addOrder(account)
      fake.addOrder(account)
      fake.setStatus(account, other, plug.statuses.COMPLETED)
      const unknown = fake.addOrder(fake.account())
      const told = await itemsOf(connector.statuses([one, plug.foreignNumber, unknown, other]))
      const statuses = told.map(({ externalId, reading }) => [externalId, reading.status])
      assert.deepEqual(statuses.toSorted(), [
        [one, 'NEW'],
        [other, 'COMPLETED'],
      ])
    })

    test('of none are none, and nobody is asked', async () => {
      assert.deepEqual(await itemsOf(connector.statuses([])), [])
      assert.equal(made().length, 0)
    })

    test('are told however many are asked for', async () => {
      const ids = Array.from({ length: 1001 }, () => fake.addOrder(account))
      const told = await itemsOf(connector.statuses(ids))
      assert.deepEqual(told.map(({ externalId }) => externalId).toSorted(), ids.toSorted())
    })
  })

  suite('failures', () => {
    const firstOrders = () => itemsOf(connector.orders(now - hour))

    test('a limit that was hit is waited for as long as it says', async () => {
      fake.addOrder(account)
      const headers = { 'X-Ratelimit-Retry': '7', 'Retry-After': '7' }
      fake.failNext(1, { status: 429, headers }, plug.ordersPath)
      assert.equal((await firstOrders()).length, 1)
      assert.ok(time.waits.includes(7000), String(time.waits))
    })

    test('within the limits of the marketplace nothing is refused', async () => {
      const passing = passingTime()
      const strict = await plug.start({ now: passing.now })
      after(() => strict.close())
      strict.limitTo(plug.limit)
      const limited = strict.account()
      const careful = plug.connect(strict, limited, { time: passing, now: () => now })
      for (let call = 0; call < plug.limit.burst * 3; call++) await careful.access()
      assert.equal(strict.calls().length, plug.limit.burst * 3)
    })

    test('an outage is waited out, and a page is told once', async () => {
      fake.addOrder(account)
      fake.failNext(2, { status: 503, body: '<html>' }, plug.ordersPath)
      assert.equal((await firstOrders()).length, 1)
    })

    test('a long outage is told as one, also from the middle of the pages', async () => {
      fake.pagesOf(1)
      for (let count = 0; count < 3; count++) fake.addOrder(account, { status: onTheWay })
      const pages = connector.orders(now - hour)[Symbol.asyncIterator]()
      assert.equal((await pages.next()).done, false)
      fake.failNext(4, { status: 500 }, plug.ordersPath)
      assert.equal((await failureOf(pages.next())).kind, 'unreachable')
    })

    test('silence and broken connections are outages', async () => {
      connector = connect({ timeoutMs: 50 })
      for (const how of ['hang', 'reset'] as const) {
        fake.failNext(4, how, plug.ordersPath)
        assert.equal((await failureOf(firstOrders())).kind, 'unreachable')
      }
    })

    test('an answer that breaks off is malformed', async () => {
      fake.failNext(1, 'malformed', plug.ordersPath)
      assert.equal((await failureOf(firstOrders())).kind, 'malformed')
    })

    test('refused credentials are told as such', async () => {
      assert.equal(typeof (await connector.access()), 'object')
      for (const status of [401, 403] as const) {
        fake.refuse(account, status)
        for (const ask of [() => connector.access(), firstOrders]) {
          assert.equal((await failureOf(ask())).kind, 'credentials')
        }
      }
      fake.refuse(account, undefined)
      await connector.access()
    })
  })

  suite('cards', () => {
    test('pages are told whole, and later only what changed since', async () => {
      fake.pagesOf(2)
      const cards: FakeCard[] = []
      for (let count = 0; count < 5; count++) {
        const { items } = await cardsSince(undefined)
        assert.deepEqual(numbersOf(items), numbersOf(cards), `${count} cards`)
        cards.push(fake.addCard(account, { updatedAt: now - (9 - count) * hour }))
      }
      const { mark, items } = await cardsSince(undefined)
      const [card] = cards
      const told = items.find(({ itemId }) => itemId === card?.itemId)
      assert.deepEqual(told?.barcodes, card?.barcodes)
      assert.deepEqual([told?.article, told?.name], [card?.article, card?.name])
      const fresh = fake.addCard(account, { updatedAt: now })
      const later = await cardsSince(mark)
      assert.ok(numbersOf(later.items).includes(fresh.itemId))
    })

    test('a mark that nobody made begins anew', async () => {
      fake.addCard(account)
      assert.equal((await cardsSince('{"no":')).items.length, 1)
    })

    async function cardsSince(since: string | undefined) {
      const items = []
      let mark = since
      for await (const page of connector.cards(since)) {
        items.push(...page.items)
        mark = page.mark
      }
      return { items, mark }
    }
  })

  suite('stock', () => {
    test('is told by warehouse, zero too, for the goods asked for', async () => {
      const [known, empty, unasked] = [1, 2, 3].map(() => fake.addCard(account))
      assert.ok(known && empty && unasked)
      const north = { id: 11, name: 'Север' }
      const south = { id: 12, name: 'Юг' }
      fake.setStock(account, { itemId: known.itemId, warehouse: north, quantity: 5 })
      fake.setStock(account, { itemId: known.itemId, warehouse: south, quantity: 7 })
      fake.setStock(account, { itemId: empty.itemId, warehouse: north, quantity: 0 })
      fake.setStock(account, { itemId: unasked.itemId, warehouse: north, quantity: 9 })
      const figures = await itemsOf(connector.stock(goodsOf([known], [empty])))
      const shown = figures.map(({ barcode, quantity, warehouse }) =>
        [barcode, quantity, warehouse?.id, warehouse?.name].join(' '),
      )
      assert.deepEqual(
        shown.toSorted(),
        [
          `${known.barcodes[0]} 5 11 Север`,
          `${known.barcodes[0]} 7 12 Юг`,
          `${empty.barcodes[0]} 0 11 Север`,
        ].toSorted(),
      )
    })

    test('of no goods is none', async () => {
      assert.deepEqual(await itemsOf(connector.stock(goodsOf())), [])
    })

    async function* goodsOf(...pages: FakeCard[][]) {
      for (const cards of pages) {
        yield cards.map(({ itemId, article, barcodes }) => ({
          itemId,
          article,
          barcode: barcodes[0] ?? '',
        }))
      }
    }
  })

  suite('shipping', () => {
    const shipped = (ids: readonly string[]) => ids.map((externalId) => ({ externalId, units: 1 }))
    const tried = { at: now }
    const ordersOf = (count: number) =>
      Array.from({ length: count }, () => {
        const id = fake.addOrder(account)
        fake.setStatus(account, id, plug.statuses.NEW)
        return id
      })

    test('a shipment is created, found, filled, handed over and accepted', async () => {
      const { shipping } = connector
      const ids = ordersOf(3)
      const created = await shipping.create({ name: 'Утро', mark: 'SK-1' })
      assert.equal(created.closedAt, undefined)
      assert.equal((await shipping.find('SK-1', tried))?.externalId, created.externalId)
      await shipping.fill(created.externalId, shipped(ids))
      assert.deepEqual((await shipping.ordersOf(created.externalId))?.toSorted(), ids.toSorted())
      await shipping.deliver(created.externalId)
      const [there] = fake.shipments(account)
      assert.notEqual(there?.closedAt, undefined)
      fake.acceptShipment(account, created.externalId)
      const known = [{ externalId: created.externalId, closed: true }]
      const [told] = await itemsOf(
        connector.shipments({ from: now + day, openFrom: now + day, known }),
      )
      assert.equal(told?.externalId, created.externalId)
      assert.equal(told.acceptedAt, now)
    })

    test('what was lost on the way back is found by its mark, and not made twice', async () => {
      const { shipping } = connector
      ordersOf(1)
      fake.addShipment(account, { name: 'SK-22 чужая', createdAt: now - hour })
      assert.equal(await shipping.find('SK-2', tried), undefined)
      fake.failNext(1, { status: 504, done: true }, plug.createPath)
      const failure = await failureOf(shipping.create({ name: 'Утро', mark: 'SK-2' }))
      assert.equal(failure.kind, 'unreachable')
      assert.equal(fake.shipments(account).length, 2)
      const found = await shipping.find('SK-2', tried)
      assert.deepEqual(found?.orders ?? [], [])
      assert.ok(fake.shipments(account).some(({ id }) => id === found?.externalId))
    })

    test('the longest name keeps its mark', async () => {
      const { shipping } = connector
      ordersOf(1)
      const created = await shipping.create({ name: '📦'.repeat(200), mark: 'SK-3' })
      assert.equal((await shipping.find('SK-3', tried))?.externalId, created.externalId)
    })

    test('filling and handing over again change nothing', async () => {
      const { shipping } = connector
      const [first = '', second = ''] = ordersOf(2)
      const { externalId } = await shipping.create({ name: 'Утро', mark: 'SK-4' })
      await shipping.fill(externalId, shipped([first]))
      await shipping.fill(externalId, shipped([first, second, second]))
      assert.deepEqual(
        (await shipping.ordersOf(externalId))?.toSorted(),
        [first, second].toSorted(),
      )
      await shipping.deliver(externalId)
      await shipping.deliver(externalId)
      assert.deepEqual(fake.shipments(account)[0]?.orders.length, 2)
    })

    test('a hand-over whose answer was lost is done', async () => {
      const { shipping } = connector
      const ids = ordersOf(1)
      const { externalId } = await shipping.create({ name: 'Утро', mark: 'SK-5' })
      await shipping.fill(externalId, shipped(ids))
      fake.failNext(1, { status: 504, done: true })
      await shipping.deliver(externalId)
      assert.notEqual(fake.shipments(account)[0]?.closedAt, undefined)
    })

    test('many orders fit in', async () => {
      const { shipping } = connector
      const ids = ordersOf(205)
      const { externalId } = await shipping.create({ name: 'Утро', mark: 'SK-6' })
      await shipping.fill(externalId, shipped(ids))
      assert.deepEqual((await shipping.ordersOf(externalId))?.toSorted(), ids.toSorted())
    })

    test('a refusal keeps the code of the marketplace', async () => {
      const { shipping } = connector
      ordersOf(1)
      const { externalId } = await shipping.create({ name: 'Пусто', mark: 'SK-7' })
      const failure = await failureOf(shipping.deliver(externalId))
      assert.deepEqual([failure.kind, failure.code], ['rejected', plug.emptyCode])
      assert.equal(fake.shipments(account)[0]?.closedAt, undefined)
    })

    test('an order that can not be shipped is refused', async () => {
      const { shipping } = connector
      const [id = ''] = ordersOf(2)
      fake.setStatus(account, id, plug.statuses.CANCELLED)
      const { externalId } = await shipping.create({ name: 'Утро', mark: 'SK-8' })
      for (const ids of [[id], [plug.foreignNumber]]) {
        assert.equal((await failureOf(shipping.fill(externalId, shipped(ids)))).kind, 'rejected')
      }
    })

    test('a marked order goes with its codes', async () => {
      const { shipping } = connector
      const card = fake.addCard(account, { honestMark: true })
      const id = fake.addOrder(account, { lines: [{ ...lineOf(card), quantity: 1 }] })
      const { externalId } = await shipping.create({ name: 'Утро', mark: 'SK-9' })
      await shipping.fill(externalId, shipped([id]))
      const leaving = shipped([id])
      assert.equal((await failureOf(shipping.deliver(externalId, leaving))).kind, 'rejected')
      const code = '0104600000000017215Qbag!\u001d91ABCD\u001d92c2lnbmF0dXJl'
      await shipping.attachMarks(id, [code])
      assert.deepEqual(fake.marksOf(account, id), [code])
      await shipping.deliver(externalId, leaving)
    })

    test('stickers and the pass are pictures that can be printed', async () => {
      const { shipping } = connector
      const ids = ordersOf(3)
      const { externalId } = await shipping.create({ name: 'Утро', mark: 'SK-10' })
      await shipping.fill(externalId, shipped(ids))
      const stickers = await shipping.stickers(ids)
      assert.deepEqual(stickers.map((sticker) => sticker.externalId).toSorted(), ids.toSorted())
      await shipping.deliver(externalId)
      const pass = await shipping.pass(externalId)
      assert.equal(pass.externalId, externalId)
      for (const { bytes, contentType } of [...stickers, pass]) {
        const head = contentType === 'image/svg+xml' ? '<svg' : undefined
        assert.ok(bytes.length > 0 && bytes.toString('latin1').startsWith(head ?? ''))
      }
    })
  })

  suite('shipments', () => {
    const shipmentsSince = (from: number, known: readonly KnownShipment[] = [], openFrom = from) =>
      itemsOf(connector.shipments({ from, openFrom, known }))

    test('are told if they are young or known, with orders that may have changed', async () => {
      const old = now - 40 * day
      const order = fake.addOrder(account, { status: plug.statuses.ASSEMBLING })
      const add = (createdAt: number, closedAt?: number) =>
        fake.addShipment(account, { createdAt, closedAt, orders: [order] })
      const forgotten = add(old, old)
      const open = add(old)
      const waiting = add(old, old + hour)
      const young = add(now - hour)
      const told = await shipmentsSince(now - day, [
        { externalId: open, closed: false },
        { externalId: waiting, closed: true },
      ])
      const shown = new Map(told.map((shipment) => [shipment.externalId, shipment]))
      assert.equal(shown.has(forgotten), false)
      assert.deepEqual(shown.get(open)?.orders, [order])
      assert.equal(shown.get(open)?.closedAt, undefined)
      assert.equal(shown.get(waiting)?.closedAt, old + hour)
      assert.deepEqual(shown.get(young)?.orders, [order])
    })

    test('one that was made and closed between two looks is told with its orders', async () => {
      const order = fake.addOrder(account, { status: onTheWay })
      const closedAt = now - 60_000
      fake.addShipment(account, { createdAt: now - hour, closedAt, orders: [order] })
      const [told] = await shipmentsSince(now - day)
      assert.deepEqual([told?.closedAt, told?.orders], [closedAt, [order]])
    })

    test('pages of any fullness are told whole', async () => {
      fake.pagesOf(2)
      const expected: string[] = []
      for (let count = 0; count <= 5; count++) {
        const told = await shipmentsSince(now - day)
        assert.deepEqual(
          told.map(({ externalId }) => externalId).toSorted(),
          expected.toSorted(),
          `${count} shipments`,
        )
        expected.push(fake.addShipment(account, { createdAt: now - hour }))
      }
    })

    test('an open one that is gone was cancelled', async () => {
      const externalId = plug.goneShipment
      const told = await shipmentsSince(now - day, [{ externalId, closed: false }])
      assert.deepEqual(
        told.map(({ externalId, cancelled }) => [externalId, cancelled]),
        [[externalId, true]],
      )
    })
  })
}

function lineOf({ itemId, article, barcodes }: FakeCard) {
  return { itemId, article, barcode: barcodes[0] ?? '' }
}

async function pagesOf<Item>(pages: AsyncIterable<Told<Item>>): Promise<Told<Item>[]> {
  return Array.fromAsync(pages)
}

async function itemsOf<Item>(pages: AsyncIterable<Told<Item>>): Promise<Item[]> {
  return (await pagesOf(pages)).flatMap(({ items }) => items)
}

function numbersOf(cards: readonly { readonly itemId: number }[]): number[] {
  return cards.map(({ itemId }) => itemId).toSorted((a, b) => a - b)
}
