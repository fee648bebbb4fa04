import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { KnownShipment } from '../../src/marketplaces/connector.ts'
import {
  day,
  everyConnector,
  hour,
  itemsOf,
  lineOf,
  now,
} from '../support/marketplaces/every-connector.ts'

/** What every connector promises: shipping. */
everyConnector((at) => {
  const { plug, onTheWay, failureOf } = at

  suite('shipping', () => {
    const shipped = (ids: readonly string[]) => ids.map((externalId) => ({ externalId, units: 1 }))
    const tried = { at: now }
    const ordersOf = (count: number) =>
      Array.from({ length: count }, () => {
        const id = at.fake.addOrder(at.account)
        at.fake.setStatus(at.account, id, plug.statuses.NEW)
        return id
      })

    test('a shipment is created, found, filled, handed over and accepted', async () => {
      const { shipping } = at.connector
      const ids = ordersOf(3)
      const created = await shipping.create({ name: 'Утро', mark: 'SK-1' })
      assert.equal(await shipping.find('SK-1', tried), created)
      await shipping.fill(created, shipped(ids))
      assert.deepEqual((await shipping.ordersOf(created))?.toSorted(), ids.toSorted())
      await shipping.deliver(created)
      const [there] = at.fake.shipments(at.account)
      assert.notEqual(there?.closedAt, undefined)
      at.fake.acceptShipment(at.account, created)
      const known = [{ externalId: created, closed: true }]
      const [told] = await itemsOf(
        at.connector.shipments({ from: now + day, openFrom: now + day, known }),
      )
      assert.equal(told?.externalId, created)
      assert.equal(told.acceptedAt, now)
    })

    test('what was lost on the way back is found by its mark, and not made twice', async () => {
      const { shipping } = at.connector
      ordersOf(1)
      at.fake.addShipment(at.account, { name: 'SK-22 чужая', createdAt: now - hour })
      assert.equal(await shipping.find('SK-2', tried), undefined)
      at.fake.failNext(1, { status: 504, done: true }, plug.createPath)
      const failure = await failureOf(shipping.create({ name: 'Утро', mark: 'SK-2' }))
      assert.equal(failure.kind, 'unreachable')
      assert.equal(at.fake.shipments(at.account).length, 2)
      const found = await shipping.find('SK-2', tried)
      const made = at.fake.shipments(at.account).find(({ id }) => id === found)
      assert.deepEqual(made?.orders, [])
    })

    test('the longest name keeps its mark', async () => {
      const { shipping } = at.connector
      ordersOf(1)
      const created = await shipping.create({ name: '📦'.repeat(200), mark: 'SK-3' })
      assert.equal(await shipping.find('SK-3', tried), created)
    })

    test('filling and handing over again change nothing', async () => {
      const { shipping } = at.connector
      const [first = '', second = ''] = ordersOf(2)
      const externalId = await shipping.create({ name: 'Утро', mark: 'SK-4' })
      await shipping.fill(externalId, shipped([first]))
      await shipping.fill(externalId, shipped([first, second, second]))
      assert.deepEqual(
        (await shipping.ordersOf(externalId))?.toSorted(),
        [first, second].toSorted(),
      )
      await shipping.deliver(externalId)
      await shipping.deliver(externalId)
      assert.deepEqual(at.fake.shipments(at.account)[0]?.orders.length, 2)
    })

    test('a hand-over whose answer was lost is done', async () => {
      const { shipping } = at.connector
      const ids = ordersOf(1)
      const externalId = await shipping.create({ name: 'Утро', mark: 'SK-5' })
      await shipping.fill(externalId, shipped(ids))
      at.fake.failNext(1, { status: 504, done: true })
      await shipping.deliver(externalId)
      assert.notEqual(at.fake.shipments(at.account)[0]?.closedAt, undefined)
    })

    test('many orders fit in', async () => {
      const { shipping } = at.connector
      const ids = ordersOf(205)
      const externalId = await shipping.create({ name: 'Утро', mark: 'SK-6' })
      await shipping.fill(externalId, shipped(ids))
      assert.deepEqual((await shipping.ordersOf(externalId))?.toSorted(), ids.toSorted())
    })

    test('what was put aside does not leave', async () => {
      const { shipping } = at.connector
      const [first = '', second = '', third = ''] = ordersOf(3)
      const externalId = await shipping.create({ name: 'Утро', mark: 'SK-11' })
      await shipping.fill(externalId, shipped([first, second, third]))
      for (let tries = 0; tries < 2; tries++) await shipping.putAside(externalId, [second])
      assert.deepEqual((await shipping.ordersOf(externalId))?.toSorted(), [first, third].toSorted())
      await shipping.deliver(externalId)
      const left = at.fake.shipments(at.account).find(({ id }) => id === externalId)
      assert.deepEqual(left?.orders.toSorted(), [first, third].toSorted())
    })

    test('a refusal keeps the code of the marketplace', async () => {
      const { shipping } = at.connector
      ordersOf(1)
      const externalId = await shipping.create({ name: 'Пусто', mark: 'SK-7' })
      const failure = await failureOf(shipping.deliver(externalId))
      assert.deepEqual([failure.kind, failure.code], ['rejected', plug.emptyCode])
      assert.equal(at.fake.shipments(at.account)[0]?.closedAt, undefined)
    })

    test('an order that can not be shipped is refused', async () => {
      const { shipping } = at.connector
      const [id = ''] = ordersOf(2)
      at.fake.setStatus(at.account, id, plug.statuses.CANCELLED)
      const externalId = await shipping.create({ name: 'Утро', mark: 'SK-8' })
      for (const ids of [[id], [plug.foreignNumber]]) {
        assert.equal((await failureOf(shipping.fill(externalId, shipped(ids)))).kind, 'rejected')
      }
    })

    test('a marked order goes with its codes', async () => {
      const { shipping } = at.connector
      const card = at.fake.addCard(at.account, { honestMark: true })
      const id = at.fake.addOrder(at.account, { lines: [{ ...lineOf(card), quantity: 1 }] })
      const externalId = await shipping.create({ name: 'Утро', mark: 'SK-9' })
      await shipping.fill(externalId, shipped([id]))
      const leaving = shipped([id])
      assert.equal((await failureOf(shipping.deliver(externalId, leaving))).kind, 'rejected')
      const code = '0104600000000017215Qbag!\u001d91ABCD\u001d92c2lnbmF0dXJl'
      await shipping.attachMarks(id, [code])
      assert.deepEqual(at.fake.marksOf(at.account, id), [code])
      await shipping.deliver(externalId, leaving)
    })

    test('stickers and the pass are pictures that can be printed', async () => {
      const { shipping } = at.connector
      const ids = ordersOf(3)
      const externalId = await shipping.create({ name: 'Утро', mark: 'SK-10' })
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
      itemsOf(at.connector.shipments({ from, openFrom, known }))

    test('are told if they are young or known, with orders that may have changed', async () => {
      const old = now - 40 * day
      const order = at.fake.addOrder(at.account, { status: plug.statuses.ASSEMBLING })
      const add = (createdAt: number, closedAt?: number) =>
        at.fake.addShipment(at.account, { createdAt, closedAt, orders: [order] })
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
      const order = at.fake.addOrder(at.account, { status: onTheWay })
      const closedAt = now - 60_000
      at.fake.addShipment(at.account, { createdAt: now - hour, closedAt, orders: [order] })
      const [told] = await shipmentsSince(now - day)
      assert.deepEqual([told?.closedAt, told?.orders], [closedAt, [order]])
    })

    test('pages of any fullness are told whole', async () => {
      at.fake.pagesOf(2)
      const expected: string[] = []
      for (let count = 0; count <= 5; count++) {
        const told = await shipmentsSince(now - day)
        assert.deepEqual(
          told.map(({ externalId }) => externalId).toSorted(),
          expected.toSorted(),
          `${count} shipments`,
        )
        expected.push(at.fake.addShipment(at.account, { createdAt: now - hour }))
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
})
