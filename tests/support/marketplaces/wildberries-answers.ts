import { digits, type FakeAnswer, type FakeCall, fakeSvg } from './fake.ts'
import { type Order, type Seller, type Supply, there } from './wildberries.ts'

/** What the fake WB answers a call of a seller's. */

export interface Surroundings {
  readonly now: () => number
  readonly newNumber: () => number
  readonly pageSize: (asked: number) => number
}

interface Question extends Surroundings {
  readonly call: FakeCall
  readonly seller: Seller
  /** Parts of the path that stand for ids. */
  readonly ids: readonly string[]
}

type Answer = (question: Question) => FakeAnswer

const routes: readonly (readonly [method: string, path: RegExp, answer: Answer])[] = [
  ['GET', /^\/ping$/, () => ({ body: { Status: 'OK' } })],
  ['GET', /^\/api\/v3\/warehouses$/, warehouses],
  ['POST', /^\/api\/v3\/stocks\/(\d+)$/, stocks],
  ['POST', /^\/content\/v2\/get\/cards\/list$/, cards],
  ['GET', /^\/api\/v3\/orders\/new$/, newOrders],
  ['GET', /^\/api\/v3\/orders$/, orders],
  ['POST', /^\/api\/v3\/orders\/status$/, statuses],
  ['POST', /^\/api\/v3\/orders\/stickers$/, stickers],
  ['PUT', /^\/api\/v3\/orders\/(\d+)\/meta\/sgtin$/, attachMarks],
  ['GET', /^\/api\/v3\/supplies$/, supplies],
  ['POST', /^\/api\/v3\/supplies$/, createSupply],
  ['GET', /^\/api\/v3\/supplies\/([\w-]+)$/, supply],
  ['GET', /^\/api\/marketplace\/v3\/supplies\/([\w-]+)\/order-ids$/, ordersOfSupply],
  ['PATCH', /^\/api\/marketplace\/v3\/supplies\/([\w-]+)\/orders$/, fillSupply],
  ['PATCH', /^\/api\/v3\/supplies\/([\w-]+)\/deliver$/, deliverSupply],
  ['GET', /^\/api\/v3\/supplies\/([\w-]+)\/barcode$/, barcode],
]

export function answerWildberries(call: FakeCall, seller: Seller, at: Surroundings): FakeAnswer {
  for (const [method, path, answer] of routes) {
    const match = method === call.method ? path.exec(call.path) : null
    if (match === null) continue
    try {
      return answer({ ...at, call, seller, ids: match.slice(1) })
    } catch (error) {
      if (error instanceof Refusal) return refused(error)
      throw error
    }
  }
  return { status: 404, body: problem(404) }
}

export function problem(status: number): unknown {
  if (status !== 401 && status !== 403) return { code: `Fake${status}`, message: 'Нет', data: null }
  return { title: 'unauthorized', detail: 'token problem', code: 'fake', requestId: '1', status }
}

class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

function refused({ status, code }: Refusal): FakeAnswer {
  return { status, body: { code, message: `Отказ: ${code}`, data: null } }
}

function check(holds: boolean, status: number, code: string): asserts holds {
  if (!holds) throw new Refusal(status, code)
}

const time = (instant: number | undefined) =>
  instant === undefined ? null : new Date(instant).toISOString()

const bodyOf = ({ call }: Question) => (call.body ?? {}) as Record<string, unknown>

function listIn(question: Question, name: string, longest: number): string[] {
  const list = bodyOf(question)[name]
  const fits = Array.isArray(list) && list.length > 0 && list.length <= longest
  check(fits, 400, 'IncorrectRequest')
  return list.map(String)
}

function pageIn({ call, pageSize }: Question): { from: number; size: number } {
  const { limit, next } = call.query
  const asked = Number(limit)
  check(Number.isInteger(asked) && asked >= 1 && asked <= 1000, 400, 'IncorrectParameter')
  check(next !== undefined && /^\d+$/.test(next), 400, 'IncorrectParameter')
  return { from: Number(next), size: pageSize(asked) }
}

function warehouses({ seller }: Question): FakeAnswer {
  const own = [...seller.warehouses].map(([id, { name }]) => ({
    id,
    name,
    officeId: 15,
    cargoType: 1,
    deliveryType: 1,
  }))
  return { body: [...own, { id: 1, name: 'DBS', officeId: 1, cargoType: 1, deliveryType: 2 }] }
}

function stocks(question: Question): FakeAnswer {
  const { seller, ids } = question
  const amounts = seller.warehouses.get(Number(ids[0]))?.amounts
  check(amounts !== undefined, 404, 'NotFound')
  const told = listIn(question, 'chrtIds', 1000).flatMap((id) => {
    const amount = amounts.get(Number(id))
    return amount === undefined ? [] : [{ chrtId: Number(id), amount }]
  })
  return { body: { stocks: told } }
}

interface CardsSettings {
  readonly sort?: { readonly ascending?: boolean }
  readonly cursor?: { readonly limit?: number; readonly updatedAt?: string; readonly nmID?: number }
}

