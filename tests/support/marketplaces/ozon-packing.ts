import type { FakeResponse } from './fake.ts'
import { mustFind } from './must-find.ts'
import { check, type OzonHandler, type OzonRequest, orderIn } from './ozon-request.ts'
import { move, type Order } from './ozon-state.ts'

/** The packing calls of the fake OZON, and the data of each unit that packing requires. */

export const packingRoutes: Readonly<Record<string, OzonHandler>> = {
  '/v4/posting/fbs/ship': ship,
  '/v6/fbs/posting/product/exemplar/create-or-get': exemplars,
  '/v6/fbs/posting/product/exemplar/set': setExemplars,
  '/v5/fbs/posting/product/exemplar/status': exemplarsStatus,
}

interface Packages {
  readonly products: readonly { readonly product_id: number; readonly quantity: number }[]
}

function ship(request: OzonRequest): FakeResponse {
  const order = orderIn(request)
  check(order.supplier !== 'cancelled', 400, 'POSTING_ALREADY_CANCELLED')
  check(order.supplier === 'awaiting_packaging', 400, 'POSTING_ALREADY_SHIPPED')
  const packed = ((request.body.packages ?? []) as Packages[]).flatMap(({ products }) => products)
  const sum = (sku: number) =>
    packed.reduce((all, { product_id, quantity }) => all + (product_id === sku ? quantity : 0), 0)
  const whole = order.lines.every(({ itemId, quantity }) => sum(itemId) === quantity)
  check(whole, 400, 'INCORRECT_PRODUCTS')
  const known = withoutCode(request, order).length === 0 && !order.faults.undeclared
  check(known, 400, 'EXEMPLAR_INFO_NOT_FILLED_COMPLETELY')
  const fails = order.faults.packingFailures > 0
  order.faults.packingFailures -= 1
  order.before = order.buyer
  const to = fails
    ? { supplier: 'awaiting_packaging', buyer: 'ship_failed' }
    : { supplier: 'awaiting_deliver', buyer: 'posting_registered' }
  const packages = (request.body.packages ?? []) as Packages[]
  if (packages.length > 1 && !fails) return split(request, order, packages)
  move(order, to, request.now())
  return { body: { result: [order.id] } }
}

/** Each package becomes a packed posting of its own, and the first one goes. */
function split(request: OzonRequest, order: Order, packages: readonly Packages[]): FakeResponse {
  const { seller, now, newNumber } = request
  const parts = packages.map(({ products }, at) => {
    const id = `${order.id}-${at + 1}`
    const lines = products.map(({ product_id, quantity }) => {
      const line = mustFind(
        order.lines.find(({ itemId }) => itemId === product_id),
        'product',
      )
      return { ...line, quantity }
    })
    seller.orders.set(id, {
      ...order,
      id,
      number: newNumber(),
      lines,
      supplier: 'awaiting_deliver',
      buyer: 'posting_registered',
      changedAt: now(),
      markingCodes: new Map(),
      faults: { ...order.faults },
      raw: { ...order.raw, parent_posting_number: order.id },
    })
    return id
  })
  move(order, { supplier: 'cancelled_from_split_pending', buyer: 'posting_canceled' }, now())
  return { body: { result: parts, additional_data: [] } }
}

/** Exemplars of goods that need a marking code and have none. */
function withoutCode(request: OzonRequest, order: Order): number[] {
  return exemplarsOf(order)
    .filter(
      ({ sku, id }) => request.seller.cards.get(sku)?.honestMark && !order.markingCodes.has(id),
    )
    .map(({ id }) => id)
}

function exemplarsOf({ number, lines }: Order): { sku: number; id: number }[] {
  const units = lines.flatMap(({ itemId, quantity }) => Array(quantity).fill(itemId) as number[])
  return units.map((sku, at) => ({ sku, id: number * 1000 + at }))
}

function showExemplars(request: OzonRequest, order: Order) {
  return order.lines.map(({ itemId, quantity }) => ({
    product_id: itemId,
    quantity,
    is_mandatory_mark_needed: request.seller.cards.get(itemId)?.honestMark ?? false,
    is_mandatory_mark_possible: false,
    is_gtd_needed: order.faults.undeclared,
    is_rnpt_needed: false,
    is_jw_uin_needed: false,
    has_imei: false,
    is_weight_needed: false,
    exemplars: marksOf(order, itemId).map((exemplar) => ({
      ...exemplar,
      gtd: '',
      is_gtd_absent: !order.faults.undeclared,
    })),
  }))
}

/** The exemplars of a product with their marks. */
function marksOf(order: Order, itemId: number) {
  return exemplarsOf(order)
    .filter(({ sku }) => sku === itemId)
    .map(({ id }) => {
      const mark = order.markingCodes.get(id)
      const marks = mark === undefined ? [] : [{ mark, mark_type: 'mandatory_mark' }]
      return { exemplar_id: id, marks }
    })
}

function exemplars(request: OzonRequest): FakeResponse {
  const order = orderIn(request)
  const products = showExemplars(request, order)
  return { body: { posting_number: order.id, multi_box_qty: 0, products } }
}

interface GivenProduct {
  readonly exemplars: readonly {
    readonly exemplar_id: number
    readonly marks?: readonly { readonly mark: string; readonly mark_type: string }[]
  }[]
}

function checkUnpacked({ supplier }: Order): void {
  check(supplier === 'awaiting_packaging', 400, "Posting must have 'awaiting_packaging' status")
}

function setExemplars(request: OzonRequest): FakeResponse {
  const order = orderIn(request)
  checkUnpacked(order)
  const given = (request.body.products as GivenProduct[]).flatMap((product) => product.exemplars)
  const own = new Set(exemplarsOf(order).map(({ id }) => id))
  check(given.length === own.size, 400, 'EXEMPLARS_INCOMPLETE')
  check(
    given.every((exemplar) => own.has(exemplar.exemplar_id)),
    400,
    'EXEMPLAR_NOT_FOUND',
  )
  order.markingCodes.clear()
  for (const { exemplar_id, marks = [] } of given) {
    for (const { mark } of marks) order.markingCodes.set(exemplar_id, mark)
  }
  return { body: {} }
}

function exemplarsStatus(request: OzonRequest): FakeResponse {
  const order = orderIn(request)
  checkUnpacked(order)
  const { faults } = order
  const pending = faults.pendingPolls > 0
  if (pending) faults.pendingPolls -= 1
  const unknown = (mark: string) => faults.unknownCodes.includes(mark)
  const checked = (mark: string) =>
    unknown(mark)
      ? { check_status: 'failed', error_codes: ['MARK_NOT_IN_CIRCULATION'] }
      : { check_status: 'passed', error_codes: [] }
  const products = order.lines.map(({ itemId }) => ({
    product_id: itemId,
    exemplars: marksOf(order, itemId).map(({ exemplar_id, marks }) => ({
      exemplar_id,
      marks: marks.map((shown) => ({ ...shown, ...checked(shown.mark) })),
    })),
  }))
  const marked =
    withoutCode(request, order).length === 0 && ![...order.markingCodes.values()].some(unknown)
  const status = marked && !faults.undeclared ? 'ship_available' : 'ship_not_available'
  return {
    body: {
      posting_number: order.id,
      products,
      status: pending ? 'validation_in_process' : status,
    },
  }
}
