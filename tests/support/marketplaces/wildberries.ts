import { randomUUID } from 'node:crypto'
import {
  type Fake,
  type FakeAccount,
  type FakeCard,
  type FakeOptions,
  type FakeOrderDraft,
  type FakeShipment,
  openFake,
} from './fake.ts'
import { sell } from './fake-stock.ts'
import { answerWildberries, problem } from './wildberries-answers.ts'
import { type Changing, type Method, type Troubles, troublesOf } from './wildberries-troubles.ts'

/**
 * WB as its public documentation has it: assembly orders of one unit, supplies, cards of sizes, stocks
 * by the seller's warehouse. One address serves both of its hosts.
 */
export type FakeWildberries = Fake<'WB'> & Troubles

export interface Seller {
  readonly id: string
  refusal: 401 | 403 | undefined
  readonly cards: Map<number, FakeCard>
  readonly orders: Map<string, Order>
  readonly supplies: Map<string, Supply>
  readonly warehouses: Map<
    number,
    { name: string; amounts: Map<number, number>; changing?: Changing }
  >
  readonly closedPoints: Set<number>
  methodIsDemanded: boolean
}

export interface Order {
  readonly id: string
  readonly createdAt: number
  readonly card: Pick<FakeCard, 'itemId' | 'article' | 'barcodes' | 'nmId' | 'honestMark'>
  readonly isB2b: boolean
  readonly raw: Readonly<Record<string, unknown>>
  supplier: string
  buyer: string
  marks: readonly string[]
  takesNoMarks: boolean
  decision: string | undefined
  supplyId: string | undefined
}

export type Supply = { -readonly [Field in keyof FakeShipment]: FakeShipment[Field] } & {
  orders: string[]
  method: Method | undefined
}

const month = 30 * 24 * 3_600_000

