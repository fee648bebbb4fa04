import type { ReportedStock } from '../../../warehouse/stock/marketplace-stock.ts'
import { chunksOf } from '../calls/pages.ts'
import { openPartialReader } from '../calls/partial-reader.ts'
import type { CardKey, ReportedPage } from '../connector.ts'
import { type OzonClient, ozonIdsMax, ozonPages } from './client.ts'
import { parseProductStock } from './parse-stock.ts'

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
