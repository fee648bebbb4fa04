import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { MarketplaceError } from '../../../src/exchange/marketplaces/calls/failure.ts'
import type {
  Connector,
  KnownShipment,
  MarkedOrder,
  ShipmentsQuery,
  ShippedOrder,
} from '../../../src/exchange/marketplaces/connector.ts'
import { ozonLimit } from '../../../src/exchange/marketplaces/ozon/client.ts'
import { openOzon } from '../../../src/exchange/marketplaces/ozon/connector.ts'
import type { FakeAccount, FakeCard } from './fake.ts'
import { passingTime } from './fake-time.ts'
import { openLimits } from './in-memory-limits.ts'
import { type FakeOzon, startFakeOzon } from './ozon.ts'

/** An OZON connector and its fake for all tests of the importing file. Each test has a new account. */
export const now = Date.parse('2026-11-20T12:00:00Z')
export const hour = 3_600_000
export const day = 24 * hour

export let fake: FakeOzon
export let account: FakeAccount<'OZON'>
export let connector: Connector
export let time: ReturnType<typeof passingTime>

let passedMs = 0
/** The connector's clock, beside that of its limits and waits. */
export const clock = {
  pass(ms: number) {
    passedMs += ms
  },
}

before(async () => {
  fake = await startFakeOzon({ now: () => now })
})
beforeEach(() => {
  fake.heal()
  passedMs = 0
  account = fake.account()
  time = passingTime()
  connector = openOzon({
    credentials: { clientId: account.credentials.client_id, apiKey: account.credentials.api_key },
    baseUrl: fake.baseUrl,
    limits: openLimits(ozonLimit, time),
    time,
    now: () => now + passedMs,
  })
})
after(() => fake.close())

/** The account's calls whose path contains `path`. */
export const made = (path = '') =>
  fake.calls().filter((call) => call.account === account.id && call.path.includes(path))

export async function refusal(
  call: Promise<unknown>,
  kind: MarketplaceError['kind'],
  words: RegExp,
) {
  const failure = await call.then(
    () => assert.fail('the call succeeded'),
    (error: unknown) => error,
  )
  assert.ok(failure instanceof MarketplaceError, `${failure}`)
  assert.equal(failure.kind, kind)
  assert.match(failure.message, words)
  return failure
}

export async function all<Item>(pages: AsyncIterable<{ readonly items: readonly Item[] }>) {
  return (await Array.fromAsync(pages)).flatMap(({ items }) => items)
}

export function shipped(ids: readonly string[], units = 1): ShippedOrder[] {
  return ids.map((externalId) => ({ externalId, units }))
}

/** An order whose units have marking codes, and goods that are unknown here. */
export function withCodes(externalId: string, codes: readonly string[]): MarkedOrder {
  const units = codes.map((markingCode) => ({ itemId: null, markingCode, marks: {} }))
  return { externalId, units }
}

export function lineOf({ itemId, article, barcodes }: FakeCard, quantity = 1) {
  return { itemId, article, barcode: barcodes[0] ?? '', quantity }
}

/** A query for the shipments of the last day and the known ones. */
export function since(known: readonly KnownShipment[] = []): ShipmentsQuery {
  return { from: now - day, openFrom: now - day, known }
}
