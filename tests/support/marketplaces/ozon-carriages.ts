import type { FakeResponse } from './fake.ts'
import {
  check,
  isoTime,
  listIn,
  type OzonHandler,
  type OzonRequest,
  pageOf,
} from './ozon-request.ts'
import type { Carriage, Order, Seller } from './ozon-state.ts'
import { dateOf, deliveryMethod, newCarriage } from './ozon-state.ts'

/** The carriage calls of the fake OZON. */

export const carriageRoutes: Readonly<Record<string, OzonHandler>> = {
  '/v2/carriage/delivery/list': methods,
  '/v1/carriage/create': create,
  '/v1/carriage/get': get,
  '/v1/carriage/set-postings': setPostings,
  '/v1/carriage/approve': approve,
  '/v1/carriage/cancel': cancel,
  '/v2/posting/fbs/act/get-postings': members,
  '/v2/posting/fbs/act/get-barcode': barcode,
  '/v2/posting/fbs/act/get-barcode/text': barcodeText,
  '/v2/posting/fbs/act/get-pdf': papers,
  '/v2/posting/fbs/act/check-status': papersStatus,
  '/v2/posting/fbs/act/get-container-labels': containerLabels,
  '/v1/carriage/act-discrepancy/pdf': discrepancyAct,
}

function statusOf({ cancelled, acceptedAt, closedAt }: Carriage): string {
  if (cancelled) return 'cancelled'
  if (acceptedAt !== undefined) return 'closed'
  return closedAt === undefined ? 'new' : 'sended'
}

/** Fields that OZON sends and no test sets. */
const methodFields = {
  first_mile_type: 'DropOff',
  is_rfbs: false,
  mandatory_packaged_count: 0,
  mandatory_postings_count: 0,
  recommended_time_local: '12:00',
  timeslot_from: '20:59',
  timeslot_to: '21:00',
  warehouse_name: deliveryMethod.warehouse,
}

function carriageOf({ seller, body }: OzonRequest, name = 'carriage_id'): Carriage {
  const carriage = seller.carriages.get(String(body[name]))
  check(carriage !== undefined, 404, 'CARRIAGE_NOT_FOUND')
  return carriage
}

function methodIdOf({ raw }: Order): number {
  const method = (raw.delivery_method ?? deliveryMethod) as { id: number }
  return method.id
}

/**
 * Methods with carriages or orders on a day, each with a carriage that does not exist yet (id 0).
 */
function methods(request: OzonRequest): FakeResponse {
  const { seller, now } = request
  const filter = (request.body.filter ?? {}) as { departure_date?: string }
  const date = filter.departure_date ?? dateOf(now())
  check(/^\d{4}-\d\d-\d\d$/.test(date), 400, 'INVALID_DEPARTURE_DATE')
  const onDay = [...seller.carriages.values()].filter(({ departureDate }) => departureDate === date)
  const ids = new Set(onDay.map(({ methodId }) => methodId))
  if (date === dateOf(now())) for (const order of seller.orders.values()) ids.add(methodIdOf(order))
  const rows = [...ids].map((delivery_method_id) => ({
    delivery_method_id,
    delivery_method_name: deliveryMethod.name,
    ...methodFields,
    has_entrusted_acceptance: seller.strictCarriages,
    departure_date: date,
    cutoff_at: `${date}T09:00:00Z`,
    warehouse_id: delivery_method_id,
    carriages: [
      ...onDay
        .filter(({ methodId }) => methodId === delivery_method_id)
        .map((carriage) => ({
          id: Number(carriage.id),
          status: statusOf(carriage),
          postings_count: carriage.orders.length,
          available_actions: [],
        })),
      {
        id: 0,
        status: '',
        postings_count: 0,
        available_actions:
          refusalToCreate(seller, delivery_method_id) === undefined ? ['create'] : [],
      },
    ],
  }))
  const { page, ...rest } = pageOf(request, rows, 1000)
  return { body: { methods: page, ...rest } }
}

/** Packed postings of a delivery method that are in no carriage. */
function readyOf(seller: Seller, methodId: number): Order[] {
  const assigned = new Set([...seller.carriages.values()].flatMap(({ orders }) => orders))
  return [...seller.orders.values()].filter(
    (order) =>
      methodIdOf(order) === methodId &&
      order.supplier === 'awaiting_deliver' &&
      !assigned.has(order.id),
  )
}

/** Why OZON creates no carriage now: its list does not offer it then. */
function refusalToCreate(seller: Seller, methodId: number): string | undefined {
  if (seller.bringsToPoint) return 'CARRIAGE_IS_NOT_NEEDED'
  if (!seller.strictCarriages) return undefined
  const isOpen = (one: Carriage) => one.methodId === methodId && statusOf(one) === 'new'
  if ([...seller.carriages.values()].some(isOpen)) return 'there_are_incomplete_carriages'
  return readyOf(seller, methodId).length > 0 ? undefined : 'POSTING_NOT_FOUND'
}

