import { type Fields, flagOf, integerOrNone, textOf, textOrNone } from '../calls/response-fields.ts'
import type { SellerWarehouse } from '../connector.ts'

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
