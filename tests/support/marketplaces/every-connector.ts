import assert from 'node:assert/strict'
import { after, before, beforeEach, suite } from 'node:test'
import { inspect } from 'node:util'
import { MarketplaceError } from '../../../src/marketplaces/calls/failure.ts'
import type { Connector, Told } from '../../../src/marketplaces/connector.ts'
import type { Fake, FakeAccount, FakeCall, FakeCard, FakeStatus } from './fake.ts'
import { type ConnectOptions, type Plug, plugs } from './plugs.ts'
import { passingTime } from './time.ts'

/** What every connector promises is tried with each of them on its marketplace's fake. */
export const now = Date.parse('2026-11-20T12:00:00Z')
export const hour = 3_600_000
export const day = 24 * hour

/** The connector under test; the account and what talks to it are new for each test. */
export interface ConnectorScene {
  readonly plug: Plug
  readonly onTheWay: FakeStatus
  fake: Fake
  account: FakeAccount
  connector: Connector
  time: ReturnType<typeof passingTime>
  connect(options?: Partial<ConnectOptions>, who?: FakeAccount): Connector
  /** Calls of the account. */
  made(): FakeCall[]
  /** Checks that no secret is shown. */
  failureOf(asked: Promise<unknown>): Promise<MarketplaceError>
}

export function everyConnector(promises: (at: ConnectorScene) => void): void {
  for (const plug of plugs) suite(`${plug.marketplace} connector`, () => promises(sceneOf(plug)))
}

function sceneOf(plug: Plug): ConnectorScene {
  const at = {
    plug,
    onTheWay: plug.statuses.IN_DELIVERY,
    connect(options: Partial<ConnectOptions> = {}, who = at.account) {
      at.time = passingTime()
      return plug.connect(at.fake, who, { time: at.time, now: () => now, ...options })
    },
    made: () => at.fake.calls().filter((call) => call.account === at.account.id),
    async failureOf(asked: Promise<unknown>) {
      const failure = await asked.then(
        () => assert.fail('it was answered'),
        (error: unknown) => error,
      )
      assert.ok(failure instanceof MarketplaceError, inspect(failure))
      for (const secret of Object.values(at.account.credentials)) {
        assert.ok(!inspect(failure, { depth: 10 }).includes(secret), 'a secret is shown')
      }
      return failure
    },
  } as ConnectorScene
  before(async () => {
    at.fake = await plug.start({ now: () => now })
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

export async function pagesOf<Item>(pages: AsyncIterable<Told<Item>>): Promise<Told<Item>[]> {
  return Array.fromAsync(pages)
}

export async function itemsOf<Item>(pages: AsyncIterable<Told<Item>>): Promise<Item[]> {
  return (await pagesOf(pages)).flatMap(({ items }) => items)
}

export function numbersOf(cards: readonly { readonly itemId: number }[]): number[] {
  return cards.map(({ itemId }) => itemId).toSorted((a, b) => a - b)
}
