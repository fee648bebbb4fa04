import {
  barcodesOf,
  type Fields,
  integerOrNone,
  listOrNone,
  textOrNone,
} from '../calls/response-fields.ts'
import type { Card } from '../connector.ts'

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
  return [...new Set(skus)]
    .filter((sku) => sku > 0)
    .map((itemId) => ({
      itemId,
      barcodes: barcodesOf(product, 'barcodes'),
      article,
      name: name ?? String(itemId),
    }))
}

function isOwnWarehouse(source: Fields): boolean {
  return textOrNone(source, 'source')?.toLowerCase() === 'fbs'
}