function cards(question: Question): FakeAnswer {
  const { seller, pageSize } = question
  const { sort, cursor = {} } = (bodyOf(question).settings ?? {}) as CardsSettings
  const size = pageSize(Math.min(cursor.limit ?? 10, 100))
  const byNumber = Map.groupBy(seller.cards.values(), ({ nmId }) => nmId)
  const sorted = [...byNumber]
    .map(([nmID, sizes]) => ({
      nmID,
      updatedAt: time(Math.max(...sizes.map(({ updatedAt }) => updatedAt))) ?? '',
      vendorCode: sizes[0]?.article,
      title: sizes[0]?.name,
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
  return {
    body: {
      cards: page,
      cursor: { updatedAt: last?.updatedAt ?? '', nmID: last?.nmID ?? 0, total: page.length },
    },
  }
}

function shownOrder(order: Order): unknown {
  const { card, supplyId } = order
  return {
    id: digits(order.id),
    rid: `r${order.id}`,
    orderUid: `u${order.id}`,
    article: card.article,
    nmId: card.nmId,
    chrtId: card.itemId,
    skus: card.barcodes,
    createdAt: time(order.createdAt),
    warehouseId: 1,
    ...(supplyId === undefined ? {} : { supplyId }),
    price: 10_000,
    cargoType: 1,
    crossBorderType: 0,
    options: { isB2B: order.isB2b },
    comment: '',
    ...order.raw,
  }
}

function newOrders({ seller }: Question): FakeAnswer {
  const fresh = [...seller.orders.values()].filter(({ supplier }) => supplier === 'new')
  return { body: { orders: fresh.map(shownOrder) } }
}

/** The last page has the `next` 0. */
function orders(question: Question): FakeAnswer {
  const { seller, call } = question
  const { from, size } = pageIn(question)
  const dateFrom = Number(call.query.dateFrom)
  const dateTo = Number(call.query.dateTo)
  check(dateFrom > 0 && dateTo - dateFrom <= 30 * 86_400, 400, 'IncorrectParameter')
  const within = [...seller.orders.values()]
    .filter(({ createdAt }) => createdAt >= dateFrom * 1000 && createdAt < (dateTo + 1) * 1000)
    .sort((a, b) => a.createdAt - b.createdAt)
  const page = within.slice(from, from + size).map(shownOrder)
  return { body: { next: from + size < within.length ? from + size : 0, orders: page } }
}

function statuses(question: Question): FakeAnswer {
  const told = listIn(question, 'orders', 1000).flatMap((id) => {
    const order = question.seller.orders.get(id)
    if (order === undefined) return []
    return [{ id: digits(id), supplierStatus: order.supplier, wbStatus: order.buyer }]
  })
  return { body: { orders: told } }
}

function stickers(question: Question): FakeAnswer {
  const { call, seller } = question
  check(call.query.type === 'svg' && call.query.width === '58', 400, 'IncorrectParameter')
  const found = listIn(question, 'orders', 100).flatMap((id) => {
    const { supplier } = seller.orders.get(id) ?? {}
    if (supplier !== 'confirm' && supplier !== 'complete') return []
    const file = Buffer.from(fakeSvg(id)).toString('base64')
    return [{ orderId: digits(id), partA: id, partB: '0001', barcode: `!${id}`, file }]
  })
  return { body: { stickers: found } }
}

function attachMarks(question: Question): FakeAnswer {
  const order = question.seller.orders.get(question.ids[0] ?? '')
  check(order !== undefined, 404, 'NotFound')
  check(order.supplier === 'confirm', 409, 'FailedToUpdateMeta')
  const codes = listIn(question, 'sgtins', 24)
  check(
    codes.every(({ length }) => length >= 16 && length <= 135),
    400,
    'IncorrectRequest',
  )
  order.marks = codes
  return { status: 204 }
}

function shownSupply(supply: Supply): unknown {
  return {
    id: supply.id,
    done: supply.closedAt !== undefined,
    createdAt: time(supply.createdAt),
    closedAt: time(supply.closedAt),
    scanDt: time(supply.acceptedAt),
    name: supply.name,
    cargoType: 1,
    isB2b: null,
  }
}

/** Oldest first; the last page has a `next` too, and the one after it has nothing. */
function supplies(question: Question): FakeAnswer {
  const { from, size } = pageIn(question)
  const page = [...question.seller.supplies.values()].slice(from, from + size)
  return { body: { next: from + page.length, supplies: page.map(shownSupply) } }
}

function supplyOf({ seller, ids }: Question): Supply {
  const found = seller.supplies.get(ids[0] ?? '')
  check(found !== undefined, 404, 'NotFound')
  return found
}

function supply(question: Question): FakeAnswer {
  return { body: shownSupply(supplyOf(question)) }
}

function ordersOfSupply(question: Question): FakeAnswer {
  return { body: { orderIds: supplyOf(question).orders.map(digits) } }
}

function createSupply(question: Question): FakeAnswer {
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
    orders: [],
  })
  return { status: 201, body: { id } }
}

/** All that are named, or none. A supply is of one kind of cargo, which its first orders tell. */
function fillSupply(question: Question): FakeAnswer {
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

function deliverSupply(question: Question): FakeAnswer {
  const supply = supplyOf(question)
  const held = supply.orders.flatMap((id) => question.seller.orders.get(id) ?? [])
  check(supply.closedAt === undefined, 409, 'SupplyAlreadyClosed')
  check(held.length > 0, 409, 'SupplyHasZeroOrders')
  const marked = held.every(({ card, marks }) => !card.honestMark || marks.length > 0)
  check(marked, 409, 'MetaValidationFail')
  supply.closedAt = question.now()
  for (const order of held) {
    if (order.supplier === 'confirm') order.supplier = 'complete'
  }
  return { status: 204 }
}

function barcode(question: Question): FakeAnswer {
  const { id, closedAt } = supplyOf(question)
  check(closedAt !== undefined, 409, 'SupplyNotClosed')
  return { body: { barcode: id, file: Buffer.from(fakeSvg(id)).toString('base64') } }
}
