import {
  barcodesOf,
  type Fields,
  integerOf,
  listOrNone,
  textOrNone,
} from '../calls/response-fields.ts'
import type { Card } from '../connector.ts'

/**
 * Each size of a WB card is a card of the service. If a card has several sizes, the size is part of
 * the name. The result has a function for each size, so that one unreadable size does not hide the
 * others.
 */
export function parseSizes(card: Fields): (() => Card)[] {
  const article = textOrNone(card, 'vendorCode')
  const title = textOrNone(card, 'title') ?? article
  const marking = typeof card.needKiz === 'boolean' ? { honestMark: card.needKiz } : {}
  const sizes = listOrNone(card, 'sizes')
  return sizes.map((size) => () => {
    const itemId = integerOf(size, 'chrtID')
    const barcodes = barcodesOf(size, 'skus')
    const sized = sizes.length > 1 ? textOrNone(size, 'techSize') : undefined
    const name = title === undefined ? String(itemId) : [title, sized].filter(Boolean).join(', ')
    return { itemId, barcodes, article, name, ...marking }
  })
}