export async function startFakeWildberries(options: FakeOptions = {}): Promise<FakeWildberries> {
  const { now = Date.now } = options
  const sellers = new Map<string, Seller>()
  const tokens = new Map<string, Seller>()
  let lastNumber = 1_000_000
  const newNumber = () => ++lastNumber

  const sellerOf = (account: FakeAccount) => there(sellers.get(account.id), 'account')
  const orderOf = (account: FakeAccount, id: string) =>
    there(sellerOf(account).orders.get(id), 'order')

  const controls = await openFake(
    {
      accountOf(headers) {
        const seller = tokens.get(headers.authorization ?? '')
        return seller?.refusal ?? seller?.id
      },
      answer: (call) =>
        answerWildberries(call, there(sellers.get(call.account), 'account'), {
          now,
          newNumber,
          pageSize: (asked) => controls.pageSize(asked),
        }),
      retryAfterHeader: 'X-Ratelimit-Retry',
      remainingHeader: 'X-Ratelimit-Remaining',
      problem,
    },
    options,
  )

  const fake: FakeWildberries = {
    ...controls,
    ...troublesOf(sellerOf),
    marketplace: 'WB',
    documentedLimit: { burst: 20, intervalMs: 200, refusalCost: 10 },
    account() {
      const id = randomUUID()
      const token = fakeToken({ sid: id, exp: Math.floor((now() + 6 * month) / 1000) })
      const seller: Seller = {
        id,
        refusal: undefined,
        cards: new Map(),
        orders: new Map(),
        supplies: new Map(),
        warehouses: new Map(),
        closedPoints: new Set(),
        methodIsDemanded: false,
      }
      sellers.set(id, seller)
      tokens.set(token, seller)
      return { id, credentials: { token } }
    },
    addCard(account, given = {}) {
      const itemId = given.itemId ?? newNumber()
      const card = {
        itemId,
        barcodes: [`20${itemId}`],
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
      const id = given.externalId ?? String(newNumber())
      const card = cardOf(given) ?? [...cards.values()].at(0) ?? fake.addCard(account)
      orders.set(id, {
        id,
        createdAt: given.createdAt ?? now(),
        card: cards.get(card.itemId) ?? card,
        isB2b: given.isB2b ?? false,
        raw: given.raw ?? {},
        ...(given.status ?? { supplier: 'new', buyer: 'waiting' }),
        marks: [],
        takesNoMarks: false,
        decision: undefined,
        supplyId: undefined,
      })
      return id
    },
    setStatus: (account, id, status) => void Object.assign(orderOf(account, id), status),
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
      [...sellerOf(account).supplies.values()].map((supply) => ({
        ...supply,
        orders: [...supply.orders],
      })),
    addShipment(account, given = {}) {
      const id = given.id ?? `WB-GI-${newNumber()}`
      sellerOf(account).supplies.set(id, {
        id,
        name: 'Поставка',
        createdAt: now(),
        closedAt: undefined,
        acceptedAt: undefined,
        cancelled: false,
        method: undefined,
        ...given,
        orders: [...(given.orders ?? [])],
      })
      for (const order of given.orders ?? []) orderOf(account, order).supplyId = id
      return id
    },
    deleteShipment(account, id) {
      const { orders, supplies } = sellerOf(account)
      // WB deletes empty ones alone.
      for (const order of orders.values()) if (order.supplyId === id) order.supplyId = undefined
      supplies.delete(id)
    },
    acceptShipment: (account, id) => accept(sellerOf(account), id, now()),
    marksOf: (account, id) => orderOf(account, id).marks,
    refuse(account, status) {
      sellerOf(account).refusal = status
    },
    step(account, chance) {
      const seller = sellerOf(account)
      const cards = [...seller.cards.values()]
      const card = cards[Math.floor(chance() * cards.length)]
      if (chance() < 0.3 && card !== undefined && sell(seller.warehouses, lineOf(card))) {
        fake.addOrder(account, { lines: [lineOf(card)], isB2b: chance() < 0.05 })
      }
      for (const { id, closedAt, acceptedAt } of seller.supplies.values()) {
        if (closedAt !== undefined && acceptedAt === undefined && chance() < 0.2) {
          accept(seller, id, now())
        }
      }
      for (const order of seller.orders.values()) moveOn(order, chance)
    },
  }
  return fake
}

/** A token as WB issues them, but for the signature. */
export function fakeToken(payload: Readonly<Record<string, unknown>>): string {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
  return `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode(payload)}.c2lnbmF0dXJl`
}

function lineOf(card: FakeCard) {
  const { itemId, article, barcodes } = card
  return { itemId, article, barcode: barcodes[0] ?? '', quantity: 1 }
}

function cardOf({ lines }: FakeOrderDraft): Order['card'] | undefined {
  const line = lines?.[0]
  if (line === undefined) return undefined
  const { itemId, article, barcode } = line
  return { itemId, article, barcodes: [barcode], nmId: itemId, honestMark: false }
}

function accept(seller: Seller, id: string, at: number): void {
  const supply = there(seller.supplies.get(id), 'supply')
  supply.closedAt ??= at
  supply.acceptedAt = at
  for (const order of supply.orders) {
    const known = seller.orders.get(order)
    if (known?.buyer === 'waiting') Object.assign(known, { supplier: 'complete', buyer: 'sorted' })
  }
}

/** What may come next to an order by itself. */
function moveOn(order: Order, chance: () => number): void {
  if (order.supplier === 'new' && chance() < 0.002) {
    Object.assign(order, { supplier: 'cancel', buyer: 'declined_by_client' })
  } else if (order.buyer === 'sorted' && chance() < 0.05) {
    order.buyer = 'ready_for_pickup'
  } else if (order.buyer === 'ready_for_pickup' && chance() < 0.05) {
    order.buyer = chance() < 0.9 ? 'sold' : 'canceled_by_client'
  }
}

export function there<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`no such ${what}`)
  return value
}
