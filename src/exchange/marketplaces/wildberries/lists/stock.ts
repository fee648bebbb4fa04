import type { ReportedStock } from '../../../../warehouse/stock/marketplace-stock.ts'
import { chunksOf } from '../../calls/chunks.ts'
import { openPartialReader, type PartialReader } from '../../calls/partial-reader.ts'
import type { CardKey, ReportedPage } from '../../connector.ts'
import { parseWarehouse, parseWarehouseStock, type WildberriesWarehouse } from '../answers/stock.ts'
import { type WildberriesClient, wildberriesIdsMax } from '../client.ts'

/** Lists the stock of goods by warehouse. A warehouse that refuses once is not requested again. */
export async function* listWildberriesStock(
  client: WildberriesClient,
  goods: AsyncIterable<readonly CardKey[]>,
): AsyncGenerator<ReportedPage<ReportedStock>> {
  const reader = openPartialReader()
  const warehouses = new Set(reader.each(await client.warehouses(), parseWarehouse))
  for await (const page of goods) {
    for (const cards of chunksOf(page, wildberriesIdsMax.stocks)) {
      for (const warehouse of warehouses) {
        const figures = await reader.attempt(fetchStock(client, cards, warehouse, reader))
        if (figures === undefined) warehouses.delete(warehouse)
        else yield figures
      }
    }
  }
  reader.finish()
}

async function fetchStock(
  client: WildberriesClient,
  cards: readonly CardKey[],
  warehouse: WildberriesWarehouse,
  reader: PartialReader,
): Promise<ReportedPage<ReportedStock>> {
  const barcodes = new Map(cards.map(({ itemId, barcode }) => [itemId, barcode]))
  const { requestedAt, items } = await client.stocks(warehouse.id, [...barcodes.keys()])
  const parse = (item: (typeof items)[number]) => parseWarehouseStock(item, barcodes, warehouse)
  return { requestedAt, items: reader.each(items, parse) }
}
