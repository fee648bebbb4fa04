import type { RawStatus } from '../../orders/state.ts'
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
  itemsOf,
  listOrNone,
  malformed,
  textOf,
  textOrNone,
} from '../answer.ts'
import type { Card, Sticker } from '../connector.ts'
import { isNumber } from '../ids.ts'
import { readWildberriesStatus } from './status.ts'

/** What WB's answers mean to us. One assembly order is one unit. */

/** Without a status: no answer has both. */
export function orderOf(order: Fields): OrderDraft {
  const externalId = textOf(order, 'id')
  if (!isNumber(externalId)) throw malformed('id')
  const nmId = integerOrNone(order, 'nmId')
  const article = textOrNone(order, 'article')
  const itemId = integerOrNone(order, 'chrtId')
  const [barcode] = textsOf(order, 'skus')
  return {
    externalId,
    createdAt: instantOf(order, 'createdAt'),
    isB2b: order.options != null && flagOf(fieldsOf(order.options, 'options'), 'isB2B'),
    ...(nmId === undefined ? {} : { nmId }),
    lines: [
      {
        ...(barcode === undefined ? {} : { barcode }),
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
  }
}

/** Numbers of a supply's orders: all of them, or it is malformed. */
export function orderIdsOf(answer: Fields): string[] {
  const ids = answer.orderIds === null ? [] : itemsOf(answer, 'orderIds')
  return ids.map((orderIds) => textOf({ orderIds }, 'orderIds'))
}

/** A card of WB is one of ours for each of its sizes. */
export function cardsOf(card: Fields): Card[] {
  const nmId = integerOf(card, 'nmID')
  const article = textOrNone(card, 'vendorCode')
  const name = textOrNone(card, 'title') ?? article ?? String(nmId)
  return listOrNone(card, 'sizes').map((size) => ({
    itemId: integerOf(size, 'chrtID'),
    barcodes: textsOf(size, 'skus'),
    article,
    name,
    nmId,
    honestMark: flagOf(card, 'needKiz'),
  }))
}

export interface Warehouse {
  readonly id: number
  readonly name?: string
}

const fulfilmentBySeller = 1

/** Undefined for warehouses that ship otherwise than through WB. */
export function warehouseOf(warehouse: Fields): Warehouse | undefined {
  const deliveryType = integerOrNone(warehouse, 'deliveryType') ?? fulfilmentBySeller
  if (deliveryType !== fulfilmentBySeller) return undefined
  const name = textOrNone(warehouse, 'name')
  return { id: integerOf(warehouse, 'id'), ...(name === undefined ? {} : { name }) }
}

/** Undefined for goods that were not asked for. */
export function figureOf(
  stock: Fields,
  barcodes: ReadonlyMap<number, string>,
  warehouse: Warehouse,
): MirroredFigure | undefined {
  const barcode = barcodes.get(integerOf(stock, 'chrtId'))
  if (barcode === undefined) return undefined
  return { barcode, quantity: integerOf(stock, 'amount'), warehouse }
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

/** Texts of a list that may be absent or null. */
function textsOf(fields: Fields, name: string): string[] {
  const value = fields[name]
  if (!Array.isArray(value)) return []
  return value.flatMap((item) => textOrNone({ item }, 'item') ?? [])
}
