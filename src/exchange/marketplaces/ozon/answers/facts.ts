import type { MarkKind, OrderFacts } from '../../../../warehouse/orders/fact-kinds.ts'
import {
  optionalPart,
  reportedCount,
  reportedInstant,
  reportedNumber,
  reportedText,
  reportedTexts,
} from '../../calls/reported-facts.ts'
import { type Fields, textOrNone } from '../../calls/response-fields.ts'
import { parseLatenessCosts } from './tariff.ts'

/** Reads what OZON reports of a posting beside its goods. */
export function parsePostingFacts(posting: Fields): OrderFacts {
  const method = optionalPart(posting, 'delivery_method')
  const cancellation = optionalPart(posting, 'cancellation')
  // The hard limit. By `shipment_date` a posting should be packed; what comes after it only costs.
  const withoutDelay = reportedInstant(posting, 'shipment_date_without_delay')
  return {
    deadline: withoutDelay ?? reportedInstant(posting, 'shipment_date'),
    deadlineWithoutDelay: withoutDelay,
    latenessCosts: parseLatenessCosts(posting),
    warehouseId: reportedNumber(method, 'warehouse_id'),
    warehouseName: reportedText(method, 'warehouse'),
    scheme: schemeOf(posting),
    cancelReason: reportedText(cancellation, 'cancel_reason'),
    cancelledBy:
      reportedText(cancellation, 'cancellation_initiator') ??
      reportedText(cancellation, 'cancellation_type'),
    cancellable: reportedTexts(posting, 'available_actions')?.includes('cancel'),
    labelCodes: labelCodesOf(posting),
    parentNumber: reportedText(posting, 'parent_posting_number'),
    relatedNumbers: relatedNumbersOf(posting),
    boxes: reportedCount(posting, 'multi_box_qty'),
    needsBoxes: isWaitingForBoxes(posting),
  }
}

/** Lists may say of all postings that one box is enough: only the answer about one denies. */
function isWaitingForBoxes(posting: Fields): boolean | undefined {
  const { is_multibox: isMultibox, multi_box_qty: boxes } = posting
  if (isMultibox === true) return !(Number(boxes) > 0)
  return isMultibox === false && namesWeights(posting) ? false : undefined
}

/**
 * `fbs`, where OZON carries from this warehouse on; else the name of the flow by which the seller ships, also of
 * one that is new. Undefined where the answer does not tell the flow: that about one posting names its carrier alone.
 */
export function schemeOf(posting: Fields): string | undefined {
  const schema = textOrNone(posting, 'delivery_schema')?.toLowerCase()
  if (schema !== undefined && schema !== 'fbs') return schema
  const flow = textOrNone(posting, 'integration_type_flow')
  const carrier = textOrNone(posting, 'tpl_integration_type')
  const foreign = [flow, carrier].find((name) => name !== undefined && !isOwnFlow(name))
  if (foreign !== undefined) return foreign
  return schema === undefined && flow === undefined ? undefined : 'fbs'
}

function isOwnFlow(name: string): boolean {
  return name.toLowerCase() === 'ozon'
}

/** Undefined where the response has neither `scanit` nor barcodes. */
function labelCodesOf(posting: Fields): string[] | undefined {
  const barcodes = optionalPart(posting, 'barcodes')
  const codes = [
    reportedText(posting, 'scanit'),
    reportedText(barcodes, 'upper_barcode'),
    reportedText(barcodes, 'lower_barcode'),
  ].flatMap((code) => code ?? [])
  return codes.length === 0 ? undefined : [...new Set(codes)]
}

function relatedNumbersOf(posting: Fields): string[] | undefined {
  if (posting.related_postings === null) return []
  return reportedTexts(optionalPart(posting, 'related_postings'), 'related_posting_numbers')
}

const marks: Readonly<Record<string, MarkKind>> = {
  mandatory_mark: 'marking_code',
  jw_uin: 'uin',
  gtd: 'customs_declaration',
  change_country: 'country',
}

export interface PostingMarks {
  readonly required: MarkKind[] | undefined
  readonly optional: MarkKind[] | undefined
  /** Kinds of which the answer says nothing. */
  readonly unnamed: readonly MarkKind[]
}

const weights = 'products_requiring_weight'

/** Whether an answer says of which goods OZON wants the weight: its lists do not. */
export function namesWeights(posting: Fields): boolean {
  return weights in optionalPart(posting, 'requirements')
}

/**
 * The marks of each product, by sku, in the order of `skus`. OZON lists the skus by kind. A list that
 * names none of the products counts for all of them: nothing may surface only at the hand-over.
 */
export function parsePostingMarks(
  posting: Fields,
  skus: readonly (string | undefined)[],
): PostingMarks[] {
  const required = marksBySku(posting, 'requirements', /^products_requiring_(\w+)$/, skus)
  const optional = marksBySku(posting, 'optional', /^products_with_possible_(\w+)$/, skus)
  const unnamed = namesWeights(posting) ? [] : ['weight']
  return skus.map((_, at) => ({ required: required?.[at], optional: optional?.[at], unnamed }))
}

function marksBySku(
  posting: Fields,
  part: string,
  names: RegExp,
  skus: readonly (string | undefined)[],
): MarkKind[][] | undefined {
  const lists = Object.entries(optionalPart(posting, part)).flatMap(([name]) => {
    const [, kind] = names.exec(name) ?? []
    const listed = reportedTexts(optionalPart(posting, part), name)
    return kind === undefined || listed === undefined ? [] : [{ kind: marks[kind] ?? kind, listed }]
  })
  if (lists.length === 0) return undefined
  const applies = ({ listed }: (typeof lists)[number], sku: string | undefined) =>
    sku !== undefined && listed.includes(sku)
  return skus.map((sku) => {
    const kinds = lists.filter((list) => {
      const isForeign = list.listed.length > 0 && !skus.some((other) => applies(list, other))
      return isForeign || applies(list, sku)
    })
    return [...new Set(kinds.map(({ kind }) => kind))]
  })
}
