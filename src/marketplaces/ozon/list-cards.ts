import { isObsolete } from '../calls/failure.ts'
import type { RemotePage } from '../calls/pages.ts'
import { openPartialReader } from '../calls/partial-reader.ts'
import { textOf } from '../calls/response-fields.ts'
import type { Card, ReportedPage } from '../connector.ts'
import { type OzonClient, ozonPages } from './client.ts'
import { parseProductCards } from './parse-cards.ts'

/** Lists all cards: OZON cannot list the changed ones. The cursors therefore have no content. */
export async function* listOzonCards(
  client: OzonClient,
): AsyncGenerator<ReportedPage<Card> & { readonly cursor: string }> {
  const reader = openPartialReader()
  for await (const { items } of productPages(client)) {
    const ids = reader.each(items, (item) => textOf(item, 'product_id'))
    if (ids.length === 0) continue
    const infos = await client.productInfos('product_id', ids)
    const cards = reader.each(infos.items, parseProductCards)
    yield { requestedAt: infos.requestedAt, items: cards, cursor: '' }
  }
  reader.finish()
}

/** Two calls list all goods; the second one serves once the first is withdrawn. */
async function* productPages(client: OzonClient): AsyncGenerator<RemotePage> {
  try {
    yield* ozonPages((lastId) => client.products(lastId))
  } catch (error) {
    if (!isObsolete(error)) throw error
    yield* ozonPages((cursor) => client.stockedProducts(cursor))
  }
}
