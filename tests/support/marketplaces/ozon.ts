import { randomUUID } from 'node:crypto'
import type {
  Fake,
  FakeAccount,
  FakeCard,
  FakeControls,
  FakeLine,
  FakeOptions,
  FakeOrderDraft,
  FakeStatus,
} from './fake.ts'
import { goodsWith } from './fake-goods.ts'
import { openFake } from './fake-server.ts'
import { sell } from './fake-stock.ts'
import { mustFind } from './must-find.ts'
import { respondToAnybody } from './ozon-labels.ts'
import { problem } from './ozon-request.ts'
import { respondAsOzon } from './ozon-responses.ts'
import { type OzonReturns, returnControls } from './ozon-returns.ts'
import {
  accept,
  type Carriage,
  type ClosedAccount,
  dateOf,
  deliveryMethod,
  type Exemplar,
  move,
  moveOn,
  newCarriage,
  noFaults,
  type Order,
  type OrderFaults,
  type OzonRequirement,
  type Seller,
} from './ozon-state.ts'

export { deliveryMethod, type OzonRequirement } from './ozon-state.ts'

/**
 * OZON as its public documentation describes it: postings of several goods and units, carriages,
 * goods with a product number beside the sku, stock by the seller's warehouse.
 */
export interface FakeOzon extends Fake<'OZON'>, OzonReturns {
  /** Plans what goes wrong when OZON packs an order, checks its codes or prints its label. */
  injectFaults(account: FakeAccount, orderId: string, faults: Partial<OrderFaults>): void
  addShipment(account: FakeAccount, shipment?: Partial<Carriage>): string
  linesOf(account: FakeAccount, orderId: string): readonly FakeLine[]
  /** What OZON wants to know of each unit of the order, beside marking codes. */
  require(account: FakeAccount, orderId: string, ...kinds: OzonRequirement[]): void
  /** The data of each unit. */
  exemplarsOf(account: FakeAccount, orderId: string): readonly Exemplar[]
  /** Where the goods were made, by sku. */
  countriesOf(account: FakeAccount, orderId: string): Readonly<Record<string, string>>
  /** In how many boxes the order is packed; 0: nobody has said so. */
  boxesOf(account: FakeAccount, orderId: string): number
  /** The key of the account expires. */
  endKey(account: FakeAccount, at: number): void
  /** The seller makes a new key by hand; it lives three months, and OZON refuses the former one. */
  renewKey(account: FakeAccount): FakeAccount<'OZON'>
  /** OZON answers every call of the account with this refusal; undefined answers again. */
  shut(account: FakeAccount, why: ClosedAccount | undefined): void
  /**
   * From now on OZON creates a carriage only where packed postings are in none, and none of the method is
   * open. Whether it does so for everybody is not known.
   */
  restrictCarriages(account: FakeAccount): void
  /** From now on the orders of the account are brought to a point, without carriages. */
  bringToPoint(account: FakeAccount): void
  /** OZON makes the late parts of a split. */
  makeLateParts(account: FakeAccount, orderId: string): void
  /** Whether all responses or none have the wrapper of older versions; undefined: as documented. */
  wrap(all: boolean | undefined): void
  /** Withdraws a call, as OZON does. */
  retire(path: string): void
}

/** The account of calls without credentials. */
const anybody = 'anybody'

interface Market {
  readonly now: () => number
  readonly newNumber: () => number
  readonly sellers: Map<string, Seller>
  readonly keys: Map<string, Seller>
  readonly retired: Set<string>
  wrapped: boolean | undefined
  readonly sellerOf: (account: FakeAccount) => Seller
  readonly orderOf: (account: FakeAccount, id: string) => Order
}

function openMarket(now: () => number): Market {
  const sellers = new Map<string, Seller>()
  const sellerOf = (account: FakeAccount) => mustFind(sellers.get(account.id), 'account')
  let lastNumber = 2_000_000
  return {
    now,
    newNumber: () => ++lastNumber,
    sellers,
    keys: new Map(),
    retired: new Set(),
    wrapped: undefined,
    sellerOf,
    orderOf: (account, id) => mustFind(sellerOf(account).orders.get(id), 'order'),
  }
}

