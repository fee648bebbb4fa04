// A week of one OZON account, put together from known answers, read by a running service. What must come of it is
// written here by hand, from OZON's documentation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/client.ts'
import { knownCalls, knownCases } from '../support/marketplaces/known-answers/format.ts'
import { ok } from '../support/marketplaces/known-answers/outcome.ts'
import type { Answers } from '../support/marketplaces/known-answers/server.ts'
import { openReplay, type ReadMetrics, type ReadStock } from '../support/replay.ts'
import { good } from '../support/shipping.ts'

const hour = 3_600_000
const day = 24 * hour
const now = Math.floor(Date.now() / 1000) * 1000
/** So many days ago, as OZON writes moments. */
const ago = (days: number) => new Date(now - days * day).toISOString()
/** The date so many days from today in Moscow. */
const dayIn = (days: number) => new Date(now + days * day + 3 * hour).toISOString().slice(0, 10)

type Document = Readonly<Record<string, unknown>>
const calls = knownCalls('ozon')
const bodyOf = (call: string, name: string) => knownCases(calls, call)(name).answer.body
const [known = {}] = (
  bodyOf('POST /v4/posting/fbs/list', 'a posting of two products') as { postings: Document[] }
).postings
const [lampLine = {}, clampLine = {}] = known.products as Document[]
const carriageBody = bodyOf('POST /v1/carriage/get', 'new') as Document
const [method = {}] = (
  bodyOf('POST /v2/carriage/delivery/list', 'a method with one carriage') as { methods: Document[] }
).methods

const ours = 2210055
const sellersWarehouse = 2210077
/** From here the seller delivers himself. */
const ownDelivery = 2210088

const lamp = { ...lampLine, sku: 771203344, offer_id: 'LP-7', quantity: 1 }
const clamp = { ...clampLine, sku: 771203345, offer_id: 'LP-7-C', quantity: 2 }
const requirements = known.requirements as Document
const noRequirements = { ...requirements, products_requiring_gtd: [] }
const cancellation = known.cancellation as Document

/** A posting of one lamp, four days old, to be handed over tomorrow at noon in Moscow. */
function posting(number: string, status: string, substatus: string, more: Document = {}) {
  return {
    ...known,
    posting_number: `33100501-${number}-1`,
    order_number: `33100501-${number}`,
    status,
    substatus,
    in_process_at: ago(4),
    shipment_date: `${dayIn(1)}T09:00:00Z`,
    shipment_date_without_delay: `${dayIn(2)}T09:00:00Z`,
    available_actions: [],
    products: [lamp],
    requirements: noRequirements,
    ...more,
  }
}

const cancelled = (more: Document) => ({ cancellation: { ...cancellation, ...more } })

const postings = [
  posting('0001', 'awaiting_packaging', 'posting_created', {
    requirements: { ...noRequirements, products_requiring_mandatory_mark: ['771203344'] },
    available_actions: ['ship', 'cancel'],
  }),
  posting('0002', 'awaiting_packaging', 'posting_created', {
    products: [lamp, clamp],
    requirements: {
      ...noRequirements,
      products_requiring_gtd: ['771203345'],
      products_requiring_rnpt: ['771203345'],
      products_requiring_imei: ['771203344'],
    },
    optional: { products_with_possible_mandatory_mark: ['771203344'] },
    analytics_data: { ...(known.analytics_data as Document), is_legal: true },
  }),
  posting('0003', 'awaiting_registration', 'posting_awaiting_registration'),
  posting('0004', 'awaiting_approve', 'posting_created'),
  posting('0005', 'awaiting_verification', 'posting_created'),
  posting('0006', 'awaiting_deliver', 'posting_in_carriage'),
  posting('0007', 'acceptance_in_progress', 'posting_acceptance_in_progress'),
  posting('0008', 'delivering', 'posting_on_way_to_city'),
  posting('0009', 'delivering', 'posting_in_pickup_point'),
  posting('0010', 'driver_pickup', 'posting_driver_pick_up'),
  posting('0011', 'delivered', 'posting_received'),
  posting('0012', 'delivered', 'posting_delivered'),
  posting('0013', 'delivered', 'posting_conditionally_delivered'),
  posting(
    '0014',
    'cancelled',
    'posting_canceled',
    cancelled({ cancel_reason: 'Передумал', cancellation_initiator: 'Клиент' }),
  ),
  // Cancelled after packing, which says nothing of a hand-over.
  posting('0015', 'cancelled', 'posting_canceled', cancelled({ cancelled_after_ship: true })),
  posting('0016', 'cancelled_from_split_pending', 'posting_split_pending', {
    related_postings: { related_posting_numbers: ['33100501-0017-1', '33100501-0018-1'] },
  }),
  posting('0017', 'awaiting_packaging', 'posting_created', splitFrom('0016')),
  posting('0018', 'awaiting_packaging', 'posting_created', splitFrom('0016')),
  posting('0019', 'arbitration', 'posting_in_arbitration'),
  posting('0020', 'client_arbitration', 'posting_in_client_arbitration'),
  posting('0021', 'not_accepted', 'posting_not_in_sort_center'),
  posting('0022', 'sent_by_seller', 'posting_sent_by_seller'),
  posting('0023', 'delivering', 'posting_in_courier_service'),
  posting('0024', 'delivering', 'posting_transferred_to_courier_service'),
  posting('0025', 'delivering', 'posting_in_carriage'),
  // Of a warehouse that is chosen at first, and later not.
  posting('0026', 'awaiting_packaging', 'posting_created', from(sellersWarehouse)),
]

