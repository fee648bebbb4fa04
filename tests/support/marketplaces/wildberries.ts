import { randomUUID } from 'node:crypto'
import type {
  Fake,
  FakeAccount,
  FakeCard,
  FakeControls,
  FakeOptions,
  FakeOrderDraft,
  FakeShipment,
  FakeStatus,
} from './fake.ts'
import { goodsWith } from './fake-goods.ts'
import { openFake } from './fake-server.ts'
import { sell } from './fake-stock.ts'
import { mustFind } from './must-find.ts'
import { openFaults, type WildberriesFaults } from './wildberries-faults.ts'
import { problem, problemTypeOf, respondAsWildberries } from './wildberries-responses.ts'
import {
  accept,
  moveOn,
  newSeller,
  newSupply,
  type Order,
  ownWarehouse,
  type Seller,
} from './wildberries-state.ts'

/**
 * WB as its public documentation describes it: assembly orders of one unit, supplies, cards with
 * sizes, stocks by the seller's warehouse. One address serves both of its hosts.
 */
export interface FakeWildberries extends Fake<'WB'>, WildberriesFaults {
  /** A seller in the sandbox. */
  sandboxAccount(): FakeAccount<'WB'>
  /** A seller whose token has these claims, beside the usual ones. */
  accountWith(claims: Readonly<Record<string, unknown>>): FakeAccount<'WB'>
  /** Marks that WB has of an order beside its marking codes, by WB's name. */
  marksOf(account: FakeAccount, id: string): Readonly<Record<string, string>>
  /** WB takes these kinds of marks beside the required ones. */
  wantMarks(account: FakeAccount, id: string, kinds: readonly string[]): void
  /** The seller enters a mark in the cabinet. */
  enterMark(account: FakeAccount, id: string, key: string, value: string): void
}

const month = 30 * 24 * 3_600_000

interface Market {
  readonly now: () => number
  readonly newNumber: () => number
  readonly sellers: Map<string, Seller>
  readonly tokens: Map<string, Seller>
  readonly sellerOf: (account: FakeAccount) => Seller
  readonly orderOf: (account: FakeAccount, id: string) => Order
}

function openMarket(now: () => number): Market {
  const sellers = new Map<string, Seller>()
  const sellerOf = (account: FakeAccount) => mustFind(sellers.get(account.id), 'account')
  let lastNumber = 1_000_000
  return {
    now,
    newNumber: () => ++lastNumber,
    sellers,
    tokens: new Map(),
    sellerOf,
    orderOf: (account, id) => mustFind(sellerOf(account).orders.get(id), 'order'),
  }
}

export async function startFakeWildberries(options: FakeOptions = {}): Promise<FakeWildberries> {
  const market = openMarket(options.now ?? Date.now)
  const fake: FakeWildberries = {
    ...(await openMarketServer(market, options)),
    ...openFaults(market.sellerOf, market.now),
    marketplace: 'WB',
    ownWarehouse: String(ownWarehouse.id),
    documentedLimit: { burst: 20, intervalMs: 200, refusalCost: 10 },
    ...accountControls(market),
    ...goodsControls(market),
    ...orderControls(market),
    ...supplyControls(market),
    step: (account, chance) => step(market, fake, account, chance),
  }
  return fake
}

async function openMarketServer(market: Market, options: FakeOptions): Promise<FakeControls> {
  const { now, newNumber, sellers, tokens } = market
  const controls = await openFake(
    {
      accountOf(headers) {
        const seller = tokens.get(headers.authorization ?? '')
        return seller?.refusal ?? seller?.id
      },
      respond: (call) =>
        respondAsWildberries(call, mustFind(sellers.get(call.account), 'account'), {
          now,
          newNumber,
          pageSize: (requested) => controls.pageSize(requested),
        }),
      retryAfterHeader: 'X-Ratelimit-Retry',
      remainingHeader: 'X-Ratelimit-Remaining',
      limitedHeaders: { limit: 'X-Ratelimit-Limit', reset: 'X-Ratelimit-Reset' },
      problem,
      problemTypeOf,
    },
    options,
  )
  return controls
}

