// A week of one WB account, put together from known answers, read by a running service. What must come of it is written
// here by hand, from WB's documentation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/client.ts'
import { knownCalls, knownCases } from '../support/marketplaces/known-answers/format.ts'
import { ok } from '../support/marketplaces/known-answers/outcome.ts'
import type { Answers, Asked } from '../support/marketplaces/known-answers/server.ts'
import { fakeToken } from '../support/marketplaces/wildberries.ts'
import { openReplay, type ReadMetrics, type ReadStock } from '../support/replay.ts'
import { good } from '../support/shipping.ts'

const hour = 3_600_000
const day = 24 * hour
const now = Math.floor(Date.now() / 1000) * 1000
/** So many days ago, as WB writes moments. */
const ago = (days: number) => new Date(now - days * day).toISOString().replace('.000Z', 'Z')

/** The day so many days from today in Moscow. */
const dayIn = (days: number) => new Date(now + days * day + 3 * hour).toISOString().slice(0, 10)
/** As WB writes days. */
const wbDay = (days: number) => dayIn(days).split('-').toReversed().join('.')

type Document = Readonly<Record<string, unknown>>
const calls = knownCalls('wb')
const bodyOf = (call: string, name: string) => knownCases(calls, call)(name).answer.body
const [freshOrder = {}] = (
  bodyOf('GET /api/v3/orders/new', 'an order without dates') as { orders: Document[] }
).orders
const [listedOrder = {}] = (
  bodyOf('GET /api/v3/orders', 'all documented fields') as { orders: Document[] }
).orders
const [sparseOrder = {}] = (bodyOf('GET /api/v3/orders', 'the last page') as { orders: Document[] })
  .orders
const openSupply = bodyOf('GET /api/v3/supplies/{id}', 'an open supply') as Document
const emptySupply = bodyOf(
  'GET /api/v3/supplies/{id}',
  'an empty supply without a shipping method',
) as Document
const [card = {}] = (bodyOf('POST /content/v2/get/cards/list', 'one card') as { cards: Document[] })
  .cards

const ours = 707001
const sellersWarehouse = 707002
const thermos = { nmId: 530622463, chrtId: 30200411, skus: ['4660000000011'], article: 'thermos' }
const kettle = { nmId: 530622464, chrtId: 30200412, skus: ['4660000000028'], article: 'kettle' }

const fresh = (id: number, days: number, more: Document = {}) => ({
  ...freshOrder,
  ...thermos,
  id,
  warehouseId: ours,
  createdAt: ago(days),
  ...more,
})
const listed = (id: number, days: number, more: Document = {}) => ({
  ...listedOrder,
  ...thermos,
  cargoType: 1,
  id,
  warehouseId: ours,
  createdAt: ago(days),
  ...more,
})

/** As WB sent it once: without article, cargo type, options and comment. */
const sparse = (id: number, days: number) => ({
  ...sparseOrder,
  ...thermos,
  article: undefined,
  id,
  warehouseId: ours,
  createdAt: ago(days),
})

/** Orders that nobody has taken into a supply. */
const newOrders = [
  fresh(6101, 0.1, {
    requiredMeta: ['sgtin'],
    comment: 'Сложите в два пакета',
    ddate: wbDay(3),
    sellerDate: wbDay(1),
  }),
  fresh(6102, 0.2, {
    requiredMeta: ['uin', 'imei', 'customsDeclaration'],
    optionalMeta: ['sgtin', 'gtin', 'expiration'],
    options: { isB2B: true },
  }),
]
const otherOrders = [
  listed(6105, 3),
  listed(6106, 1, { supplyId: 'WB-GI-1' }),
  listed(6107, 1, { supplyId: 'WB-GI-2', cargoType: 2, crossBorderType: 1, ...kettle }),
  listed(6108, 1, { supplyId: 'WB-GI-1' }),
  listed(6109, 2, { supplyId: 'WB-GI-3' }),
  ...[6110, 6111, 6112, 6113, 6114, 6115, 6116, 6117, 6118, 6123].map((id) =>
    listed(id, 5, { supplyId: 'WB-GI-4' }),
  ),
  listed(6119, 4, { supplyId: '' }),
  listed(6120, 4, { supplyId: '' }),
  listed(6122, 4, { supplyId: '' }),
  // Of a warehouse that is chosen at first, and later not.
  listed(6124, 4, { supplyId: '', warehouseId: sellersWarehouse }),
  {
    ...sparseOrder,
    ...thermos,
    article: undefined,
    id: 6121,
    warehouseId: ours,
    createdAt: ago(4),
  },
]

