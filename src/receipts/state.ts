/**
 * States of a receipt.
 *
 *   PENDING_CONFIRMATION --confirm--> EXPECTED --start--> RECEIVING --finish--> RECEIVED
 *                                                                          \--> RECEIVED_WITH_DISCREPANCY
 *
 * A seller's request starts PENDING_CONFIRMATION, where the warehouse does not see it; a receipt
 * that a manager registers starts EXPECTED. `count` needs RECEIVING and does not change it.
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

/** Whether the status allows the verb. */
export function allowsReceiptVerb(status: ReceiptStatus, verb: ReceiptVerb): boolean {
  return from[verb] === status
}

/** Units of a line: as declared, and as counted so far. */
export interface QuantityPair {
  readonly expected: number
  readonly accepted: number
}

/** The status in which counting ends: a line that differs, up or down, makes a discrepancy. */
export function outcomeOfCounting(lines: readonly QuantityPair[]): ReceiptStatus {
  return lines.every((line) => line.accepted === line.expected)
    ? 'RECEIVED'
    : 'RECEIVED_WITH_DISCREPANCY'
}

export function isCompleted(status: ReceiptStatus): boolean {
  return status === 'RECEIVED' || status === 'RECEIVED_WITH_DISCREPANCY'
}

/** Units that are missing; 0 until the receipt is completed. */
export function shortage(status: ReceiptStatus, line: QuantityPair): number {
  return isCompleted(status) ? Math.max(0, line.expected - line.accepted) : 0
}

/** Units counted beyond the declared quantity: they are in question. */
export function surplus(line: QuantityPair): number {
  return Math.max(0, line.accepted - line.expected)
}
