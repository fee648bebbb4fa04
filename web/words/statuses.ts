import { type PrintStatus, printStatusLabels } from '../../src/documents/printing/state.ts'
import { type CountStatus, countStatusLabels } from '../../src/warehouse/counts/state.ts'
import { type OrderStatus, orderStatusLabels } from '../../src/warehouse/orders/state.ts'
import { type ReceiptStatus, receiptStatusLabels } from '../../src/warehouse/receipts/state.ts'
import {
  type ReturnBatchStatus,
  type ReturnState,
  returnBatchStatusLabels,
  returnStateLabels,
} from '../../src/warehouse/returns/state.ts'
import { type ShipmentStatus, shipmentStatusLabels } from '../../src/warehouse/shipments/state.ts'

/** Statuses of objects, as words and as tones: `now` somebody works on it, `warn` it waits for somebody. */
export type StatusTone = 'good' | 'now' | 'warn' | 'bad' | 'quiet'

export const receiptWords = receiptStatusLabels
export const receiptTones: Readonly<Record<ReceiptStatus, StatusTone>> = {
  PENDING_CONFIRMATION: 'warn',
  EXPECTED: 'quiet',
  RECEIVING: 'now',
  RECEIVED: 'good',
  RECEIVED_WITH_DISCREPANCY: 'bad',
}

export const orderWords = orderStatusLabels
export const orderTones: Readonly<Record<OrderStatus, StatusTone>> = {
  NEW: 'warn',
  ASSEMBLING: 'now',
  IN_DELIVERY: 'quiet',
  COMPLETED: 'good',
  CANCELLED: 'bad',
  OTHER: 'quiet',
}

export const shipmentWords = shipmentStatusLabels
export const shipmentTones: Readonly<Record<ShipmentStatus, StatusTone>> = {
  ASSEMBLING: 'now',
  HANDED_OVER: 'quiet',
  ACCEPTED: 'good',
}

export const countWords = countStatusLabels
export const countTones: Readonly<Record<CountStatus, StatusTone>> = {
  DRAFT: 'quiet',
  COUNTING: 'now',
  REVIEW: 'warn',
  CLOSED: 'good',
  CANCELLED: 'quiet',
}

export const returnBatchWords = returnBatchStatusLabels
export const returnBatchTones: Readonly<Record<ReturnBatchStatus, StatusTone>> = {
  OPEN: 'now',
  FINISHED: 'good',
}

export const returnWords = returnStateLabels
export const returnTones: Readonly<Record<ReturnState, StatusTone>> = {
  ON_THE_WAY: 'quiet',
  READY: 'warn',
  RECEIVED: 'good',
  NOT_COMING: 'bad',
  OTHER: 'quiet',
}

export const printWords = printStatusLabels
export const printTones: Readonly<Record<PrintStatus, StatusTone>> = {
  QUEUED: 'warn',
  PRINTING: 'now',
  PRINTED: 'good',
  FAILED: 'bad',
}