const pairs: Readonly<Record<number, readonly [supplier: string, buyer: string]>> = {
  6101: ['new', 'waiting'],
  6102: ['new', 'waiting'],
  6105: ['new', 'declined_by_client'],
  6106: ['confirm', 'waiting'],
  6107: ['confirm', 'waiting'],
  6108: ['cancel', 'canceled'],
  6109: ['complete', 'waiting'],
  6110: ['complete', 'sorted'],
  6111: ['complete', 'ready_for_pickup'],
  6112: ['complete', 'sold'],
  6113: ['complete', 'canceled_by_client'],
  6114: ['complete', 'defect'],
  6115: ['complete', 'postponed_delivery'],
  6116: ['complete', 'accepted_by_carrier'],
  6117: ['complete', 'sent_to_carrier'],
  6118: ['cancel_carrier', 'canceled_by_carrier'],
  6119: ['confirm', 'sorted'],
  6120: ['complete', 'teleported'],
  6121: ['confirm', 'waiting'],
  6122: ['confirm', 'ready_for_pickup'],
  6124: ['confirm', 'waiting'],
  // WB scanned the supply without it.
  6123: ['complete', 'waiting'],
}

const supply = (id: string, days: number, more: Document = {}) => ({
  ...openSupply,
  id,
  name: id,
  createdAt: ago(days),
  ...more,
})
const closed = (days: number) => ({ done: true, closedAt: ago(days) })
const supplies = [
  supply('WB-GI-4', 5, { ...closed(4.5), scanDt: ago(4) }),
  supply('WB-GI-3', 2, closed(1.5)),
  supply('WB-GI-2', 1, { cargoType: 2, crossBorderType: 1 }),
  supply('WB-GI-1', 1),
  { ...emptySupply, id: 'WB-GI-5', name: 'WB-GI-5', createdAt: ago(0.1) },
]
const contents: Readonly<Record<string, readonly number[]>> = {
  'WB-GI-1': [6106, 6108],
  'WB-GI-2': [6107],
  // 5001 is older than all lists.
  'WB-GI-3': [6109, 5001],
  'WB-GI-4': [6110, 6111, 6112, 6113, 6114, 6115, 6116, 6117, 6118, 6123],
  'WB-GI-5': [],
}

interface Account {
  readonly pairs: Readonly<Record<number, readonly [string, string]>>
  readonly supplies: readonly Document[]
  readonly newOrders: readonly Document[]
  readonly otherOrders: readonly Document[]
  readonly reshipments: readonly Document[]
}

function answersOf(account: Account): Answers {
  const pageOf = (name: string, items: readonly Document[]) => (request: Asked) => {
    const from = Number(request.query.next)
    const next = from + 2 < items.length ? from + 2 : 0
    return ok({ next, [name]: items.slice(from, from + 2) })
  }
  const held = Object.entries(contents).map(([id, orderIds]): [string, Answers[string]] => [
    `GET /api/marketplace/v3/supplies/${id}/order-ids`,
    ok({ orderIds }),
  ])
  const single = account.supplies.map((one): [string, Answers[string]] => [
    `GET /api/v3/supplies/${one.id}`,
    ok(one),
  ])
  return {
    ...Object.fromEntries([...held, ...single]),
    'GET /api/v3/warehouses': ok([
      { ...warehouse, id: ours },
      { ...warehouse, id: 2, name: 'Своя доставка', deliveryType: 2 },
      { ...warehouse, id: sellersWarehouse, name: 'Склад продавца' },
    ]),
    'POST /api/v3/stocks/{id}': ({ call }) =>
      ok({
        stocks: call.endsWith(`${ours}`)
          ? [
              { chrtId: thermos.chrtId, amount: 7 },
              { chrtId: kettle.chrtId, amount: 0 },
            ]
          : [],
      }),
    'POST /content/v2/get/cards/list': (request) => {
      const { settings } = request.body as { settings: { cursor: { nmID?: number } } }
      return settings.cursor.nmID === undefined ? cards : noCards
    },
    'GET /api/v3/orders/new': ok({ orders: account.newOrders }),
    'GET /api/v3/orders': pageOf('orders', account.otherOrders),
    'POST /api/v3/orders/status': (request) => {
      const { orders } = request.body as { orders: number[] }
      return ok({
        orders: orders.flatMap((id) => {
          const [supplierStatus, wbStatus] = account.pairs[id] ?? []
          return wbStatus === undefined
            ? []
            : { id, isCancellable: false, supplierStatus, wbStatus }
        }),
      })
    },
    'POST /api/v3/orders/stickers': (request) => {
      const { orders } = request.body as { orders: number[] }
      const stickers = orders.map((orderId) => {
        const [partA, partB] = ['231648', String(orderId)]
        return { orderId, partA, partB, barcode: `!${orderId}`, file: '<svg/>' }
      })
      return ok({ stickers })
    },
    'GET /api/v3/supplies': pageOf('supplies', account.supplies),
    'GET /api/v3/supplies/orders/reshipment': ok({ orders: account.reshipments }),
  }
}