export async function startFakeOzon(options: FakeOptions = {}): Promise<FakeOzon> {
  const market = openMarket(options.now ?? Date.now)
  const controls = await openMarketServer(market, options)
  const fake: FakeOzon = {
    ...controls,
    marketplace: 'OZON',
    ownWarehouse: String(deliveryMethod.warehouse_id),
    documentedLimit: { calls: 50, withinMs: 1000 },
    heal() {
      controls.heal()
      market.wrapped = undefined
      market.retired.clear()
    },
    wrap(all) {
      market.wrapped = all
    },
    retire: (path) => void market.retired.add(path),
    ...accountControls(market),
    ...goodsControls(market),
    ...orderControls(market),
    ...carriageControls(market),
    ...returnControls(market.sellerOf),
    step: (account, chance) => step(market, fake, account, chance),
  }
  return fake
}

async function openMarketServer(market: Market, options: FakeOptions): Promise<FakeControls> {
  const controls = await openFake(
    {
      accountOf(headers) {
        if (headers['client-id'] === undefined) return anybody
        const seller = market.keys.get(`${headers['client-id']} ${headers['api-key']}`)
        if (seller !== undefined && seller.keyEndsAt <= market.now()) return 401
        return seller?.refusal ?? seller?.id
      },
      respond: (call) =>
        call.account === anybody
          ? respondToAnybody(call)
          : respondAsOzon(call, mustFind(market.sellers.get(call.account), 'account'), {
              now: market.now,
              newNumber: market.newNumber,
              wrapped: market.wrapped,
              retired: market.retired,
              filesUrl: `${controls.baseUrl}/files`,
              pageSize: (requested) => controls.pageSize(requested),
            }),
      retryAfterHeader: 'Retry-After',
      remainingHeader: 'Ratelimit-Remaining',
      problem,
    },
    options,
  )
  return controls
}

/** Three months. */
const keyLivesMs = 90 * 24 * 3_600_000

function accountControls({ sellers, keys, newNumber, now, sellerOf }: Market) {
  return {
    account(): FakeAccount<'OZON'> {
      const id = randomUUID()
      const credentials = { client_id: `90${newNumber()}77`, api_key: randomUUID() }
      const seller: Seller = {
        id,
        refusal: undefined,
        keyEndsAt: now() + keyLivesMs,
        closed: undefined,
        strictCarriages: false,
        bringsToPoint: false,
        cards: new Map(),
        orders: new Map(),
        lateParts: new Map(),
        carriages: new Map(),
        returns: new Map(),
        labelTasks: new Map(),
        warehouses: new Map(),
      }
      sellers.set(id, seller)
      keys.set(`${credentials.client_id} ${credentials.api_key}`, seller)
      return { id, credentials }
    },
    endKey(account: FakeAccount, at: number) {
      sellerOf(account).keyEndsAt = at
    },
    renewKey(account: FakeAccount): FakeAccount<'OZON'> {
      const seller = sellerOf(account)
      const [former] = mustFind(
        [...keys].find(([, owner]) => owner === seller),
        'key',
      )
      const credentials = { client_id: former.split(' ')[0] ?? '', api_key: randomUUID() }
      keys.delete(former)
      keys.set(`${credentials.client_id} ${credentials.api_key}`, seller)
      seller.keyEndsAt = now() + keyLivesMs
      return { id: account.id, credentials }
    },
    refuse(account: FakeAccount, status?: 401 | 403) {
      sellerOf(account).refusal = status
    },
    shut(account: FakeAccount, why: ClosedAccount | undefined) {
      sellerOf(account).closed = why
    },
    bringToPoint(account: FakeAccount) {
      sellerOf(account).bringsToPoint = true
    },
    restrictCarriages(account: FakeAccount) {
      sellerOf(account).strictCarriages = true
    },
  }
}

const { addCard, goodsControls } = goodsWith('OZN')

