import type { Work } from '../../platform/db/work.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { day, hour, type Instant, moscowDate } from '../../platform/kernel/moscow-time.ts'
import { countScan } from '../../warehouse/receipts/counting.ts'
import { registerReceipt } from '../../warehouse/receipts/register.ts'
import { requestReceipt } from '../../warehouse/receipts/request.ts'
import { confirmReceipt, finishReceiving, startReceiving } from '../../warehouse/receipts/verbs.ts'
import { datedGoods } from './goods.ts'
import {
  type PlannedLine,
  type PlannedReceipt,
  plannedLines,
  plannedReceipts,
} from './planned-receipts.ts'
import type { Stage, Step } from './stage.ts'

/** Announces the planned receipts, and counts those that have arrived. */
export function receiptSteps(stage: Stage): Step[] {
  return plannedReceipts.flatMap((receipt, index) => stepsOf(stage, receipt, index + 1))
}

function stepsOf(stage: Stage, planned: PlannedReceipt, number: number): Step[] {
  const { clientId, end } = stage
  const at = end - planned.back
  const lines = plannedLines(planned)
  let id = ''
  const announce: Step = {
    at: at - planned.lead,
    run: async (work) => {
      id = await announcePlanned(work, stage, planned, lines, at, number)
    },
  }
  const confirm: Step = {
    at: at - planned.lead + Math.min(hour, planned.lead / 2),
    run: (work) => confirmReceipt(work, clientId, id),
  }
  const begin: Step = { at, run: (work) => startReceiving(work, clientId, id) }
  const counting = countingSteps(stage, planned, lines, () => id)
  const finish: Step = {
    at: at + 1.5 * hour,
    run: async (work) => {
      const reasons = lines.flatMap((line) =>
        line.reason === undefined ? [] : [[line.good.barcode, line.reason] as const],
      )
      await finishReceiving(work, clientId, id, new Map(reasons))
    },
  }
  const announced = planned.source === 'api' ? [announce, confirm] : [announce]
  switch (planned.goes) {
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

async function announcePlanned(
  work: Work,
  stage: Stage,
  planned: PlannedReceipt,
  lines: readonly PlannedLine[],
  arrival: Instant,
  number: number,
): Promise<string> {
  const { clientId, cabinets } = stage
  const plannedDate = planned.unplanned ? undefined : moscowDate(arrival)
  if (planned.source !== 'api') {
    return registerReceipt(work, clientId, {
      cabinetId: cabinets.WB,
      source: planned.source,
      comment: planned.comment,
      plannedDate,
      items: lines.map(({ good, expected }) => ({ ...good, qty: expected })),
    })
  }
  const requester = { clientId, keyId: newId(), requestId: newId() }
  const { receipt } = await requestReceipt(work, requester, {
    cabinet_id: cabinets.WB,
    external_ref: `УПД-${String(400 + number * 3)}`,
    ...(plannedDate === undefined ? {} : { planned_date: plannedDate }),
    ...(planned.comment === undefined ? {} : { comment: planned.comment }),
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

/** Counts each line in two scans, and puts four fifths of its units into boxes and a tenth on a shelf. */
function countingSteps(
  { clientId, shelves, end }: Stage,
  { back, goodFor = 0 }: PlannedReceipt,
  lines: readonly PlannedLine[],
  receiptId: () => string,
): Step[] {
  const lot = { expiresOn: moscowDate(end + goodFor * day), number: '' }
  return lines.map(({ good, accepted }, index) => ({
    at: end - back + (index + 1) * 3 * 60_000,
    run: async (work: Work) => {
      const first = Math.ceil(accepted / 2)
      for (const [scan, units] of [first, accepted - first].entries()) {
        if (units === 0) continue
        const { barcode } = good
        const dates = barcode === datedGoods.barcode ? { lot } : {}
        const handheld = { scanId: `${barcode}-${scan}`, barcode, units, ...dates }
        await countScan(work, clientId, receiptId(), handheld, 'optional')
      }
      const boxed = Math.floor(accepted * 0.8)
      await shelves.putAway(work, good.barcode, boxed, 60)
      await shelves.putOnShelf(work, good.barcode, Math.floor(accepted * 0.1))
    },
  }))
}
