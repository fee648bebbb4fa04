import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { PartlyMalformed } from '../../src/exchange/marketplaces/calls/failure.ts'
import { orderStatuses } from '../../src/warehouse/orders/state.ts'
import {
  day,
  everyConnector,
  hour,
  itemsOf,
  lineOf,
  now,
  numbersOf,
  pagesOf,
} from '../support/marketplaces/connector-contract.ts'
import type { FakeCard } from '../support/marketplaces/fake.ts'
import { passingTime } from '../support/marketplaces/fake-time.ts'

/** The contract of all connectors: reading a cabinet. */
everyConnector((at) => {
  const { harness, onTheWay, connect, made, failureOf } = at

  suite('orders', () => {
    test('pages of any size are listed completely, and no larger than the marketplace sent them', async () => {
      at.fake.pagesOf(3)
      const expected: string[] = []
      for (let count = 0; count <= 7; count++) {
        const pages = await pagesOf(at.connector.orders(now - day))
        const listed = pages.flatMap(({ items }) => items.map(({ externalId }) => externalId))
        assert.deepEqual(listed.toSorted(), expected.toSorted(), `${count} orders`)
        for (const { items } of pages) assert.ok(items.length <= 3)
        expected.push(
          at.fake.addOrder(at.account, { status: onTheWay, createdAt: now - count * hour }),
        )
      }
    })

    test('an order has its number, time of creation and goods', async () => {
      const card = at.fake.addCard(at.account, { barcodes: ['4600000000017'], article: 'A-1' })
      const createdAt = now - 2 * hour
      const lines = [{ ...lineOf(card), quantity: 1 }]
      const externalId = at.fake.addOrder(at.account, { createdAt, lines, isB2b: true })
      const [order] = await itemsOf(at.connector.orders(now - day))
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

    test('terminal orders created before the requested time are not listed', async () => {
      at.fake.addOrder(at.account, { createdAt: now - 3 * day, status: harness.statuses.COMPLETED })
      const young = at.fake.addOrder(at.account, { createdAt: now - hour, status: onTheWay })
      const listed = await itemsOf(at.connector.orders(now - day))
      assert.deepEqual(
        listed.map(({ externalId }) => externalId),
        [young],
      )
    })

    test('orders of three months are listed, each once', async () => {
      const expected = []
      for (let days = 0; days <= 85; days += 5) {
        expected.push(
          at.fake.addOrder(at.account, { createdAt: now - days * day, status: onTheWay }),
        )
      }
      const listed = await itemsOf(at.connector.orders(now - 86 * day))
      assert.deepEqual(listed.map(({ externalId }) => externalId).toSorted(), expected.toSorted())
    })

    test('an order has its current status and the raw status pair', async () => {
      for (const status of orderStatuses) {
        const externalId = at.fake.addOrder(at.account, { status: harness.statuses[status] })
        const listed = await itemsOf(at.connector.orders(now - hour))
        const reading = listed.find((order) => order.externalId === externalId)?.reading
        const { supplier, buyer, status: read } = reading ?? {}
        assert.deepEqual({ supplier, buyer }, harness.statuses[status])
        assert.equal(read, status)
      }
    })

    test('null, absent and unknown fields are ignored', async () => {
      const externalId = at.fake.addOrder(at.account, { raw: harness.sparse })
      const [order] = await itemsOf(at.connector.orders(now - hour))
      assert.equal(order?.externalId, externalId)
      assert.equal(order.reading?.status, 'NEW')
      assert.ok(order.lines.length > 0)
    })

    test('an order without a required field is malformed, and the failure names the field', async () => {
      for (const value of [undefined, null, {}]) {
        at.fake.addOrder(at.account, { raw: { [harness.required]: value } })
        const failure = await failureOf(itemsOf(at.connector.orders(now - hour)))
        assert.equal(failure.kind, 'malformed')
        assert.match(failure.message, new RegExp(harness.required))
      }
    })

    test('an unreadable order does not hide the others', async () => {
      at.fake.pagesOf(2)
      const bad = { raw: { [harness.required]: null } }
      const expected = [0, 1, 2, 3, 4].map((hours) => {
        const draft = { status: onTheWay, createdAt: now - hours * hour }
        if (hours === 1) at.fake.addOrder(at.account, { ...draft, ...bad })
        return at.fake.addOrder(at.account, draft)
      })
      const listed: string[] = []
      const reading = async () => {
        for await (const { items } of at.connector.orders(now - day)) {
          listed.push(...items.map(({ externalId }) => externalId))
        }
      }
      const failure = await failureOf(reading())
      assert.ok(failure instanceof PartlyMalformed)
      assert.match(failure.message, new RegExp(harness.required))
      assert.deepEqual(listed.toSorted(), expected.toSorted())
    })

    test('order numbers of any length are kept', async () => {
      const externalId = at.fake.addOrder(at.account, { externalId: harness.longNumber })
      const [order] = await itemsOf(at.connector.orders(now - hour))
      assert.equal(order?.externalId, externalId)
      assert.equal(order.reading?.status, 'NEW')
      if (!harness.statusesAreSeparate) return
      const listed = await itemsOf(at.connector.statuses([externalId]))
      assert.deepEqual(listed[0]?.externalId, externalId)
    })

    test('no further page is requested after the reader stops', async () => {
      at.fake.pagesOf(1)
      for (let count = 0; count < 20; count++) at.fake.addOrder(at.account, { status: onTheWay })
      for await (const { items } of at.connector.orders(now - hour)) {
        assert.equal(items.length, 1)
        break
      }
      assert.ok(made().length <= 4, `${made().length} calls`)
    })

    test('a new order is listed once', async () => {
      const externalId = at.fake.addOrder(at.account, { createdAt: now - 60_000 })
      const listed = await itemsOf(at.connector.orders(now - day))
      assert.deepEqual(
        listed.map((order) => order.externalId),
        [externalId],
      )
    })

    test('an account sees only its own orders', async () => {
      at.fake.addOrder(at.fake.account())
      assert.deepEqual(await itemsOf(at.connector.orders(now - day)), [])
    })
  })

  suite('statuses', { skip: !harness.statusesAreSeparate }, () => {
    test('are reported for the requested orders, and unknown orders are left out', async () => {
      const one = at.fake.addOrder(at.account)
      const other = at.fake.addOrder(at.account)
      at.fake.addOrder(at.account)
      at.fake.setStatus(at.account, other, harness.statuses.COMPLETED)
      const unknown = at.fake.addOrder(at.fake.account())
      const listed = await itemsOf(
        at.connector.statuses([one, harness.foreignNumber, unknown, other]),
      )
      const statuses = listed.map(({ externalId, reading }) => [externalId, reading.status])
      assert.deepEqual(statuses.toSorted(), [
        [one, 'NEW'],
        [other, 'COMPLETED'],
      ])
    })

    test('of no orders need no call', async () => {
      assert.deepEqual(await itemsOf(at.connector.statuses([])), [])
      assert.equal(made().length, 0)
    })

    test('are reported for more orders than one call takes', async () => {
      const ids = Array.from({ length: 1001 }, () => at.fake.addOrder(at.account))
      const listed = await itemsOf(at.connector.statuses(ids))
      assert.deepEqual(listed.map(({ externalId }) => externalId).toSorted(), ids.toSorted())
    })
  })

  suite('failures', () => {
    const firstOrders = () => itemsOf(at.connector.orders(now - hour))

    test('after a 429 the next attempt waits as long as the response says', async () => {
      at.fake.addOrder(at.account)
      const headers = { 'X-Ratelimit-Retry': '7', 'Retry-After': '7' }
      at.fake.failNext(1, { status: 429, headers }, harness.ordersPath)
      assert.equal((await firstOrders()).length, 1)
      assert.ok(at.time.waits.includes(7000), String(at.time.waits))
    })

    test('successive calls stay within the documented limits', async () => {
      const { careful, strict } = await openStrictScene()
      for (let call = 0; call < 200; call++) await careful.access()
      assert.equal(strict.calls().length, 200)
    })

    test('successive calls stay within the documented limits when some are refused', async () => {
      const { careful, strict } = await openStrictScene()
      for (let call = 0; call < 30; call++) {
        await careful.access()
        await careful.shipping.ordersOf(harness.goneShipment).catch(() => {})
      }
      assert.equal(strict.calls().length, 60)
    })

    /** A fake that enforces the documented limit by the connector's clock. */
    async function openStrictScene() {
      const passing = passingTime()
      const strict = await harness.start({ now: passing.now })
      after(() => strict.close())
      strict.limitTo(strict.documentedLimit)
      const account = strict.account()
      const careful = harness.connect(strict, account, { time: passing, now: () => now })
      return { careful, strict }
    }

    test('a page is listed once after a short outage', async () => {
      at.fake.addOrder(at.account)
      at.fake.failNext(2, { status: 503, body: '<html>' }, harness.ordersPath)
      assert.equal((await firstOrders()).length, 1)
    })

    test('a long outage in the middle of a list is unreachable', async () => {
      at.fake.pagesOf(1)
      for (let count = 0; count < 3; count++) at.fake.addOrder(at.account, { status: onTheWay })
      const pages = at.connector.orders(now - hour)[Symbol.asyncIterator]()
      assert.equal((await pages.next()).done, false)
      at.fake.failNext(4, { status: 500 }, harness.ordersPath)
      assert.equal((await failureOf(pages.next())).kind, 'unreachable')
    })

    test('silence and broken connections are unreachable', async () => {
      at.connector = connect({ timeoutMs: 1_000 })
      for (const [how, tries] of [
        ['hang', 2],
        ['reset', 4],
      ] as const) {
        at.fake.failNext(tries, how, harness.ordersPath)
        assert.equal((await failureOf(firstOrders())).kind, 'unreachable')
      }
    })

    test('a truncated response is malformed', async () => {
      at.fake.failNext(1, 'malformed', harness.ordersPath)
      assert.equal((await failureOf(firstOrders())).kind, 'malformed')
    })

    test('refused credentials are a credentials failure', async () => {
      assert.equal(typeof (await at.connector.access()), 'object')
      for (const status of [401, 403] as const) {
        at.fake.refuse(at.account, status)
        for (const ask of [() => at.connector.access(), firstOrders]) {
          assert.equal((await failureOf(ask())).kind, 'credentials')
        }
      }
      at.fake.refuse(at.account, undefined)
      await at.connector.access()
    })
  })

  suite('cards', () => {
    test('pages are listed completely, and later only the changed cards are needed', async () => {
      at.fake.pagesOf(2)
      const cards: FakeCard[] = []
      for (let count = 0; count < 5; count++) {
        const { items } = await cardsSince(undefined)
        assert.deepEqual(numbersOf(items), numbersOf(cards), `${count} cards`)
        cards.push(at.fake.addCard(at.account, { updatedAt: now - (9 - count) * hour }))
      }
      const { cursor, items } = await cardsSince(undefined)
      const [card] = cards
      const listed = items.find(({ itemId }) => itemId === card?.itemId)
      assert.deepEqual(listed?.barcodes, card?.barcodes)
      assert.deepEqual([listed?.article, listed?.name], [card?.article, card?.name])
      const fresh = at.fake.addCard(at.account, { updatedAt: now })
      const later = await cardsSince(cursor)
      assert.ok(numbersOf(later.items).includes(fresh.itemId))
    })

    test('an unreadable cursor lists all cards', async () => {
      at.fake.addCard(at.account)
      assert.equal((await cardsSince('{"no":')).items.length, 1)
    })

    async function cardsSince(since: string | undefined) {
      const items = []
      let cursor = since
      for await (const page of at.connector.cards(since)) {
        items.push(...page.items)
        cursor = page.cursor
      }
      return { items, cursor }
    }
  })

  suite('stock', () => {
    test('is reported by warehouse for the requested goods, zero included', async () => {
      const [known, empty, unrequested] = [1, 2, 3].map(() => at.fake.addCard(at.account))
      assert.ok(known && empty && unrequested)
      const north = { id: 11, name: 'Север' }
      const south = { id: 12, name: 'Юг' }
      at.fake.setStock(at.account, { itemId: known.itemId, warehouse: north, quantity: 5 })
      at.fake.setStock(at.account, { itemId: known.itemId, warehouse: south, quantity: 7 })
      at.fake.setStock(at.account, { itemId: empty.itemId, warehouse: north, quantity: 0 })
      at.fake.setStock(at.account, { itemId: unrequested.itemId, warehouse: north, quantity: 9 })
      const figures = await itemsOf(at.connector.stock(goodsOf([known], [empty])))
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

    test('decreases as goods are sold, and nothing is sold without stock', async () => {
      const card = at.fake.addCard(at.account)
      const warehouse = { id: 11, name: 'Север' }
      at.fake.setStock(at.account, { itemId: card.itemId, warehouse, quantity: 5 })
      const sold = async () =>
        (await itemsOf(at.connector.orders(now - hour)))
          .flatMap(({ lines }) => lines)
          .reduce((sum, { quantity }) => sum + quantity, 0)
      for (let left = 5; left > 0; ) {
        at.fake.step(at.account, () => 0.2)
        const [figure] = await itemsOf(at.connector.stock(goodsOf([card])))
        assert.equal(figure?.quantity, left - 1)
        left -= 1
        assert.equal(await sold(), 5 - left)
      }
      at.fake.step(at.account, () => 0.2)
      assert.equal(await sold(), 5)
    })

    test('of no goods is empty', async () => {
      assert.deepEqual(await itemsOf(at.connector.stock(goodsOf())), [])
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
})
