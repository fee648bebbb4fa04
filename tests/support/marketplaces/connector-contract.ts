import assert from 'node:assert/strict'
import { after, before, beforeEach, suite } from 'node:test'
import { inspect } from 'node:util'
import { MarketplaceError } from '../../../src/exchange/marketplaces/calls/failure.ts'
import type { Connector, ReportedPage } from '../../../src/exchange/marketplaces/connector.ts'
import {
  type ConnectOptions,
  type ConnectorHarness,
  connectorHarnesses,
} from './connector-harness.ts'
import type { Fake, FakeAccount, FakeCall, FakeCard, FakeStatus } from './fake.ts'
import { passingTime } from './fake-time.ts'

/** Runs the contract of all connectors with each connector, on the fake of its marketplace. */
export const now = Date.parse('2026-11-20T12:00:00Z')
export const hour = 3_600_000
export const day = 24 * hour

/** The connector under test. Each test has a new account and a new connector. */
export interface ConnectorScene {
  readonly harness: ConnectorHarness
  readonly onTheWay: FakeStatus
  fake: Fake
  account: FakeAccount
  connector: Connector
  time: ReturnType<typeof passingTime>
  connect(options?: Partial<ConnectOptions>, who?: FakeAccount): Connector
  /** The account's calls so far. */
  made(): FakeCall[]
  /** The failure of a call; asserts that it reveals no secret. */
  failureOf(call: Promise<unknown>): Promise<MarketplaceError>
}

export function everyConnector(promises: (at: ConnectorScene) => void): void {
  for (const harness of connectorHarnesses) {
    suite(`${harness.marketplace} connector`, () => promises(sceneOf(harness)))
  }
}

function sceneOf(harness: ConnectorHarness): ConnectorScene {
  const at = {
    harness,
    onTheWay: harness.statuses.IN_DELIVERY,
    connect(options: Partial<ConnectOptions> = {}, who = at.account) {
      at.time = passingTime()
      return harness.connect(at.fake, who, { time: at.time, now: () => now, ...options })
    },
    made: () => at.fake.calls().filter((call) => call.account === at.account.id),
    async failureOf(call: Promise<unknown>) {
      const failure = await call.then(
        () => assert.fail('the call succeeded'),
        (error: unknown) => error,
      )
      assert.ok(failure instanceof MarketplaceError, inspect(failure))
      for (const secret of Object.values(at.account.credentials)) {
        assert.ok(!inspect(failure, { depth: 10 }).includes(secret), 'the failure reveals a secret')
      }
      return failure
    },
  } as ConnectorScene
  before(async () => {
    at.fake = await harness.start({ now: () => now })
  })
  beforeEach(() => {
    at.fake.heal()
    at.account = at.fake.account()
    at.connector = at.connect()
  })
  after(() => at.fake.close())
  return at
}

export function lineOf({ itemId, article, barcodes }: FakeCard) {
  return { itemId, article, barcode: barcodes[0] ?? '' }
}

export async function pagesOf<Item>(
  pages: AsyncIterable<ReportedPage<Item>>,
): Promise<ReportedPage<Item>[]> {
  return Array.fromAsync(pages)
}

export async function itemsOf<Item>(pages: AsyncIterable<ReportedPage<Item>>): Promise<Item[]> {
  return (await pagesOf(pages)).flatMap(({ items }) => items)
}

export function numbersOf(cards: readonly { readonly itemId: number }[]): number[] {
  return cards.map(({ itemId }) => itemId).toSorted((a, b) => a - b)
}
