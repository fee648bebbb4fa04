import { readsWildberries } from '../../../src/exchange/marketplaces/wildberries/transport.ts'
import { rawNumber } from '../../../src/platform/kernel/json.ts'
import type { FakeCall, FakeResponse } from './fake.ts'
import { filled } from './filled.ts'
import { cardFields, listedOrderFields, newOrderFields } from './wildberries-fields.ts'
import { attachMark, attachMarkingCodes, orderMarks, removeMark } from './wildberries-marks.ts'
import {
  addBoxes,
  boxes,
  boxStickers,
  removeBoxes,
  setShippingMethod,
  shippingPoints,
} from './wildberries-points.ts'
import {
  bodyOf,
  check,
  isoTime,
  listIn,
  pageIn,
  refusalResponse,
  type WildberriesContext,
  WildberriesRefusal,
  type WildberriesRequest,
} from './wildberries-request.ts'
import { type Order, ownWarehouse, pictureOf, type Seller } from './wildberries-state.ts'
import {
  barcode,
  createSupply,
  deleteSupply,
  fillSupply,
  handOverSupply,
  ordersOfSupply,
  reshipments,
  supplies,
  supply,
} from './wildberries-supplies.ts'

/** The responses of the fake WB to a seller's calls. */

type Handler = (request: WildberriesRequest) => FakeResponse

const routes: readonly (readonly [method: string, path: RegExp, handler: Handler])[] = [
  ['GET', /^\/api\/v3\/warehouses$/, warehouses],
  ['POST', /^\/api\/v3\/stocks\/(\d+)$/, stocks],
  ['POST', /^\/content\/v2\/get\/cards\/list$/, filled(cards, { cards: [cardFields] })],
  ['GET', /^\/api\/v3\/orders\/new$/, filled(newOrders, { orders: [newOrderFields] })],
  ['GET', /^\/api\/v3\/orders$/, filled(orders, { orders: [listedOrderFields] })],
  ['POST', /^\/api\/v3\/orders\/status$/, statuses],
  ['POST', /^\/api\/v3\/orders\/stickers$/, stickers],
  ['PUT', /^\/api\/v3\/orders\/(\d+)\/meta\/sgtin$/, attachMarkingCodes],
  ['PUT', /^\/api\/v3\/orders\/(\d+)\/meta\/(uin|imei|gtin|expiration)$/, attachMark],
  ['PUT', /^\/api\/marketplace\/v3\/orders\/(\d+)\/meta\/(customs-declaration)$/, attachMark],
  ['DELETE', /^\/api\/v3\/orders\/(\d+)\/meta$/, removeMark],
  ['POST', /^\/api\/marketplace\/v3\/orders\/meta$/, orderMarks],
  ['GET', /^\/api\/v3\/supplies$/, supplies],
  ['POST', /^\/api\/v3\/supplies$/, createSupply],
  ['GET', /^\/api\/v3\/supplies\/orders\/reshipment$/, reshipments],
  ['GET', /^\/api\/v3\/supplies\/([\w-]+)$/, supply],
  ['DELETE', /^\/api\/v3\/supplies\/([\w-]+)$/, deleteSupply],
  ['GET', /^\/api\/marketplace\/v3\/supplies\/([\w-]+)\/order-ids$/, ordersOfSupply],
  ['PATCH', /^\/api\/marketplace\/v3\/supplies\/([\w-]+)\/orders$/, fillSupply],
  ['PATCH', /^\/api\/marketplace\/v3\/fbs\/supplies\/shipping-method$/, setShippingMethod],
  ['GET', /^\/api\/marketplace\/v3\/fbs\/shipping-points$/, shippingPoints],
  ['GET', /^\/api\/v3\/supplies\/([\w-]+)\/trbx$/, boxes],
  ['POST', /^\/api\/v3\/supplies\/([\w-]+)\/trbx$/, addBoxes],
  ['DELETE', /^\/api\/v3\/supplies\/([\w-]+)\/trbx$/, removeBoxes],
  ['POST', /^\/api\/v3\/supplies\/([\w-]+)\/trbx\/stickers$/, boxStickers],
  ['PATCH', /^\/api\/v3\/supplies\/([\w-]+)\/deliver$/, handOverSupply],
  ['GET', /^\/api\/v3\/supplies\/([\w-]+)\/barcode$/, barcode],
]

export function respondAsWildberries(
  call: FakeCall,
  seller: Seller,
  at: WildberriesContext,
): FakeResponse {
  const refusal = refusalOfToken(call, seller)
  if (refusal !== undefined) return refusal
  for (const [method, path, handler] of routes) {
    const match = method === call.method ? path.exec(call.path) : null
    if (match === null) continue
    try {
      return handler({ ...at, call, seller, ids: match.slice(1) })
    } catch (error) {
      if (error instanceof WildberriesRefusal) return refusalResponse(error)
      throw error
    }
  }
  return { status: 404, body: problem(404) }
}

/** The bits of a token. */
const content = 1
const marketplace = 4
const readOnly = 30

