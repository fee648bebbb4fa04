import type { FakeCard, FakeLine, FakeShipment } from './fake.ts'
import { mustFind } from './must-find.ts'
import type { FakeReturn } from './ozon-returns.ts'

/** The state of the fake OZON, and how it changes by itself. */

export interface OrderFaults {
  /** How often packing fails after OZON accepted the call. */
  packingFailures: number
  /** How many polls of the order, its codes or its label show no result yet. */
  pendingPolls: number
  /** Marks that the state register does not know, or that OZON refuses for another reason. */
  unknownCodes: readonly string[]
  /** Marks whose form is wrong. */
  illFormed: readonly string[]
  /** The status of a good posting lacks the last exemplar of each product. */
  hidesExemplars: boolean
  /** Checks fail without a code. */
  hasNoTime: boolean
  /** OZON has not printed the label yet. */
  labelPending: boolean
  /** Why OZON cannot print the label. */
  unprintable: string
  /** How many polls of its data show no result after each change of them. */
  checkPolls: number
  /** OZON answers that it has all data of the units. */
  alreadyDefined: boolean
  /** How many parts of a split OZON makes later: the last ones. */
  lateParts: number
  /** All units need customs declarations that nobody has given. */
  undeclared: boolean
}

export type ClosedAccount = 'offer' | 'blocked' | 'address'

export interface Seller {
  readonly id: string
  refusal: 401 | 403 | undefined
  /** From then on OZON refuses the key. */
  keyEndsAt: number
  /** Why OZON answers no call of the account. */
  closed: ClosedAccount | undefined
  /** OZON trusts the count of the warehouse: it creates a carriage only of packed postings that are in none, and one at a time for each method. */
  strictCarriages: boolean
  /** The warehouse brings parcels to a point one by one: OZON wants no carriage. */
  bringsToPoint: boolean
  /** By sku; `nmId` is the product number. */
  readonly cards: Map<number, FakeCard>
  readonly orders: Map<string, Order>
  /** Parts that OZON has not made yet, by the split order. */
  readonly lateParts: Map<string, Order[]>
  readonly carriages: Map<string, Carriage>
  readonly returns: Map<number, FakeReturn>
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
  /** The substatus before packing began; OZON shows it until packing ends. */
  before: string
  wasShipped: boolean
  /** What OZON wants to know of each unit. */
  required: readonly OzonRequirement[]
  /** By exemplar. */
  exemplars: ReadonlyMap<number, Exemplar>
  /** Data that is being checked, did not pass, or waits to be taken over by a packed order. */
  newExemplars: ReadonlyMap<number, Exemplar> | undefined
  /** By sku. */
  readonly countries: Map<number, string>
  /** In how many boxes it is packed; 0: nobody has said so. */
  boxes: number
  readonly faults: OrderFaults
}

/** As OZON names it in `products_requiring_…`. Marking codes are required by the card. */
export type OzonRequirement = 'gtd' | 'rnpt' | 'jw_uin' | 'imei' | 'weight' | 'country'

/** The data of one unit. */
export interface Exemplar {
  readonly gtd: string
  readonly is_gtd_absent: boolean
  readonly rnpt: string
  readonly is_rnpt_absent: boolean
  readonly weight: number
  readonly marks: readonly { readonly mark: string; readonly mark_type: string }[]
}

export const noData: Exemplar = {
  gtd: '',
  is_gtd_absent: false,
  rnpt: '',
  is_rnpt_absent: false,
  weight: 0,
  marks: [],
}

export type Carriage = { -readonly [Field in keyof FakeShipment]: FakeShipment[Field] } & {
  orders: string[]
  readonly methodId: number
  readonly departureDate: string
  /** The number of cargo places entered in the cabinet. */
  readonly places: number
  /** OZON does not let it be cancelled. */
  readonly locked?: boolean
  /** OZON is still making the papers. */
  readonly papersPending?: boolean
}

export const deliveryMethod = {
  id: 22_100,
  name: 'Склад FBS, отгрузка на сортировочный центр',
  warehouse_id: 22_100,
  warehouse: 'Склад FBS',
  tpl_provider_id: 24,
  tpl_provider: 'Ozon Логистика',
}

export const noFaults: OrderFaults = {
  packingFailures: 0,
  pendingPolls: 0,
  unknownCodes: [],
  illFormed: [],
  hidesExemplars: false,
  hasNoTime: false,
  labelPending: false,
  unprintable: '',
  checkPolls: 0,
  alreadyDefined: false,
  lateParts: 0,
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
  const carriage = mustFind(seller.carriages.get(id), 'carriage')
  carriage.closedAt ??= at
  carriage.acceptedAt = at
  for (const order of carriage.orders) {
    const known = seller.orders.get(order)
    if (known?.supplier !== 'awaiting_deliver') continue
    move(known, { supplier: 'delivering', buyer: 'posting_on_way_to_city' }, at)
  }
}

const nextStatuses: Readonly<Record<string, { supplier: string; buyer: string }>> = {
  posting_on_way_to_city: { supplier: 'delivering', buyer: 'posting_on_way_to_pickup_point' },
  posting_on_way_to_pickup_point: { supplier: 'delivering', buyer: 'posting_in_pickup_point' },
  posting_in_pickup_point: { supplier: 'delivered', buyer: 'posting_received' },
}

/** Moves an order on by chance. */
export function moveOn(order: Order, chance: () => number, at: number): void {
  const cancelled = { supplier: 'cancelled', buyer: 'posting_canceled' }
  const next = order.supplier === 'delivering' ? nextStatuses[order.buyer] : undefined
  if (order.supplier === 'awaiting_packaging' && chance() < 0.002) move(order, cancelled, at)
  else if (next !== undefined && chance() < 0.05)
    move(order, chance() < 0.95 ? next : cancelled, at)
}
