import type { Work } from '../../db/work.ts'
import { newId } from '../../kernel/ids.ts'
import { type Instant, moscowDate } from '../../kernel/moscow-time.ts'
import { requestReceipt } from '../../receipts/request.ts'
import {
  confirmReceipt,
  countUnits,
  finishReceiving,
  registerReceipt,
  startReceiving,
} from '../../receipts/verbs.ts'
import type { ReceiptSource } from '../../receipts/view.ts'
import type { Stage, Step } from './build.ts'
import { type Good, goods } from './goods.ts'
import { day, days, hour } from './plan.ts'

/** The deliveries of the scenario, in every status that a receipt can have. */

interface Delivery {
  /** When counting starts, or would; before the end of the scenario. */
  readonly back: number
  /** How long before that it was announced. */
  readonly lead: number
  readonly source: ReceiptSource | null
  readonly goods: readonly Good[]
  /** Units of each SKU a unit of its demand. */
  readonly depth: number
  readonly goes: 'pending' | 'expected' | 'receiving' | 'completed'
  /** Units by which what was counted differs, and why where it is less. */
  readonly differences?: Readonly<Record<number, readonly [units: number, reason?: string]>>
  readonly comment?: string
}

const plain = goods.filter((good) => !good.honestMark)
const marked = goods.filter((good) => good.honestMark)
const start = days * day

const deliveries: readonly Delivery[] = [
  // From before the source of a receipt was recorded.
  {
    back: start - 2 * hour,
    lead: hour,
    source: null,
    goods: plain.slice(0, 8),
    depth: 9,
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
    goes: 'completed',
    differences: { 0: [-2, 'NOT_DELIVERED'], 7: [-1, 'DAMAGED'] },
  },
  { back: 21 * day, lead: 26 * hour, source: 'api', goods: marked, depth: 5, goes: 'completed' },
  {
    back: 14 * day,
    lead: 40 * hour,
    source: 'api',
    goods: plain,
    depth: 5,
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
  { back: 7 * day, lead: 30 * hour, source: 'api', goods: plain, depth: 4, goes: 'completed' },
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
  },
  {
    back: 1.5 * hour,
    lead: 26 * hour,
    source: 'api',
    goods: plain.slice(0, 6),
    depth: 3,
    goes: 'receiving',
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

export function receiptSteps(stage: Stage): Step[] {
  return deliveries.flatMap((delivery, index) => stepsOf(stage, delivery, index + 1))
}

interface Line {
  readonly good: Good
  readonly expected: number
  readonly accepted: number
  readonly reason?: string
}

function stepsOf(stage: Stage, delivery: Delivery, number: number): Step[] {
  const { clientId, end } = stage
  const at = end - delivery.back
  const lines = linesOf(delivery)
  let id = ''
  const announce: Step = {
    at: at - delivery.lead,
    run: async (work) => {
      id = await announceDelivery(work, stage, delivery, lines, at, number)
    },
  }
  const confirm: Step = {
    at: at - delivery.lead + Math.min(hour, delivery.lead / 2),
    run: (work) => confirmReceipt(work, clientId, id),
  }
  const begin: Step = { at, run: (work) => startReceiving(work, clientId, id) }
  const counting = countingSteps(stage, lines, at, () => id)
  const finish: Step = {
    at: at + 1.5 * hour,
    run: async (work) => {
      const reasons = lines.flatMap((line) =>
        line.reason === undefined ? [] : [[line.good.barcode, line.reason] as const],
      )
      await finishReceiving(work, clientId, id, new Map(reasons))
    },
  }
  const announced = delivery.source === 'api' ? [announce, confirm] : [announce]
  switch (delivery.goes) {
    case 'pending':
      return [announce]
    case 'expected':
      return announced
    case 'receiving':
      return [...announced, begin, ...counting.slice(0, Math.ceil(counting.length / 2))]
    case 'completed':
      return [...announced, begin, ...counting, finish]
  }
}

function linesOf(delivery: Delivery): Line[] {
  return delivery.goods.map((good, index) => {
    const [difference = 0, reason] = delivery.differences?.[index] ?? []
    const expected = good.demand * delivery.depth
    return {
      good,
      expected,
      accepted: expected + difference,
      ...(reason === undefined ? {} : { reason }),
    }
  })
}

async function announceDelivery(
  work: Work,
  stage: Stage,
  delivery: Delivery,
  lines: readonly Line[],
  arrival: Instant,
  number: number,
): Promise<string> {
  const { clientId, cabinets } = stage
  const plannedDate = moscowDate(arrival)
  if (delivery.source !== 'api') {
    return registerReceipt(work, clientId, {
      cabinetId: cabinets.WB,
      source: delivery.source,
      comment: delivery.comment,
      plannedDate,
      items: lines.map(({ good, expected }) => ({ ...good, qty: expected })),
    })
  }
  const requester = { clientId, keyId: newId(), requestId: newId() }
  const { receipt } = await requestReceipt(work, requester, {
    cabinet_id: cabinets.WB,
    external_ref: `УПД-${String(400 + number * 3)}`,
    planned_date: plannedDate,
    ...(delivery.comment === undefined ? {} : { comment: delivery.comment }),
    items: lines.map(({ good, expected }) => ({
      barcode: good.barcode,
      name: good.name,
      ...(good.article === undefined ? {} : { article: good.article }),
      qty: expected,
      honest_mark: good.honestMark,
    })),
  })
  return receipt.id
}

/** Each line is counted in two scans and then put away, four fifths of it into boxes. */
function countingSteps(
  stage: Stage,
  lines: readonly Line[],
  start: Instant,
  receiptId: () => string,
): Step[] {
  const { clientId, shelves } = stage
  return lines.map(({ good, accepted }, index) => ({
    at: start + (index + 1) * 3 * 60_000,
    run: async (work: Work) => {
      const first = Math.ceil(accepted / 2)
      for (const [scan, units] of [first, accepted - first].entries()) {
        if (units === 0) continue
        const scanId = `${good.barcode}-${scan}`
        await countUnits(work, clientId, receiptId(), { scanId, barcode: good.barcode, units })
      }
      const boxed = Math.floor(accepted * 0.8)
      await shelves.putAway(work, good.barcode, boxed, 60)
    },
  }))
}
