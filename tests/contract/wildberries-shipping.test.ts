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
} from '../support/marketplaces/wildberries-connected.ts'

/** What the WB connector promises beyond the contract of all connectors: supplies. */
const ordersOf = (count: number) => Array.from({ length: count }, () => fake.addOrder(account))
const heldBy = (id: string) => fake.shipments(account).find((supply) => supply.id === id)?.orders
const changes = () => made('PATCH').length

suite('filling', () => {
  test('one that can not join keeps all out, also from a call of an earlier hundred', async () => {
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
      const externalId = await shipping.create({ name: 'Утро', mark: 'SK-1' })
      const failure = await failureOf(shipping.fill(externalId, shipped(ids)))
      assert.equal(failure.kind, 'rejected')
      assert.match(failure.message, new RegExp(`Заказ ${bad} .*уберите его из отгрузки$`))
      assert.match(failure.message, words)
      assert.deepEqual(heldBy(externalId), [])
      assert.equal(changes(), 0)
    }
  })

  test('what is in the supply already is not asked about', async () => {
    const { shipping } = connect()
    const [first = '', second = ''] = ordersOf(2)
    fake.setStatus(account, first, { supplier: 'complete', buyer: 'sorted' })
    const id = fake.addShipment(account, { orders: [first] })
    await shipping.fill(id, shipped([first, second, second]))
    assert.deepEqual(heldBy(id), [first, second])
    assert.deepEqual(
      made('/orders/status').map(({ body }) => body),
      [{ orders: [Number(second)] }],
    )
    await shipping.fill(id, shipped([first, second]))
    assert.equal(made('/orders/status').length, 1)
  })

  test('statuses that are absent or that nobody knows are left to WB', async () => {
    const { shipping } = connect()
    const ids = ordersOf(2)
    const id = fake.addShipment(account)
    const [first, second] = ids.map(Number)
    const orders = [{ id: first }, { id: second, supplierStatus: 'packed', wbStatus: null }]
    fake.failNext(1, { status: 200, body: { orders } }, '/orders/status')
    await shipping.fill(id, shipped(ids))
    assert.deepEqual(heldBy(id), ids)
  })

  test('one that WB does not tell of keeps all out where others are told', async () => {
    const { shipping } = connect()
    const unknown = fake.addOrder(fake.account())
    const id = fake.addShipment(account)
    const failure = await failureOf(shipping.fill(id, shipped([...ordersOf(2), unknown])))
    assert.equal(failure.kind, 'rejected')
    assert.match(failure.message, new RegExp(unknown))
    assert.equal(changes(), 0)
  })

  test('where WB tells of none, one call is tried and several are not', async () => {
    const { shipping } = connect()
    const nothing = { status: 200, body: { orders: null } }
    const few = ordersOf(100)
    const id = fake.addShipment(account)
    fake.failNext(1, nothing, '/orders/status')
    await shipping.fill(id, shipped(few))
    assert.equal(heldBy(id)?.length, 100)
    fake.failNext(1, nothing, '/orders/status')
    const failure = await failureOf(shipping.fill(id, shipped(ordersOf(101))))
    assert.equal(failure.kind, 'rejected')
    assert.equal(heldBy(id)?.length, 100)
  })
})