const warehouse = (bodyOf('GET /api/v3/warehouses', 'one that is being changed') as Document[])[0]
const cardOf = ({ nmId, chrtId, skus, article }: typeof thermos, needKiz: boolean) => ({
  ...card,
  nmID: nmId,
  vendorCode: article,
  title: article,
  needKiz,
  sizes: [{ chrtID: chrtId, techSize: '0', skus }],
})
const cards = ok({
  cards: [cardOf(thermos, true), cardOf(kettle, false)],
  cursor: { updatedAt: ago(9), nmID: kettle.nmId, total: 2 },
})
const noCards = ok({ cards: [], cursor: { total: 0 } })

const week: Account = { pairs, supplies, newOrders, otherOrders, reshipments: [] }
const replay = await openReplay({
  marketplace: 'WB',
  credentials: { token: fakeToken({ sid: 'seller', exp: Math.floor(now / 1000) + 90 * 86_400 }) },
  units: { '4660000000011': 20, '4660000000028': 5 },
  answers: answersOf(week),
  warehouses: [ours, sellersWarehouse],
})

/** What staff see of each order: status, whether it is B2B, and its shipment. */
async function seen() {
  const orders = await replay.orders()
  return Object.fromEntries(
    [...orders].map(([number, order]) => [
      number,
      [order.status, order.is_b2b ? 'B2B' : '', order.shipment_external_id ?? ''],
    ]),
  )
}

async function seenShipments() {
  const shipments = await replay.shipments()
  return Object.fromEntries(
    [...shipments].map(([number, { status, orders_count, shortage_units }]) => [
      number,
      [status, orders_count, shortage_units],
    ]),
  )
}

const figures = async () => {
  const from = new Date(now - 10 * day).toISOString()
  const to = new Date(now + hour).toISOString()
  const { funnel, shipments } = await replay.read<ReadMetrics>(`/v1/metrics?from=${from}&to=${to}`)
  const { sorted_by_marketplace, delivered, shipped } = funnel
  return { sorted_by_marketplace, delivered, shipped, cancelled: shipments.cancelled }
}

async function stockOf(barcode: string) {
  const { items } = await replay.read<{ items: ReadStock[] }>('/v1/stock?limit=100')
  const found = items.find((item) => item.barcode === barcode)
  const shown = found?.marketplace_stock.map((one) => [one.warehouse_name, one.quantity])
  return [found?.quantity, shown]
}

