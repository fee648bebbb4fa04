import { randomUUID } from 'node:crypto'
import {
  type Fake,
  type FakeAccount,
  type FakeCard,
  type FakeLine,
  type FakeOptions,
  type FakeShipment,
  openFake,
} from './fake.ts'
import { answerOzon, problem } from './ozon-answers.ts'

/**
 * OZON as its public documentation has it: postings of several goods and units, carriages, goods with
 * a product number beside the sku, stock by the seller's warehouse.
 */
export interface FakeOzon extends Fake<'OZON'> {
  /** What goes wrong with an order when it is packed or its codes are looked at. */
  hinder(account: FakeAccount, orderId: string, hindrance: Partial<Hindrance>): void
  addShipment(account: FakeAccount, shipment?: Partial<Carriage>): string
  /** Whether answers have the wrapper of older versions, all or none; undefined is as documented. */
  wrap(all: boolean | undefined): void
}

export interface Hindrance {
  /** So many times packing fails after it was promised. */
  shipFails: number
  /** So many looks at the order, or at its codes, show nothing yet. */
  looks: number
  /** Codes that the state's register does not know. */
  unknownMarks: readonly string[]
  /** Labels are not printed yet. */
  labelsLate: boolean
}

export interface Seller {
  readonly id: string
  refusal: 401 | 403 | undefined
  /** By sku; `nmId` is the product's number. */
  readonly cards: Map<number, FakeCard>
  readonly orders: Map<string, Order>
  readonly carriages: Map<string, Carriage>
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
}

export const deliveryMethod = {
  id: 22_100,
  name: 'Склад FBS, отгрузка на сортировочный центр',
  warehouse_id: 22_100,
  warehouse: 'Склад FBS',
  tpl_provider_id: 24,
  tpl_provider: 'Ozon Логистика',
}

const unhindered: Hindrance = { shipFails: 0, looks: 0, unknownMarks: [], labelsLate: false }

export async function startFakeOzon(options: FakeOptions = {}): Promise<FakeOzon> {
  const { now = Date.now } = options
  const sellers = new Map<string, Seller>()
  const keys = new Map<string, Seller>()
  let lastNumber = 2_000_000
  let wrapped: boolean | undefined
  const newNumber = () => ++lastNumber

  const sellerOf = (account: FakeAccount) => there(sellers.get(account.id), 'account')
  const orderOf = (account: FakeAccount, id: string) =>
    there(sellerOf(account).orders.get(id), 'order')

  const controls = await openFake(
    {
      accountOf(headers) {
        const seller = keys.get(`${headers['client-id']} ${headers['api-key']}`)
        return seller?.refusal ?? seller?.id
      },
      answer: (call) =>
        answerOzon(call, there(sellers.get(call.account), 'account'), {
          now,
          newNumber,
          wrapped,
          pageSize: (asked) => controls.pageSize(asked),
        }),
      retryAfterHeader: 'Retry-After',
      problem,
    },
    options,
  )

  const fake: FakeOzon = {
    ...controls,
    marketplace: 'OZON',
    heal() {
      controls.heal()
      wrapped = undefined
    },
    wrap(all) {
      wrapped = all
    },
    hinder: (account, id, hindrance) =>
      void Object.assign(orderOf(account, id).hindrance, hindrance),
    account() {
      const id = randomUUID()
      const credentials = { client_id: `90${newNumber()}77`, api_key: randomUUID() }
      const seller: Seller = {
        id,
        refusal: undefined,
        cards: new Map(),
        orders: new Map(),
        carriages: new Map(),
        warehouses: new Map(),
      }
      sellers.set(id, seller)
      keys.set(`${credentials.client_id} ${credentials.api_key}`, seller)
      return { id, credentials }
    },
    addCard(account, given = {}) {
      const itemId = given.itemId ?? newNumber()
      const card = {
        itemId,
        barcodes: [`OZN${itemId}`],
        article: `ART-${itemId}`,
        name: `Товар ${itemId}`,
        nmId: newNumber(),
        honestMark: false,
        updatedAt: now(),
        ...given,
      }
      sellerOf(account).cards.set(itemId, card)
      return card
    },
    addOrder(account, given = {}) {
      const { orders, cards } = sellerOf(account)
      const number = newNumber()
      const id = given.externalId ?? `${number}-0001-1`
      const createdAt = given.createdAt ?? now()
      const card = () => [...cards.values()].at(0) ?? fake.addCard(account)
      orders.set(id, {
        id,
        number,
        createdAt,
        changedAt: createdAt,
        lines: given.lines ?? [lineOf(card(), 1)],
        isB2b: given.isB2b ?? false,
        raw: given.raw ?? {},
        before: 'posting_created',
        wasShipped: false,
        marks: new Map(),
        hindrance: { ...unhindered },
        ...(given.status ?? { supplier: 'awaiting_packaging', buyer: 'posting_created' }),
      })
      return id
    },
    setStatus: (account, id, status) => move(orderOf(account, id), status, now()),
    statusOf(account, id) {
      const { supplier, buyer } = orderOf(account, id)
      return { supplier, buyer }
    },
    setStock(account, { itemId, warehouse, quantity }) {
      const { warehouses } = sellerOf(account)
      const known = warehouses.get(warehouse.id) ?? { name: warehouse.name, amounts: new Map() }
      warehouses.set(warehouse.id, known)
      known.amounts.set(itemId, quantity)
    },
    shipments: (account) =>
      [...sellerOf(account).carriages.values()].map((carriage) => ({
        ...carriage,
        orders: [...carriage.orders],
      })),
    addShipment(account, given = {}) {
      const id = given.id ?? String(newNumber())
      const createdAt = given.createdAt ?? now()
      sellerOf(account).carriages.set(id, {
        ...newCarriage(id, createdAt, dateOf(createdAt)),
        ...given,
        orders: [...(given.orders ?? [])],
      })
      return id
    },
    acceptShipment: (account, id) => accept(sellerOf(account), id, now()),
    marksOf: (account, id) => [...orderOf(account, id).marks.values()],
    refuse(account, status) {
      sellerOf(account).refusal = status
    },
    step(account, chance) {
      const seller = sellerOf(account)
      const cards = [...seller.cards.values()]
      const pick = () => cards[Math.floor(chance() * cards.length)]
      const goods = new Set([pick(), ...(chance() < 0.2 ? [pick()] : [])])
      if (chance() < 0.3 && cards.length > 0) {
        const lines = [...goods].flatMap((card) =>
          card === undefined ? [] : lineOf(card, chance() < 0.15 ? 2 : 1),
        )
        fake.addOrder(account, { lines, isB2b: chance() < 0.05 })
      }
      for (const { id, closedAt, acceptedAt } of seller.carriages.values()) {
        if (closedAt !== undefined && acceptedAt === undefined && chance() < 0.2) {
          accept(seller, id, now())
        }
      }
      for (const order of seller.orders.values()) moveOn(order, chance, now())
    },
  }
  return fake
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

function lineOf({ itemId, article, barcodes }: FakeCard, quantity: number): FakeLine {
  return { itemId, article, barcode: barcodes[0] ?? '', quantity }
}

function accept(seller: Seller, id: string, at: number): void {
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
function moveOn(order: Order, chance: () => number, at: number): void {
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
