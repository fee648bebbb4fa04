import { type Fake, type FakeAccount, live } from '../../tests/support/marketplaces/fake.ts'
import { startFakeOzon } from '../../tests/support/marketplaces/ozon.ts'
import { startFakeWildberries } from '../../tests/support/marketplaces/wildberries.ts'

/** Fakes of both marketplaces in a process of their own. The ready line has their addresses and accounts as JSON. */
export interface FakesPlan {
  /** Number of cabinets, half of them of each marketplace. */
  readonly cabinets: number
  readonly orders: number
  readonly goods: number
  readonly latencyMs: number
  /** Orders of a cabinet that is far behind, beside one that is slow and one that is limited; 0: none. */
  readonly backlog: number
  /** Something happens in every cabinet so often, by the marketplaces' time. */
  readonly changeSeconds: number
  /** How fast the marketplaces' time passes; 1 by default. */
  readonly speed?: number
}

/** What is wrong with an account. */
export const troubles = ['backlog', 'slow', 'limited'] as const
export type Trouble = (typeof troubles)[number]

export interface FakesReady {
  readonly wildberriesUrl: string
  readonly ozonUrl: string
  readonly accounts: readonly {
    readonly marketplace: 'WB' | 'OZON'
    readonly credentials: FakeAccount['credentials']
    readonly trouble?: Trouble
  }[]
}

const plan = JSON.parse(process.argv[2] ?? '{}') as FakesPlan
const day = 24 * 3_600_000
const [wb, ozon] = await Promise.all([startFakeWildberries(), startFakeOzon()])
const accounts = Array.from({ length: plan.cabinets }, (_, index) => {
  const fake: Fake = index % 2 === 0 ? wb : ozon
  const account = fake.account()
  fillAccount(fake, account, plan.orders)
  return { fake, account }
})
/** Just below the time after which a call is given up. */
const slowMs = 12_000
const retryAfterSeconds = 30
const troubled = plan.backlog === 0 ? [] : troubles.map(openTroubled)
for (const fake of [wb, ozon]) {
  fake.latency(plan.latencyMs)
  live(fake, () => accounts.filter((each) => each.fake === fake).map(({ account }) => account), {
    everyMs: (plan.changeSeconds * 1_000) / (plan.speed ?? 1),
  })
}
const ready: FakesReady = {
  wildberriesUrl: wb.baseUrl,
  ozonUrl: ozon.baseUrl,
  accounts: [...troubled, ...accounts].map(({ fake, account, ...rest }) => ({
    marketplace: fake.marketplace,
    credentials: account.credentials,
    ...rest,
  })),
}
console.log(`ready at ${JSON.stringify(ready)}`)
// The log of calls is for tests; here it would only grow.
setInterval(() => {
  for (const fake of [wb, ozon]) (fake.calls() as unknown[]).length = 0
}, 5_000)
process.on('SIGTERM', () => process.exit(0))

function openTroubled(trouble: Trouble) {
  const fake: Fake = trouble === 'slow' ? wb : ozon
  const account = fake.account()
  fillAccount(fake, account, trouble === 'backlog' ? plan.backlog : plan.orders)
  if (trouble === 'slow') fake.slowDown(account, slowMs)
  if (trouble === 'limited') fake.limitAlways(account, retryAfterSeconds)
  return { fake, account, trouble }
}

/** Orders of the last month, all of them open. */
function fillAccount(fake: Fake, account: FakeAccount, orders: number): void {
  const cards = Array.from({ length: plan.goods }, () => fake.addCard(account))
  const warehouse = { id: Number(fake.ownWarehouse), name: 'FBS' }
  for (const { itemId } of cards) fake.setStock(account, { itemId, warehouse, quantity: 10 })
  const packed =
    fake === wb
      ? { supplier: 'confirm', buyer: 'waiting' }
      : { supplier: 'awaiting_deliver', buyer: 'posting_in_carriage' }
  for (let index = 0; index < orders; index += 1) {
    const card = cards[index % cards.length]
    if (card === undefined) continue
    const { itemId, article, barcodes } = card
    const line = { itemId, article, barcode: barcodes[0] ?? '', quantity: 1 }
    const createdAt = Date.now() - (index / orders) * 29 * day
    fake.addOrder(account, { createdAt, lines: [line], status: packed })
  }
}
