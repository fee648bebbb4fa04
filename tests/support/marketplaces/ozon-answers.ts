import type { FakeAnswer, FakeCall } from './fake.ts'
import type { Order, Seller } from './ozon.ts'
import { deliveryMethod, move } from './ozon.ts'
import { carriageRoutes } from './ozon-carriages.ts'

/** What the fake OZON answers a call of a seller's. */

export interface Surroundings {
  readonly now: () => number
  readonly newNumber: () => number
  readonly pageSize: (asked: number) => number
  readonly wrapped: boolean | undefined
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
  '/v4/posting/fbs/ship': ship,
  '/v2/posting/fbs/package-label': labels,
  '/v6/fbs/posting/product/exemplar/create-or-get': exemplars,
  '/v6/fbs/posting/product/exemplar/set': setExemplars,
  '/v5/fbs/posting/product/exemplar/status': exemplarsStatus,
  ...carriageRoutes,
}

export function answerOzon(call: FakeCall, seller: Seller, at: Surroundings): FakeAnswer {
  const answer = call.method === 'POST' ? routes[call.path] : undefined
  if (answer === undefined) return { status: 404, body: problem(404) }
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
    requirements: { products_requiring_mandatory_mark: marked.map(({ itemId }) => String(itemId)) },
    cancellation: { cancellation_type: '', cancelled_after_ship: order.wasShipped },
    analytics_data: { is_legal: order.isB2b, warehouse: 'Склад FBS' },
    ...order.raw,
  }
}

interface Packages {
  readonly products: readonly { readonly product_id: number; readonly quantity: number }[]
}

function ship(question: Question): FakeAnswer {
  const order = orderOf(question)
  check(order.supplier === 'awaiting_packaging', 400, 'HAS_INCORRECT_STATUS')
  const packed = ((question.body.packages ?? []) as Packages[]).flatMap(({ products }) => products)
  const sum = (sku: number) =>
    packed.reduce((all, { product_id, quantity }) => all + (product_id === sku ? quantity : 0), 0)
  const whole = order.lines.every(({ itemId, quantity }) => sum(itemId) === quantity)
  check(whole, 400, 'INCORRECT_PRODUCTS')
  check(unmarked(question, order).length === 0, 400, 'EXEMPLAR_INFO_NOT_FILLED')
  const fails = order.hindrance.shipFails > 0
  order.hindrance.shipFails -= 1
  order.before = order.buyer
  const to = fails
    ? { supplier: 'awaiting_packaging', buyer: 'ship_failed' }
    : { supplier: 'awaiting_deliver', buyer: 'posting_registered' }
  move(order, to, question.now())
  return { body: { result: [order.id] } }
}

/** Exemplars of goods that must be marked, without a code. */
function unmarked(question: Question, order: Order): number[] {
  return exemplarsOf(order)
    .filter(({ sku, id }) => question.seller.cards.get(sku)?.honestMark && !order.marks.has(id))
    .map(({ id }) => id)
}

function exemplarsOf({ number, lines }: Order): { sku: number; id: number }[] {
  const units = lines.flatMap(({ itemId, quantity }) => Array(quantity).fill(itemId) as number[])
  return units.map((sku, at) => ({ sku, id: number * 1000 + at }))
}

function shownExemplars(question: Question, order: Order, extra: (mark: string) => object) {
  return order.lines.map(({ itemId, quantity }) => ({
    product_id: itemId,
    quantity,
    is_mandatory_mark_needed: question.seller.cards.get(itemId)?.honestMark ?? false,
    is_mandatory_mark_possible: false,
    exemplars: exemplarsOf(order)
      .filter(({ sku }) => sku === itemId)
      .map(({ id }) => {
        const mark = order.marks.get(id)
        const marks = mark === undefined ? [] : [{ mark, mark_type: 'mandatory_mark' }]
        return {
          exemplar_id: id,
          gtd: '',
          is_gtd_absent: true,
          marks: marks.map((shown) => ({ ...shown, ...extra(shown.mark) })),
        }
      }),
  }))
}

function exemplars(question: Question): FakeAnswer {
  const order = orderOf(question)
  const shown = shownExemplars(question, order, () => ({}))
  return { body: { posting_number: order.id, multi_box_qty: 0, products: shown } }
}

interface GivenProduct {
  readonly exemplars: readonly {
    readonly exemplar_id: number
    readonly marks?: readonly { readonly mark: string; readonly mark_type: string }[]
  }[]
}

function setExemplars(question: Question): FakeAnswer {
  const order = orderOf(question)
  check(order.supplier === 'awaiting_packaging', 400, 'HAS_INCORRECT_STATUS')
  const given = (question.body.products as GivenProduct[]).flatMap((product) => product.exemplars)
  const own = new Set(exemplarsOf(order).map(({ id }) => id))
  check(given.length === own.size, 400, 'EXEMPLARS_INCOMPLETE')
  check(
    given.every((exemplar) => own.has(exemplar.exemplar_id)),
    400,
    'EXEMPLAR_NOT_FOUND',
  )
  order.marks.clear()
  for (const { exemplar_id, marks = [] } of given) {
    for (const { mark } of marks) order.marks.set(exemplar_id, mark)
  }
  return { body: {} }
}

function exemplarsStatus(question: Question): FakeAnswer {
  const order = orderOf(question)
  const { hindrance } = order
  const pending = hindrance.looks > 0
  if (pending) hindrance.looks -= 1
  const unknown = (mark: string) => hindrance.unknownMarks.includes(mark)
  const shown = shownExemplars(question, order, (mark) =>
    unknown(mark)
      ? { check_status: 'failed', error_codes: ['MARK_NOT_IN_CIRCULATION'] }
      : { check_status: 'passed', error_codes: [] },
  )
  const good = unmarked(question, order).length === 0 && ![...order.marks.values()].some(unknown)
  const status = good ? 'ship_available' : 'ship_not_available'
  return {
    body: {
      posting_number: order.id,
      products: shown,
      status: pending ? 'validation_in_process' : status,
    },
  }
}

function labels(question: Question): FakeAnswer {
  const found = listIn(question, 'posting_number', 20).map((id) => question.seller.orders.get(id))
  for (const order of found) {
    check(order !== undefined, 404, 'POSTING_NOT_FOUND')
    check(order.supplier === 'awaiting_deliver', 400, 'HAS_INCORRECT_STATUS')
    check(!order.hindrance.labelsLate, 400, "The next postings aren't ready")
  }
  const bytes = Buffer.from(`%PDF-1.4\n% ${found.map((order) => order?.id).join(' ')}\n%%EOF\n`)
  return { bytes, contentType: 'application/pdf' }
}