function splitFrom(number: string): Document {
  return { parent_posting_number: `33100501-${number}-1`, multi_box_qty: 2 }
}

function from(warehouse_id: number): Document {
  const { delivery_method } = known as { delivery_method: Document }
  return {
    delivery_method: { ...delivery_method, warehouse_id, warehouse: `Склад ${warehouse_id}` },
  }
}

interface Carriage {
  readonly id: number
  readonly status: string
  readonly departs: number
  readonly updatedAt: string
  readonly postings: readonly string[]
}

const carriages: readonly Carriage[] = [
  { id: 30711201, status: 'new', departs: 0, updatedAt: ago(0.2), postings: ['0006'] },
  { id: 30711202, status: 'sended', departs: -1, updatedAt: ago(1), postings: ['0007'] },
  { id: 30711203, status: 'received', departs: -1, updatedAt: ago(1), postings: ['0010'] },
  {
    id: 30711204,
    status: 'closed',
    departs: -3,
    updatedAt: ago(2.5),
    postings: ['0008', '0009', '0011', '0012'],
  },
  { id: 30711205, status: 'cancelled', departs: -2, updatedAt: ago(2), postings: [] },
]

interface Account {
  readonly postings: readonly Document[]
  readonly carriages: readonly Carriage[]
}

function answersOf(account: Account): Answers {
  const found = (body: unknown, name: string) => {
    const { [name]: id } = body as Record<string, number>
    return account.carriages.find((one) => one.id === id)
  }
  return {
    'POST /v2/warehouse/list': ok({ warehouses: warehouses.map(warehouseOf), has_next: false }),
    'POST /v1/returns/list': ok({ returns: [], has_next: false }),
    'POST /v1/roles': ok({ expires_at: ago(-90), roles: [{ name: 'Admin', methods: ['/v1'] }] }),
    'POST /v3/product/list': ({ body }) => {
      const { last_id } = body as { last_id: string }
      const items = last_id === '' ? [{ product_id: 1 }, { product_id: 2 }] : []
      return ok({ result: { items, total: 2, last_id: 'bGFzdA==' } })
    },
    'POST /v3/product/info/list': ok({
      items: [
        { id: 1, sku: 771203344, offer_id: 'LP-7', name: 'Лампа', barcodes: ['4660000000011'] },
        { id: 2, sku: 771203345, offer_id: 'LP-7-C', name: 'Струбцина', barcodes: ['46000028'] },
      ],
    }),
    'POST /v2/product/info/stocks-by-warehouse/fbs': ok(
      bodyOf('POST /v2/product/info/stocks-by-warehouse/fbs', 'two warehouses'),
    ),
    // Ten a page, and the last page has a cursor, too.
    'POST /v4/posting/fbs/list': ({ body }) => {
      const from = Number((body as { cursor: string }).cursor || 0)
      const next = from + 10
      const page = account.postings.slice(from, next)
      return ok({ cursor: `${next}`, has_next: next < account.postings.length, postings: page })
    },
    'POST /v2/carriage/delivery/list': ({ body }) => {
      const { filter } = body as { filter: { departure_date: string } }
      const listed = account.carriages
        .filter(({ departs }) => dayIn(departs) === filter.departure_date)
        .map(({ id, status, postings: held }) => ({
          id,
          status,
          postings_count: held.length,
          available_actions: [],
        }))
      const notYet = { id: 0, status: '', postings_count: 0 }
      const methods = [
        { ...method, departure_date: filter.departure_date, carriages: [...listed, notYet] },
      ]
      return ok({ methods, has_next: false, cursor: '' })
    },
    'POST /v1/carriage/get': ({ body }) => {
      const one = found(body, 'carriage_id')
      return ok({
        ...carriageBody,
        carriage_id: one?.id,
        status: one?.status,
        created_at: ago(3 - (one?.departs ?? 0)),
        updated_at: one?.updatedAt,
        departure_date: `${dayIn(one?.departs ?? 0)}T09:00:00Z`,
      })
    },
    'POST /v2/posting/fbs/act/get-postings': ({ body }) =>
      ok({
        result: found(body, 'id')?.postings.map((number) => ({
          id: found(body, 'id')?.id,
          posting_number: `33100501-${number}-1`,
          status: 'awaiting_deliver',
          seller_error: '',
          multi_box_qty: 1,
          products: [],
        })),
      }),
  }
}

