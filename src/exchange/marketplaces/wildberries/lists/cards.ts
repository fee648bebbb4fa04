import { gtinOf } from '../../../../platform/kernel/codes/gs1.ts'
import { openPartialReader } from '../../calls/partial-reader.ts'
import {
  barcodesOf,
  type Fields,
  integerOf,
  listOrNone,
  pictureAddressOf,
  textOrNone,
} from '../../calls/response-fields.ts'
import type { Card, CardMeasures, ReportedPage } from '../../connector.ts'
import {
  type CardsCursor,
  cardsPageSize,
  parseCardsCursor,
  type WildberriesClient,
} from '../client.ts'

/**
 * Lists cards that changed after a cursor of an earlier page, or all. Each page has its own cursor,
 * which stops before the first page with an unreadable card, so that the next listing reads that
 * page again.
 */
export async function* listWildberriesCards(
  client: WildberriesClient,
  since: string | undefined,
): AsyncGenerator<ReportedPage<Card> & { readonly cursor: string }> {
  const reader = openPartialReader()
  let position = decodeCursor(since)
  let reached = since
  let complete = since ?? ''
  for (;;) {
    const { requestedAt, items, cursor: rawCursor } = await client.cards(position)
    if (items.length === 0) break
    const cards = reader.each(reader.each(items, parseSizes), (parseSize) => parseSize())
    const [next] = reader.each([rawCursor], parseCardsCursor)
    if (next === undefined) {
      yield { requestedAt, items: cards, cursor: complete }
      break
    }
    position = next
    const encoded = JSON.stringify(next)
    if (reader.isComplete()) complete = encoded
    yield { requestedAt, items: cards, cursor: complete }
    if (encoded === reached || isLastPage(rawCursor)) break
    reached = encoded
  }
  reader.finish()
}

/** WB ends the list with a page that has fewer cards than were requested. */
function isLastPage(cursor: unknown): boolean {
  const { total } = { ...(cursor as { total?: unknown } | undefined) }
  return typeof total === 'number' && total < cardsPageSize
}

/** Lists all cards if the cursor cannot be read: a card that is reported again changes nothing. */
function decodeCursor(cursor: string | undefined): CardsCursor | undefined {
  if (cursor === undefined) return undefined
  try {
    return parseCardsCursor(JSON.parse(cursor))
  } catch {
    return undefined
  }
}

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
  const picture = pictureOf(card)
  const measures = measuresOf(card)
  return sizes.map((size) => () => {
    const itemId = integerOf(size, 'chrtID')
    const barcodes = barcodesOf(size, 'skus')
    const sized = sizes.length > 1 ? textOrNone(size, 'techSize') : undefined
    const name = title === undefined ? String(itemId) : [title, sized].filter(Boolean).join(', ')
    const gtin = secondGtinOf(size) ?? secondGtinOf(card)
    return {
      itemId,
      barcodes,
      article,
      name,
      ...marking,
      ...(gtin === undefined ? {} : { gtin }),
      ...(picture === undefined ? {} : { picture }),
      ...(measures === undefined ? {} : { measures }),
    }
  })
}

/** Sizes of a picture: what is large enough to be looked at goes first, then what is nearest to that. */
const pictureSizes = ['c246x328', 'square', 'c516x688', 'tm', 'big']

/** A card without readable pictures is a card all the same. */
function pictureOf({ photos }: Fields): string | undefined {
  const [first]: unknown[] = Array.isArray(photos) ? photos : []
  if (typeof first !== 'object' || first === null) return undefined
  return pictureSizes.flatMap((size) => pictureAddressOf(first as Fields, size) ?? [])[0]
}

/** Centimetres and kilograms. WB says of measures that it doubts that they are not valid. */
function measuresOf({ dimensions }: Fields): CardMeasures | undefined {
  if (typeof dimensions !== 'object' || dimensions === null) return undefined
  const { length, width, height, weightBrutto, isValid } = dimensions as Fields
  const [length_mm, width_mm, height_mm] = [length, width, height].map((side) =>
    scaled(side, 10, 10_000),
  )
  if (isValid === false || !length_mm || !width_mm || !height_mm) return undefined
  const weight_g = scaled(weightBrutto, 1_000, 1_000_000)
  return { length_mm, width_mm, height_mm, ...(weight_g === undefined ? {} : { weight_g }) }
}

function scaled(value: unknown, by: number, most: number): number | undefined {
  const whole = typeof value === 'number' ? Math.round(value * by) : 0
  return whole >= 1 && whole <= most ? whole : undefined
}

/** Undefined for a text that is no GTIN. */
function secondGtinOf(fields: Fields): string | undefined {
  return gtinOf(textOrNone(fields, 'gtin') ?? '')
}
