import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { PartlyMalformed } from '../../src/marketplaces/calls/failure.ts'
import { orderStatuses } from '../../src/orders/state.ts'
import {
  day,
  everyConnector,
  hour,
  itemsOf,
  lineOf,
  now,
  numbersOf,
  pagesOf,
} from '../support/marketplaces/every-connector.ts'
import type { FakeCard } from '../support/marketplaces/fake.ts'
import { passingTime } from '../support/marketplaces/time.ts'

/** What every connector promises: reading. */
everyConnector((at) => {
  const { plug, onTheWay, connect, made, failureOf } = at

  suite('orders', () => {
    test('pages of any fullness are told whole, and no longer than they came', async () => {
      at.fake.pagesOf(3)
      const expected: string[] = []
      for (let count = 0; count <= 7; count++) {
        const pages = await pagesOf(at.connector.orders(now - day))
        const told = pages.flatMap(({ items }) => items.map(({ externalId }) => externalId))
        assert.deepEqual(told.toSorted(), expected.toSorted(), `${count} orders`)
        for (const { items } of pages) assert.ok(items.length <= 3)
        expected.push(
          at.fake.addOrder(at.account, { status: onTheWay, createdAt: now - count * hour }),
        )
      }
    })

    test('an order has its number, time and goods', async () => {
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

    test('orders that are older than asked for, and ended, are not told again', async () => {
      at.fake.addOrder(at.account, { createdAt: now - 3 * day, status: plug.statuses.COMPLETED })
      const young = at.fake.addOrder(at.account, { createdAt: now - hour, status: onTheWay })
      const told = await itemsOf(at.connector.orders(now - day))
      assert.deepEqual(
        told.map(({ externalId }) => externalId),
        [young],
      )
    })

    test('orders of months are told, each of them once', async () => {
      const expected = []
      for (let days = 0; days <= 85; days += 5) {
        expected.push(
          at.fake.addOrder(at.account, { createdAt: now - days * day, status: onTheWay }),
        )
      }
      const told = await itemsOf(at.connector.orders(now - 86 * day))
      assert.deepEqual(told.map(({ externalId }) => externalId).toSorted(), expected.toSorted())
    })

    test('the present status is told with its raw pair', async () => {
      for (const status of orderStatuses) {
        const externalId = at.fake.addOrder(at.account, { status: plug.statuses[status] })
        const told = await itemsOf(at.connector.orders(now - hour))
        const reading = told.find((order) => order.externalId === externalId)?.reading
        const { supplier, buyer, status: read } = reading ?? {}
        assert.deepEqual({ supplier, buyer }, plug.statuses[status])
        assert.equal(read, status)
      }
    })

    test('nulls, absent and unknown fields are passed over', async () => {
      const externalId = at.fake.addOrder(at.account, { raw: plug.sparse })
      const [order] = await itemsOf(at.connector.orders(now - hour))
      assert.equal(order?.externalId, externalId)
      assert.equal(order.reading?.status, 'NEW')
      assert.ok(order.lines.length > 0)
    })

    test('an order without what it needs names the field', async () => {
      for (const value of [undefined, null, {}]) {
        at.fake.addOrder(at.account, { raw: { [plug.required]: value } })
        const failure = await failureOf(itemsOf(at.connector.orders(now - hour)))
        assert.equal(failure.kind, 'malformed')
        assert.match(failure.message, new RegExp(plug.required))
      }
    })

    test('one that can not be read takes no others with it', async () => {
      at.fake.pagesOf(2)
      const bad = { raw: { [plug.required]: null } }
      const expected = [0, 1, 2, 3, 4].map((hours) => {
        const draft = { status: onTheWay, createdAt: now - hours * hour }
        if (hours === 1) at.fake.addOrder(at.account, { ...draft, ...bad })
        return at.fake.addOrder(at.account, draft)
      })
      const told: string[] = []
      const reading = async () => {
        for await (const { items } of at.connector.orders(now - day)) {
          told.push(...items.map(({ externalId }) => externalId))
        }
      }
      const failure = await failureOf(reading())
      assert.ok(failure instanceof PartlyMalformed)
      assert.match(failure.message, new RegExp(plug.required))
      assert.deepEqual(told.toSorted(), expected.toSorted())
    })

    test('numbers of any length are kept', async () => {
      const externalId = at.fake.addOrder(at.account, { externalId: plug.longNumber })
      const [order] = await itemsOf(at.connector.orders(now - hour))
      assert.equal(order?.externalId, externalId)
      assert.equal(order.reading?.status, 'NEW')
      if (!plug.statusesAreAsked) return
      const told = await itemsOf(at.connector.statuses([externalId]))
      assert.deepEqual(told[0]?.externalId, externalId)
    })

    test('one who stops reading has asked for no further page', async () => {
      at.fake.pagesOf(1)
      for (let count = 0; count < 20; count++) at.fake.addOrder(at.account, { status: onTheWay })
      for await (const { items } of at.connector.orders(now - hour)) {
        assert.equal(items.length, 1)
        break
      }
      assert.ok(made().length <= 4, `${made().length} calls`)
    })

    test('a new order is told once', async () => {
      const externalId = at.fake.addOrder(at.account, { createdAt: now - 60_000 })
      const told = await itemsOf(at.connector.orders(now - day))
      assert.deepEqual(
        told.map((order) => order.externalId),
        [externalId],
      )
    })

    test('an account sees its own orders', async () => {
      at.fake.addOrder(at.fake.account())
      assert.deepEqual(await itemsOf(at.connector.orders(now - day)), [])
    })
  })

  suite('statuses', { skip: !plug.statusesAreAsked }, () => {
    test('are told for those asked, and nothing is said of unknown ones', async () => {
      const one = at.fake.addOrder(at.account)
      const other = at.fake.addOrder(at.account)
      at.fake.addOrder(at.account)
      at.fake.setStatus(at.account, other, plug.statuses.COMPLETED)
      const unknown = at.fake.addOrder(at.fake.account())
      const told = await itemsOf(at.connector.statuses([one, plug.foreignNumber, unknown, other]))
      const statuses = told.map(({ externalId, reading }) => [externalId, reading.status])
      assert.deepEqual(statuses.toSorted(), [
        [one, 'NEW'],
        [other, 'COMPLETED'],
      ])
    })

    test('of none are none, and nobody is asked', async () => {
      assert.deepEqual(await itemsOf(at.connector.statuses([])), [])
      assert.equal(made().length, 0)
    })

    test('are told however many are asked for', async () => {
      const ids = Array.from({ length: 1001 }, () => at.fake.addOrder(at.account))
      const told = await itemsOf(at.connector.statuses(ids))
      assert.deepEqual(told.map(({ externalId }) => externalId).toSorted(), ids.toSorted())
    })
  })

  suite('failures', () => {
    const firstOrders = () => itemsOf(at.connector.orders(now - hour))

    test('a limit that was hit is waited for as long as it says', async () => {
      at.fake.addOrder(at.account)
      const headers = { 'X-Ratelimit-Retry': '7', 'Retry-After': '7' }
      at.fake.failNext(1, { status: 429, headers }, plug.ordersPath)
      assert.equal((await firstOrders()).length, 1)
      assert.ok(at.time.waits.includes(7000), String(at.time.waits))
    })

    test('calls in a row stay within the limits of the marketplace', async () => {
      const { careful, strict } = await strictly()
      for (let call = 0; call < 200; call++) await careful.access()
      assert.equal(strict.calls().length, 200)
    })

    test('calls in a row stay within them where some are refused, too', async () => {
      const { careful, strict } = await strictly()
      for (let call = 0; call < 30; call++) {
        await careful.access()
        await careful.shipping.ordersOf(plug.goneShipment).catch(() => {})
      }
      assert.equal(strict.calls().length, 60)
    })

    /** A marketplace that counts calls as it documents, by the connector's clock. */
    async function strictly() {
      const passing = passingTime()
      const strict = await plug.start({ now: passing.now })
      after(() => strict.close())
      strict.limitTo(strict.documentedLimit)
      const account = strict.account()
      const careful = plug.connect(strict, account, { time: passing, now: () => now })
      return { careful, strict }
    }

    test('an outage is waited out, and a page is told once', async () => {
      at.fake.addOrder(at.account)
      at.fake.failNext(2, { status: 503, body: '<html>' }, plug.ordersPath)
      assert.equal((await firstOrders()).length, 1)
    })

    test('a long outage is told as one, also from the middle of the pages', async () => {
      at.fake.pagesOf(1)
      for (let count = 0; count < 3; count++) at.fake.addOrder(at.account, { status: onTheWay })
      const pages = at.connector.orders(now - hour)[Symbol.asyncIterator]()
      assert.equal((await pages.next()).done, false)
      at.fake.failNext(4, { status: 500 }, plug.ordersPath)
      assert.equal((await failureOf(pages.next())).kind, 'unreachable')
    })

    test('silence and broken connections are outages', async () => {
      at.connector = connect({ timeoutMs: 1_000 })
      for (const [how, tries] of [
        ['hang', 2],
        ['reset', 4],
      ] as const) {
        at.fake.failNext(tries, how, plug.ordersPath)
        assert.equal((await failureOf(firstOrders())).kind, 'unreachable')
      }
    })

    test('an answer that breaks off is malformed', async () => {
      at.fake.failNext(1, 'malformed', plug.ordersPath)
      assert.equal((await failureOf(firstOrders())).kind, 'malformed')
    })

    test('refused credentials are told as such', async () => {
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
    test('pages are told whole, and later only what changed since', async () => {
      at.fake.pagesOf(2)
      const cards: FakeCard[] = []
      for (let count = 0; count < 5; count++) {
        const { items } = await cardsSince(undefined)
        assert.deepEqual(numbersOf(items), numbersOf(cards), `${count} cards`)
        cards.push(at.fake.addCard(at.account, { updatedAt: now - (9 - count) * hour }))
      }
      const { mark, items } = await cardsSince(undefined)
      const [card] = cards
      const told = items.find(({ itemId }) => itemId === card?.itemId)
      assert.deepEqual(told?.barcodes, card?.barcodes)
      assert.deepEqual([told?.article, told?.name], [card?.article, card?.name])
      const fresh = at.fake.addCard(at.account, { updatedAt: now })
      const later = await cardsSince(mark)
      assert.ok(numbersOf(later.items).includes(fresh.itemId))
    })

    test('a mark that nobody made begins anew', async () => {
      at.fake.addCard(at.account)
      assert.equal((await cardsSince('{"no":')).items.length, 1)
    })

    async function cardsSince(since: string | undefined) {
      const items = []
      let mark = since
      for await (const page of at.connector.cards(since)) {
        items.push(...page.items)
        mark = page.mark
      }
      return { items, mark }
    }
  })

  suite('stock', () => {
    test('is told by warehouse, zero too, for the goods asked for', async () => {
      const [known, empty, unasked] = [1, 2, 3].map(() => at.fake.addCard(at.account))
      assert.ok(known && empty && unasked)
      const north = { id: 11, name: 'Север' }
      const south = { id: 12, name: 'Юг' }
      at.fake.setStock(at.account, { itemId: known.itemId, warehouse: north, quantity: 5 })
      at.fake.setStock(at.account, { itemId: known.itemId, warehouse: south, quantity: 7 })
      at.fake.setStock(at.account, { itemId: empty.itemId, warehouse: north, quantity: 0 })
      at.fake.setStock(at.account, { itemId: unasked.itemId, warehouse: north, quantity: 9 })
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

    test('goes down as goods are sold, and what is not there is not sold', async () => {
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

    test('of no goods is none', async () => {
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