const [warehouse = {}] = (
  bodyOf('POST /v2/warehouse/list', 'one warehouse') as { warehouses: Document[] }
).warehouses
const warehouses = [ours, sellersWarehouse, ownDelivery]
const warehouseOf = (id: number) => ({
  ...warehouse,
  warehouse_id: id,
  name: `Склад ${id}`,
  is_rfbs: id === ownDelivery,
})

const week: Account = { postings, carriages }
const replay = await openReplay({
  marketplace: 'OZON',
  credentials: { client_id: '1200345', api_key: 'd1b2c3d4-0000-4000-8000-000000000001' },
  units: { '4660000000011': 20, '46000028': 5 },
  answers: answersOf(week),
  warehouses: [ours, sellersWarehouse],
})

/** The middle of a posting's number, which is all that differs. */
const short = (number: string | null) => number?.split('-')[1] ?? ''

async function seen() {
  const orders = await replay.orders()
  return Object.fromEntries(
    [...orders].map(([number, { status, shipment_external_id }]) => [
      short(number),
      [status, shipment_external_id ?? ''],
    ]),
  )
}

async function seenShipments() {
  const shipments = await replay.shipments()
  return Object.fromEntries(
    [...shipments].map(([number, { status, orders_count }]) => [number, [status, orders_count]]),
  )
}

async function figures() {
  const [from, to] = [ago(10), ago(-1 / 24)]
  const { funnel, shipments } = await replay.read<ReadMetrics>(`/v1/metrics?from=${from}&to=${to}`)
  const { sorted_by_marketplace, delivered } = funnel
  return { sorted_by_marketplace, delivered, cancelled: shipments.cancelled }
}

async function stockOf(barcode: string) {
  const { items } = await replay.read<{ items: ReadStock[] }>('/v1/stock?limit=100')
  const found = items.find((item) => item.barcode === barcode)
  return [
    found?.quantity,
    found?.marketplace_stock.map((one) => [one.warehouse_name, one.quantity]),
  ]
}

test('a week of an OZON account is read as OZON documents it', async () => {
  assert.equal(await replay.sync(), null)
  assert.deepEqual(replay.unanswered(), [])
  assert.deepEqual(await seen(), {
    '0001': ['NEW', ''],
    '0002': ['NEW', ''],
    '0003': ['NEW', ''],
    '0004': ['NEW', ''],
    '0005': ['NEW', ''],
    '0006': ['ASSEMBLING', '30711201'],
    '0007': ['IN_DELIVERY', '30711202'],
    '0008': ['IN_DELIVERY', '30711204'],
    '0009': ['IN_DELIVERY', '30711204'],
    '0010': ['IN_DELIVERY', '30711203'],
    '0011': ['COMPLETED', '30711204'],
    '0012': ['COMPLETED', '30711204'],
    '0013': ['COMPLETED', ''],
    '0014': ['CANCELLED', ''],
    '0015': ['CANCELLED', ''],
    '0016': ['CANCELLED', ''],
    '0017': ['NEW', ''],
    '0018': ['NEW', ''],
    '0019': ['OTHER', ''],
    '0020': ['OTHER', ''],
    '0021': ['OTHER', ''],
    '0022': ['IN_DELIVERY', ''],
    '0023': ['IN_DELIVERY', ''],
    '0024': ['IN_DELIVERY', ''],
    '0025': ['IN_DELIVERY', ''],
    '0026': ['NEW', ''],
  })
  // The cancelled carriage was never here. `received`: OZON is still counting.
  assert.deepEqual(await seenShipments(), {
    30711201: ['ASSEMBLING', 1],
    30711202: ['HANDED_OVER', 1],
    30711203: ['HANDED_OVER', 1],
    30711204: ['ACCEPTED', 4],
  })
  // 0015 was cancelled after packing, and nothing shows that OZON ever had it.
  assert.deepEqual((await replay.sorted()).map(short), [
    '0008',
    '0009',
    '0011',
    '0012',
    '0013',
    '0023',
    '0024',
  ])
  // Delivered: 0011 and 0012; 0013 only on condition.
  assert.deepEqual(await figures(), { sorted_by_marketplace: 7, delivered: 2, cancelled: 3 })
  // The stock of a warehouse that is not chosen is not shown.
  assert.deepEqual(await stockOf('4660000000011'), [20, [['Склад Клин', 7]]])
})

