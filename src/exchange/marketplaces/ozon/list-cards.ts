import { isObsolete, isWithdrawn } from '../calls/failure.ts'
import type { RemotePage } from '../calls/pages.ts'
import { openPartialReader } from '../calls/partial-reader.ts'
import { textOf } from '../calls/response-fields.ts'
import type { Card, ReportedPage } from '../connector.ts'
import { ozonPages, productListPath } from './client.ts'
import type { OzonContext } from './context.ts'
import { parseProductCards } from './parse-cards.ts'

/** Lists all cards: OZON cannot list the changed ones. The cursors therefore have no content. */
export async function* listOzonCards(
  context: OzonContext,
): AsyncGenerator<ReportedPage<Card> & { readonly cursor: string }> {
  const { client } = context
  const reader = openPartialReader()
  for await (const { items } of productPages(context)) {
    const ids = reader.each(items, (item) => textOf(item, 'product_id'))
    if (ids.length === 0) continue
    const infos = await client.productInfos('product_id', ids)
    const cards = reader.each(infos.items, parseProductCards)
    yield { requestedAt: infos.requestedAt, items: cards, cursor: '' }
  }
  reader.finish()
}

/** Two calls list all goods; the second one serves once the first is withdrawn. */
async function* productPages({ client, memory, now }: OzonContext): AsyncGenerator<RemotePage> {
  try {
    if (!memory.isWithdrawn(productListPath, now())) {
      return yield* ozonPages((lastId) => client.products(lastId))
    }
  } catch (error) {
    if (!isObsolete(error)) throw error
    if (isWithdrawn(error)) memory.noteWithdrawn(productListPath, now())
  }
  yield* ozonPages((cursor) => client.stockedProducts(cursor))
}