test('a week of a WB account is read as WB documents it', async () => {
  assert.equal(await replay.sync(), null)
  assert.deepEqual(replay.unanswered(), [])
  assert.deepEqual(await seen(), {
    6101: ['NEW', '', ''],
    6102: ['NEW', 'B2B', ''],
    6105: ['CANCELLED', '', ''],
    6106: ['ASSEMBLING', '', 'WB-GI-1'],
    6107: ['ASSEMBLING', '', 'WB-GI-2'],
    6108: ['CANCELLED', '', 'WB-GI-1'],
    6109: ['IN_DELIVERY', '', 'WB-GI-3'],
    6110: ['IN_DELIVERY', '', 'WB-GI-4'],
    6111: ['IN_DELIVERY', '', 'WB-GI-4'],
    6112: ['COMPLETED', '', 'WB-GI-4'],
    6113: ['CANCELLED', '', 'WB-GI-4'],
    6114: ['CANCELLED', '', 'WB-GI-4'],
    6115: ['IN_DELIVERY', '', 'WB-GI-4'],
    6116: ['IN_DELIVERY', '', 'WB-GI-4'],
    6117: ['IN_DELIVERY', '', 'WB-GI-4'],
    6118: ['CANCELLED', '', 'WB-GI-4'],
    6119: ['IN_DELIVERY', '', ''],
    6120: ['OTHER', '', ''],
    6121: ['ASSEMBLING', '', ''],
    6122: ['IN_DELIVERY', '', ''],
    6123: ['IN_DELIVERY', '', 'WB-GI-4'],
    6124: ['ASSEMBLING', '', ''],
  })
  // 5001 is older than every list: the supply is shown with the orders that are known.
  assert.deepEqual(await seenShipments(), {
    'WB-GI-1': ['ASSEMBLING', 2, 0],
    'WB-GI-2': ['ASSEMBLING', 1, 0],
    'WB-GI-3': ['HANDED_OVER', 1, 0],
    'WB-GI-4': ['ACCEPTED', 10, 0],
    'WB-GI-5': ['ASSEMBLING', 0, 0],
  })
  // The buyer refused 6113 at receipt. Delivered: 6112.
  assert.deepEqual(await replay.sorted(), ['6110', '6111', '6112', '6113', '6119', '6122'])
  // Supplies that were closed before the cabinet was connected take nothing from the stock here.
  assert.deepEqual(await figures(), {
    sorted_by_marketplace: 6,
    delivered: 1,
    shipped: 0,
    cancelled: 5,
  })
  assert.deepEqual(await stockOf('4660000000011'), [20, [['Склад Клин', 7]]])
  assert.deepEqual(await stockOf('4660000000028'), [5, [['Склад Клин', 0]]])
})

test('staff see what the warehouse needs of an order', async () => {
  const orders = await replay.orders()
  const factsOf = (number: string) => {
    const order = orders.get(number)
    const [line] = order?.lines ?? []
    return {
      deadline: order?.deadline,
      warehouse: order?.warehouse?.id,
      scheme: order?.scheme,
      cargo: order?.cargo_type,
      crossBorder: order?.cross_border_type,
      comment: order?.comment,
      cancelledBy: order?.cancelled_by,
      required: line?.required_marks,
      optional: line?.optional_marks,
    }
  }
  const usual = {
    deadline: null,
    warehouse: '707001',
    scheme: 'fbs',
    cargo: '1',
    crossBorder: '0',
    comment: undefined,
    cancelledBy: undefined,
    required: [],
    optional: [],
  }
  assert.deepEqual(factsOf('6101'), {
    ...usual,
    deadline: `${dayIn(1)}T23:59:59.999+03:00`,
    comment: 'Сложите в два пакета',
    required: ['marking_code'],
  })
  assert.deepEqual(factsOf('6102'), {
    ...usual,
    required: ['uin', 'imei', 'customs_declaration'],
    optional: ['marking_code', 'gtin', 'expiration'],
  })
  assert.deepEqual(factsOf('6107'), {
    ...usual,
    cargo: '2',
    crossBorder: '1',
    comment: 'Сложите в два пакета',
  })
  assert.deepEqual(orders.get('6107')?.label_codes, ['!6107', '231648 6107', '2316486107'])
  assert.equal(factsOf('6105').cancelledBy, 'Покупатель')
  assert.equal(factsOf('6108').cancelledBy, 'Продавец')
  assert.equal(factsOf('6118').cancelledBy, 'Перевозчик')
  // The list of all orders says little of this one.
  assert.deepEqual(factsOf('6121'), { ...usual, cargo: undefined, crossBorder: undefined })
})

const nextDay: Account = {
  ...week,
  newOrders: [],
  reshipments: [{ supplyID: 'WB-GI-4', orderID: 6123 }],
  otherOrders: [
    ...otherOrders,
    sparse(6101, 0.1),
    listed(6102, 0.2, { supplyId: 'WB-GI-5', options: { isB2B: true } }),
  ],
  pairs: {
    ...pairs,
    6101: ['cancel', 'canceled'],
    6102: ['confirm', 'waiting'],
    6106: ['complete', 'sorted'],
    6109: ['complete', 'sorted'],
    6110: ['complete', 'sold'],
    6111: ['complete', 'canceled_by_client'],
    6112: ['complete', 'sold'],
  },
  supplies: supplies.map((one) =>
    one.id === 'WB-GI-1'
      ? { ...one, done: true, closedAt: new Date(Date.now() + 60_000).toISOString() }
      : one.id === 'WB-GI-3'
        ? { ...one, scanDt: ago(0) }
        : one,
  ),
}