test('staff see what the warehouse needs of a posting', async () => {
  const orders = await replay.orders()
  const of = (number: string) => orders.get(`33100501-${number}-1`)
  const marked = of('0001')
  assert.equal(marked?.deadline, `${dayIn(2)}T12:00:00.000+03:00`)
  assert.equal(marked?.deadline_without_delay, `${dayIn(2)}T12:00:00.000+03:00`)
  assert.deepEqual(marked?.warehouse, { id: '2210055', name: 'Склад Клин' })
  assert.equal(marked?.scheme, 'fbs')
  assert.equal(marked?.cancellable, true)
  assert.deepEqual(marked?.label_codes, [known.scanit, (known.barcodes as Document).upper_barcode])
  assert.deepEqual(marked?.lines[0]?.required_marks, ['marking_code'])
  const company = of('0002')
  assert.equal(company?.is_b2b, true)
  assert.deepEqual(
    company?.lines.map((line) => [
      line.article,
      line.qty,
      line.required_marks.toSorted(),
      line.optional_marks,
    ]),
    [
      ['LP-7', 1, ['imei'], ['marking_code']],
      ['LP-7-C', 2, ['customs_declaration', 'rnpt'], []],
    ],
  )
  const refused = of('0014')
  assert.deepEqual([refused?.cancel_reason, refused?.cancelled_by], ['Передумал', 'Клиент'])
  assert.equal(refused?.cancellable, false)
  assert.deepEqual(of('0016')?.related_external_ids, ['33100501-0017-1', '33100501-0018-1'])
  assert.deepEqual(
    ['0017', '0018'].map((number) => [of(number)?.parent_external_id, of(number)?.boxes]),
    [
      ['33100501-0016-1', 2],
      ['33100501-0016-1', 2],
    ],
  )
})

const later = new Date(Date.now() + 60_000).toISOString()
const carriagesOfNextDay = carriages.map((one) => {
  if (one.id === 30711201) return { ...one, status: 'sended', updatedAt: later }
  return one.id === 30711203 ? { ...one, status: 'closed', updatedAt: ago(0) } : one
})

test('the next day moves postings, carriages and stock', async () => {
  replay.play(
    answersOf({
      postings: [
        posting('0001', 'cancelled', 'posting_canceled', cancelled({ cancelled_after_ship: true })),
        posting('0006', 'delivering', 'posting_on_way_to_pickup_point'),
        // Sorted yesterday, and cancelled on its way.
        posting('0008', 'cancelled', 'posting_canceled', cancelled({ cancelled_after_ship: true })),
        posting('0009', 'delivered', 'posting_received'),
        posting('0019', 'delivering', 'posting_on_way_to_city'),
      ],
      carriages: carriagesOfNextDay,
    }),
  )
  assert.equal(await replay.sync(), null)
  const changed = await seen()
  assert.deepEqual(
    ['0001', '0006', '0008', '0009', '0019'].map((number) => changed[number]?.[0]),
    ['CANCELLED', 'IN_DELIVERY', 'CANCELLED', 'COMPLETED', 'IN_DELIVERY'],
  )
  const shipments = await seenShipments()
  assert.equal(shipments['30711201']?.[0], 'HANDED_OVER')
  assert.equal(shipments['30711203']?.[0], 'ACCEPTED')
  // 0006 takes a lamp.
  assert.equal((await stockOf('4660000000011'))[0], 19)
  const sorted = (await replay.sorted()).map(short)
  assert.deepEqual(
    ['0001', '0006', '0008', '0009', '0015', '0019'].filter((number) => sorted.includes(number)),
    ['0006', '0008', '0009', '0019'],
  )
  // 0006 and 0019 were sorted as well. 0008 stays counted, because it was sorted before it was cancelled; 0001 was not.
  assert.deepEqual(await figures(), { sorted_by_marketplace: 9, delivered: 3, cancelled: 5 })
})