suite('putting aside', () => {
  const restOf = () => fake.shipments(account).filter(({ name }) => name.startsWith('SK-REST'))

  /** A supply of ours with so many orders. */
  async function filled(count: number) {
    const { shipping } = connect()
    const ids = ordersOf(count)
    const externalId = await shipping.create({ name: 'Утро', mark: 'SK-1' })
    await shipping.fill(externalId, shipped(ids))
    return { shipping, ids, externalId }
  }

  test('orders move to an open supply of ours for them, which is made once', async () => {
    const one = await filled(3)
    const other = await filled(2)
    const [first = '', second = '', third = ''] = one.ids
    await one.shipping.putAside(one.externalId, [first, first])
    await one.shipping.putAside(one.externalId, [first, second])
    await other.shipping.putAside(other.externalId, other.ids.slice(1))
    assert.deepEqual(heldBy(one.externalId), [third])
    assert.deepEqual(
      restOf().map(({ name, orders }) => [name, orders]),
      [['SK-REST Остаток', [first, second, other.ids[1]]]],
    )
  })

  test('more than a call takes are moved too', async () => {
    const { shipping, ids, externalId } = await filled(205)
    await shipping.putAside(externalId, ids.slice(1))
    assert.deepEqual(heldBy(externalId), ids.slice(0, 1))
    assert.deepEqual(restOf()[0]?.orders, ids.slice(1))
  })

  test('one that has left, or whose name only begins alike, is not used', async () => {
    fake.addShipment(account, { name: 'SK-REST Остаток', closedAt: now })
    fake.addShipment(account, { name: 'SK-RESTORED' })
    const { shipping, ids, externalId } = await filled(2)
    await shipping.putAside(externalId, ids.slice(1))
    assert.deepEqual(
      restOf().map(({ orders }) => orders),
      [[], [], ids.slice(1)],
    )
  })

  test('a supply for the rest gives its own away to another', async () => {
    const rest = fake.addShipment(account, { name: 'SK-REST Остаток', orders: ordersOf(1) })
    const held = heldBy(rest) ?? []
    await connect().shipping.putAside(rest, held)
    assert.deepEqual(
      restOf().map(({ orders }) => orders),
      [[], held],
    )
  })

  test('what is in another supply by now, or was cancelled, stays where it is', async () => {
    const { shipping, ids, externalId } = await filled(2)
    const [moved = '', cancelled = ''] = ids
    const tomorrow = fake.addShipment(account)
    await shipping.fill(tomorrow, shipped([moved]))
    fake.setStatus(account, cancelled, { supplier: 'cancel', buyer: 'declined_by_client' })
    await shipping.putAside(externalId, ids)
    assert.deepEqual(heldBy(externalId), [cancelled])
    assert.deepEqual(heldBy(tomorrow), [moved])
    assert.deepEqual(restOf(), [])
  })

  test('a supply whose making got lost on the way back is found again', async () => {
    const { shipping, ids, externalId } = await filled(2)
    fake.failNext(1, { status: 200, body: { next: 0, supplies: [] } }, '/api/v3/supplies')
    fake.failNext(1, { status: 504, done: true }, '/api/v3/supplies')
    const aside = () => shipping.putAside(externalId, ids.slice(1)) ?? Promise.resolve()
    assert.equal((await failureOf(aside())).kind, 'unreachable')
    await aside()
    assert.deepEqual(
      restOf().map(({ orders }) => orders),
      [ids.slice(1)],
    )
  })

  test('of another kind than what stays behind already goes to a supply of its own', async () => {
    const { shipping, ids, externalId } = await filled(2)
    const bulky = fake.addOrder(account, { raw: { cargoType: 2 } })
    const before = fake.addShipment(account, { name: 'SK-REST', orders: [bulky] })
    await shipping.putAside(externalId, ids.slice(1))
    assert.deepEqual(heldBy(externalId), ids.slice(0, 1))
    assert.deepEqual(heldBy(before), [bulky])
    assert.deepEqual(
      restOf()
        .map(({ orders }) => orders)
        .toSorted(),
      [ids.slice(1), [bulky]].toSorted(),
    )
  })

  test('a refusal to move them has the words of WB', async () => {
    const { shipping, ids, externalId } = await filled(2)
    fake.setStatus(account, ids[1] ?? '', { supplier: 'complete', buyer: 'waiting' })
    const aside = shipping.putAside(externalId, ids.slice(1)) ?? Promise.resolve()
    const failure = await failureOf(aside)
    assert.deepEqual([failure.kind, failure.code], ['rejected', 'FailedToAddSupplyOrder'])
    assert.match(failure.message, /Отказ: FailedToAddSupplyOrder/)
    assert.deepEqual(heldBy(externalId), ids)
  })
})

