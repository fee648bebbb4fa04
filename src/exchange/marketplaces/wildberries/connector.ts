import { type Fields, flagOf, integerOrNone, textOf, textOrNone } from '../calls/response-fields.ts'
import type { Connector, SellerWarehouse } from '../connector.ts'
import { openWildberriesClient } from './client.ts'
import { listWildberriesCards } from './lists/cards.ts'
import { listWildberriesOrders, listWildberriesStatuses } from './lists/orders.ts'
import { listWildberriesReshipments } from './lists/reshipments.ts'
import { listWildberriesStock } from './lists/stock.ts'
import { listWildberriesSupplies } from './lists/supplies.ts'
import { wildberriesShipping } from './shipping/shipping.ts'
import { wildberriesLabelCodes } from './shipping/stickers.ts'
import { readToken } from './token.ts'
import type { WildberriesOptions } from './transport.ts'

export function openWildberries(options: WildberriesOptions): Connector {
  const { credentials, now = Date.now } = options
  const client = openWildberriesClient(options)
  const claims = readToken(credentials.token)
  return {
    marketplace: 'WB',
    now,
    seller: claims.seller,
    async access() {
      // Any call shows that the token may read orders and supplies.
      await client.warehouses()
      return { expiresAt: claims.expiresAt, tokenType: claims.type }
    },
    warehouses: async () => (await client.warehouses()).map(parseSellerWarehouse),
    cards: (since) => listWildberriesCards(client, since),
    orders: (from) => listWildberriesOrders(client, from, now),
    labelCodes: (externalIds) => wildberriesLabelCodes(client, externalIds),
    statuses: (externalIds) => listWildberriesStatuses(client, externalIds),
    shipments: (shipmentsQuery) => listWildberriesSupplies(client, shipmentsQuery),
    reshipments: () => listWildberriesReshipments(client),
    stock: (goods) => listWildberriesStock(client, goods),
    leavesOrphans: true,
    shipping: wildberriesShipping(client),
  }
}

/** deliveryType of a warehouse; orders name the same schemes. */
const schemes: Readonly<Record<number, string>> = {
  1: 'fbs',
  2: 'dbs',
  3: 'dbw',
  5: 'cnc',
  6: 'edbs',
}

export function parseSellerWarehouse(warehouse: Fields): SellerWarehouse {
  const name = textOrNone(warehouse, 'name')
  const type = integerOrNone(warehouse, 'deliveryType')
  const status = ['isDeleting', 'isProcessing'].find((flag) => flagOf(warehouse, flag))
  return {
    id: textOf(warehouse, 'id'),
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...(type === undefined ? {} : { scheme: schemes[type] ?? String(type) }),
  }
}