/** How OZON names the ways in which an order may be delivered, with what it means here. */
const flows = [
  ['0031', { integration_type_flow: 'ozon', tpl_integration_type: 'ozon' }, 'fbs'],
  ['0032', { integration_type_flow: 'hybrid', tpl_integration_type: 'hybrid' }, undefined],
  ['0033', { integration_type_flow: 'aggregator', tpl_integration_type: 'aggregator' }, undefined],
  [
    '0034',
    { integration_type_flow: '3pl_tracking', tpl_integration_type: '3pl_tracking' },
    undefined,
  ],
  [
    '0035',
    { integration_type_flow: 'non_integrated', tpl_integration_type: 'non_integrated' },
    undefined,
  ],
  ['0036', { integration_type_flow: 'hybrid_aggregator' }, undefined],
  ['0037', { integration_type_flow: 'hybrid_3pl_tracking' }, undefined],
  ['0038', { integration_type_flow: 'hybrid_non_integrated' }, undefined],
  ['0039', { delivery_schema: 'rfbs' }, undefined],
  ['0043', { integration_type_flow: 'click_and_collect' }, undefined],
  // A flow that nobody knows is never packed by mistake.
  ['0044', { integration_type_flow: 'by_drone' }, undefined],
  // Two of OZON's own lists say less: whatever is not named is no reason to leave an order out.
  ['0040', { integration_type_flow: undefined, tpl_integration_type: undefined }, 'fbs'],
] as const

test('orders of other warehouses and schemes are counted, and those that are here are followed', async () => {
  const path = `/cabinets/${replay.cabinet}`
  const choose = (ids: readonly number[]) =>
    replay.manager.patch(path, { warehouses: ids.map(String) })
  assertRefused(await choose([ownDelivery]), 'validation_error', `${ownDelivery}`)
  good(await choose([ours]))
  replay.play(
    answersOf({
      postings: [
        ...flows.map(([number, flow]) =>
          posting(number, 'awaiting_packaging', 'posting_created', flow),
        ),
        posting('0041', 'awaiting_packaging', 'posting_created', from(sellersWarehouse)),
        posting('0042', 'awaiting_packaging', 'posting_created', from(ownDelivery)),
        // Shown since the first day.
        posting('0026', 'delivering', 'posting_on_way_to_city', from(sellersWarehouse)),
      ],
      carriages: carriagesOfNextDay,
    }),
  )
  assert.equal(await replay.sync(), null)
  const after = await seen()
  for (const [number, , scheme] of flows) {
    assert.deepEqual(after[number], scheme === undefined ? undefined : ['NEW', ''], number)
  }
  assert.deepEqual([after['0041'], after['0042']], [undefined, undefined])
  assert.deepEqual(after['0026'], ['IN_DELIVERY', ''])
  const schemes = await replay.orders()
  assert.equal(schemes.get('33100501-0040-1')?.scheme, 'fbs')
  // Once more: each counts once.
  assert.equal(await replay.sync(), null)
  const { chosen, items, left_out_schemes } = good<Warehouses>(
    await replay.manager.get(`${path}/warehouses`),
  )
  assert.equal(chosen, true)
  assert.deepEqual(
    items.map(({ id, scheme, ours: own, left_out }) => [id, scheme, own, left_out]),
    [
      [String(ours), 'fbs', true, 10],
      [String(sellersWarehouse), 'fbs', false, 1],
      [String(ownDelivery), 'rfbs', false, 1],
    ],
  )
  assert.deepEqual(
    left_out_schemes,
    [
      '3pl_tracking',
      'aggregator',
      'by_drone',
      'click_and_collect',
      'hybrid',
      'hybrid_3pl_tracking',
      'hybrid_aggregator',
      'hybrid_non_integrated',
      'non_integrated',
      'rfbs',
    ].map((scheme) => ({ scheme, orders: 1 })),
  )
  // Of the new ones only 0026 was sorted, and sellers see no others.
  const { sorted_by_marketplace } = await figures()
  assert.equal(sorted_by_marketplace, 10)
  const { total } = await replay.read<{ total: number }>('/v1/orders?limit=1')
  assert.equal(total, 26 + 2)
})

interface Warehouses {
  readonly chosen: boolean
  readonly items: readonly {
    readonly id: string
    readonly scheme?: string
    readonly ours: boolean
    readonly left_out: number
  }[]
  readonly left_out_schemes: readonly { readonly scheme: string; readonly orders: number }[]
}
