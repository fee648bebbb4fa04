import type { OrderDraft, ReportedStatus } from '../../../../warehouse/orders/draft.ts'
import type { StatusReading } from '../../../../warehouse/orders/state.ts'
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
  textsOf,
  unitsOf,
} from '../../calls/response-fields.ts'
import { readOzonStatus } from '../status.ts'
import { parsePostingFacts, parsePostingMarks, schemeOf } from './facts.ts'

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
    const { required, optional, unnamed = [] } = marks[at] ?? {}
    return {
      ...(article === undefined ? {} : { article }),
      ...(itemId === undefined ? {} : { itemId }),
      quantity: unitsOf(product, 'quantity', 1),
      ...(required === undefined ? {} : { requiredMarks: required }),
      ...(optional === undefined ? {} : { optionalMarks: optional }),
      ...(unnamed.length === 0 ? {} : { unnamedMarks: unnamed }),
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
  /** The flow by which the seller ships it himself; undefined for one that OZON carries. */
  readonly foreignScheme: string | undefined
  /** OZON does not pack it without marks of its units, and we can give them. */
  readonly needsMarks: boolean
  /** OZON wants to know in how many boxes it is, and nobody has said so. */
  readonly needsBoxes: boolean
  /** Products of which OZON wants to know where they were made. */
  readonly countrySkus: readonly string[]
  readonly methodId: string | undefined
  readonly methodName: string
  readonly products: readonly { readonly sku: string; readonly quantity: number }[]
}

const countryRequirements = ['products_requiring_country', 'products_requiring_change_country']
const markRequirements = [
  ...countryRequirements,
  'products_requiring_mandatory_mark',
  'products_requiring_gtd',
  'products_requiring_rnpt',
  'products_requiring_jw_uin',
  'products_requiring_imei',
  'products_requiring_weight',
]

export function parsePosting(posting: Fields): Posting {
  const method = partOf(posting, 'delivery_method')
  const methodId = textOrNone(method, 'id')
  const requirements = partOf(posting, 'requirements')
  const scheme = schemeOf(posting)
  return {
    number: textOf(posting, 'posting_number'),
    status: textOf(posting, 'status'),
    shipFailed: textOrNone(posting, 'substatus') === 'ship_failed',
    foreignScheme: scheme === 'fbs' ? undefined : scheme,
    needsMarks: markRequirements.some((name) => textsOf(requirements, name).length > 0),
    needsBoxes: flagOf(posting, 'is_multibox') && !(Number(posting.multi_box_qty) > 0),
    countrySkus: countryRequirements.flatMap((name) => textsOf(requirements, name)),
    methodId,
    methodName: textOrNone(method, 'name') ?? methodId ?? '',
    products: listOf(posting, 'products').map((product) => ({
      sku: textOf(product, 'sku'),
      quantity: unitsOf(product, 'quantity', 1),
    })),
  }
}
