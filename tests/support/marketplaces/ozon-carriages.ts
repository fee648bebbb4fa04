import type { FakeAnswer } from './fake.ts'
import { type Answer, check, cut, listIn, type Question, time } from './ozon-answers.ts'
import type { Carriage, Order } from './ozon-state.ts'
import { dateOf, deliveryMethod, newCarriage } from './ozon-state.ts'

/** What the fake OZON answers of carriages. */

export const carriageRoutes: Readonly<Record<string, Answer>> = {
  '/v2/carriage/delivery/list': methods,
  '/v1/carriage/create': create,
  '/v1/carriage/get': get,
  '/v1/carriage/set-postings': setPostings,
  '/v1/carriage/approve': approve,
  '/v2/posting/fbs/act/get-postings': members,
  '/v2/posting/fbs/act/get-barcode': barcode,
  '/v2/posting/fbs/act/get-barcode/text': barcodeText,
}

function statusOf({ cancelled, acceptedAt, closedAt }: Carriage): string {
  if (cancelled) return 'cancelled'
  if (acceptedAt !== undefined) return 'closed'
  return closedAt === undefined ? 'new' : 'sended'
}

function carriageOf({ seller, body }: Question, name = 'carriage_id'): Carriage {
  const carriage = seller.carriages.get(String(body[name]))
  check(carriage !== undefined, 404, 'CARRIAGE_NOT_FOUND')
  return carriage
}

function methodIdOf({ raw }: Order): number {
  const method = (raw.delivery_method ?? deliveryMethod) as { id: number }
  return method.id
}

/** Methods that have something on the day; today's has a carriage that could be made. */
function methods(question: Question): FakeAnswer {
  const { seller, now } = question
  const filter = (question.body.filter ?? {}) as { departure_date?: string }
  const date = filter.departure_date ?? dateOf(now())
  check(/^\d{4}-\d\d-\d\d$/.test(date), 400, 'INVALID_DEPARTURE_DATE')
  const onDay = [...seller.carriages.values()].filter(({ departureDate }) => departureDate === date)
  const ids = new Set(onDay.map(({ methodId }) => methodId))
  if (date === dateOf(now())) for (const order of seller.orders.values()) ids.add(methodIdOf(order))
  const shown = [...ids].map((delivery_method_id) => ({
    delivery_method_id,
    delivery_method_name: deliveryMethod.name,
    departure_date: date,
    warehouse_id: delivery_method_id,
    carriages: [
      ...onDay
        .filter(({ methodId }) => methodId === delivery_method_id)
        .map((carriage) => ({
          id: carriage.id,
          status: statusOf(carriage),
          postings_count: carriage.orders.length,
        })),
      { id: 0, status: '', postings_count: 0 },
    ],
  }))
  const { page, ...rest } = cut(question, shown, 1000)
  return { body: { methods: page, ...rest } }
}

/** All postings that are packed and in no carriage go in by themselves. */
function create(question: Question): FakeAnswer {
  const { seller, body, now, newNumber } = question
  const methodId = Number(body.delivery_method_id)
  const own = [...seller.orders.values()].filter((order) => methodIdOf(order) === methodId)
  check(own.length > 0, 404, 'DELIVERY_METHOD_NOT_FOUND')
  const departure = Date.parse(String(body.departure_date))
  check(!Number.isNaN(departure), 400, 'INVALID_DEPARTURE_DATE')
  const taken = new Set([...seller.carriages.values()].flatMap(({ orders }) => orders))
  const ready = own.filter(({ supplier, id }) => supplier === 'awaiting_deliver' && !taken.has(id))
  const id = String(newNumber())
  const carriage = newCarriage(id, now(), dateOf(departure), methodId)
  carriage.orders = ready.map((order) => order.id)
  seller.carriages.set(id, carriage)
  return { body: { carriage_id: Number(id) } }
}

function get(question: Question): FakeAnswer {
  const carriage = carriageOf(question)
  const { id, createdAt, closedAt, acceptedAt, departureDate, methodId, places } = carriage
  return {
    body: {
      carriage_id: Number(id),
      status: statusOf(carriage),
      created_at: time(createdAt),
      updated_at: time(acceptedAt ?? closedAt ?? createdAt),
      departure_date: departureDate,
      delivery_method_id: methodId,
      warehouse_id: methodId,
      containers_count: places,
      available_actions: [],
    },
  }
}

function setPostings(question: Question): FakeAnswer {
  const { seller } = question
  const carriage = carriageOf(question)
  check(statusOf(carriage) === 'new', 400, 'CARRIAGE_HAS_INCORRECT_STATUS')
  const numbers = listIn(question, 'posting_numbers', 10_000)
  const result = numbers.map((posting_number) => {
    const order = seller.orders.get(posting_number)
    const fits = order?.supplier === 'awaiting_deliver' && methodIdOf(order) === carriage.methodId
    return { posting_number, result: fits, error: fits ? '' : 'POSTING_HAS_INCORRECT_STATUS' }
  })
  if (result.every((row) => row.result)) {
    for (const other of seller.carriages.values()) {
      other.orders = other.orders.filter((id) => !numbers.includes(id))
    }
    carriage.orders = numbers
  }
  return { body: { result } }
}

function approve(question: Question): FakeAnswer {
  const carriage = carriageOf(question)
  check(statusOf(carriage) === 'new', 400, 'CARRIAGE_HAS_INCORRECT_STATUS')
  check(carriage.orders.length > 0, 400, 'CARRIAGE_HAS_NO_POSTINGS')
  const told = question.body.containers_count
  check(told === (carriage.places || undefined), 400, 'INVALID_CONTAINERS_COUNT')
  carriage.closedAt = question.now()
  return { body: {} }
}

function members(question: Question): FakeAnswer {
  const { id, orders } = carriageOf(question, 'id')
  const result = orders.map((posting_number) => ({
    id: Number(id),
    posting_number,
    status: question.seller.orders.get(posting_number)?.supplier ?? '',
    products: [],
  }))
  return { body: { result } }
}

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='

function barcode(question: Question): FakeAnswer {
  const { closedAt } = carriageOf(question, 'id')
  check(closedAt !== undefined, 400, 'CARRIAGE_HAS_INCORRECT_STATUS')
  return { bytes: Buffer.from(onePixel, 'base64'), contentType: 'image/png' }
}

function barcodeText(question: Question): FakeAnswer {
  const { id, closedAt } = carriageOf(question, 'id')
  check(closedAt !== undefined, 400, 'CARRIAGE_HAS_INCORRECT_STATUS')
  return { body: { result: `%303%${id}` } }
}
