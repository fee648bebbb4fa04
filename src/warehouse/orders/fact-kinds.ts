import { givenMarkKinds } from '../../platform/kernel/codes/unit-mark.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'

/** What the marketplace wants to know of a unit. Kinds that we don't know keep their own name. */
export const markKinds = ['marking_code', ...givenMarkKinds] as const
export type MarkKind = (typeof markKinds)[number] | (string & {})

/** What an order costs when it is handed over by a moment. */
export interface LatenessCost {
  /** Null: from the step before on. */
  readonly until: Instant | null
  /** The marketplace's word: OZON's `no_discount`, `commission`, `discount`. */
  readonly tariff: string
  /** Of the price. */
  readonly percent?: number
  /** As the marketplace writes it. */
  readonly amount?: string
  readonly currency?: string
}

/**
 * What a marketplace reports of an order beside its goods and statuses. Undefined: the report does not
 * say, and what is known stays. Null or an empty list: the report says that there is none.
 */
export interface OrderFacts {
  /** When the order must be handed over. */
  readonly deadline?: Instant | null | undefined
  /** Until when it can be handed over without counting as late. */
  readonly deadlineWithoutDelay?: Instant | null | undefined
  /** The earliest first; where the marketplace says what lateness costs. */
  readonly latenessCosts?: readonly LatenessCost[] | null | undefined
  /** The marketplace's number of the warehouse that ships the order. */
  readonly warehouseId?: string | null | undefined
  readonly warehouseName?: string | null | undefined
  /** `fbs`, or the marketplace's name of another scheme. */
  readonly scheme?: string | null | undefined
  readonly cargoType?: string | null | undefined
  readonly crossBorderType?: string | null | undefined
  /** Of the buyer. */
  readonly comment?: string | null | undefined
  readonly cancelReason?: string | null | undefined
  readonly cancelledBy?: string | null | undefined
  /** Whether the seller can still cancel the order. */
  readonly cancellable?: boolean | null | undefined
  /** Codes that may be printed on the label: they join those that are known. */
  readonly labelCodes?: readonly string[] | undefined
  /** The order that this one was split from. */
  readonly parentNumber?: string | null | undefined
  readonly relatedNumbers?: readonly string[] | undefined
  /** In how many boxes the order is shipped. */
  readonly boxes?: number | null | undefined
  /** The marketplace waits for the number of boxes. */
  readonly needsBoxes?: boolean | null | undefined
  /** What a list showed of the order, as a hash, where lists leave something out; null: nothing. */
  readonly listed?: string | null | undefined
  /** The `listed` for which the order was read alone. */
  readonly detailsOf?: string | null | undefined
}
