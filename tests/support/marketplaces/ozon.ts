import { randomUUID } from 'node:crypto'
import {
  type Fake,
  type FakeAccount,
  type FakeCard,
  type FakeLine,
  type FakeOptions,
  openFake,
} from './fake.ts'
import { sell } from './fake-stock.ts'
import { answerOzon, problem } from './ozon-answers.ts'
import { answerAnybody } from './ozon-labels.ts'
import {
  accept,
  type Carriage,
  dateOf,
  type Hindrance,
  move,
  moveOn,
  newCarriage,
  type Seller,
  there,
  unhindered,
} from './ozon-state.ts'

export { deliveryMethod } from './ozon-state.ts'

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
  /** Withdraws a call, as OZON does. */
  retire(path: string): void
}

/** Who calls without credentials. */
const anybody = 'anybody'

export async function startFakeOzon(options: FakeOptions = {}): Promise<FakeOzon> {
  const { now = Date.now } = options
  const sellers = new Map<string, Seller>()
  const keys = new Map<string, Seller>()
  let lastNumber = 2_000_000
  let wrapped: boolean | undefined
  const retired = new Set<string>()
  const newNumber = () => ++lastNumber

  const sellerOf = (account: FakeAccount) => there(sellers.get(account.id), 'account')
  const orderOf = (account: FakeAccount, id: string) =>
    there(sellerOf(account).orders.get(id), 'order')

  const controls = await openFake(
    {
      accountOf(headers) {
        if (headers['client-id'] === undefined) return anybody
        const seller = keys.get(`${headers['client-id']} ${headers['api-key']}`)
        return seller?.refusal ?? seller?.id
      },
      answer: (call) =>
        call.account === anybody
          ? answerAnybody(call)
          : answerOzon(call, there(sellers.get(call.account), 'account'), {
              now,
              newNumber,
              wrapped,
              retired,
              filesUrl: `${controls.baseUrl}/files`,
              pageSize: (asked) => controls.pageSize(asked),
            }),
      retryAfterHeader: 'Retry-After',
      remainingHeader: 'Ratelimit-Remaining',
      problem,
    },
    options,
  )

  const fake: FakeOzon = {
    ...controls,
    marketplace: 'OZON',
    documentedLimit: { calls: 50, withinMs: 1000 },
    heal() {
      controls.heal()
      wrapped = undefined
      retired.clear()
    },
    wrap(all) {
      wrapped = all
    },
    retire: (path) => void retired.add(path),
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
        labelTasks: new Map(),
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
    deleteShipment(account, id) {
      const carriage = there(sellerOf(account).carriages.get(id), 'carriage')
      Object.assign(carriage, { cancelled: true, orders: [] })
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
    },
  }
  return fake
}

function lineOf({ itemId, article, barcodes }: FakeCard, quantity: number): FakeLine {
  return { itemId, article, barcode: barcodes[0] ?? '', quantity }
}
