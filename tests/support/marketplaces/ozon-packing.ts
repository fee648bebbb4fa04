import type { FakeResponse } from './fake.ts'
import { mustFind } from './must-find.ts'
import { isComplete } from './ozon-exemplars.ts'
import { check, type OzonHandler, type OzonRequest, orderIn } from './ozon-request.ts'
import { move, type Order } from './ozon-state.ts'

/** The packing calls of the fake OZON. */

export const packingRoutes: Readonly<Record<string, OzonHandler>> = {
  '/v4/posting/fbs/ship': ship,
  '/v3/posting/multiboxqty/set': setBoxes,
}

/** OZON asks for it before packing, and only of goods that need several boxes. */
function setBoxes(request: OzonRequest): FakeResponse {
  const order = orderIn(request)
  check(order.raw.is_multibox === true, 400, 'POSTING_DOES_NOT_HAVE_MULTI_BOX_PRODUCT')
  check(order.supplier === 'awaiting_packaging', 400, 'POSTING_ALREADY_SHIPPED')
  const boxes = Number(request.body.multi_box_qty)
  check(Number.isInteger(boxes) && boxes > 0, 400, 'INVALID_MULTI_BOX_QTY')
  order.boxes = boxes
  return { body: { result: { result: true } } }
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
  check(isComplete(request, order), 400, 'EXEMPLAR_INFO_NOT_FILLED_COMPLETELY')
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
  const parts = packages.map(({ products }, at): Order => {
    const id = `${order.id}-${at + 1}`
    const lines = products.map(({ product_id, quantity }) => {
      const line = mustFind(
        order.lines.find(({ itemId }) => itemId === product_id),
        'product',
      )
      return { ...line, quantity }
    })
    return {
      ...order,
      id,
      number: newNumber(),
      lines,
      supplier: 'awaiting_deliver',
      buyer: 'posting_registered',
      changedAt: now(),
      exemplars: new Map(),
      newExemplars: undefined,
      countries: new Map(order.countries),
      faults: { ...order.faults },
      raw: { ...order.raw, parent_posting_number: order.id },
    }
  })
  const made = parts.slice(0, parts.length - order.faults.lateParts)
  for (const part of made) seller.orders.set(part.id, part)
  seller.lateParts.set(order.id, parts.slice(made.length))
  move(order, { supplier: 'cancelled_from_split_pending', buyer: 'posting_canceled' }, now())
  return { body: { result: parts.map(({ id }) => id), additional_data: [] } }
}