/** What WB refuses whatever the call is about: a withdrawn path, a type or a category of the token. */
function refusalOfToken(call: FakeCall, { scopes, refusedPaths }: Seller) {
  const [, why] = [...refusedPaths].find(([path]) => call.path.includes(path)) ?? []
  if (why === 'withdrawn') return { status: 404, body: problem(404) }
  const contentType = problemTypeOf(403)
  if (why === 'type') return { status: 403, body: otherType, contentType }
  const has = (bit: number) => scopes === undefined || Math.floor(scopes / 2 ** bit) % 2 === 1
  const isWrite = !readsWildberries({ ...call, method: call.method as 'GET' })
  const lacksWrite = scopes !== undefined && has(readOnly) && isWrite
  const fits = has(call.path.startsWith('/content/') ? content : marketplace) && !lacksWrite
  return fits ? undefined : { status: 403, body: problem(403), contentType }
}

export function problem(status: number): unknown {
  if (status === 404) return unknownPath
  const known = problems[status]
  if (known === undefined) return { code: `Fake${status}`, message: 'Нет' }
  const [title, detail, statusText] = known
  if (statusText === undefined) return { title, detail }
  return {
    title,
    detail,
    ...(status === 403 ? {} : { code: '0a1b2c3d-e4f5a6b7c8d9-[UK-1aA2bB3cC4d]' }),
    requestId: '00112233445566778899aabbccddeeff',
    origin: 'ag-marketplace',
    status,
    statusText,
    timestamp: '2026-11-20T06:52:38Z',
  }
}

const unknownPath = {
  title: 'path not found',
  detail: 'Please consult the https://dev.wildberries.ru/openapi/api-information',
  status: 404,
  statusText: 'Not Found',
  timestamp: '2026-11-20T06:52:38Z',
}

const otherType = {
  title: 'forbidden',
  detail: 'base token is not allowed',
  code: 'base token is not allowed for this path',
  requestId: '00112233445566778899aabbccddeeff',
  origin: 'ag-marketplace',
  status: 403,
  statusText: 'Forbidden',
  timestamp: '2026-11-20T06:52:38Z',
}

/** WB sends these answers as problem+json. */
const problems: Readonly<Record<number, readonly [title: string, detail: string, name?: string]>> =
  {
    401: ['unauthorized', 'token problem; token is malformed', 'Unauthorized'],
    402: ['payment required', 'please top up your balance in your company personal account'],
    403: ['Forbidden', 'scope is not allowed for this resource', 'Forbidden'],
    429: [
      'too many requests',
      'limited by 11112222-3333-4444-8555-666677778888',
      'Too Many Requests',
    ],
  }

export const problemTypeOf = (status: number) =>
  status === 402 || status === 403 ? 'application/problem+json' : 'application/json'

function warehouses({ seller }: WildberriesRequest): FakeResponse {
  const listed = new Map(seller.warehouses)
  if (!listed.has(ownWarehouse.id)) {
    listed.set(ownWarehouse.id, { name: ownWarehouse.name, amounts: new Map() })
  }
  const own = [...listed].map(([id, { name, changing }]) => ({
    id,
    name,
    officeId: 15,
    cargoType: 1,
    deliveryType: 1,
    isDeleting: changing === 'isDeleting',
    isProcessing: changing === 'isProcessing',
  }))
  const other = { id: 1, name: 'DBS', officeId: 1, cargoType: 1, deliveryType: 2 }
  return { body: [...own, { ...other, isDeleting: false, isProcessing: false }] }
}

function stocks(request: WildberriesRequest): FakeResponse {
  const { seller, ids } = request
  const isOwn = Number(ids[0]) === ownWarehouse.id
  const none = { amounts: isOwn ? new Map<number, number>() : undefined, changing: undefined }
  const { amounts, changing } = seller.warehouses.get(Number(ids[0])) ?? none
  check(amounts !== undefined && changing !== 'isDeleting', 404, 'NotFound')
  check(changing === undefined, 409, 'StoreIsProcessing')
  const rows = listIn(request, 'chrtIds', 1000).flatMap((id) => {
    const amount = amounts.get(Number(id))
    return amount === undefined ? [] : [{ chrtId: Number(id), amount }]
  })
  return { body: { stocks: rows } }
}

interface CardsSettings {
  readonly sort?: { readonly ascending?: boolean }
  readonly cursor?: { readonly limit?: number; readonly updatedAt?: string; readonly nmID?: number }
}

