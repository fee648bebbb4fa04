import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { MarketplaceError } from '../../../src/exchange/marketplaces/calls/failure.ts'
import { openWildberries } from '../../../src/exchange/marketplaces/wildberries/connector.ts'
import { wildberriesPaces } from '../../../src/exchange/marketplaces/wildberries/environment.ts'
import type { WildberriesOptions } from '../../../src/exchange/marketplaces/wildberries/transport.ts'
import type { FakeAccount } from './fake.ts'
import { passingTime } from './fake-time.ts'
import { openLimits } from './in-memory-limits.ts'
import { type FakeWildberries, startFakeWildberries } from './wildberries.ts'

/** A fake WB for all tests of the importing file. Each test has a new account. */
export const now = Date.parse('2026-11-20T12:00:00Z')
export const hour = 3_600_000
export const day = 24 * hour

export let fake: FakeWildberries
export let account: FakeAccount<'WB'>

before(async () => {
  fake = await startFakeWildberries({ now: () => now })
})
beforeEach(() => {
  fake.heal()
  account = fake.account()
})
after(() => fake.close())

export function connect(given: Partial<WildberriesOptions> = {}) {
  const time = passingTime()
  const options = {
    credentials: account.credentials,
    baseUrl: fake.baseUrl,
    contentBaseUrl: fake.baseUrl,
    limits: openLimits(wildberriesPaces.production.limit, time),
    time,
    now: () => now,
    ...given,
  }
  return { ...openWildberries(options), time }
}

/** The account's calls whose method and path contain `what`. */
export const made = (what = '') =>
  fake
    .calls()
    .filter((call) => call.account === account.id && `${call.method} ${call.path}`.includes(what))

export const supply = (id: string) => ({ id, createdAt: new Date(now).toISOString(), done: false })

export async function itemsOf<Item>(
  pages: AsyncIterable<{ items: readonly Item[] }>,
): Promise<Item[]> {
  return (await Array.fromAsync(pages)).flatMap(({ items }) => items)
}

export async function failureOf(call: Promise<unknown>): Promise<MarketplaceError> {
  const failure = await call.then(
    () => assert.fail('the call succeeded'),
    (error: unknown) => error,
  )
  assert.ok(failure instanceof MarketplaceError, `${failure}`)
  return failure
}

export function shipped(ids: readonly string[]) {
  return ids.map((externalId) => ({ externalId, units: 1 }))
}

export const ordersOf = (count: number) =>
  Array.from({ length: count }, () => fake.addOrder(account))
export const supplyOf = (id: string) => fake.shipments(account).find((supply) => supply.id === id)
export const refused = (code: string) => ({
  status: 409,
  body: { code, message: 'No', data: null },
})

/** A supply of ours with `count` orders, and the connector. */
export async function filled(count = 1, given: Parameters<typeof connect>[0] = {}) {
  const { shipping, time } = connect(given)
  const ids = ordersOf(count)
  const id = await shipping.create({ name: 'Утро', reference: 'SK-1' })
  await shipping.addOrders(id, shipped(ids))
  return { shipping, time, ids, id }
}
