import type { FakeCall, FakeResponse } from './fake.ts'
import { filled } from './filled.ts'
import { carriageRoutes } from './ozon-carriages.ts'
import { exemplarRoutes, isRequired, lackingCountry } from './ozon-exemplars.ts'
import {
  asSinglePosting,
  listedPostingFields,
  productFields,
  warehouseFields,
} from './ozon-fields.ts'
import { labelRoutes } from './ozon-labels.ts'
import { packingRoutes } from './ozon-packing.ts'
import {
  check,
  isoTime,
  listIn,
  type OzonContext,
  type OzonHandler,
  OzonRefusal,
  type OzonRequest,
  orderIn,
  pageOf,
  problem,
  wrapped,
} from './ozon-request.ts'
import { returnRoutes } from './ozon-returns.ts'
import type { Order, OzonRequirement, Seller } from './ozon-state.ts'
import { deliveryMethod } from './ozon-state.ts'

/** The responses of the fake OZON to a seller's calls. */

const routes: Readonly<Record<string, OzonHandler>> = {
  '/v1/roles': roles,
  '/v2/warehouse/list': warehouses,
  '/v3/product/list': filled(products, { result: { items: [productFields] } }),
  '/v3/product/info/list': productInfos,
  '/v4/product/info/stocks': stockedProducts,
  '/v2/product/info/stocks-by-warehouse/fbs': stocks,
  '/v4/posting/fbs/list': filled(postings, { postings: [listedPostingFields] }),
  '/v3/posting/fbs/get': (request) =>
    wrapped(withWeights(orderIn(request), asSinglePosting(showOrder(orderIn(request), request)))),
  ...packingRoutes,
  ...exemplarRoutes,
  ...labelRoutes,
  ...carriageRoutes,
  ...returnRoutes,
}

/** Calls that OZON withdrew in 2026. */
const ended: ReadonlySet<string> = new Set([
  '/v3/posting/fbs/list',
  '/v3/posting/fbs/unfulfilled/list',
  '/v2/posting/fbs/act/create',
  '/v2/posting/fbs/package-label',
  '/v1/posting/fbs/package-label/create',
  '/v2/posting/fbs/package-label/create',
  '/v1/posting/fbs/package-label/get',
])

export function respondAsOzon(call: FakeCall, seller: Seller, at: OzonContext): FakeResponse {
  if (ended.has(call.path) || at.retired.has(call.path)) {
    const body = { code: 9, message: 'obsolete method cannot be used' }
    return { status: 400, body }
  }
  const handler = call.method === 'POST' ? routes[call.path] : undefined
  if (handler === undefined) return { status: 404, body: problem(404) }
  if (seller.closed !== undefined) {
    return { status: 403, body: { code: 7, ...closedWords[seller.closed] } }
  }
  const body = (call.body ?? {}) as Record<string, unknown>
  try {
    const response = handler({ ...at, seller, body })
    return at.wrapped === undefined ? response : rewrapped(response, at.wrapped)
  } catch (error) {
    if (!(error instanceof OzonRefusal)) throw error
    return {
      status: error.status,
      body: { code: error.code, message: error.message, details: [] },
    }
  }
}

/** OZON answers every call so, whatever the key. */
const closedWords = {
  offer: { message: 'Offer not signed', details: [] },
  blocked: { message: 'client is blocked' },
  address: { message: 'Api-Key is restricted to specific IP addresses', details: [] },
} as const

function rewrapped(response: FakeResponse, all: boolean): FakeResponse {
  const body = response.body as { result?: unknown } | undefined
  if (body === undefined || Array.isArray(body.result)) return response
  const bare = typeof body.result === 'object' ? body.result : body
  return { ...response, body: all ? { result: bare } : bare }
}

function roles({ seller }: OzonRequest): FakeResponse {
  const expires_at = isoTime(seller.keyEndsAt)
  return { body: { expires_at, roles: [{ name: 'Admin', methods: ['/v4/posting/fbs/list'] }] } }
}

