import type { ReportedStock } from '../../../warehouse/stock/marketplace-stock.ts'
import {
  type Fields,
  integerOf,
  integerOrNone,
  textOrNone,
  unitsOf,
} from '../calls/response-fields.ts'

/**
 * The stock is what OZON offers for sale, as on WB: `present` also counts the units that orders
 * have reserved. A seller sets stock by product and warehouse, so all skus of a product show the
 * same units.
 *
 * Undefined for goods that the caller did not request.
 */
export function parseProductStock(
  stock: Fields,
  barcodes: ReadonlyMap<number, string>,
): ReportedStock | undefined {
  const itemId = integerOf(stock, 'sku')
  const barcode = barcodes.get(itemId)
  if (barcode === undefined) return undefined
  const product = textOrNone(stock, 'offer_id')
  const id = integerOrNone(stock, 'warehouse_id')
  const name = textOrNone(stock, 'warehouse_name')
  return {
    barcode,
    itemId,
    ...(product === undefined ? {} : { product }),
    quantity: freeUnitsOf(stock),
    ...(id === undefined ? {} : { warehouse: { id, ...(name === undefined ? {} : { name }) } }),
  }
}

/** Zero if more units are reserved than present. */
function freeUnitsOf(stock: Fields): number {
  const free =
    integerOrNone(stock, 'free_stock') ??
    unitsOf(stock, 'present') - (stock.reserved == null ? 0 : unitsOf(stock, 'reserved'))
  return free < 0 ? 0 : unitsOf({ free_stock: free }, 'free_stock')
}
