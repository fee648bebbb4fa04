import type { FakeAnswer, FakeCall } from './fake.ts'
import { carriageRoutes } from './ozon-carriages.ts'
import { labelRoutes } from './ozon-labels.ts'
import { packingRoutes } from './ozon-packing.ts'
import type { Order, Seller } from './ozon-state.ts'
import { deliveryMethod } from './ozon-state.ts'

/** What the fake OZON answers a call of a seller's. */

export interface Surroundings {
  readonly now: () => number
  readonly newNumber: () => number
  readonly pageSize: (asked: number) => number
  readonly wrapped: boolean | undefined
  /** Calls that are withdrawn. */
  readonly retired: ReadonlySet<string>
  /** Where files are kept. */
  readonly filesUrl: string
}

export interface Question extends Surroundings {
  readonly seller: Seller
  readonly body: Readonly<Record<string, unknown>>
}

export type Answer = (question: Question) => FakeAnswer

const routes: Readonly<Record<string, Answer>> = {
  '/v1/roles': roles,
  '/v3/product/list': products,
  '/v3/product/info/list': productInfos,
  '/v4/product/info/stocks': stockedProducts,
  '/v2/product/info/stocks-by-warehouse/fbs': stocks,
  '/v4/posting/fbs/list': postings,
  '/v3/posting/fbs/get': (question) => wrapped(question, shownOrder(orderOf(question), question)),
  ...packingRoutes,
  ...labelRoutes,
  ...carriageRoutes,
}

export function answerOzon(call: FakeCall, seller: Seller, at: Surroundings): FakeAnswer {
  const answer = call.method === 'POST' ? routes[call.path] : undefined
  if (answer === undefined) return { status: 404, body: problem(404) }
  if (at.retired.has(call.path)) {
    const body = { code: 9, message: 'obsolete method cannot be used', details: [] }
    return { status: 400, body }
  }
  const body = (call.body ?? {}) as Record<string, unknown>
  try {
    const answered = answer({ ...at, seller, body })
    return at.wrapped === undefined ? answered : rewrapped(answered, at.wrapped)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, body: { code: 3, message: error.message, details: [] } }
  }
}

function rewrapped(answer: FakeAnswer, all: boolean): FakeAnswer {
  const body = answer.body as { result?: unknown } | undefined
  if (body === undefined || Array.isArray(body.result)) return answer
  const bare = typeof body.result === 'object' ? body.result : body
  return { ...answer, body: all ? { result: bare } : bare }
}

export function problem(status: number): unknown {
  return { code: status === 403 ? 7 : 16, message: `Fake${status}`, details: [] }
}

class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export function check(holds: boolean, status: number, message: string): asserts holds {
  if (!holds) throw new Refusal(status, message)
}

export const time = (instant: number) => new Date(instant).toISOString()

/** As calls of older versions have it. */
export function wrapped(_question: Question, result: unknown): FakeAnswer {
  return { body: { result } }
}

/** A page of a list by a cursor that says nothing to its bearer. */
export function cut<T>(question: Question, items: readonly T[], longest: number) {
  const { limit, cursor } = question.body
  const asked = Number(limit)
  check(Number.isInteger(asked) && asked >= 1 && asked <= longest, 400, 'INVALID_LIMIT')
  const from = cursor ? Number(Buffer.from(String(cursor), 'base64url').toString()) : 0
  check(Number.isInteger(from), 400, 'INVALID_CURSOR')
  const end = from + question.pageSize(asked)
  const next = Buffer.from(String(end)).toString('base64url')
  const more = end < items.length
  return { page: items.slice(from, end), has_next: more, cursor: more ? next : '' }
}

export function listIn({ body }: Question, name: string, longest: number): string[] {
  const list = body[name]
  const fits = Array.isArray(list) && list.length > 0 && list.length <= longest
  check(fits, 400, `INVALID_${name.toUpperCase()}`)
  return list.map(String)
}

export function orderOf({ seller, body }: Question): Order {
  const order = seller.orders.get(String(body.posting_number))
  check(order !== undefined, 404, 'POSTING_NOT_FOUND')
  return order
}

function roles({ now }: Question): FakeAnswer {
  const expires_at = time(now() + 60 * 24 * 3_600_000)
  return { body: { expires_at, roles: [{ name: 'Admin', methods: ['/v4/posting/fbs/list'] }] } }
}

function products(question: Question): FakeAnswer {
  const { seller, body, pageSize } = question
  const last = Number(body.last_id || 0)
  const numbers = [...seller.cards.values()].sort((a, b) => a.nmId - b.nmId)
  const page = numbers.filter(({ nmId }) => nmId > last).slice(0, pageSize(Number(body.limit)))
  const items = page.map(({ nmId, article }) => ({ product_id: nmId, offer_id: article }))
  const last_id = String(page.at(-1)?.nmId ?? '')
  return wrapped(question, { items, total: numbers.length, last_id })
}