function products(request: OzonRequest): FakeResponse {
  const { seller, body, pageSize } = request
  const last = Number(body.last_id || 0)
  const numbers = [...seller.cards.values()].sort((a, b) => a.nmId - b.nmId)
  const page = numbers.filter(({ nmId }) => nmId > last).slice(0, pageSize(Number(body.limit)))
  const items = page.map(({ nmId, article }) => ({ product_id: nmId, offer_id: article }))
  const last_id = String(page.at(-1)?.nmId ?? '')
  return wrapped({ items, total_items: numbers.length, last_id })
}

/** All goods with their stock; the last page has a cursor as well. */
function stockedProducts(request: OzonRequest): FakeResponse {
  const { seller, body, pageSize } = request
  const last = Number(body.cursor || 0)
  const cards = [...seller.cards.values()].sort((a, b) => a.nmId - b.nmId)
  const page = cards.filter(({ nmId }) => nmId > last).slice(0, pageSize(Number(body.limit)))
  const items = page.map(({ nmId, article, itemId }) => ({
    product_id: nmId,
    offer_id: article,
    stocks: [{ type: 'fbs', sku: itemId, present: 0, reserved: 0, warehouse_ids: [] }],
  }))
  const cursor = String(page.at(-1)?.nmId ?? body.cursor ?? '')
  return { body: { items, total_items: cards.length, cursor } }
}

function productInfos(request: OzonRequest): FakeResponse {
  const by = 'sku' in request.body ? 'sku' : 'product_id'
  const ids = new Set(listIn(request, by, 1000))
  const items = [...request.seller.cards.values()]
    .filter(({ itemId, nmId }) => ids.has(String(by === 'sku' ? itemId : nmId)))
    .map(({ itemId, nmId, article, name, barcodes, picture }) => ({
      id: nmId,
      sku: itemId,
      offer_id: article,
      name,
      barcodes,
      sources: [{ sku: itemId, source: 'sds' }],
      ...(picture === undefined ? {} : { primary_image: [picture] }),
      is_archived: false,
    }))
  return { body: { items } }
}

function stocks(request: OzonRequest): FakeResponse {
  const skus = new Set(listIn(request, 'sku', 1000))
  const rows = [...request.seller.warehouses].flatMap(([warehouse_id, { name, amounts }]) =>
    [...amounts]
      .filter(([sku]) => skus.has(String(sku)))
      .map(([sku, amount]) => ({
        sku,
        offer_id: request.seller.cards.get(sku)?.article,
        product_id: request.seller.cards.get(sku)?.nmId,
        warehouse_id,
        warehouse_name: name,
        present: amount + 2,
        reserved: 2,
        free_stock: amount,
      })),
  )
  const { page, ...rest } = pageOf(request, rows, 1000)
  return { body: { products: page, ...rest } }
}

/** One of them ships by the seller's own delivery. */
function warehouses(request: OzonRequest): FakeResponse {
  const own = { warehouse_id: deliveryMethod.warehouse_id, name: deliveryMethod.warehouse }
  const stocked = [...request.seller.warehouses].map(([warehouse_id, { name }]) => ({
    warehouse_id,
    name,
  }))
  const others = stocked.filter(({ warehouse_id }) => warehouse_id !== own.warehouse_id)
  const rows = [own, ...others]
    .map((warehouse) => ({ ...warehouseFields, ...warehouse, is_rfbs: false }))
    .concat({ ...warehouseFields, warehouse_id: 1, name: 'Своя доставка', is_rfbs: true })
  const { page, ...rest } = pageOf(request, rows, 100)
  return { body: { warehouses: page, ...rest } }
}

interface PostingsFilter {
  readonly since?: string
  readonly to?: string
  readonly last_changed_status_date?: { readonly from: string; readonly to: string }
  readonly statuses?: readonly string[]
  readonly order_numbers?: readonly string[]
}