suite('a supply that was made twice', () => {
  const name = 'SK-0123456789AB Утро'
  const told = async (...known: string[]) => {
    const shipments = known.map((externalId) => ({ externalId, closed: false }))
    await itemsOf(connect().shipments({ from: now, openFrom: now, known: shipments }))
  }
  const left = () => fake.shipments(account).map(({ id }) => id)

  test('is rid of the empty one that nobody knows', async () => {
    const late = fake.addShipment(account, { name })
    const known = fake.addShipment(account, { name })
    await told()
    assert.deepEqual(left(), [late, known], 'which of them it is, nobody knows yet')
    fake.failNext(1, { status: 409 }, `/api/v3/supplies/${late}`)
    await told(known)
    assert.deepEqual(left(), [late, known])
    fake.heal()
    await told(known)
    assert.deepEqual(left(), [known])
  })

  test('is gone where it was given up', async () => {
    const ids = [name, name, 'SK-BA9876543210'].map((own) =>
      fake.addShipment(account, { name: own }),
    )
    const [order = ''] = ordersOf(1)
    const used = fake.addShipment(account, { name, orders: [order] })
    const asked = { from: now, openFrom: now, known: [], givenUp: ['SK-0123456789AB'] }
    await itemsOf(connect().shipments(asked))
    assert.deepEqual(left(), [...ids.slice(2), used])
  })

  test('keeps all others', async () => {
    const known = ['SK-1 Утро', name].map((own) => fake.addShipment(account, { name: own }))
    const kept = [
      { name, orders: ordersOf(1) },
      { name, closedAt: now },
      { name: `${name.slice(0, 15)}C Утро` },
      { name: 'SK-BA9876543210' },
      { name: 'SK-1 Утро' },
      { name: 'SK-REST Остаток' },
    ].map((given) => fake.addShipment(account, given))
    await told(...known)
    assert.deepEqual(left(), [...known, ...kept])
    assert.deepEqual(made('DELETE'), [])
  })
})

test('stickers of more orders than a call takes are asked for by several', async () => {
  const { shipping } = connect()
  const status = { supplier: 'confirm', buyer: 'waiting' }
  const ids = Array.from({ length: 101 }, () => fake.addOrder(account, { status }))
  const stickers = await shipping.stickers(ids)
  assert.deepEqual(
    stickers.map(({ externalId }) => externalId),
    ids,
  )
})

suite('what can not be read', () => {
  test('of the supplies keeps no other from being found, and may be the one', async () => {
    const { shipping } = connect()
    const id = fake.addShipment(account, { name: 'SK-1 Утро' })
    const shown = { id, name: 'SK-1 Утро', createdAt: new Date(now).toISOString() }
    const body = { next: 0, supplies: [null, { id: 'WB-GI-9' }, shown] }
    for (let looks = 0; looks < 2; looks++) {
      fake.failNext(1, { status: 200, body }, '/api/v3/supplies')
    }
    assert.equal(await shipping.find('SK-1'), id)
    assert.equal((await failureOf(shipping.find('SK-2'))).kind, 'malformed')
  })

  test('of the stickers keeps no other from being printed', async () => {
    const { shipping } = connect()
    const good = { orderId: 5, file: Buffer.from('<svg/>').toString('base64') }
    const answers = [[null, { orderId: 6 }, good], [{ orderId: 6 }]]
    for (const stickers of answers) {
      fake.failNext(1, { status: 200, body: { stickers } }, '/orders/stickers')
    }
    assert.deepEqual(
      (await shipping.stickers(['5', '6'])).map(({ externalId }) => externalId),
      ['5'],
    )
    assert.match((await failureOf(shipping.stickers(['6']))).message, /file/)
  })
})
