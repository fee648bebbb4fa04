import { isObsolete, isWithdrawn } from '../../calls/failure.ts'
import { openPartialReader, type RemotePage } from '../../calls/partial-reader.ts'
import {
  barcodesOf,
  type Fields,
  integerOrNone,
  listOrNone,
  pictureAddressOf,
  textOf,
  textOrNone,
} from '../../calls/response-fields.ts'
import type { Card, ReportedPage } from '../../connector.ts'
import { ozonPages, productListPath } from '../client.ts'
import type { OzonContext } from '../context.ts'
import type { OzonPage } from '../transport.ts'

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
async function* productPages({ client, memory }: OzonContext): AsyncGenerator<RemotePage> {
  try {
    if (!memory.isWithdrawn(productListPath)) {
      return yield* pagesUpToTotal((lastId) => client.products(lastId))
    }
  } catch (error) {
    if (!isObsolete(error)) throw error
    if (isWithdrawn(error)) memory.noteWithdrawn(productListPath)
  }
  yield* pagesUpToTotal((cursor) => client.stockedProducts(cursor))
}

/** Pages until as many goods were listed as OZON says there are; where it does not say, until the last page. */
async function* pagesUpToTotal(
  fetch: (cursor: string) => Promise<OzonPage>,
): AsyncGenerator<RemotePage> {
  let listed = 0
  for await (const page of ozonPages(fetch)) {
    yield page
    listed += page.items.length
    if (page.total !== undefined && page.total > 0 && listed >= page.total) return
  }
}

/**
 * A product is a card for each sku under which the seller's own warehouse sells it: older goods
 * have one more sku beside the common one. A product without a sku is not on sale yet and has no
 * card.
 */
export function parseProductCards(product: Fields): Card[] {
  const own = listOrNone(product, 'sources').filter(isOwnWarehouse)
  const skus = [product, ...own].flatMap((fields) => integerOrNone(fields, 'sku') ?? [])
  const article = textOrNone(product, 'offer_id')
  const name = textOrNone(product, 'name') ?? article
  const picture = pictureOf(product)
  return [...new Set(skus)]
    .filter((sku) => sku > 0)
    .map((itemId) => ({
      itemId,
      barcodes: barcodesOf(product, 'barcodes'),
      article,
      name: name ?? String(itemId),
      ...(picture === undefined ? {} : { picture }),
    }))
}

/** The main picture, a text or a list of one, or the first of the others. */
function pictureOf(product: Fields): string | undefined {
  const named = [product.primary_image, product.images].flat()
  return named.flatMap((image) => pictureAddressOf({ image }, 'image') ?? [])[0]
}

function isOwnWarehouse(source: Fields): boolean {
  return textOrNone(source, 'source')?.toLowerCase() === 'fbs'
}
