/**
 * States of a receipt.
 *
 *   PENDING_CONFIRMATION --confirm--> EXPECTED --start--> RECEIVING --finish--> RECEIVED
 *                    \                  |                             \--> RECEIVED_WITH_DISCREPANCY
 *                     \--cancel---------+--cancel-------------------------^
 *
 * A seller's request starts PENDING_CONFIRMATION, where the warehouse does not see it; a receipt
 * that a manager registers starts EXPECTED; one for goods without a document (walk-in) starts
 * RECEIVING. `count` needs RECEIVING and does not change it. `approve` changes no status either: it
 * ends, once, the question about the units of a walk-in receipt. `change` is the seller's new version of a request that waits, and
 * `withdraw` is the seller's `cancel` of it.
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

export type ReceiptVerb =
  | 'confirm'
  | 'start'
  | 'count'
  | 'finish'
  | 'cancel'
  | 'approve'
  | 'change'
  | 'withdraw'

const from: Readonly<Record<ReceiptVerb, readonly ReceiptStatus[]>> = {
  confirm: ['PENDING_CONFIRMATION'],
  start: ['EXPECTED'],
  count: ['RECEIVING'],
  finish: ['RECEIVING'],
  cancel: ['PENDING_CONFIRMATION', 'EXPECTED'],
  approve: ['RECEIVING', 'RECEIVED', 'RECEIVED_WITH_DISCREPANCY'],
  change: ['PENDING_CONFIRMATION'],
  withdraw: ['PENDING_CONFIRMATION'],
}

/** Receipts whose goods are still to come or to be counted. */
export const openReceiptStatuses: readonly ReceiptStatus[] = [
  'PENDING_CONFIRMATION',
  'EXPECTED',
  'RECEIVING',
]

/** Whether the status allows the verb. */
export function allowsReceiptVerb(status: ReceiptStatus, verb: ReceiptVerb): boolean {
  return from[verb].includes(status)
}

/** Why a receipt of that status does not take the verb, and what to do, in Russian. */
export function refusalOfReceipt(status: ReceiptStatus, verb: ReceiptVerb): string {
  return `Приёмка в состоянии «${receiptStatusLabels[status]}»: ${adviceOn(status, verb)}`
}

function adviceOn(status: ReceiptStatus, verb: ReceiptVerb): string {
  if (status === 'PENDING_CONFIRMATION') return 'сначала её подтверждает менеджер'
  if (isCompleted(status)) {
    return verb === 'count' ? 'этот товар примите другой приёмкой' : 'она закончена'
  }
  if (verb === 'confirm') return 'она уже подтверждена'
  if (verb === 'change' || verb === 'withdraw') {
    return 'она уже подтверждена, об изменениях договоритесь с менеджером склада'
  }
  if (status === 'EXPECTED') return 'сначала начните её'
  return verb === 'start' ? 'она уже начата, сканируйте товар' : 'она уже начата, закончите её'
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

/** Units counted beyond the declared quantity. */
export function surplus(line: QuantityPair): number {
  return Math.max(0, line.accepted - line.expected)
}

/** Units that counting put in question: the surplus, unless a manager has approved the receipt. */
export function questioned(line: QuantityPair, isApproved: boolean): number {
  return isApproved ? 0 : surplus(line)
}
