import type { OrderDraft, ReportedStatus } from '../../orders/draft.ts'
import type { StatusReading } from '../../orders/state.ts'
import {
  type Fields,
  flagOf,
  instantOf,
  integerOrNone,
  listOf,
  malformed,
  partOf,
  textOf,
  textOrNone,
  unitsOf,
} from '../calls/response-fields.ts'
import { parsePostingFacts, parsePostingMarks } from './parse-facts.ts'
import { readOzonStatus } from './status.ts'

/** Parses a posting as an order of the service. */
export function parsePostingOrder(posting: Fields): OrderDraft {
  const products = listOf(posting, 'products')
  const marks = parsePostingMarks(
    posting,
    products.map((product) => textOrNone(product, 'sku')),
  )
  const lines = products.map((product, at) => {
    const article = textOrNone(product, 'offer_id')
    const itemId = integerOrNone(product, 'sku')
    const { required, optional } = marks[at] ?? {}
    return {
      ...(article === undefined ? {} : { article }),
      ...(itemId === undefined ? {} : { itemId }),
      quantity: unitsOf(product, 'quantity', 1),
      ...(required === undefined ? {} : { requiredMarks: required }),
      ...(optional === undefined ? {} : { optionalMarks: optional }),
    }
  })
  if (lines.length === 0) throw malformed('products')
  return {
    externalId: textOf(posting, 'posting_number'),
    createdAt: instantOf(posting, 'in_process_at'),
    isB2b: flagOf(partOf(posting, 'analytics_data'), 'is_legal'),
    lines,
    reading: parseReading(posting),
    facts: parsePostingFacts(posting),
  }
}

/** Parses the status alone, for a posting whose goods cannot be read. */
export function parsePostingStatus(posting: Fields): ReportedStatus {
  return {
    externalId: textOf(posting, 'posting_number'),
    reading: parseReading(posting),
    facts: parsePostingFacts(posting),
  }
}

function parseReading(posting: Fields): StatusReading {
  const supplier = textOf(posting, 'status')
  const buyer = textOrNone(posting, 'substatus')
  const raw = { supplier, ...(buyer === undefined ? {} : { buyer }) }
  return readOzonStatus(raw)
}

/** What shipping needs to know of a posting. */
export interface Posting {
  readonly number: string
  readonly status: string
  readonly shipFailed: boolean
  /** OZON does not pack it without marking codes. */
  readonly needsMarkingCodes: boolean
  readonly methodId: string | undefined
  readonly methodName: string
  readonly products: readonly { readonly sku: string; readonly quantity: number }[]
}

export function parsePosting(posting: Fields): Posting {
  const method = partOf(posting, 'delivery_method')
  const methodId = textOrNone(method, 'id')
  const marked = partOf(posting, 'requirements').products_requiring_mandatory_mark
  return {
    number: textOf(posting, 'posting_number'),
    status: textOf(posting, 'status'),
    shipFailed: textOrNone(posting, 'substatus') === 'ship_failed',
    needsMarkingCodes: Array.isArray(marked) && marked.length > 0,
    methodId,
    methodName: textOrNone(method, 'name') ?? methodId ?? '',
    products: listOf(posting, 'products').map((product) => ({
      sku: textOf(product, 'sku'),
      quantity: unitsOf(product, 'quantity', 1),
    })),
  }
}
