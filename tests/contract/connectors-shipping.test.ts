import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { KnownShipment } from '../../src/exchange/marketplaces/connector.ts'
import {
  day,
  everyConnector,
  hour,
  itemsOf,
  lineOf,
  now,
} from '../support/marketplaces/connector-contract.ts'

/** The contract of all connectors: carrying out shipments. */
everyConnector((at) => {
  const { harness, onTheWay, failureOf } = at

  suite('shipping', () => {
    const shipped = (ids: readonly string[]) => ids.map((externalId) => ({ externalId, units: 1 }))
    const tried = { requestedAt: now }
    const ordersOf = (count: number) =>
      Array.from({ length: count }, () => {
        const id = at.fake.addOrder(at.account)
        at.fake.setStatus(at.account, id, harness.statuses.NEW)
        return id
      })

    test('a shipment is created, found, filled, handed over and accepted', async () => {
      const { shipping } = at.connector
      const ids = ordersOf(3)
      const created = await shipping.create({ name: 'Утро', reference: 'SK-1' })
      assert.equal(await shipping.findCreated('SK-1', tried), created)
      await shipping.addOrders(created, shipped(ids))
      assert.deepEqual((await shipping.ordersOf(created))?.toSorted(), ids.toSorted())
      await shipping.handOver(created)
      const [there] = at.fake.shipments(at.account)
      assert.notEqual(there?.closedAt, undefined)
      at.fake.acceptShipment(at.account, created)
      const known = [{ externalId: created, closed: true }]
      const [listed] = await itemsOf(
        at.connector.shipments({ from: now + day, openFrom: now + day, known }),
      )
      assert.equal(listed?.externalId, created)
      assert.equal(listed.acceptedAt, now)
    })

    test('a shipment whose creation got no response is found by its reference', async () => {
      const { shipping } = at.connector
      ordersOf(1)
      at.fake.addShipment(at.account, { name: 'SK-22 чужая', createdAt: now - hour })
      assert.equal(await shipping.findCreated('SK-2', tried), undefined)
      at.fake.failNext(1, { status: 504, done: true }, harness.createPath)
      const failure = await failureOf(shipping.create({ name: 'Утро', reference: 'SK-2' }))
      assert.equal(failure.kind, 'unreachable')
      assert.equal(at.fake.shipments(at.account).length, 2)
      const found = await shipping.findCreated('SK-2', tried)
      const made = at.fake.shipments(at.account).find(({ id }) => id === found)
      assert.deepEqual(made?.orders, [])
    })

    test('the longest name keeps its reference', async () => {
      const { shipping } = at.connector
      ordersOf(1)
      const created = await shipping.create({ name: '📦'.repeat(200), reference: 'SK-3' })
      assert.equal(await shipping.findCreated('SK-3', tried), created)
    })

    test('adding orders and handing over a second time change nothing', async () => {
      const { shipping } = at.connector
      const [first = '', second = ''] = ordersOf(2)
      const externalId = await shipping.create({ name: 'Утро', reference: 'SK-4' })
      await shipping.addOrders(externalId, shipped([first]))
      await shipping.addOrders(externalId, shipped([first, second, second]))
      assert.deepEqual(
        (await shipping.ordersOf(externalId))?.toSorted(),
        [first, second].toSorted(),
      )
      await shipping.handOver(externalId)
      await shipping.handOver(externalId)
      assert.deepEqual(at.fake.shipments(at.account)[0]?.orders.length, 2)
    })

    test('a hand-over whose response was lost succeeds', async () => {
      const { shipping } = at.connector
      const ids = ordersOf(1)
      const externalId = await shipping.create({ name: 'Утро', reference: 'SK-5' })
      await shipping.addOrders(externalId, shipped(ids))
      at.fake.failNext(1, { status: 504, done: true })
      await shipping.handOver(externalId)
      assert.notEqual(at.fake.shipments(at.account)[0]?.closedAt, undefined)
    })

    test('a shipment takes more orders than one call', async () => {
      const { shipping } = at.connector
      const ids = ordersOf(205)
      const externalId = await shipping.create({ name: 'Утро', reference: 'SK-6' })
      await shipping.addOrders(externalId, shipped(ids))
      assert.deepEqual((await shipping.ordersOf(externalId))?.toSorted(), ids.toSorted())
    })

    test('removed orders are not handed over', async () => {
      const { shipping } = at.connector
      const [first = '', second = '', third = ''] = ordersOf(3)
      const externalId = await shipping.create({ name: 'Утро', reference: 'SK-11' })
      await shipping.addOrders(externalId, shipped([first, second, third]))
      for (let tries = 0; tries < 2; tries++) await shipping.removeOrders(externalId, [second])
      assert.deepEqual((await shipping.ordersOf(externalId))?.toSorted(), [first, third].toSorted())
      await shipping.handOver(externalId)
      const left = at.fake.shipments(at.account).find(({ id }) => id === externalId)
      assert.deepEqual(left?.orders.toSorted(), [first, third].toSorted())
    })

    test('a cancelled shipment is gone, and its orders may join another one', async () => {
      const { shipping } = at.connector
      const ids = ordersOf(2)
      const first = await shipping.create({ name: 'Утро', reference: 'SK-12' })
      await shipping.addOrders(first, shipped(ids))
      await shipping.cancel(first)
      assert.equal(await shipping.remoteStateOf(first), 'gone')
      await shipping.cancel(first)
      const second = await shipping.create({ name: 'Вечер', reference: 'SK-13' })
      await shipping.addOrders(second, shipped(ids))
      assert.deepEqual((await shipping.ordersOf(second))?.toSorted(), ids.toSorted())
      await shipping.handOver(second)
      const failure = await failureOf(shipping.cancel(second))
      assert.equal(failure.kind, 'rejected')
      assert.match(failure.message, /уже передана/)
    })

    test('a cancellation whose response was lost succeeds', async () => {
      const { shipping } = at.connector
      ordersOf(1)
      const id = await shipping.create({ name: 'Утро', reference: 'SK-14' })
      at.fake.failNext(1, { status: 504, done: true }, harness.cancelPath(id))
      await shipping.cancel(id)
      assert.equal(await shipping.remoteStateOf(id), 'gone')
    })

    test("a refusal keeps the marketplace's error code", async () => {
      const { shipping } = at.connector
      ordersOf(1)
      const externalId = await shipping.create({ name: 'Пусто', reference: 'SK-7' })
      const failure = await failureOf(shipping.handOver(externalId))
      assert.deepEqual([failure.kind, failure.code], ['rejected', harness.emptyCode])
      assert.equal(at.fake.shipments(at.account)[0]?.closedAt, undefined)
    })

    test('an order that cannot be shipped is refused', async () => {
      const { shipping } = at.connector
      const [id = ''] = ordersOf(2)
      at.fake.setStatus(at.account, id, harness.statuses.CANCELLED)
      const externalId = await shipping.create({ name: 'Утро', reference: 'SK-8' })
      for (const ids of [[id], [harness.foreignNumber]]) {
        assert.equal(
          (await failureOf(shipping.addOrders(externalId, shipped(ids)))).kind,
          'rejected',
        )
      }
    })

    test('an order of marked goods is handed over only with its marking codes', async () => {
      const { shipping } = at.connector
      const card = at.fake.addCard(at.account, { honestMark: true })
      const id = at.fake.addOrder(at.account, { lines: [{ ...lineOf(card), quantity: 1 }] })
      const externalId = await shipping.create({ name: 'Утро', reference: 'SK-9' })
      await shipping.addOrders(externalId, shipped([id]))
      const leaving = shipped([id])
      assert.equal((await failureOf(shipping.handOver(externalId, leaving))).kind, 'rejected')
      const code = '0104600000000017215Qbag!\u001d91ABCD\u001d92c2lnbmF0dXJl'
      const units = [{ itemId: card.itemId, markingCode: code, marks: {} }]
      await shipping.attachMarks([{ externalId: id, units }])
      assert.deepEqual(at.fake.markingCodesOf(at.account, id), [code])
      await shipping.handOver(externalId, leaving)
    })

    test('stickers and the pass are printable pictures', async () => {
      const { shipping } = at.connector
      const ids = ordersOf(3)
      const externalId = await shipping.create({ name: 'Утро', reference: 'SK-10' })
      await shipping.addOrders(externalId, shipped(ids))
      const stickers = await shipping.stickers(ids)
      assert.deepEqual(stickers.map((sticker) => sticker.externalId).toSorted(), ids.toSorted())
      await shipping.handOver(externalId)
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
      itemsOf(at.connector.shipments({ from, openFrom, known }))

    test('are listed if they are recent or known, with orders that may have changed', async () => {
      const old = now - 40 * day
      const order = at.fake.addOrder(at.account, { status: harness.statuses.ASSEMBLING })
      const add = (createdAt: number, closedAt?: number) =>
        at.fake.addShipment(at.account, { createdAt, closedAt, orders: [order] })
      const forgotten = add(old, old)
      const open = add(old)
      const waiting = add(old, old + hour)
      const young = add(now - hour)
      const listed = await shipmentsSince(now - day, [
        { externalId: open, closed: false },
        { externalId: waiting, closed: true },
      ])
      const shown = new Map(listed.map((shipment) => [shipment.externalId, shipment]))
      assert.equal(shown.has(forgotten), false)
      assert.deepEqual(shown.get(open)?.orders, [order])
      assert.equal(shown.get(open)?.closedAt, undefined)
      assert.equal(shown.get(waiting)?.closedAt, old + hour)
      assert.deepEqual(shown.get(young)?.orders, [order])
    })

    test('a shipment created and closed between two listings is listed with its orders', async () => {
      const order = at.fake.addOrder(at.account, { status: onTheWay })
      const closedAt = now - 60_000
      at.fake.addShipment(at.account, { createdAt: now - hour, closedAt, orders: [order] })
      const [listed] = await shipmentsSince(now - day)
      assert.deepEqual([listed?.closedAt, listed?.orders], [closedAt, [order]])
    })

    test('pages of any size are listed completely', async () => {
      at.fake.pagesOf(2)
      const expected: string[] = []
      for (let count = 0; count <= 5; count++) {
        const listed = await shipmentsSince(now - day)
        assert.deepEqual(
          listed.map(({ externalId }) => externalId).toSorted(),
          expected.toSorted(),
          `${count} shipments`,
        )
        expected.push(at.fake.addShipment(at.account, { createdAt: now - hour }))
      }
    })

    test('an open shipment that no longer exists is reported as cancelled', async () => {
      const externalId = harness.goneShipment
      const listed = await shipmentsSince(now - day, [{ externalId, closed: false }])
      assert.deepEqual(
        listed.map(({ externalId, cancelled }) => [externalId, cancelled]),
        [[externalId, true]],
      )
    })
  })
})
