import type { ReportedStock } from '../../../../warehouse/stock/marketplace-stock.ts'
import { chunksOf } from '../../calls/chunks.ts'
import { openPartialReader } from '../../calls/partial-reader.ts'
import {
  type Fields,
  integerOf,
  integerOrNone,
  textOrNone,
  unitsOf,
} from '../../calls/response-fields.ts'
import type { CardKey, ReportedPage } from '../../connector.ts'
import { type OzonClient, ozonIdsMax, ozonPages } from '../client.ts'

/** Lists the stock of goods by warehouse. */
export async function* listOzonStock(
  client: OzonClient,
  goods: AsyncIterable<readonly CardKey[]>,
): AsyncGenerator<ReportedPage<ReportedStock>> {
  const reader = openPartialReader()
  for await (const cards of goods) {
    for (const chunk of chunksOf(cards, ozonIdsMax.stock)) {
      const barcodes = new Map(chunk.map(({ itemId, barcode }) => [itemId, barcode]))
      const skus = [...barcodes.keys()]
      for await (const page of ozonPages((cursor) => client.stock(skus, cursor))) {
        const items = reader.each(page.items, (item) => parseProductStock(item, barcodes))
        yield { requestedAt: page.requestedAt, items }
      }
    }
  }
  reader.finish()
}

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
