import { moscowDate } from '../../../src/kernel/moscow-time.ts'
import { digits, type FakeAnswer, fakeSvg } from './fake.ts'
import { type Order, type Seller, type Supply, there } from './wildberries.ts'
import { bodyOf, check, listIn, pageIn, type Question, time } from './wildberries-question.ts'
import type { Method } from './wildberries-troubles.ts'

/** What the fake WB answers of supplies. */

function shownSupply(supply: Supply, { orders }: Seller): unknown {
  return {
    id: supply.id,
    done: supply.closedAt !== undefined,
    createdAt: time(supply.createdAt),
    closedAt: time(supply.closedAt),
    scanDt: time(supply.acceptedAt),
    name: supply.name,
    cargoType: orders.get(supply.orders[0] ?? '')?.raw.cargoType ?? 1,
    isB2b: supply.orders.some((id) => orders.get(id)?.isB2b) || null,
    shippingDt: null,
    shippingPointId: null,
    shippingType: null,
    ...supply.method,
  }
}

/** Oldest first; the last page has a `next` too, and the one after it has nothing. */
export function supplies(question: Question): FakeAnswer {
  const { from, size } = pageIn(question)
  const page = [...question.seller.supplies.values()].slice(from, from + size)
  return {
    body: {
      next: from + page.length,
      supplies: page.map((supply) => shownSupply(supply, question.seller)),
    },
  }
}

function supplyOf({ seller, ids }: Question): Supply {
  const found = seller.supplies.get(ids[0] ?? '')
  check(found !== undefined, 404, 'NotFound')
  return found
}

export function supply(question: Question): FakeAnswer {
  return { body: shownSupply(supplyOf(question), question.seller) }
}

export function ordersOfSupply(question: Question): FakeAnswer {
  return { body: { orderIds: supplyOf(question).orders.map(digits) } }
}

export function createSupply(question: Question): FakeAnswer {
  const { name } = bodyOf(question)
  check(typeof name === 'string' && name.length >= 1 && name.length <= 128, 400, 'IncorrectRequest')
  const id = `WB-GI-${question.newNumber()}`
  question.seller.supplies.set(id, {
    id,
    name,
    createdAt: question.now(),
    closedAt: undefined,
    acceptedAt: undefined,
    cancelled: false,
    method: undefined,
    orders: [],
  })
  return { status: 201, body: { id } }
}

export function deleteSupply(question: Question): FakeAnswer {
  const { id, orders } = supplyOf(question)
  check(orders.length === 0, 409, 'SupplyNotEmpty')
  question.seller.supplies.delete(id)
  return { status: 204 }
}

/** All that are named, or none. A supply is of one kind of cargo, which its first orders tell. */
export function fillSupply(question: Question): FakeAnswer {
  const { seller } = question
  const supply = supplyOf(question)
  check(supply.closedAt === undefined, 409, 'SupplyAlreadyClosed')
  const ids = listIn(question, 'orders', 100)
  for (const id of ids) {
    const { supplier = '', buyer } = seller.orders.get(id) ?? {}
    const fits = ['new', 'confirm'].includes(supplier) && buyer === 'waiting'
    check(fits, 409, 'FailedToAddSupplyOrder')
  }
  const cargo = [...supply.orders, ...ids].map((id) => seller.orders.get(id)?.raw.cargoType ?? 1)
  check(new Set(cargo).size === 1, 409, 'FailedToAddSupplyOrder')
  for (const id of ids) moveTo(supply, there(seller.orders.get(id), 'order'), seller)
  return { status: 204 }
}

function moveTo(supply: Supply, order: Order, seller: Seller): void {
  const before = seller.supplies.get(order.supplyId ?? '')
  if (before !== undefined) before.orders = before.orders.filter((id) => id !== order.id)
  supply.orders.push(order.id)
  order.supplyId = supply.id
  order.supplier = 'confirm'
}

export function deliverSupply(question: Question): FakeAnswer {
  const supply = supplyOf(question)
  const held = supply.orders.flatMap((id) => question.seller.orders.get(id) ?? [])
  check(supply.closedAt === undefined, 409, 'SupplyAlreadyClosed')
  check(held.length > 0, 409, 'SupplyHasZeroOrders')
  const unchecked = held.flatMap(uncheckedMarks)
  check(unchecked.length === 0, 409, 'MetaValidationFail', { orders: unchecked })
  const demanded = question.seller.methodIsDemanded && supply.method === undefined
  check(!demanded, 409, 'SupplyShippingRequired')
  supply.closedAt = question.now()
  for (const order of held) {
    if (order.supplier === 'confirm') order.supplier = 'complete'
  }
  return { status: 204 }
}

/** WB checks codes some time after they were attached. */
function uncheckedMarks({ id, card, marks, decision }: Order): unknown[] {
  const missing = card.honestMark && marks.length === 0 ? 'required' : undefined
  const told = missing ?? decision
  if (told === undefined) return []
  const value = marks[0] ?? 'null'
  return [{ id: digits(id), metaDetails: [{ key: 'sgtin', value, decision: told }] }]
}

/** Answers 200 whatever comes of it. */
export function nameMethod(question: Question): FakeAnswer {
  const asked = bodyOf(question).data as readonly Record<string, unknown>[]
  const results = asked.map(({ supplyId, ...method }) => {
    const supply = question.seller.supplies.get(String(supplyId))
    const error = refusalOf(question, supply, method)
    if (error !== undefined || supply === undefined) return { supplyId, error }
    supply.method = method as unknown as Method
    return { supplyId, success: true }
  })
  return { body: { results } }
}

function refusalOf({ seller, now }: Question, supply: Supply | undefined, method: Partial<Method>) {
  const { shippingDt = '', shippingPointId, shippingType = '' } = method
  if (supply === undefined) return { code: 404, detail: 'NotFound' }
  if (supply.acceptedAt !== undefined) return { code: 409, detail: 'SupplyAlreadyScanned' }
  const known = ['selfShipping', 'transportCompany'].includes(shippingType)
  const closed = shippingPointId === undefined || seller.closedPoints.has(shippingPointId)
  if (!known || closed) return { code: 400, detail: 'IncorrectRequestBody' }
  const today = moscowDate(now())
  if (shippingDt < today) return { code: 409, detail: 'InvalidShippingDt' }
  return undefined
}

export function barcode(question: Question): FakeAnswer {
  const { id, closedAt } = supplyOf(question)
  check(closedAt !== undefined, 409, 'SupplyNotClosed')
  return { body: { barcode: id, file: Buffer.from(fakeSvg(id)).toString('base64') } }
}
