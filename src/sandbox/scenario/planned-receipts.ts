import { day, hour } from '../../platform/kernel/moscow-time.ts'
import type { ReceiptSource } from '../../warehouse/receipts/view.ts'
import { type Good, goods, plainGoods as plain, soldOut } from './goods.ts'
import { days } from './plan.ts'

/** An inbound receipt of the scenario. */
export interface PlannedReceipt {
  /** The planned start of counting: milliseconds before the end of the scenario. */
  readonly back: number
  /** Milliseconds from its announcement to that start. */
  readonly lead: number
  readonly source: ReceiptSource | null
  readonly goods: readonly Good[]
  /** Declared units of each SKU per unit of its demand. */
  readonly depth: number
  readonly goes: 'pending' | 'expected' | 'receiving' | 'completed'
  /** By the index of the goods: counted units more or less than declared, and the reason if less. */
  readonly differences?: Readonly<Record<number, readonly [units: number, reason?: string]>>
  readonly comment?: string
  /** Days from the scenario's end to the last one of the goods whose dates are kept. */
  readonly goodFor?: number
  /** Nobody named the day on which the goods arrive. */
  readonly unplanned?: boolean
}

/** What the seller still brought when one of its goods was about to run out. */
const continued = plain.filter((good) => good !== soldOut)
const marked = goods.filter((good) => good.honestMark)
const start = days * day

/** The receipts of the scenario, in every status that a receipt can have. */
export const plannedReceipts: readonly PlannedReceipt[] = [
  // From the time before sources were recorded.
  {
    back: start - 2 * hour,
    lead: hour,
    source: null,
    goods: plain.slice(0, 8),
    depth: 9,
    goodFor: 12,
    goes: 'completed',
  },
  {
    back: start - 3 * hour,
    lead: 1.5 * hour,
    source: 'file',
    goods: plain.slice(8),
    depth: 9,
    goes: 'completed',
  },
  {
    back: start - 4 * hour,
    lead: 2 * hour,
    source: 'api',
    goods: marked,
    depth: 9,
    goes: 'completed',
  },
  {
    back: 22 * day,
    lead: 30 * hour,
    source: 'file',
    goods: plain,
    depth: 5,
    goodFor: 25,
    goes: 'completed',
    differences: { 0: [-2, 'NOT_DELIVERED'], 7: [-1, 'DAMAGED'] },
  },
  { back: 21 * day, lead: 26 * hour, source: 'api', goods: marked, depth: 5, goes: 'completed' },
  {
    back: 14 * day,
    lead: 40 * hour,
    source: 'api',
    goods: continued,
    depth: 5,
    goodFor: 190,
    goes: 'completed',
    differences: { 4: [2], 9: [-3, 'WRONG_ITEM'] },
    comment: 'Разгрузка через задние ворота',
  },
  {
    back: 13 * day,
    lead: 5 * hour,
    source: 'manual',
    goods: marked,
    depth: 4,
    goes: 'completed',
    differences: { 2: [-2, 'BAD_MARK'] },
  },
  {
    back: 7 * day,
    lead: 30 * hour,
    source: 'api',
    goods: continued,
    depth: 4,
    goodFor: 240,
    goes: 'completed',
  },
  {
    back: 6 * day,
    lead: 28 * hour,
    source: 'api',
    goods: marked,
    depth: 4,
    goes: 'completed',
    differences: { 5: [-1, 'DUPLICATE_MARK'] },
  },
  {
    back: 2 * day,
    lead: 4 * hour,
    source: 'manual',
    goods: plain.slice(-1),
    depth: 20,
    goes: 'completed',
    differences: { 0: [3] },
    comment: 'Довоз упаковки',
    unplanned: true,
  },
  {
    back: 1.5 * hour,
    lead: 26 * hour,
    source: 'api',
    goods: plain.slice(0, 6),
    depth: 3,
    goes: 'receiving',
    unplanned: true,
  },
  {
    back: -20 * hour,
    lead: 50 * hour,
    source: 'api',
    goods: marked.slice(0, 4),
    depth: 3,
    goes: 'expected',
  },
  {
    back: -44 * hour,
    lead: 60 * hour,
    source: 'file',
    goods: plain.slice(6, 12),
    depth: 3,
    goes: 'expected',
  },
  {
    back: -3 * day,
    lead: 75 * hour,
    source: 'api',
    goods: plain.slice(2, 7),
    depth: 4,
    goes: 'pending',
    comment: 'Привезёт наш водитель',
  },
]

export interface PlannedLine {
  readonly good: Good
  readonly expected: number
  readonly accepted: number
  readonly reason?: string
}

export function plannedLines(receipt: PlannedReceipt): PlannedLine[] {
  return receipt.goods.map((good, index) => {
    const [difference = 0, reason] = receipt.differences?.[index] ?? []
    const expected = good.demand * receipt.depth
    return {
      good,
      expected,
      accepted: expected + difference,
      ...(reason === undefined ? {} : { reason }),
    }
  })
}
