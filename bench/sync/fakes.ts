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
}

export interface FakesReady {
  readonly wildberriesUrl: string
  readonly ozonUrl: string
  readonly accounts: readonly {
    readonly marketplace: 'WB' | 'OZON'
    readonly credentials: FakeAccount['credentials']
  }[]
}

const plan = JSON.parse(process.argv[2] ?? '{}') as FakesPlan
const day = 24 * 3_600_000
const [wb, ozon] = await Promise.all([startFakeWildberries(), startFakeOzon()])
const accounts = Array.from({ length: plan.cabinets }, (_, index) => {
  const fake: Fake = index % 2 === 0 ? wb : ozon
  const account = fake.account()
  fillAccount(fake, account)
  return { fake, account }
})
for (const fake of [wb, ozon]) {
  fake.latency(plan.latencyMs)
  // Something happens in every cabinet every few seconds.
  live(fake, () => accounts.filter((each) => each.fake === fake).map(({ account }) => account), {
    everyMs: 10_000,
  })
}
const ready: FakesReady = {
  wildberriesUrl: wb.baseUrl,
  ozonUrl: ozon.baseUrl,
  accounts: accounts.map(({ fake, account }) => ({
    marketplace: fake.marketplace,
    credentials: account.credentials,
  })),
}
console.log(`ready at ${JSON.stringify(ready)}`)
// The log of calls is for tests; here it would only grow.
setInterval(() => {
  for (const fake of [wb, ozon]) (fake.calls() as unknown[]).length = 0
}, 5_000)
process.on('SIGTERM', () => process.exit(0))

/** Orders of the last month, all of them open. */
function fillAccount(fake: Fake, account: FakeAccount): void {
  const cards = Array.from({ length: plan.goods }, () => fake.addCard(account))
  const warehouse = { id: 7_001, name: 'FBS' }
  for (const { itemId } of cards) fake.setStock(account, { itemId, warehouse, quantity: 10 })
  const packed =
    fake === wb
      ? { supplier: 'confirm', buyer: 'waiting' }
      : { supplier: 'awaiting_deliver', buyer: 'posting_in_carriage' }
  for (let index = 0; index < plan.orders; index += 1) {
    const card = cards[index % cards.length]
    if (card === undefined) continue
    const { itemId, article, barcodes } = card
    const line = { itemId, article, barcode: barcodes[0] ?? '', quantity: 1 }
    const createdAt = Date.now() - (index / plan.orders) * 29 * day
    fake.addOrder(account, { createdAt, lines: [line], status: packed })
  }
}
