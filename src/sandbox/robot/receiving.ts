import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { fromTimestamp, type Instant, type Timestamp } from '../../platform/kernel/moscow-time.ts'
import { countScan } from '../../warehouse/receipts/counting.ts'
import { confirmReceipt, finishReceiving, startReceiving } from '../../warehouse/receipts/verbs.ts'
import { lotOfBrought } from '../counting.ts'
import { type CountedLine, putAwayReceipt } from './put-away.ts'
import { countLine, type DeclaredLine } from './rules.ts'

/**
 * Plays the warehouse for a seller's own receipt requests, by the time since each request:
 *
 *   PENDING_CONFIRMATION --65 s--> EXPECTED --90 s--> RECEIVING
 *     --100 s--> first half counted --120 s--> all counted --140 s--> completed and on the shelves
 *
 * Each step has its own transaction. After a pause the following ticks catch up. No receipt is
 * confirmed in its first 60 s.
 */

const second = 1000
const dueAfter = {
  confirm: 65 * second,
  start: 90 * second,
  firstHalf: 100 * second,
  secondHalf: 120 * second,
  finish: 140 * second,
} as const

/** Scans per transaction: some hundreds of statements. */
const scansMax = 60
/** A receipt with more lines gets one scan per line, a shorter one two. */
const shortReceipt = 50

interface ReceiptLine extends DeclaredLine {
  readonly line: number
}

interface RobotScan {
  readonly scanId: string
  readonly barcode: string
  readonly units: number
}

export type OwnReceipt = { readonly id: string; readonly createdAt: Instant } & (
  | { readonly status: 'PENDING_CONFIRMATION' | 'EXPECTED' }
  | {
      readonly status: 'RECEIVING'
      readonly lines: readonly ReceiptLine[]
      readonly takenScans: ReadonlySet<string>
    }
)

export type ReceiptStep =
  | { readonly kind: 'confirm' | 'start' }
  | { readonly kind: 'count'; readonly scans: readonly RobotScan[] }
  | {
      readonly kind: 'finish'
      readonly reasons: ReadonlyMap<string, string>
      readonly counted: readonly CountedLine[]
    }

/** The step that is due at a moment, if any. */
export function nextReceiptStep(receipt: OwnReceipt, now: Instant): ReceiptStep | undefined {
  const age = now - receipt.createdAt
  switch (receipt.status) {
    case 'PENDING_CONFIRMATION':
      return age >= dueAfter.confirm ? { kind: 'confirm' } : undefined
    case 'EXPECTED':
      return age >= dueAfter.start ? { kind: 'start' } : undefined
    case 'RECEIVING': {
      const all = scansOf(receipt.lines)
      const half = age >= dueAfter.firstHalf ? Math.ceil(all.length / 2) : 0
      const due = age >= dueAfter.secondHalf ? all : all.slice(0, half)
      const scans = due.filter(({ scanId }) => !receipt.takenScans.has(scanId)).slice(0, scansMax)
      if (scans.length > 0) return { kind: 'count', scans }
      if (age < dueAfter.finish) return undefined
      return {
        kind: 'finish',
        reasons: reasonsOf(receipt.lines),
        counted: countedOf(receipt.lines),
      }
    }
  }
}

/** All scans in order: a first scan of every line and, in a short receipt, a second one. */
function scansOf(lines: readonly ReceiptLine[]): RobotScan[] {
  const scansPerLine = lines.length > shortReceipt ? 1 : 2
  const counted = countedOf(lines)
  const first = counted.map((line) => scanOf(1, line, Math.ceil(line.units / scansPerLine)))
  const second = counted.map((line) =>
    scanOf(2, line, Math.floor(line.units * (1 - 1 / scansPerLine))),
  )
  return [...first, ...second].filter((scan) => scan.units > 0)
}

function countedOf(lines: readonly ReceiptLine[]): CountedLine[] {
  return lines.map((line) => ({ ...line, units: countLine(line).units }))
}

function scanOf(number: number, { line, barcode }: CountedLine, units: number): RobotScan {
  return { scanId: `robot-${number}-${line}`, barcode, units }
}

function reasonsOf(lines: readonly ReceiptLine[]): Map<string, string> {
  return new Map(
    lines.flatMap((line) => {
      const { reason } = countLine(line)
      return reason === undefined ? [] : [[line.barcode, reason] as const]
    }),
  )
}

export async function takeReceiptStep(
  work: Work,
  clientId: string,
  id: string,
  step: ReceiptStep,
): Promise<void> {
  switch (step.kind) {
    case 'confirm':
      return confirmReceipt(work, clientId, id)
    case 'start':
      return startReceiving(work, clientId, id)
    case 'count':
      for (const scan of step.scans) {
        await countScan(work, clientId, id, { ...scan, lot: lotOfBrought(work) }, 'optional')
      }
      return
    case 'finish':
      await finishReceiving(work, clientId, id, step.reasons)
      await putAwayReceipt(work, clientId, id, step.counted)
  }
}

interface ReceiptRow {
  id: string
  status: OwnReceipt['status']
  created_at: Timestamp
  lines: ReceiptLine[] | null
  scans: string[] | null
}

const receiptsMax = 200

/**
 * Receipts in progress that the seller requested itself, the oldest first, or the one with that id.
 * Only they are in the receipt journal: the requests of the scenario are copied without it.
 */
export async function ownReceipts(
  db: Queryable,
  clientId: string,
  id?: string,
): Promise<OwnReceipt[]> {
  const rows = await db<ReceiptRow[]>`
    select r.id, r.status, r.created_at,
      case when r.status = 'RECEIVING' then (
        select json_agg(json_build_object(
          'line', i.line, 'barcode', i.barcode, 'expected', i.expected_qty) order by i.line)
        from receipt_items i where i.client_id = r.client_id and i.receipt_id = r.id
      ) end as lines,
      case when r.status = 'RECEIVING' then (
        select json_agg(s.scan_id) from receipt_scans s
        where s.client_id = r.client_id and s.receipt_id = r.id
      ) end as scans
    from receipts r
    where r.client_id = ${clientId} ${id === undefined ? db`` : db`and r.id = ${id}`}
      and r.status in ('PENDING_CONFIRMATION', 'EXPECTED', 'RECEIVING') and r.source = 'api'
      and exists (
        select from receipt_journal j
        where j.client_id = r.client_id and j.receipt_id = r.id and j.outcome = 'created')
    order by r.created_at, r.id limit ${receiptsMax}`
  return rows.map(receiptOf)
}

function receiptOf({ id, status, created_at, lines, scans }: ReceiptRow): OwnReceipt {
  const receipt = { id, createdAt: fromTimestamp(created_at) }
  if (status !== 'RECEIVING') return { ...receipt, status }
  return { ...receipt, status, lines: lines ?? [], takenScans: new Set(scans) }
}
