import type { ReportedStock } from '../../../../warehouse/stock/marketplace-stock.ts'
import {
  type Fields,
  flagOf,
  integerOf,
  integerOrNone,
  textOrNone,
  unitsOf,
} from '../../calls/response-fields.ts'

export interface WildberriesWarehouse {
  readonly id: number
  readonly name?: string
}

const fulfilmentBySeller = 1

/**
 * Undefined for a warehouse that does not ship through WB, and for one that is being changed or
 * deleted.
 */
export function parseWarehouse(warehouse: Fields): WildberriesWarehouse | undefined {
  const deliveryType = integerOrNone(warehouse, 'deliveryType') ?? fulfilmentBySeller
  const changing = flagOf(warehouse, 'isDeleting') || flagOf(warehouse, 'isProcessing')
  if (deliveryType !== fulfilmentBySeller || changing) return undefined
  const name = textOrNone(warehouse, 'name')
  return { id: integerOf(warehouse, 'id'), ...(name === undefined ? {} : { name }) }
}

/** Undefined for goods that the caller did not request. */
export function parseWarehouseStock(
  stock: Fields,
  barcodes: ReadonlyMap<number, string>,
  warehouse: WildberriesWarehouse,
): ReportedStock | undefined {
  const itemId = integerOf(stock, 'chrtId')
  const barcode = barcodes.get(itemId)
  if (barcode === undefined) return undefined
  return { barcode, itemId, quantity: unitsOf(stock, 'amount'), warehouse }
}
