import type { Marketplace } from '../../../src/clients/marketplace.ts'
import type { Instant } from '../../../src/kernel/moscow-time.ts'
import type { Connector } from '../../../src/marketplaces/connector.ts'
import { type LimitRule, openLimits, type Time } from '../../../src/marketplaces/limits.ts'
import { wildberriesLimit } from '../../../src/marketplaces/wildberries/client.ts'
import { openWildberries } from '../../../src/marketplaces/wildberries/connector.ts'
import type { OrderStatus } from '../../../src/orders/state.ts'
import type { Fake, FakeAccount, FakeOptions, FakeStatus } from './fake.ts'
import { startFakeWildberries } from './wildberries.ts'

/** What the contract suite has to know of a marketplace beside its connector and its fake. */
export interface Plug {
  readonly marketplace: Marketplace
  readonly limit: LimitRule
  start(options?: FakeOptions): Promise<Fake>
  connect(fake: Pick<Fake, 'baseUrl'>, account: FakeAccount, options: ConnectOptions): Connector
  /** Raw pairs by what they mean; the first `onTheWay` is of an order that is no longer new. */
  readonly statuses: Readonly<Record<OrderStatus, FakeStatus>>
  /** A part of the path of the call that lists orders. */
  readonly ordersPath: string
  readonly shipmentsPath: string
  /** Fields of an order that may be null or absent, and one that nobody knows. */
  readonly sparse: Readonly<Record<string, unknown>>
  /** A field of an order without which it can't be taken in. */
  readonly required: string
  /** The number of an order that a JavaScript number can't hold. */
  readonly longNumber: string
  /** A number of an order that the marketplace can't have given. */
  readonly foreignNumber: string
  /** The code with which an empty shipment is not handed over. */
  readonly emptyCode: string
}

export interface ConnectOptions {
  readonly time: Time
  readonly now?: () => Instant
  readonly timeoutMs?: number
}

const wildberries: Plug = {
  marketplace: 'WB',
  limit: wildberriesLimit,
  start: startFakeWildberries,
  connect: ({ baseUrl }, account, options) =>
    openWildberries({
      credentials: account.credentials as { token: string },
      baseUrl,
      contentBaseUrl: baseUrl,
      limits: openLimits(wildberriesLimit, options.time),
      ...options,
    }),
  statuses: {
    NEW: { supplier: 'new', buyer: 'waiting' },
    ASSEMBLING: { supplier: 'confirm', buyer: 'waiting' },
    IN_DELIVERY: { supplier: 'complete', buyer: 'waiting' },
    COMPLETED: { supplier: 'complete', buyer: 'sold' },
    CANCELLED: { supplier: 'complete', buyer: 'canceled_by_client' },
    OTHER: { supplier: 'beamed_up', buyer: 'in_orbit' },
  },
  ordersPath: '/api/v3/orders',
  shipmentsPath: '/api/v3/supplies',
  sparse: {
    article: null,
    nmId: null,
    skus: null,
    options: null,
    comment: undefined,
    supplyId: null,
    drone: { height: 9 },
  },
  required: 'createdAt',
  longNumber: '9007199254740993',
  foreignNumber: 'заказ-1',
  emptyCode: 'SupplyHasZeroOrders',
}

export const plugs: readonly Plug[] = [wildberries]
