import type { Instant } from '../../platform/kernel/moscow-time.ts'
import type { MarkKind, OrderFacts } from './fact-kinds.ts'
import type { StatusReading } from './state.ts'

export interface OrderLineDraft {
  readonly barcode?: string
  readonly article?: string
  /** The marketplace's own number of the goods; a marketplace card maps it to barcodes. */
  readonly itemId?: number
  readonly quantity: number
  /** What the marketplace must know of each unit; undefined: the report does not say. */
  readonly requiredMarks?: readonly MarkKind[]
  readonly optionalMarks?: readonly MarkKind[]
  /** Kinds that the report can't name: those that are known to be required stay so. */
  readonly unnamedMarks?: readonly MarkKind[]
}

/** An order as a marketplace reports it, or as a manager enters it. */
export interface OrderDraft {
  /** The order's number in the cabinet. A known number updates the order and never doubles it. */
  readonly externalId: string
  readonly createdAt: Instant
  readonly isB2b: boolean
  readonly nmId?: number
  /** At least one. The order itself shows the goods of the first line. */
  readonly lines: readonly OrderLineDraft[]
  /** Undefined: the status is not known. A new order then is NEW, a known order keeps its status. */
  readonly reading?: StatusReading | undefined
  readonly facts?: OrderFacts
}

/** The status that a marketplace reports for one order of a cabinet. */
export interface ReportedStatus {
  readonly externalId: string
  readonly reading: StatusReading
  readonly facts?: OrderFacts
}
