import { type FakeCard, type FakeShipment, fakeSvg } from './fake.ts'
import { mustFind } from './must-find.ts'

/** The state of the fake WB, and how it changes by itself. */

export interface Seller {
  readonly id: string
  readonly isSandbox: boolean
  /** The categories of the token, a bit each; undefined: all. */
  readonly scopes: number | undefined
  /** Paths that WB has withdrawn, or keeps for tokens of other types. */
  readonly refusedPaths: Map<string, 'withdrawn' | 'type'>
  refusal: 401 | 403 | undefined
  readonly cards: Map<number, FakeCard>
  readonly orders: Map<string, Order>
  readonly supplies: Map<string, Supply>
  readonly warehouses: Map<
    number,
    { name: string; amounts: Map<number, number>; changing?: WarehouseChange }
  >
  /** Orders that WB did not find in their supply, by number, with the number of the supply. */
  readonly reshipments: Map<string, string>
  readonly points: readonly Point[]
  /** Shipping points that take no supplies any more. */
  readonly closedPoints: Set<number>
  methodIsRequired: boolean
  /** A supply that a carrier brings needs a waybill. */
  waybillIsRequired: boolean
  /** The decision on each mark that is refused, by its text. */
  readonly badMarks: Map<string, string>
  /** Readings in which a new mark is not shown, and then is being checked. */
  markDelay: { readonly unseen: number; readonly pending: number }
  /** Pictures are sent as they are, not in base64. */
  sendsPlainPictures: boolean
}

/** The warehouse that ships all orders; WB lists it beside those of the stock. */
export const ownWarehouse = { id: 507, name: 'Склад FBS' }

export type WarehouseChange = 'isDeleting' | 'isProcessing' | undefined

export interface Order {
  readonly id: string
  readonly createdAt: number
  readonly card: Pick<FakeCard, 'itemId' | 'article' | 'barcodes' | 'nmId' | 'honestMark'>
  readonly isB2b: boolean
  readonly raw: Readonly<Record<string, unknown>>
  supplier: string
  buyer: string
  markingCodes: readonly string[]
  /** Marks of other kinds, by WB's name. */
  readonly marks: Map<string, string>
  refusesMarkingCodes: boolean
  /** WB takes the order into no supply, for reasons of its own. */
  isStuck: boolean
  /** The result of WB's check of the codes; undefined if they passed. */
  codeDecision: string | undefined
  /** How often the marks were read since one was sent. */
  markReads: number
  supplyId: string | undefined
}

export type Supply = { -readonly [Field in keyof FakeShipment]: FakeShipment[Field] } & {
  orders: string[]
  method: Method | undefined
  boxes: string[]
  /** How many calls still meet it while WB works on it. */
  busyCalls: number
  /** It goes with the service «Фулфилмент в СЦ». */
  isFulfilled: boolean
  waybillUuid: string | null
}

/** A shipping point. */
export interface Point {
  readonly id: number
  readonly name: string
  readonly city: string
  readonly officeType: 'pp' | 'sc' | 'sw'
  readonly cargoTypes: readonly number[]
  readonly fulfillment: boolean
}

const points: readonly Point[] = [
  {
    id: 100,
    name: 'Москва (Складская)',
    city: 'Москва',
    officeType: 'sc',
    cargoTypes: [1, 2, 3],
    fulfillment: true,
  },
  {
    id: 200,
    name: 'Москва, Лесная 7',
    city: 'Москва',
    officeType: 'pp',
    cargoTypes: [1],
    fulfillment: false,
  },
  {
    id: 300,
    name: 'Тверь',
    city: 'Тверь',
    officeType: 'sc',
    cargoTypes: [1, 2],
    fulfillment: false,
  },
  {
    id: 400,
    name: 'Склад WB в Твери',
    city: 'Тверь',
    officeType: 'sw',
    cargoTypes: [1],
    fulfillment: false,
  },
]

/** How a supply gets to WB. */
export interface Method {
  readonly shippingDt: string
  readonly shippingPointId: number
  readonly shippingType: string
}

export function newSeller(id: string, isSandbox: boolean, scopes?: number): Seller {
  return {
    id,
    isSandbox,
    scopes,
    refusedPaths: new Map(),
    refusal: undefined,
    cards: new Map(),
    badMarks: new Map(),
    markDelay: { unseen: 0, pending: 0 },
    orders: new Map(),
    supplies: new Map(),
    warehouses: new Map(),
    reshipments: new Map(),
    points,
    closedPoints: new Set(),
    methodIsRequired: false,
    waybillIsRequired: false,
    sendsPlainPictures: false,
  }
}

export function newSupply(id: string, name: string, createdAt: number): Supply {
  return {
    id,
    name,
    createdAt,
    closedAt: undefined,
    acceptedAt: undefined,
    cancelled: false,
    method: undefined,
    boxes: [],
    busyCalls: 0,
    isFulfilled: false,
    waybillUuid: null,
    orders: [],
  }
}

/** A label, as WB sends its picture to the seller. */
export function pictureOf({ sendsPlainPictures }: Seller, text: string): string {
  const picture = fakeSvg(text)
  return sendsPlainPictures ? picture : Buffer.from(picture).toString('base64')
}

/** Scans a supply; the orders `without` are not found in it. */
export function accept(
  seller: Seller,
  id: string,
  at: number,
  without: readonly string[] = [],
): void {
  const supply = mustFind(seller.supplies.get(id), 'supply')
  supply.closedAt ??= at
  supply.acceptedAt = at
  for (const order of supply.orders) {
    const known = seller.orders.get(order)
    if (without.includes(order)) {
      if (known?.buyer === 'waiting') {
        known.supplier = 'complete'
        seller.reshipments.set(order, id)
      }
      continue
    }
    if (known?.buyer === 'waiting') Object.assign(known, { supplier: 'complete', buyer: 'sorted' })
  }
}

/** Moves an order on by chance. */
export function moveOn(order: Order, chance: () => number): void {
  if (order.supplier === 'new' && chance() < 0.002) {
    Object.assign(order, { supplier: 'cancel', buyer: 'declined_by_client' })
  } else if (order.buyer === 'sorted' && chance() < 0.05) {
    order.buyer = 'ready_for_pickup'
  } else if (order.buyer === 'ready_for_pickup' && chance() < 0.05) {
    order.buyer = chance() < 0.9 ? 'sold' : 'canceled_by_client'
  }
}