/** OZON puts all packed postings that are in no carriage into the new one. */
function create(request: OzonRequest): FakeResponse {
  const { seller, body, now, newNumber } = request
  const methodId = Number(body.delivery_method_id)
  const own = [...seller.orders.values()].filter((order) => methodIdOf(order) === methodId)
  check(own.length > 0, 404, 'DELIVERY_METHOD_NOT_FOUND')
  const departure = Date.parse(String(body.departure_date))
  check(!Number.isNaN(departure), 400, 'INVALID_DEPARTURE_DATE')
  const ready = readyOf(seller, methodId)
  const refusal = refusalToCreate(seller, methodId)
  check(refusal !== 'POSTING_NOT_FOUND', 404, 'POSTING_NOT_FOUND')
  check(refusal === undefined, 400, refusal ?? '', 9)
  const id = String(newNumber())
  const carriage = newCarriage(id, now(), dateOf(departure), methodId)
  carriage.orders = ready.map((order) => order.id)
  seller.carriages.set(id, carriage)
  return { body: { carriage_id: Number(id) } }
}

function get(request: OzonRequest): FakeResponse {
  const carriage = carriageOf(request)
  const { id, createdAt, closedAt, acceptedAt, departureDate, methodId, places } = carriage
  return {
    body: {
      carriage_id: Number(id),
      status: statusOf(carriage),
      created_at: isoTime(createdAt),
      updated_at: isoTime(acceptedAt ?? closedAt ?? createdAt),
      departure_date: `${departureDate}T09:00:00Z`,
      delivery_method_id: methodId,
      containers_count: places,
      has_postings_for_next_carriage: false,
      cancel_availability: cancelAvailability(carriage),
      available_actions: [],
    },
  }
}

function cancelAvailability(carriage: Carriage) {
  const is_cancel_available = statusOf(carriage) === 'new' && !carriage.locked
  return { is_cancel_available, reason: is_cancel_available ? '' : 'CARRIAGE_IS_LOCKED' }
}

/** The postings stay packed and may join another carriage. */
function cancel(request: OzonRequest): FakeResponse {
  const carriage = carriageOf(request)
  const { is_cancel_available, reason } = cancelAvailability(carriage)
  check(statusOf(carriage) === 'new', 400, 'CARRIAGE_HAS_INCORRECT_STATUS')
  if (!is_cancel_available) return { body: { error: reason, carriage_status: 'new' } }
  Object.assign(carriage, { cancelled: true, orders: [] })
  return { body: { error: '', carriage_status: 'cancelled' } }
}

function setPostings(request: OzonRequest): FakeResponse {
  const { seller } = request
  const carriage = carriageOf(request)
  check(statusOf(carriage) === 'new', 400, 'CARRIAGE_HAS_INCORRECT_STATUS')
  const numbers = listIn(request, 'posting_numbers', 10_000)
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

function approve(request: OzonRequest): FakeResponse {
  const carriage = carriageOf(request)
  check(statusOf(carriage) === 'new', 400, 'CARRIAGE_HAS_INCORRECT_STATUS')
  check(carriage.orders.length > 0, 400, 'CARRIAGE_HAS_NO_POSTINGS')
  const places = request.body.containers_count
  check(places === (carriage.places || undefined), 400, 'INVALID_CONTAINERS_COUNT')
  carriage.closedAt = request.now()
  return { body: {} }
}

function members(request: OzonRequest): FakeResponse {
  const { id, orders } = carriageOf(request, 'id')
  const result = orders.map((posting_number) => ({
    id: Number(id),
    posting_number,
    status: request.seller.orders.get(posting_number)?.supplier ?? '',
    seller_error: '',
    multi_box_qty: 1,
    products: [],
  }))
  return { body: { result } }
}

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='

function barcode(request: OzonRequest): FakeResponse {
  const { closedAt } = carriageOf(request, 'id')
  check(closedAt !== undefined, 400, 'CARRIAGE_HAS_INCORRECT_STATUS')
  return { bytes: Buffer.from(onePixel, 'base64'), contentType: 'image/png' }
}

function barcodeText(request: OzonRequest): FakeResponse {
  const { id, closedAt } = carriageOf(request, 'id')
  check(closedAt !== undefined, 400, 'CARRIAGE_HAS_INCORRECT_STATUS')
  return { body: { result: `%303%${id}` } }
}

/** OZON sends the bytes of a file as the characters of a text. */
function pdfOf(name: string): FakeResponse {
  const file_content = `%PDF-1.4\n% ${name} \u0000\u00ff\n%%EOF\n`
  return { body: { content_type: 'application/pdf', file_name: `${name}.pdf`, file_content } }
}

function papers(request: OzonRequest): FakeResponse {
  const { id, closedAt, papersPending } = carriageOf(request, 'id')
  check(closedAt !== undefined, 400, 'CARRIAGE_HAS_INCORRECT_STATUS')
  check(!papersPending, 404, 'DOCUMENTS_NOT_FOUND')
  return pdfOf(`papers-${id}`)
}

function papersStatus(request: OzonRequest): FakeResponse {
  const { orders, papersPending } = carriageOf(request, 'id')
  const status = papersPending ? 'in_process' : 'ready'
  const result = { status, added_to_act: orders, removed_from_act: [], act_type: 'ozon_digital' }
  return { body: { result } }
}

function containerLabels(request: OzonRequest): FakeResponse {
  const { id, places } = carriageOf(request, 'id')
  check(places > 0, 400, 'CARRIAGE_HAS_NO_CONTAINERS')
  return pdfOf(`containers-${id}`)
}

function discrepancyAct(request: OzonRequest): FakeResponse {
  const { id, acceptedAt } = carriageOf(request)
  check(acceptedAt !== undefined, 400, 'CARRIAGE_HAS_INCORRECT_STATUS')
  const content = Buffer.from(`%PDF-1.4\n% discrepancy-${id}\n`).toString('base64')
  return { body: { type: 'application/pdf', name: 'act.pdf', content } }
}
