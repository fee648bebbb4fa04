import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  account,
  connect,
  failureOf,
  fake,
  itemsOf,
  made,
  now,
  shipped,
} from '../support/marketplaces/wildberries-fixture.ts'

/** The WB connector beyond the contract of all connectors: supplies. */
const ordersOf = (count: number) => Array.from({ length: count }, () => fake.addOrder(account))
const heldBy = (id: string) => fake.shipments(account).find((supply) => supply.id === id)?.orders
const changes = () => made('PATCH').length

suite('adding orders', () => {
  test('one ineligible order keeps all out, across calls of a hundred', async () => {
    for (const [status, words] of [
      [{ supplier: 'cancel', buyer: 'declined_by_client' }, /отменён \(cancel, declined_by/],
      [{ supplier: 'new', buyer: 'canceled' }, /отменён/],
      [{ supplier: 'complete', buyer: 'sorted' }, /передан в доставку/],
      [{ supplier: 'complete', buyer: 'sold' }, /у покупателя/],
      [{ supplier: 'confirm', buyer: 'sorted' }, /передан в доставку/],
    ] as const) {
      const { shipping } = connect()
      const ids = ordersOf(120)
      const bad = ids[110] ?? ''
      fake.setStatus(account, bad, status)
      const externalId = await shipping.create({ name: 'Утро', reference: 'SK-1' })
      const failure = await failureOf(shipping.addOrders(externalId, shipped(ids)))
      assert.equal(failure.kind, 'rejected')
      assert.match(failure.message, new RegExp(`Заказ ${bad} .*уберите его из отгрузки$`))
      assert.match(failure.message, words)
      assert.deepEqual(heldBy(externalId), [])
      assert.equal(changes(), 0)
    }
  })

  test('orders that are in the supply already are not checked', async () => {
    const { shipping } = connect()
    const [first = '', second = ''] = ordersOf(2)
    fake.setStatus(account, first, { supplier: 'complete', buyer: 'sorted' })
    const id = fake.addShipment(account, { orders: [first] })
    await shipping.addOrders(id, shipped([first, second, second]))
    assert.deepEqual(heldBy(id), [first, second])
    assert.deepEqual(
      made('/orders/status').map(({ body }) => body),
      [{ orders: [Number(second)] }],
    )
    await shipping.addOrders(id, shipped([first, second]))
    assert.equal(made('/orders/status').length, 1)
  })

  test('absent and unknown statuses are left to WB', async () => {
    const { shipping } = connect()
    const ids = ordersOf(2)
    const id = fake.addShipment(account)
    const [first, second] = ids.map(Number)
    const orders = [{ id: first }, { id: second, supplierStatus: 'packed', wbStatus: null }]
    fake.failNext(1, { status: 200, body: { orders } }, '/orders/status')
    await shipping.addOrders(id, shipped(ids))
    assert.deepEqual(heldBy(id), ids)
  })

  test('one order without a reported status keeps all out', async () => {
    const { shipping } = connect()
    const unknown = fake.addOrder(fake.account())
    const id = fake.addShipment(account)
    const failure = await failureOf(shipping.addOrders(id, shipped([...ordersOf(2), unknown])))
    assert.equal(failure.kind, 'rejected')
    assert.match(failure.message, new RegExp(unknown))
    assert.equal(changes(), 0)
  })

  test('without any reported status, one call is tried and several are not', async () => {
    const { shipping } = connect()
    const nothing = { status: 200, body: { orders: null } }
    const few = ordersOf(100)
    const id = fake.addShipment(account)
    fake.failNext(1, nothing, '/orders/status')
    await shipping.addOrders(id, shipped(few))
    assert.equal(heldBy(id)?.length, 100)
    fake.failNext(1, nothing, '/orders/status')
    const failure = await failureOf(shipping.addOrders(id, shipped(ordersOf(101))))
    assert.equal(failure.kind, 'rejected')
    assert.equal(heldBy(id)?.length, 100)
  })
})

suite('removing orders', () => {
  const restOf = () => fake.shipments(account).filter(({ name }) => name.startsWith('SK-REST'))

  /** A supply of ours with `count` orders. */
  async function filled(count: number) {
    const { shipping } = connect()
    const ids = ordersOf(count)
    const externalId = await shipping.create({ name: 'Утро', reference: 'SK-1' })
    await shipping.addOrders(externalId, shipped(ids))
    return { shipping, ids, externalId }
  }

  test('orders move to an open leftover supply, which is created once', async () => {
    const one = await filled(3)
    const other = await filled(2)
    const [first = '', second = '', third = ''] = one.ids
    await one.shipping.removeOrders(one.externalId, [first, first])
    await one.shipping.removeOrders(one.externalId, [first, second])
    await other.shipping.removeOrders(other.externalId, other.ids.slice(1))
    assert.deepEqual(heldBy(one.externalId), [third])
    assert.deepEqual(
      restOf().map(({ name, orders }) => [name, orders]),
      [['SK-REST Остаток', [first, second, other.ids[1]]]],
    )
  })

  test('more orders than one call takes are moved', async () => {
    const { shipping, ids, externalId } = await filled(205)
    await shipping.removeOrders(externalId, ids.slice(1))
    assert.deepEqual(heldBy(externalId), ids.slice(0, 1))
    assert.deepEqual(restOf()[0]?.orders, ids.slice(1))
  })

  test('a closed supply, or one whose name only begins alike, is not used', async () => {
    fake.addShipment(account, { name: 'SK-REST Остаток', closedAt: now })
    fake.addShipment(account, { name: 'SK-RESTORED' })
    const { shipping, ids, externalId } = await filled(2)
    await shipping.removeOrders(externalId, ids.slice(1))
    assert.deepEqual(
      restOf().map(({ orders }) => orders),
      [[], [], ids.slice(1)],
    )
  })

  test('removing from a leftover supply uses another one', async () => {
    const leftover = fake.addShipment(account, { name: 'SK-REST Остаток', orders: ordersOf(1) })
    const held = heldBy(leftover) ?? []
    await connect().shipping.removeOrders(leftover, held)
    assert.deepEqual(
      restOf().map(({ orders }) => orders),
      [[], held],
    )
  })

  test('an order that is in another supply or cancelled stays where it is', async () => {
    const { shipping, ids, externalId } = await filled(2)
    const [moved = '', cancelled = ''] = ids
    const tomorrow = fake.addShipment(account)
    await shipping.addOrders(tomorrow, shipped([moved]))
    fake.setStatus(account, cancelled, { supplier: 'cancel', buyer: 'declined_by_client' })
    await shipping.removeOrders(externalId, ids)
    assert.deepEqual(heldBy(externalId), [cancelled])
    assert.deepEqual(heldBy(tomorrow), [moved])
    assert.deepEqual(restOf(), [])
  })

  test('a leftover supply whose creation got no response is found again', async () => {
    const { shipping, ids, externalId } = await filled(2)
    fake.failNext(1, { status: 200, body: { next: 0, supplies: [] } }, '/api/v3/supplies')
    fake.failNext(1, { status: 504, done: true }, '/api/v3/supplies')
    const aside = () => shipping.removeOrders(externalId, ids.slice(1)) ?? Promise.resolve()
    assert.equal((await failureOf(aside())).kind, 'unreachable')
    await aside()
    assert.deepEqual(
      restOf().map(({ orders }) => orders),
      [ids.slice(1)],
    )
  })

  test('an order of another kind of cargo gets a leftover supply of its own', async () => {
    const { shipping, ids, externalId } = await filled(2)
    const bulky = fake.addOrder(account, { raw: { cargoType: 2 } })
    const before = fake.addShipment(account, { name: 'SK-REST', orders: [bulky] })
    await shipping.removeOrders(externalId, ids.slice(1))
    assert.deepEqual(heldBy(externalId), ids.slice(0, 1))
    assert.deepEqual(heldBy(before), [bulky])
    assert.deepEqual(
      restOf()
        .map(({ orders }) => orders)
        .toSorted(),
      [ids.slice(1), [bulky]].toSorted(),
    )
  })

  test("a refusal to move orders has WB's text", async () => {
    const { shipping, ids, externalId } = await filled(2)
    fake.setStatus(account, ids[1] ?? '', { supplier: 'complete', buyer: 'waiting' })
    const aside = shipping.removeOrders(externalId, ids.slice(1)) ?? Promise.resolve()
    const failure = await failureOf(aside)
    assert.deepEqual([failure.kind, failure.code], ['rejected', 'FailedToAddSupplyOrder'])
    assert.match(failure.message, /Не удалось закрепить сборочное задание/)
    assert.deepEqual(heldBy(externalId), ids)
  })
})

suite('a supply that was created twice', () => {
  const name = 'SK-0123456789AB Утро'
  const list = async (...known: string[]) => {
    const shipments = known.map((externalId) => ({ externalId, closed: false }))
    await itemsOf(connect().shipments({ from: now, openFrom: now, known: shipments }))
  }
  const left = () => fake.shipments(account).map(({ id }) => id)

  test('keeps the known supply, and the empty orphan is deleted', async () => {
    const late = fake.addShipment(account, { name })
    const known = fake.addShipment(account, { name })
    await list()
    assert.deepEqual(left(), [late, known], 'neither of them is known yet')
    fake.failNext(1, { status: 409 }, `/api/v3/supplies/${late}`)
    await list(known)
    assert.deepEqual(left(), [late, known])
    fake.heal()
    await list(known)
    assert.deepEqual(left(), [known])
  })

  test('is deleted if its reference was abandoned', async () => {
    const ids = [name, name, 'SK-BA9876543210'].map((own) =>
      fake.addShipment(account, { name: own }),
    )
    const [order = ''] = ordersOf(1)
    const used = fake.addShipment(account, { name, orders: [order] })
    const query = { from: now, openFrom: now, known: [], abandonedReferences: ['SK-0123456789AB'] }
    await itemsOf(connect().shipments(query))
    assert.deepEqual(left(), [...ids.slice(2), used])
  })

  test('leaves all other supplies alone', async () => {
    const known = ['SK-1 Утро', name].map((own) => fake.addShipment(account, { name: own }))
    const kept = [
      { name, orders: ordersOf(1) },
      { name, closedAt: now },
      { name: `${name.slice(0, 15)}C Утро` },
      { name: 'SK-BA9876543210' },
      { name: 'SK-1 Утро' },
      { name: 'SK-REST Остаток' },
    ].map((given) => fake.addShipment(account, given))
    await list(...known)
    assert.deepEqual(left(), [...known, ...kept])
    assert.deepEqual(made('DELETE'), [])
  })
})

test('stickers of more orders than one call takes need several calls', async () => {
  const { shipping } = connect()
  const status = { supplier: 'confirm', buyer: 'waiting' }
  const ids = Array.from({ length: 101 }, () => fake.addOrder(account, { status }))
  const stickers = await shipping.stickers(ids)
  assert.deepEqual(
    stickers.map(({ externalId }) => externalId),
    ids,
  )
})

suite('an unreadable item', () => {
  test('in the list hides no other, and may be the wanted one', async () => {
    const { shipping } = connect()
    const id = fake.addShipment(account, { name: 'SK-1 Утро' })
    const shown = { id, name: 'SK-1 Утро', createdAt: new Date(now).toISOString() }
    const body = { next: 0, supplies: [null, { id: 'WB-GI-9' }, shown] }
    for (let looks = 0; looks < 2; looks++) {
      fake.failNext(1, { status: 200, body }, '/api/v3/supplies')
    }
    assert.equal(await shipping.findCreated('SK-1'), id)
    assert.equal((await failureOf(shipping.findCreated('SK-2'))).kind, 'malformed')
  })

  test('among stickers hides no other', async () => {
    const { shipping } = connect()
    const good = { orderId: 5, file: Buffer.from('<svg/>').toString('base64') }
    const responses = [[null, { orderId: 6 }, good], [{ orderId: 6 }]]
    for (const stickers of responses) {
      fake.failNext(1, { status: 200, body: { stickers } }, '/orders/stickers')
    }
    assert.deepEqual(
      (await shipping.stickers(['5', '6'])).map(({ externalId }) => externalId),
      ['5'],
    )
    assert.match((await failureOf(shipping.stickers(['6']))).message, /file/)
  })
})
