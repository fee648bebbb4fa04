import { type Instant, moscowDate } from '../../kernel/moscow-time.ts'
import type { OrderDraft, ToldStatus } from '../../orders/verbs.ts'
import type { ToldShipment } from '../../shipments/mirror.ts'
import type { MirroredFigure } from '../../stock/marketplace-stock.ts'
import {
  type Fields,
  fieldsOf,
  flagOf,
  instantOf,
  instantOrNone,
  integerOf,
  integerOrNone,
  listOf,
  listOrNone,
  malformed,
  textOf,
  textOrNone,
  unitsOf,
} from '../calls/answer.ts'
import { barcodesOf } from '../calls/barcodes.ts'
import { isNumber } from '../calls/ids.ts'
import type { Access, Card, Sticker } from '../connector.ts'
import type { File } from './files.ts'
import { isPacked, readOzonStatus } from './status.ts'

/** What OZON's answers mean to us. A posting is an order of ours. */

export function accessOf(roles: Fields): Access {
  const told = [roles, ...listOrNone(roles, 'roles')]
  const ends = told.flatMap((fields) => instantOrNone(fields, 'expires_at') ?? [])
  return { expiresAt: ends.length === 0 ? undefined : Math.min(...ends) }
}

export function orderOf(posting: Fields): OrderDraft {
  const lines = listOf(posting, 'products').map((product) => {
    const article = textOrNone(product, 'offer_id')
    const itemId = integerOrNone(product, 'sku')
    return {
      ...(article === undefined ? {} : { article }),
      ...(itemId === undefined ? {} : { itemId }),
      quantity: unitsOf(product, 'quantity', 1),
    }
  })
  if (lines.length === 0) throw malformed('products')
  return {
    externalId: textOf(posting, 'posting_number'),
    createdAt: instantOf(posting, 'in_process_at'),
    isB2b: flagOf(partOf(posting, 'analytics_data'), 'is_legal'),
    lines,
    reading: readingOf(posting),
  }
}

/** Without its goods, which may not be readable. */
export function statusOf(posting: Fields): ToldStatus {
  return { externalId: textOf(posting, 'posting_number'), reading: readingOf(posting) }
}

function readingOf(posting: Fields) {
  const supplier = textOf(posting, 'status')
  const buyer = textOrNone(posting, 'substatus')
  const raw = { supplier, ...(buyer === undefined ? {} : { buyer }) }
  return readOzonStatus(raw, flagOf(partOf(posting, 'cancellation'), 'cancelled_after_ship'))
}

/** A part that may be absent or null. */
export function partOf(fields: Fields, name: string): Fields {
  return fields[name] == null ? {} : fieldsOf(fields[name], name)
}

/** What has to be known of a posting to ship it. */
export interface Posting {
  readonly number: string
  readonly status: string
  readonly shipFailed: boolean
  /** It may not be packed without marking codes. */
  readonly needsMarks: boolean
  readonly methodId: string | undefined
  readonly methodName: string
  readonly products: readonly { readonly sku: string; readonly quantity: number }[]
}

export function postingOf(posting: Fields): Posting {
  const method = partOf(posting, 'delivery_method')
  const methodId = textOrNone(method, 'id')
  const marked = partOf(posting, 'requirements').products_requiring_mandatory_mark
  return {
    number: textOf(posting, 'posting_number'),
    status: textOf(posting, 'status'),
    shipFailed: textOrNone(posting, 'substatus') === 'ship_failed',
    needsMarks: Array.isArray(marked) && marked.length > 0,
    methodId,
    methodName: textOrNone(method, 'name') ?? methodId ?? '',
    products: listOf(posting, 'products').map((product) => ({
      sku: textOf(product, 'sku'),
      quantity: unitsOf(product, 'quantity', 1),
    })),
  }
}

/**
 * A product is a card of ours by each number under which the seller's own warehouse sells it: goods
 * that are older than the common number still have one more. Without any it is not on sale yet.
 */
export function cardsOf(product: Fields): Card[] {
  const own = listOrNone(product, 'sources').filter(isOwn)
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

function isOwn(source: Fields): boolean {
  return textOrNone(source, 'source')?.toLowerCase() === 'fbs'
}

/**
 * The stock that OZON shows is the one for sale: `present` also counts what orders have reserved,
 * which WB's figure does not, and no buyer sees it. A seller sets it by product and warehouse, so all
 * numbers of a product show the same units. Undefined for goods that were not asked for.
 */
export function figureOf(
  stock: Fields,
  barcodes: ReadonlyMap<number, string>,
): MirroredFigure | undefined {
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
    quantity: freeOf(stock),
    ...(id === undefined ? {} : { warehouse: { id, ...(name === undefined ? {} : { name }) } }),
  }
}