test('the next day moves orders, supplies and stock', async () => {
  replay.play(answersOf(nextDay))
  assert.equal(await replay.sync(), null)
  const changed = await seen()
  assert.deepEqual(
    [6101, 6102, 6106, 6108, 6109, 6110, 6111].map((id) => changed[id]?.[0]),
    [
      'CANCELLED',
      'ASSEMBLING',
      'IN_DELIVERY',
      'CANCELLED',
      'IN_DELIVERY',
      'COMPLETED',
      'CANCELLED',
    ],
  )
  // 6123 lies here: nobody took units for a supply from before the cabinet was connected, so none come back.
  assert.deepEqual(changed[6123], ['ASSEMBLING', '', ''])
  assert.deepEqual(await replay.toReship(), ['6123'])
  // The list of all orders has no marks, and of 6101 no comment either: what was known stays.
  const orders = await replay.orders()
  const [kept, company] = [orders.get('6101'), orders.get('6102')]
  assert.deepEqual(
    [kept?.comment, kept?.cargo_type, kept?.article, kept?.deadline],
    ['Сложите в два пакета', '1', 'thermos', `${dayIn(1)}T23:59:59.999+03:00`],
  )
  assert.deepEqual(kept?.lines[0]?.required_marks, ['marking_code'])
  assert.equal(company?.is_b2b, true)
  assert.deepEqual(company?.lines[0]?.optional_marks, ['marking_code', 'gtin', 'expiration'])
  const shipments = await seenShipments()
  assert.equal(shipments['WB-GI-1']?.[0], 'HANDED_OVER')
  assert.equal(shipments['WB-GI-3']?.[0], 'ACCEPTED')
  // Of the supply that left today 6106 takes a unit; 6108 was cancelled.
  assert.deepEqual((await stockOf('4660000000011'))[0], 19)
  // 6106 and 6109 were sorted as well; 6110 was delivered.
  const { sorted_by_marketplace, delivered } = await figures()
  assert.deepEqual([sorted_by_marketplace, delivered], [8, 2])
})

test('orders of other warehouses and schemes are counted, and those that are here are followed', async () => {
  const path = `/cabinets/${replay.cabinet}`
  const choose = (id: number) => replay.manager.patch(path, { warehouses: [String(id)] })
  assertRefused(await choose(2), 'validation_error', 'доставляет сам (dbs)')
  good(await choose(ours))
  const schemes = ['fbs', 'dbs', 'edbs', 'dbw', 'cnc', 'wbgo', undefined]
  const fresher = schemes.map((deliveryType, n) => fresh(6201 + n, 0.1, { deliveryType }))
  const { total: before } = await replay.read<{ total: number }>('/v1/orders?limit=1')
  replay.play(
    answersOf({
      ...nextDay,
      newOrders: [...fresher, fresh(6210, 0.1, { warehouseId: sellersWarehouse })],
      pairs: {
        ...nextDay.pairs,
        ...Object.fromEntries(fresher.map(({ id }) => [id, ['new', 'waiting']])),
        6210: ['new', 'waiting'],
        6124: ['complete', 'sorted'],
      },
    }),
  )
  assert.equal(await replay.sync(), null)
  const after = await seen()
  assert.deepEqual(
    schemes.map((_, n) => after[6201 + n]?.[0]),
    ['NEW', undefined, undefined, undefined, undefined, undefined, 'NEW'],
  )
  assert.equal(after[6210], undefined)
  assert.equal(after[6124]?.[0], 'IN_DELIVERY')
  // Once more: each counts once.
  const failure = await replay.sync()
  assert.deepEqual(replay.unanswered(), [])
  assert.equal(failure, null)
  const { items } = good<{ items: { id: string; ours: boolean; left_out: number }[] }>(
    await replay.manager.get(`${path}/warehouses`),
  )
  assert.deepEqual(
    items.map(({ id, ours: own, left_out }) => [Number(id), own, left_out]),
    [
      [ours, true, 5],
      [2, false, 0],
      [sellersWarehouse, false, 1],
    ],
  )
  const { total } = await replay.read<{ total: number }>('/v1/orders?limit=1')
  assert.equal(total, before + 2)
})