function orderControls(market: Market) {
  const { newNumber, now, sellerOf, orderOf } = market
  return {
    addOrder(account: FakeAccount, given: FakeOrderDraft = {}) {
      const { orders, cards } = sellerOf(account)
      const number = newNumber()
      const id = given.externalId ?? `${number}-0001-1`
      const createdAt = given.createdAt ?? now()
      const card = () => [...cards.values()].at(0) ?? addCard(market, account)
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
        required: [],
        exemplars: new Map(),
        newExemplars: undefined,
        countries: new Map(),
        boxes: given.raw?.is_multibox === true ? 0 : 1,
        faults: { ...noFaults },
        ...(given.status ?? { supplier: 'awaiting_packaging', buyer: 'posting_created' }),
      })
      return id
    },
    setStatus: (account: FakeAccount, id: string, status: FakeStatus) =>
      move(orderOf(account, id), status, now()),
    statusOf(account: FakeAccount, id: string): FakeStatus {
      const { supplier, buyer } = orderOf(account, id)
      return { supplier, buyer }
    },
    linesOf: (account: FakeAccount, id: string) => orderOf(account, id).lines,
    markingCodesOf: (account: FakeAccount, id: string) =>
      [...orderOf(account, id).exemplars.values()].flatMap(({ marks }) =>
        marks.flatMap(({ mark, mark_type }) => (mark_type === 'mandatory_mark' ? mark : [])),
      ),
    require(account: FakeAccount, id: string, ...kinds: OzonRequirement[]) {
      orderOf(account, id).required = kinds
    },
    exemplarsOf: (account: FakeAccount, id: string) => [...orderOf(account, id).exemplars.values()],
    boxesOf: (account: FakeAccount, id: string) => orderOf(account, id).boxes,
    countriesOf: (account: FakeAccount, id: string) =>
      Object.fromEntries(orderOf(account, id).countries),
    makeLateParts(account: FakeAccount, id: string) {
      const { orders, lateParts } = sellerOf(account)
      for (const part of lateParts.get(id) ?? []) {
        orders.set(part.id, { ...part, changedAt: now() })
      }
      lateParts.delete(id)
    },
    injectFaults: (account: FakeAccount, id: string, faults: Partial<OrderFaults>) =>
      void Object.assign(orderOf(account, id).faults, faults),
  }
}

function carriageControls({ newNumber, now, sellerOf }: Market) {
  return {
    shipments: (account: FakeAccount) =>
      [...sellerOf(account).carriages.values()].map((carriage) => ({
        ...carriage,
        orders: [...carriage.orders],
      })),
    addShipment(account: FakeAccount, given: Partial<Carriage> = {}) {
      const id = given.id ?? String(newNumber())
      const createdAt = given.createdAt ?? now()
      sellerOf(account).carriages.set(id, {
        ...newCarriage(id, createdAt, dateOf(createdAt)),
        ...given,
        orders: [...(given.orders ?? [])],
      })
      return id
    },
    deleteShipment(account: FakeAccount, id: string) {
      const carriage = mustFind(sellerOf(account).carriages.get(id), 'carriage')
      Object.assign(carriage, { cancelled: true, orders: [] })
    },
    acceptShipment: (account: FakeAccount, id: string) => accept(sellerOf(account), id, now()),
  }
}

function step(
  { now, sellerOf }: Market,
  fake: FakeOzon,
  account: FakeAccount,
  chance: () => number,
): void {
  const seller = sellerOf(account)
  const cards = [...seller.cards.values()]
  const pick = () => cards[Math.floor(chance() * cards.length)]
  const goods = new Set([pick(), ...(chance() < 0.2 ? [pick()] : [])])
  if (chance() < 0.3 && cards.length > 0) {
    const lines = [...goods]
      .flatMap((card) => (card === undefined ? [] : lineOf(card, chance() < 0.15 ? 2 : 1)))
      .filter((line) => sell(seller.warehouses, line))
    if (lines.length > 0) fake.addOrder(account, { lines, isB2b: chance() < 0.05 })
  }
  for (const { id, closedAt, acceptedAt } of seller.carriages.values()) {
    if (closedAt !== undefined && acceptedAt === undefined && chance() < 0.2) {
      accept(seller, id, now())
    }
  }
  for (const order of seller.orders.values()) moveOn(order, chance, now())
}

function lineOf({ itemId, article, barcodes }: FakeCard, quantity: number): FakeLine {
  return { itemId, article, barcode: barcodes[0] ?? '', quantity }
}