/** None where more is reserved than there is. */
function freeOf(stock: Fields): number {
  const free =
    integerOrNone(stock, 'free_stock') ??
    unitsOf(stock, 'present') - (stock.reserved == null ? 0 : unitsOf(stock, 'reserved'))
  return free < 0 ? 0 : unitsOf({ free_stock: free }, 'free_stock')
}

const handedOver = new Set(['formed', 'sended', 'received', 'completed', 'closed'])

/**
 * A carriage that was asked for by its number at a moment; its own call need not tell more than how
 * it stands. Received is still being counted; only closed is counted. What is none of the known is
 * taken for open, as that has no effect on the ledger.
 */
export function shipmentOf(carriage: Fields, externalId: string, askedAt: Instant): ToldShipment {
  const status = textOf(carriage, 'status')
  const madeAt = instantOrNone(carriage, 'created_at')
  const updatedAt = instantOrNone(carriage, 'updated_at')
  const leftAt = handOver(carriage, madeAt, updatedAt) ?? askedAt
  const closedAt = handedOver.has(status) ? leftAt : undefined
  return {
    externalId,
    name: undefined,
    createdAt: madeAt ?? closedAt ?? askedAt,
    closedAt,
    acceptedAt: status === 'closed' ? (updatedAt ?? leftAt) : undefined,
    cancelled: status === 'cancelled',
    orders: undefined,
  }
}

/** No answer says when it was: not after the last change, nor after the day of departure. */
function handOver(
  carriage: Fields,
  madeAt: Instant | undefined,
  updatedAt: Instant | undefined,
): Instant | undefined {
  const day = /^\d{4}-\d\d-\d\d/.exec(textOrNone(carriage, 'departure_date') ?? '')?.[0]
  const end = Date.parse(`${day}T23:59:59+03:00`)
  const latest = [updatedAt, Number.isNaN(end) ? undefined : end].flatMap((at) => at ?? [])
  return latest.length === 0 ? madeAt : Math.max(madeAt ?? 0, Math.min(...latest))
}

/**
 * Whether it departs at that very moment, as far as OZON tells: to the millisecond or the second, or no
 * more than the day. One that was made after midnight departs then, and not when it was asked for.
 */
export function departsAt(carriage: Fields, at: Instant): 'yes' | 'no' | 'maybe' {
  const told = instantOrNone(carriage, 'departure_date')
  if (told === undefined || told % 60_000 === 0) return 'maybe'
  if (told === at && told % 1000 !== 0) return 'yes'
  if (moscowDate(told) !== moscowDate(at)) return 'maybe'
  return told % 1000 === 0 && Math.abs(told - at) < 1000 ? 'maybe' : 'no'
}

/** Carriages of a delivery method; those that could be made have no number, but 0 or less. */
export function carriagesOf(method: Fields): { id: string; methodId: string; status: string }[] {
  const methodId = textOrNone(method, 'delivery_method_id') ?? ''
  return listOrNone(method, 'carriages')
    .map((carriage) => ({
      id: textOrNone(carriage, 'id') ?? textOf(carriage, 'carriage_id'),
      methodId,
      status: textOrNone(carriage, 'status') ?? '',
    }))
    .filter(({ id }) => isNumber(id))
}

export interface Member {
  readonly number: string
  readonly cancelled: boolean
  /** It waits to be handed over, as all should that are in an open carriage. */
  readonly packed: boolean
}

export function memberOf(row: Fields): Member {
  const status = textOrNone(row, 'status')
  return {
    number: textOf(row, 'posting_number'),
    cancelled: status === 'cancelled',
    packed: isPacked(status),
  }
}

const signatures = [
  ['%PDF', 'application/pdf'],
  ['\x89PNG', 'image/png'],
  ['<svg', 'image/svg+xml'],
  ['<?xml', 'image/svg+xml'],
] as const

/** What kind of file it is shows in its first bytes; where it does not, it is what it was called. */
export function stickerOf(
  externalId: string,
  { bytes, contentType: called }: File,
  code?: string | undefined,
): Sticker {
  const start = bytes.subarray(0, 8).toString('latin1')
  const kind =
    signatures.find(([signature]) => start.startsWith(signature)) ??
    signatures.find(([, type]) => bytes.length > 0 && called.startsWith(type))
  if (kind === undefined) throw malformed('file_content')
  return { externalId, contentType: kind[1], bytes, code }
}
