import type { ReportedStatus } from '../../../../warehouse/orders/draft.ts'
import type { RawStatus } from '../../../../warehouse/orders/state.ts'
import {
  barcodesOf,
  type Fields,
  flagOf,
  instantOf,
  integerOrNone,
  isRemoteId,
  malformed,
  partOf,
  textOf,
  textOrNone,
} from '../../calls/response-fields.ts'
import type { ReportedOrder } from '../../connector.ts'
import { readWildberriesStatus } from '../status.ts'
import { parseMarks, parseOrderFacts, parseStatusFacts } from './facts.ts'

/**
 * Parses an assembly order, which is one unit. It has no status: WB reports statuses separately.
 */
export function parseAssemblyOrder(order: Fields): ReportedOrder {
  const externalId = textOf(order, 'id')
  if (!isRemoteId(externalId)) throw malformed('id')
  const nmId = integerOrNone(order, 'nmId') || undefined
  const article = textOrNone(order, 'article')
  const itemId = integerOrNone(order, 'chrtId')
  const requiredMarks = parseMarks(order, 'requiredMeta')
  const optionalMarks = parseMarks(order, 'optionalMeta')
  return {
    externalId,
    createdAt: instantOf(order, 'createdAt'),
    isB2b: flagOf(partOf(order, 'options'), 'isB2B'),
    ...(nmId === undefined ? {} : { nmId }),
    lines: [
      {
        barcodes: barcodesOf(order, 'skus'),
        ...(article === undefined ? {} : { article }),
        ...(itemId === undefined ? {} : { itemId }),
        quantity: 1,
        ...(requiredMarks === undefined ? {} : { requiredMarks }),
        ...(optionalMarks === undefined ? {} : { optionalMarks }),
      },
    ],
    facts: parseOrderFacts(order),
  }
}

/** Undefined if both halves of the status pair are absent. */
export function parseOrderStatus(order: Fields): ReportedStatus | undefined {
  const raw = parseRawStatus(order)
  if (raw.supplier === undefined && raw.buyer === undefined) return undefined
  return {
    externalId: textOf(order, 'id'),
    reading: readWildberriesStatus(raw),
    facts: parseStatusFacts(order, raw),
  }
}

export function parseRawStatus(order: Fields): RawStatus {
  const supplier = textOrNone(order, 'supplierStatus')
  const buyer = textOrNone(order, 'wbStatus')
  return {
    ...(supplier === undefined ? {} : { supplier }),
    ...(buyer === undefined ? {} : { buyer }),
  }
}