/** All goods once more, by what there is of them; the last page has a cursor too. */
function stockedProducts(question: Question): FakeAnswer {
  const { seller, body, pageSize } = question
  const last = Number(body.cursor || 0)
  const cards = [...seller.cards.values()].sort((a, b) => a.nmId - b.nmId)
  const page = cards.filter(({ nmId }) => nmId > last).slice(0, pageSize(Number(body.limit)))
  const items = page.map(({ nmId, article, itemId }) => ({
    product_id: nmId,
    offer_id: article,
    stocks: [{ type: 'fbs', sku: itemId, present: 0, reserved: 0, warehouse_ids: [] }],
  }))
  const cursor = String(page.at(-1)?.nmId ?? body.cursor ?? '')
  return wrapped(question, { items, total: cards.length, cursor })
}

function productInfos(question: Question): FakeAnswer {
  const by = 'sku' in question.body ? 'sku' : 'product_id'
  const ids = new Set(listIn(question, by, 1000))
  const items = [...question.seller.cards.values()]
    .filter(({ itemId, nmId }) => ids.has(String(by === 'sku' ? itemId : nmId)))
    .map(({ itemId, nmId, article, name, barcodes }) => ({
      id: nmId,
      sku: itemId,
      offer_id: article,
      name,
      barcodes,
      sources: [{ sku: itemId, source: 'sds' }],
      is_archived: false,
    }))
  return { body: { items } }
}

function stocks(question: Question): FakeAnswer {
  const skus = new Set(listIn(question, 'sku', 1000))
  const rows = [...question.seller.warehouses].flatMap(([warehouse_id, { name, amounts }]) =>
    [...amounts]
      .filter(([sku]) => skus.has(String(sku)))
      .map(([sku, amount]) => ({
        sku,
        offer_id: question.seller.cards.get(sku)?.article,
        product_id: question.seller.cards.get(sku)?.nmId,
        warehouse_id,
        warehouse_name: name,
        present: amount + 2,
        reserved: 2,
        free_stock: amount,
      })),
  )
  const { page, ...rest } = cut(question, rows, 1000)
  return { body: { products: page, ...rest } }
}

interface PostingsFilter {
  readonly since?: string
  readonly to?: string
  readonly last_changed_status_date?: { readonly from: string; readonly to: string }
  readonly statuses?: readonly string[]
}

function postings(question: Question): FakeAnswer {
  const filter = (question.body.filter ?? {}) as PostingsFilter
  const [since, to] = [Date.parse(filter.since ?? ''), Date.parse(filter.to ?? '')]
  check(since <= to, 400, 'INVALID_PERIOD')
  check(to - since <= 365 * 24 * 3_600_000, 400, 'PERIOD_IS_TOO_LONG')
  const changed = filter.last_changed_status_date
  const found = [...question.seller.orders.values()]
    .filter(({ createdAt }) => createdAt >= since && createdAt <= to)
    .filter(({ changedAt }) => !(changed && changedAt < Date.parse(changed.from)))
    .filter(({ changedAt }) => !(changed && changedAt > Date.parse(changed.to)))
    .filter(({ supplier }) => filter.statuses?.includes(supplier) ?? true)
    .sort((a, b) => a.createdAt - b.createdAt)
  const { page, ...rest } = cut(question, found, 100)
  return { body: { postings: page.map((order) => shownOrder(order, question)), ...rest } }
}

function shownOrder(order: Order, { seller }: Question): unknown {
  const { hindrance, lines } = order
  const pending = hindrance.looks > 0 && order.supplier === 'awaiting_deliver'
  if (pending) hindrance.looks -= 1
  const marked = lines.filter(({ itemId }) => seller.cards.get(itemId)?.honestMark)
  return {
    posting_number: order.id,
    order_id: order.number,
    order_number: order.id.split('-').slice(0, 2).join('-'),
    status: pending ? 'awaiting_packaging' : order.supplier,
    substatus: pending ? order.before : order.buyer,
    in_process_at: time(order.createdAt),
    shipment_date: time(order.createdAt + 24 * 3_600_000),
    delivery_method: deliveryMethod,
    products: lines.map(({ itemId, article, quantity }) => ({
      sku: itemId,
      offer_id: article,
      name: seller.cards.get(itemId)?.name ?? article,
      quantity,
      price: { amount: '100.00', currency: 'RUB' },
    })),
    requirements: {
      products_requiring_mandatory_mark: marked.map(({ itemId }) => String(itemId)),
      products_requiring_gtd: hindrance.undeclared ? lines.map(({ itemId }) => itemId) : [],
    },
    cancellation: { cancellation_type: '', cancelled_after_ship: order.wasShipped },
    analytics_data: { is_legal: order.isB2b, warehouse: 'Склад FBS' },
    ...order.raw,
  }
}