function accountControls({ now, sellers, tokens, sellerOf }: Market) {
  function add(given: Readonly<Record<string, unknown>> = {}): FakeAccount<'WB'> {
    const id = randomUUID()
    const claims = { sid: id, exp: Math.floor((now() + 6 * month) / 1000), t: false, ...given }
    const token = fakeToken(claims)
    const scopes = 's' in given && typeof given.s === 'number' ? given.s : undefined
    const seller = newSeller(id, claims.t === true, scopes)
    sellers.set(id, seller)
    tokens.set(token, seller)
    return { id, credentials: { token } }
  }
  return {
    account: () => add(),
    sandboxAccount: () => add({ t: true, acc: 2 }),
    accountWith: add,
    refuse(account: FakeAccount, status?: 401 | 403) {
      sellerOf(account).refusal = status
    },
  }
}

/** A token as WB issues it, with a false signature. */
export function fakeToken(payload: Readonly<Record<string, unknown>>): string {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
  return `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode(payload)}.c2lnbmF0dXJl`
}

const { addCard, goodsControls } = goodsWith('20')

function orderControls(market: Market) {
  const { newNumber, now, sellerOf, orderOf } = market
  return {
    addOrder(account: FakeAccount, given: FakeOrderDraft = {}) {
      const { orders, cards } = sellerOf(account)
      const id = given.externalId ?? String(newNumber())
      const card = cardOf(given) ?? [...cards.values()].at(0) ?? addCard(market, account)
      orders.set(id, {
        id,
        createdAt: given.createdAt ?? now(),
        card: cards.get(card.itemId) ?? card,
        isB2b: given.isB2b ?? false,
        raw: given.raw ?? {},
        ...(given.status ?? { supplier: 'new', buyer: 'waiting' }),
        markingCodes: [],
        marks: new Map(),
        refusesMarkingCodes: false,
        isStuck: false,
        codeDecision: undefined,
        markReads: 0,
        supplyId: undefined,
      })
      return id
    },
    setStatus: (account: FakeAccount, id: string, status: FakeStatus) =>
      void Object.assign(orderOf(account, id), status),
    statusOf(account: FakeAccount, id: string): FakeStatus {
      const { supplier, buyer } = orderOf(account, id)
      return { supplier, buyer }
    },
    markingCodesOf: (account: FakeAccount, id: string) => orderOf(account, id).markingCodes,
    marksOf: (account: FakeAccount, id: string) => Object.fromEntries(orderOf(account, id).marks),
    wantMarks(account: FakeAccount, id: string, optionalMeta: readonly string[]) {
      const order = orderOf(account, id)
      Object.assign(order, { raw: { ...order.raw, optionalMeta } })
    },
    enterMark(account: FakeAccount, id: string, key: string, value: string) {
      orderOf(account, id).marks.set(key, value)
    },
  }
}

function supplyControls({ newNumber, now, sellerOf, orderOf }: Market) {
  return {
    shipments: (account: FakeAccount) =>
      [...sellerOf(account).supplies.values()].map((supply) => ({
        ...supply,
        orders: [...supply.orders],
      })),
    addShipment(account: FakeAccount, given: Partial<FakeShipment> = {}) {
      const id = given.id ?? `WB-GI-${newNumber()}`
      sellerOf(account).supplies.set(id, {
        ...newSupply(id, 'Поставка', now()),
        ...given,
        orders: [...(given.orders ?? [])],
      })
      for (const order of given.orders ?? []) orderOf(account, order).supplyId = id
      return id
    },
    deleteShipment(account: FakeAccount, id: string) {
      const { orders, supplies } = sellerOf(account)
      // WB deletes empty supplies only, so its orders leave it first.
      for (const order of orders.values()) if (order.supplyId === id) order.supplyId = undefined
      supplies.delete(id)
    },
    acceptShipment: (account: FakeAccount, id: string) => accept(sellerOf(account), id, now()),
  }
}

function step(
  { now, sellerOf }: Market,
  fake: FakeWildberries,
  account: FakeAccount,
  chance: () => number,
): void {
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
