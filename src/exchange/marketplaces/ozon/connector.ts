import type { ReportedStatus } from '../../../warehouse/orders/draft.ts'
import { isFailure } from '../calls/failure.ts'
import { realTime } from '../calls/limits.ts'
import { openPartialReader } from '../calls/partial-reader.ts'
import { type Fields, textOf, textOrNone } from '../calls/response-fields.ts'
import type { Access, Connector, ReportedPage, SellerWarehouse } from '../connector.ts'
import { type OzonClient, openOzonClient, ozonPages } from './client.ts'
import { listOzonCards } from './lists/cards.ts'
import { listEarlierCarriages, listOzonCarriages } from './lists/carriages.ts'
import { listOzonOrders } from './lists/orders.ts'
import { listOzonReturns } from './lists/returns.ts'
import { listOzonStock } from './lists/stock.ts'
import { openOzonMemory } from './memory.ts'
import { readOzonDetails } from './posting-details.ts'
import { parseAccess } from './rights.ts'
import { ozonShipping } from './shipping/shipping.ts'
import type { OzonOptions } from './transport.ts'

export function openOzon(options: OzonOptions): Connector {
  const { now = Date.now, time = realTime, memory = openOzonMemory() } = options
  const client = openOzonClient(options)
  const context = { client, memory, time, now }
  return {
    marketplace: 'OZON',
    now,
    seller: options.credentials.clientId,
    access: () => checkAccess(client),
    warehouses: () => listOzonWarehouses(client),
    cards: () => listOzonCards(context),
    orders: (from, inParts) => listOzonOrders(client, from, now, inParts),
    details: (numbers) => readOzonDetails(context, numbers),
    reportsStatusChanges: true,
    statuses: () => noStatuses(),
    shipments: (shipmentsQuery) => listOzonCarriages(client, shipmentsQuery, now),
    earlierShipments: (from, to) => listEarlierCarriages(client, from, to),
    returns: (since) => listOzonReturns(context, since),
    giveoutCode: () => client.giveoutCode(),
    stock: (goods) => listOzonStock(client, goods),
    shipping: ozonShipping(context),
  }
}

/**
 * This call only says when the key expires. If OZON refuses it, `orders` shows whether the key
 * works.
 */
async function checkAccess(client: OzonClient): Promise<Access> {
  try {
    return parseAccess(await client.roles())
  } catch (error) {
    if (isFailure(error, 'unreachable', 'credentials')) throw error
    return { expiresAt: undefined }
  }
}

/** `orders` reports every change of a status. */
async function* noStatuses(): AsyncGenerator<ReportedPage<ReportedStatus>> {}

export async function listOzonWarehouses(client: OzonClient): Promise<SellerWarehouse[]> {
  const reader = openPartialReader()
  const found: SellerWarehouse[] = []
  for await (const { items } of ozonPages((cursor) => client.warehouses(cursor))) {
    found.push(...reader.each(items, parseWarehouse))
  }
  reader.finish()
  return found
}

function parseWarehouse(warehouse: Fields): SellerWarehouse {
  const name = textOrNone(warehouse, 'name')
  const status = textOrNone(warehouse, 'status')
  const { is_rfbs: isDeliveredBySeller } = warehouse
  return {
    id: textOf(warehouse, 'warehouse_id'),
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...(typeof isDeliveredBySeller === 'boolean'
      ? { scheme: isDeliveredBySeller ? 'rfbs' : 'fbs' }
      : {}),
  }
}
