/**
 * States of a receipt.
 *
 *   PENDING_CONFIRMATION --confirm--> EXPECTED --start--> RECEIVING --finish--> RECEIVED
 *                                                                          \--> RECEIVED_WITH_DISCREPANCY
 *
 * A seller's request starts PENDING_CONFIRMATION, where the warehouse does not see it; a receipt that
 * a manager registers starts EXPECTED. `count` is done while RECEIVING and stays there.
 */
export const receiptStatuses = [
  'PENDING_CONFIRMATION',
  'EXPECTED',
  'RECEIVING',
  'RECEIVED',
  'RECEIVED_WITH_DISCREPANCY',
] as const
export type ReceiptStatus = (typeof receiptStatuses)[number]

export const receiptStatusLabels: Readonly<Record<ReceiptStatus, string>> = {
  PENDING_CONFIRMATION: 'Ожидает подтверждения',
  EXPECTED: 'Ожидается на складе',
  RECEIVING: 'Идёт приёмка',
  RECEIVED: 'Принята',
  RECEIVED_WITH_DISCREPANCY: 'Принята с расхождением',
}

export type ReceiptVerb = 'confirm' | 'start' | 'count' | 'finish'

const from: Readonly<Record<ReceiptVerb, ReceiptStatus>> = {
  confirm: 'PENDING_CONFIRMATION',
  start: 'EXPECTED',
  count: 'RECEIVING',
  finish: 'RECEIVING',
}

/** Whether the verb may be done to a receipt in that status. */
export function allowsReceiptVerb(status: ReceiptStatus, verb: ReceiptVerb): boolean {
  return from[verb] === status
}

export interface CountedLine {
  readonly expected: number
  readonly accepted: number
}

/** How counting ends: quantities that differ in any line, up or down, are a discrepancy. */
export function outcomeOfCounting(lines: readonly CountedLine[]): ReceiptStatus {
  return lines.every((line) => line.accepted === line.expected)
    ? 'RECEIVED'
    : 'RECEIVED_WITH_DISCREPANCY'
}

export function isCompleted(status: ReceiptStatus): boolean {
  return status === 'RECEIVED' || status === 'RECEIVED_WITH_DISCREPANCY'
}

/** Units missing: 0 until the receipt is completed, and never negative. */
export function shortage(status: ReceiptStatus, line: CountedLine): number {
  return isCompleted(status) ? Math.max(0, line.expected - line.accepted) : 0
}

/** Units counted beyond what was declared: they are in question. */
export function surplus(line: CountedLine): number {
  return Math.max(0, line.accepted - line.expected)
}