function postings(request: OzonRequest): FakeResponse {
  const filter = (request.body.filter ?? {}) as PostingsFilter
  const [since, to] = [Date.parse(filter.since ?? ''), Date.parse(filter.to ?? '')]
  check(since <= to, 400, 'INVALID_PERIOD')
  check(to - since <= 365 * 24 * 3_600_000, 400, 'PERIOD_IS_TOO_LONG')
  const changed = filter.last_changed_status_date
  const found = [...request.seller.orders.values()]
    .filter(({ createdAt }) => createdAt >= since && createdAt <= to)
    .filter(({ changedAt }) => !(changed && changedAt < Date.parse(changed.from)))
    .filter(({ changedAt }) => !(changed && changedAt > Date.parse(changed.to)))
    .filter(({ supplier }) => filter.statuses?.includes(supplier) ?? true)
    .filter(({ id }) => filter.order_numbers?.includes(orderNumberOf(id)) ?? true)
    .sort((a, b) => a.createdAt - b.createdAt)
  const { page, ...rest } = pageOf(request, found, 100)
  return { body: { postings: page.map((order) => showOrder(order, request)), ...rest } }
}

function showOrder(order: Order, { seller }: OzonRequest): unknown {
  const { faults, lines } = order
  const pending = faults.pendingPolls > 0 && order.supplier === 'awaiting_deliver'
  if (pending) faults.pendingPolls -= 1
  const marked = lines.filter(({ itemId }) => seller.cards.get(itemId)?.honestMark)
  const requiring = (kind: OzonRequirement, skus = lines.map(({ itemId }) => itemId)) =>
    isRequired(order, kind) ? skus.map(String) : []
  return {
    posting_number: order.id,
    order_id: order.number,
    order_number: order.id.split('-').slice(0, 2).join('-'),
    status: pending ? 'awaiting_packaging' : order.supplier,
    substatus: pending ? order.before : order.buyer,
    in_process_at: isoTime(order.createdAt),
    shipment_date: isoTime(order.createdAt + 24 * 3_600_000),
    shipment_date_without_delay: isoTime(order.createdAt + 24 * 3_600_000),
    delivery_method: deliveryMethod,
    delivery_schema: 'fbs',
    tpl_integration_type: 'ozon',
    integration_type_flow: 'ozon',
    available_actions: order.supplier === 'awaiting_packaging' ? ['cancel', 'ship'] : [],
    barcodes: { upper_barcode: `%101%${order.number}`, lower_barcode: String(order.number) },
    scanit: `ii${order.number}`,
    parent_posting_number: '',
    multi_box_qty: order.boxes,
    products: lines.map(({ itemId, article, quantity }) => ({
      sku: itemId,
      offer_id: article,
      name: seller.cards.get(itemId)?.name ?? article,
      quantity,
      price: { amount: '100.00', currency: 'RUB' },
    })),
    requirements: {
      products_requiring_mandatory_mark: marked.map(({ itemId }) => String(itemId)),
      products_requiring_gtd: requiring('gtd'),
      products_requiring_country: requiring('country', lackingCountry(order)),
      products_requiring_change_country: [],
      products_requiring_imei: requiring('imei'),
      products_requiring_jw_uin: requiring('jw_uin'),
      products_requiring_rnpt: requiring('rnpt'),
    },
    optional: { products_with_possible_mandatory_mark: [] },
    cancellation: {
      cancel_reason: '',
      cancellation_initiator: '',
      cancellation_type: '',
      cancelled_after_ship: order.wasShipped,
    },
    analytics_data: { is_legal: order.isB2b, warehouse: 'Склад FBS' },
    ...order.raw,
  }
}

/** Lists do not say of which goods OZON wants to know the weight. */
function withWeights(order: Order, shown: unknown): unknown {
  if (!isRequired(order, 'weight')) return shown
  const posting = shown as { readonly requirements: object }
  const products_requiring_weight = order.lines.map(({ itemId }) => String(itemId))
  return { ...posting, requirements: { ...posting.requirements, products_requiring_weight } }
}

/** The number of a buyer's order, which all its postings share. */
function orderNumberOf(id: string): string {
  return id.split('-').slice(0, 2).join('-')
}