function cards(request: WildberriesRequest): FakeResponse {
  const { seller, pageSize } = request
  const { sort, cursor = {} } = (bodyOf(request).settings ?? {}) as CardsSettings
  const size = pageSize(Math.min(cursor.limit ?? 10, 100))
  const byNumber = Map.groupBy(seller.cards.values(), ({ nmId }) => nmId)
  const sorted = [...byNumber]
    .map(([nmID, sizes]) => ({
      nmID,
      updatedAt: isoTime(Math.max(...sizes.map(({ updatedAt }) => updatedAt))) ?? '',
      vendorCode: sizes[0]?.article,
      title: sizes[0]?.name,
      ...(sizes[0]?.gtin === undefined ? {} : { gtin: sizes[0].gtin }),
      photos: sizes.flatMap(({ picture }) => picture ?? []).map((c246x328) => ({ c246x328 })),
      needKiz: sizes.some(({ honestMark }) => honestMark),
      sizes: sizes.map(({ itemId, barcodes }) => ({
        chrtID: itemId,
        techSize: '0',
        skus: barcodes,
      })),
    }))
    .sort((a, b) => a.updatedAt.localeCompare(b.updatedAt) || a.nmID - b.nmID)
  if (sort?.ascending !== true) sorted.reverse()
  const { updatedAt = '', nmID = 0 } = cursor
  const later = sorted.filter(
    (card) => card.updatedAt > updatedAt || (card.updatedAt === updatedAt && card.nmID > nmID),
  )
  const page = later.slice(0, size)
  const last = page.at(-1)
  // Only the last page has a total below the requested limit.
  const total = page.length < later.length ? (cursor.limit ?? 10) : page.length
  return {
    body: {
      cards: page,
      cursor: { updatedAt: last?.updatedAt ?? '', nmID: last?.nmID ?? 0, total },
    },
  }
}

function showOrder(order: Order): Readonly<Record<string, unknown>> {
  const { card, supplyId } = order
  return {
    address: null,
    ddate: null,
    sellerDate: null,
    requiredMeta: card.honestMark ? ['sgtin'] : [],
    optionalMeta: [],
    deliveryType: 'fbs',
    id: rawNumber(order.id),
    rid: `r${order.id}`,
    orderUid: `u${order.id}`,
    article: card.article,
    nmId: card.nmId,
    chrtId: card.itemId,
    skus: card.barcodes,
    createdAt: isoTime(order.createdAt),
    warehouseId: ownWarehouse.id,
    ...(supplyId === undefined ? {} : { supplyId }),
    price: 10_000,
    cargoType: 1,
    crossBorderType: 0,
    options: { isB2B: order.isB2b },
    comment: '',
    ...order.raw,
  }
}

/** The list of all orders has fewer fields than that of new ones. */
function showListedOrder(order: Order): unknown {
  const {
    address: _address,
    ddate: _ddate,
    sellerDate: _sellerDate,
    requiredMeta: _required,
    optionalMeta: _optional,
    comment: _comment,
    ...listed
  } = showOrder(order)
  return { supplyId: '', ...listed }
}

function newOrders({ seller }: WildberriesRequest): FakeResponse {
  const fresh = [...seller.orders.values()].filter(({ supplier }) => supplier === 'new')
  return { body: { orders: fresh.map(showOrder) } }
}

/** The `next` of the last page is 0. */
function orders(request: WildberriesRequest): FakeResponse {
  const { seller, call } = request
  const { from, size } = pageIn(request)
  const dateFrom = Number(call.query.dateFrom)
  const dateTo = Number(call.query.dateTo)
  check(dateFrom > 0 && dateTo - dateFrom <= 30 * 86_400, 400, 'IncorrectParameter')
  const within = [...seller.orders.values()]
    .filter(({ createdAt }) => createdAt >= dateFrom * 1000 && createdAt < (dateTo + 1) * 1000)
    .sort((a, b) => a.createdAt - b.createdAt)
  const page = within.slice(from, from + size).map(showListedOrder)
  return { body: { next: from + size < within.length ? from + size : 0, orders: page } }
}

function statuses(request: WildberriesRequest): FakeResponse {
  const rows = listIn(request, 'orders', 1000).flatMap((id) => {
    const order = request.seller.orders.get(id)
    if (order === undefined) return []
    const { supplier, buyer } = order
    const isCancellable = supplier === 'new' || supplier === 'confirm'
    return [{ id: rawNumber(id), isCancellable, supplierStatus: supplier, wbStatus: buyer }]
  })
  return { body: { orders: rows } }
}

function stickers(request: WildberriesRequest): FakeResponse {
  const { call, seller } = request
  check(call.query.type === 'svg' && call.query.width === '58', 400, 'IncorrectParameter')
  const ids = listIn(request, 'orders', 100)
  const undeclared = ids.some((id) => {
    const { raw = {}, marks } = seller.orders.get(id) ?? {}
    const required = [raw.requiredMeta ?? []].flat()
    return required.includes('customsDeclaration') && !marks?.has('customsDeclaration')
  })
  check(!undeclared, 409, 'CustomsDeclarationIsRequired')
  const found = ids.flatMap((id) => {
    const { supplier } = seller.orders.get(id) ?? {}
    if (supplier !== 'confirm' && supplier !== 'complete') return []
    const file = pictureOf(seller, id)
    return [{ orderId: rawNumber(id), partA: id, partB: '0001', barcode: `!${id}`, file }]
  })
  return { body: { stickers: found } }
}
