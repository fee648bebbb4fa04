import type { Connector } from '../../../src/exchange/marketplaces/connector.ts'
import { ozonLimit } from '../../../src/exchange/marketplaces/ozon/client.ts'
import { openOzon } from '../../../src/exchange/marketplaces/ozon/connector.ts'
import { openWildberries } from '../../../src/exchange/marketplaces/wildberries/connector.ts'
import { wildberriesPaces } from '../../../src/exchange/marketplaces/wildberries/environment.ts'
import type { Instant } from '../../../src/platform/kernel/moscow-time.ts'
import type { Marketplace } from '../../../src/warehouse/clients/marketplace.ts'
import type { OrderStatus } from '../../../src/warehouse/orders/state.ts'
import type { Fake, FakeAccount, FakeOptions, FakeStatus } from './fake.ts'
import type { ClockedTime } from './fake-time.ts'
import { openLimits } from './in-memory-limits.ts'
import { startFakeOzon } from './ozon.ts'
import { startFakeWildberries } from './wildberries.ts'

/** What the contract suite needs to know of a marketplace beside its connector and its fake. */
export interface ConnectorHarness {
  readonly marketplace: Marketplace
  start(options?: FakeOptions): Promise<Fake>
  connect(fake: Pick<Fake, 'baseUrl'>, account: FakeAccount, options: ConnectOptions): Connector
  /** A raw status pair for each status of the service. */
  readonly statuses: Readonly<Record<OrderStatus, FakeStatus>>
  /** Part of the path of the call that lists orders. */
  readonly ordersPath: string
  /** Part of the path of the call that creates a shipment. */
  readonly createPath: string
  /** Part of the path of the last call that cancels a shipment. */
  cancelPath(shipment: string): string
  /** Fields of an order that may be null or absent, and an unknown one. */
  readonly sparse: Readonly<Record<string, unknown>>
  /** A field without which an order is malformed. */
  readonly required: string
  /** An order number that a JavaScript number cannot hold. */
  readonly longNumber: string
  /** A text that cannot be an order number of the marketplace. */
  readonly foreignNumber: string
  /** The error code for the hand-over of an empty shipment. */
  readonly emptyCode: string
  /** The number of a shipment that does not exist. */
  readonly goneShipment: string
  /** `orders` does not report every change of a status, so `statuses` is needed. */
  readonly statusesAreSeparate: boolean
}

export interface ConnectOptions {
  readonly time: ClockedTime
  readonly now?: () => Instant
  readonly timeoutMs?: number
}

const wildberries: ConnectorHarness = {
  marketplace: 'WB',
  start: startFakeWildberries,
  connect: ({ baseUrl }, account, options) =>
    openWildberries({
      credentials: account.credentials as { token: string },
      baseUrl,
      contentBaseUrl: baseUrl,
      limits: openLimits(wildberriesPaces.production.limit, options.time),
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
  createPath: '/api/v3/supplies',
  cancelPath: (id) => `/api/v3/supplies/${id}`,
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
  goneShipment: 'WB-GI-404',
  statusesAreSeparate: true,
}

const ozon: ConnectorHarness = {
  marketplace: 'OZON',
  start: startFakeOzon,
  connect: ({ baseUrl }, account, options) => {
    const { client_id, api_key } = account.credentials as { client_id: string; api_key: string }
    return openOzon({
      credentials: { clientId: client_id, apiKey: api_key },
      baseUrl,
      limits: openLimits(ozonLimit, options.time),
      ...options,
    })
  },
  statuses: {
    NEW: { supplier: 'awaiting_packaging', buyer: 'posting_created' },
    ASSEMBLING: { supplier: 'awaiting_deliver', buyer: 'posting_registered' },
    IN_DELIVERY: { supplier: 'delivering', buyer: 'posting_on_way_to_city' },
    COMPLETED: { supplier: 'delivered', buyer: 'posting_received' },
    CANCELLED: { supplier: 'cancelled', buyer: 'posting_canceled' },
    OTHER: { supplier: 'beamed_up', buyer: 'in_orbit' },
  },
  ordersPath: '/v4/posting/fbs/list',
  createPath: '/v1/carriage/create',
  cancelPath: () => '/v1/carriage/cancel',
  sparse: {
    analytics_data: null,
    cancellation: null,
    requirements: null,
    delivery_method: null,
    shipment_date: undefined,
    order_id: null,
    drone: { height: 9 },
  },
  required: 'in_process_at',
  longNumber: '9007199254740993-0001-1',
  foreignNumber: 'заказ-1',
  emptyCode: 'CARRIAGE_HAS_NO_POSTINGS',
  goneShipment: '404',
  statusesAreSeparate: false,
}

export const connectorHarnesses: readonly ConnectorHarness[] = [wildberries, ozon]
