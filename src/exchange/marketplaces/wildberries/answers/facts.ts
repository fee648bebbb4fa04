import type { Instant } from '../../../../platform/kernel/moscow-time.ts'
import type { MarkKind, OrderFacts } from '../../../../warehouse/orders/fact-kinds.ts'
import type { RawStatus } from '../../../../warehouse/orders/state.ts'
import {
  reportedDayEnd,
  reportedFlag,
  reportedNumber,
  reportedText,
  reportedTexts,
} from '../../calls/reported-facts.ts'
import type { Fields } from '../../calls/response-fields.ts'
import { cancellerOf } from '../status.ts'

/** Reads what WB reports of an assembly order beside its goods. Some lists have only a part of it. */
export function parseOrderFacts(order: Fields): OrderFacts {
  return {
    deadline: earlier(reportedDayEnd(order, 'ddate'), reportedDayEnd(order, 'sellerDate')),
    warehouseId: reportedNumber(order, 'warehouseId'),
    scheme: reportedText(order, 'deliveryType')?.toLowerCase(),
    cargoType: reportedText(order, 'cargoType'),
    crossBorderType: reportedText(order, 'crossBorderType'),
    comment: reportedText(order, 'comment'),
  }
}

/** WB sends the day of the hand-over and the day of the delivery: the first of both binds. */
function earlier(
  one: Instant | null | undefined,
  other: Instant | null | undefined,
): Instant | null | undefined {
  if (one == null) return other ?? one
  return other == null ? one : Math.min(one, other)
}

export function parseStatusFacts(status: Fields, raw: RawStatus): OrderFacts {
  return { cancellable: reportedFlag(status, 'isCancellable'), cancelledBy: cancellerOf(raw) }
}

const marks: Readonly<Record<string, MarkKind>> = {
  sgtin: 'marking_code',
  customsdeclaration: 'customs_declaration',
}

/** The kinds of marks in a list such as requiredMeta; undefined where the order has no such list. */
export function parseMarks(order: Fields, name: string): MarkKind[] | undefined {
  const kinds = reportedTexts(order, name)?.map((kind) => marks[kind.toLowerCase()] ?? kind)
  return kinds && [...new Set(kinds)]
}
