import { openPartialReader } from '../calls/partial-reader.ts'
import { type Fields, textOf, textOrNone } from '../calls/response-fields.ts'
import type { SellerWarehouse } from '../connector.ts'
import { type OzonClient, ozonPages } from './client.ts'

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
