import type { FakeCard, FakeLine, FakeShipment } from './fake.ts'

/** What the fake OZON keeps of a seller, and how it moves on by itself. */

export interface Hindrance {
  /** So many times packing fails after it was promised. */
  shipFails: number
  /** So many looks at the order, at its codes or for its label show nothing yet. */
  looks: number
  /** Codes that the state's register does not know. */
  unknownMarks: readonly string[]
  /** Labels are not printed yet. */
  labelsLate: boolean
  /** Why its label can't be printed. */
  unprintable: string
  /** Customs declarations are wanted of all units, and nobody has told of any. */
  undeclared: boolean
}

export interface Seller {
  readonly id: string
  refusal: 401 | 403 | undefined
  /** By sku; `nmId` is the product's number. */
  readonly cards: Map<number, FakeCard>
  readonly orders: Map<string, Order>
  readonly carriages: Map<string, Carriage>
  readonly labelTasks: Map<string, { readonly type: string; readonly orders: readonly Order[] }>
  readonly warehouses: Map<number, { name: string; amounts: Map<number, number> }>
}

export interface Order {
  readonly id: string
  readonly number: number
  readonly createdAt: number
  changedAt: number
  readonly lines: readonly FakeLine[]
  readonly isB2b: boolean
  readonly raw: Readonly<Record<string, unknown>>
  supplier: string
  buyer: string
  /** What it showed before packing was asked for, and shows until that is done. */
  before: string
  wasShipped: boolean
  /** By exemplar. */
  readonly marks: Map<number, string>
  readonly hindrance: Hindrance
}

export type Carriage = { -readonly [Field in keyof FakeShipment]: FakeShipment[Field] } & {
  orders: string[]
  readonly methodId: number
  readonly departureDate: string
  /** Cargo places, as people have said in the cabinet. */
  readonly places: number
}

export const deliveryMethod = {
  id: 22_100,
  name: 'Склад FBS, отгрузка на сортировочный центр',
  warehouse_id: 22_100,
  warehouse: 'Склад FBS',
  tpl_provider_id: 24,
  tpl_provider: 'Ozon Логистика',
}

export const unhindered: Hindrance = {
  shipFails: 0,
  looks: 0,
  unknownMarks: [],
  labelsLate: false,
  unprintable: '',
  undeclared: false,
}
export function newCarriage(
  id: string,
  createdAt: number,
  departureDate: string,
  methodId: number = deliveryMethod.id,
): Carriage {
  return {
    id,
    name: '',
    createdAt,
    closedAt: undefined,
    acceptedAt: undefined,
    cancelled: false,
    orders: [],
    methodId,
    departureDate,
    places: 0,
  }
}

/** The Moscow date of a moment, YYYY-MM-DD. */
export function dateOf(instant: number): string {
  return new Date(instant + 3 * 3_600_000).toISOString().slice(0, 10)
}

export function move(order: Order, to: { supplier: string; buyer: string }, at: number): void {
  if (to.supplier === 'delivering') order.wasShipped = true
  Object.assign(order, { supplier: to.supplier, buyer: to.buyer, changedAt: at })
}

export function accept(seller: Seller, id: string, at: number): void {
  const carriage = there(seller.carriages.get(id), 'carriage')
  carriage.closedAt ??= at
  carriage.acceptedAt = at
  for (const order of carriage.orders) {
    const known = seller.orders.get(order)
    if (known?.supplier !== 'awaiting_deliver') continue
    move(known, { supplier: 'delivering', buyer: 'posting_on_way_to_city' }, at)
  }
}

const ways: Readonly<Record<string, { supplier: string; buyer: string }>> = {
  posting_on_way_to_city: { supplier: 'delivering', buyer: 'posting_on_way_to_pickup_point' },
  posting_on_way_to_pickup_point: { supplier: 'delivering', buyer: 'posting_in_pickup_point' },
  posting_in_pickup_point: { supplier: 'delivered', buyer: 'posting_received' },
}

/** What may come next to an order by itself. */
export function moveOn(order: Order, chance: () => number, at: number): void {
  const cancelled = { supplier: 'cancelled', buyer: 'posting_canceled' }
  const next = order.supplier === 'delivering' ? ways[order.buyer] : undefined
  if (order.supplier === 'awaiting_packaging' && chance() < 0.002) move(order, cancelled, at)
  else if (next !== undefined && chance() < 0.05)
    move(order, chance() < 0.95 ? next : cancelled, at)
}

export function there<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`no such ${what}`)
  return value
}
