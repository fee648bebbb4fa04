import type { RawStatus } from '../../orders/state.ts'
import type { ToldStatus } from '../../orders/verbs.ts'
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
  itemsOf,
  listOrNone,
  malformed,
  textOf,
  textOrNone,
  unitsOf,
} from '../calls/answer.ts'
import { barcodesOf } from '../calls/barcodes.ts'
import { isNumber } from '../calls/ids.ts'
import type { Card, Sticker, ToldOrder } from '../connector.ts'
import { readWildberriesStatus } from './status.ts'

/** What WB's answers mean to us. One assembly order is one unit. */

/** Without a status: no answer has both. */
export function orderOf(order: Fields): ToldOrder {
  const externalId = textOf(order, 'id')
  if (!isNumber(externalId)) throw malformed('id')
  const nmId = integerOrNone(order, 'nmId') || undefined
  const article = textOrNone(order, 'article')
  const itemId = integerOrNone(order, 'chrtId')
  return {
    externalId,
    createdAt: instantOf(order, 'createdAt'),
    isB2b: order.options != null && flagOf(fieldsOf(order.options, 'options'), 'isB2B'),
    ...(nmId === undefined ? {} : { nmId }),
    lines: [
      {
        barcodes: barcodesOf(order, 'skus'),
        ...(article === undefined ? {} : { article }),
        ...(itemId === undefined ? {} : { itemId }),
        quantity: 1,
      },
    ],
  }
}

/** Undefined where neither half of the pair was told. */
export function statusOf(order: Fields): ToldStatus | undefined {
  const raw = pairOf(order)
  if (raw.supplier === undefined && raw.buyer === undefined) return undefined
  return { externalId: textOf(order, 'id'), reading: readWildberriesStatus(raw) }
}

export function pairOf(order: Fields): RawStatus {
  const supplier = textOrNone(order, 'supplierStatus')
  const buyer = textOrNone(order, 'wbStatus')
  return {
    ...(supplier === undefined ? {} : { supplier }),
    ...(buyer === undefined ? {} : { buyer }),
  }
}

export function shipmentOf(supply: Fields, orders?: readonly string[] | undefined): ToldShipment {
  const createdAt = instantOf(supply, 'createdAt')
  const acceptedAt = instantOrNone(supply, 'scanDt')
  const done = flagOf(supply, 'done') ? createdAt : undefined
  return {
    externalId: textOf(supply, 'id'),
    name: textOrNone(supply, 'name'),
    createdAt,
    // One that is done and does not say since when was so at the latest when it was scanned.
    closedAt: instantOrNone(supply, 'closedAt') ?? acceptedAt ?? done,
    acceptedAt,
    cancelled: false,
    orders,
    isB2b: flagOf(supply, 'isB2b'),
  }
}

/** Numbers of a supply's orders: all of them, or it is malformed. */
export function orderIdsOf(answer: Fields): string[] {
  const ids = answer.orderIds === null ? [] : itemsOf(answer, 'orderIds')
  return ids.map((orderIds) => textOf({ orderIds }, 'orderIds'))
}

/** A card of WB is one of ours for each of its sizes, which names tell apart where there are several. */
export function sizesOf(card: Fields): (() => Card)[] {
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

export interface Warehouse {
  readonly id: number
  readonly name?: string
}

const fulfilmentBySeller = 1

/** Undefined for those that ship otherwise than through WB, or are being changed or removed. */
export function warehouseOf(warehouse: Fields): Warehouse | undefined {
  const deliveryType = integerOrNone(warehouse, 'deliveryType') ?? fulfilmentBySeller
  const changing = flagOf(warehouse, 'isDeleting') || flagOf(warehouse, 'isProcessing')
  if (deliveryType !== fulfilmentBySeller || changing) return undefined
  const name = textOrNone(warehouse, 'name')
  return { id: integerOf(warehouse, 'id'), ...(name === undefined ? {} : { name }) }
}

/** Undefined for goods that were not asked for. */
export function figureOf(
  stock: Fields,
  barcodes: ReadonlyMap<number, string>,
  warehouse: Warehouse,
): MirroredFigure | undefined {
  const itemId = integerOf(stock, 'chrtId')
  const barcode = barcodes.get(itemId)
  if (barcode === undefined) return undefined
  return { barcode, itemId, quantity: unitsOf(stock, 'amount'), warehouse }
}

/** A picture with what its code holds; `externalId` is the order's or the supply's. */
export function stickerOf(externalId: string, sticker: Fields): Sticker {
  return {
    externalId,
    contentType: 'image/svg+xml',
    bytes: Buffer.from(textOf(sticker, 'file'), 'base64'),
    code: textOrNone(sticker, 'barcode'),
  }
}
