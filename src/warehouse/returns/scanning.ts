import { verdictOf } from '../../platform/db/together.ts'
import type { Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import type { GivenMarks } from '../../platform/kernel/codes/unit-mark.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import { lockKnownOrders } from '../orders/lock.ts'
import { releaseMarksOfUnit, takeUnitMarks } from '../picking/unit-marks.ts'
import { recordMovements } from '../stock/ledger.ts'
import {
  bringBackMarkingCode,
  forgetReturnedCode,
  sendOutMarkingCode,
  storeMarkingCode,
} from '../stock/marking-codes.ts'
import { refuseUnknownReason } from '../stock/reasons.ts'
import { lockReturnBatch, shareBatchOfDay } from './batches.ts'
import { recordReturnScans } from './record-scans.ts'
import { batchOfDayScan, type ReturnScanResult, resultOfReturnScan } from './return-scans.ts'
import { findReturnedUnit, type ReturnedUnit } from './returned-unit.ts'
import { unitOfCode } from './scanned-code.ts'
import { type ReturnCondition, usualReasons } from './state.ts'

/**
 * Taking units in, scan by scan. A unit enters the stock with its scan; a damaged one, or one that nobody inspected,
 * enters in question. Its marking code and its marks are free for another order.
 *
 * A scan locks batch, order, balance, scan and marking code in this order; its undo locks batch, scan, order, marking code and balance.
 */
export interface ScannedReturn {
  /** Made by the handheld; a second scan with the same id changes nothing. */
  readonly scanId: string
  readonly code: string
  /** The product, where `code` names an order with several. */
  readonly barcode?: string | undefined
  readonly condition: ReturnCondition
  /** Code of a reason of the kind `correction`. */
  readonly reason?: string | undefined
}

/**
 * Takes a unit in. A scan whose id the batch has is answered as it was, whatever the batch's status is now. Without a
 * batch it takes that of the day, which it opens where there is none. Throws validation_error, not_found or conflict.
 */
export async function takeReturnIn(
  work: Work,
  clientId: string,
  returnId: string | undefined,
  draft: ScannedReturn,
): Promise<ReturnScanResult> {
  if (returnId !== undefined) return onceInBatch(work, clientId, returnId, draft, false)
  const earlier = await batchOfDayScan(work.tx, clientId, draft.scanId)
  const ofDay = earlier ?? (await shareBatchOfDay(work, clientId))
  return onceInBatch(work, clientId, ofDay, draft, true)
}

async function onceInBatch(
  work: Work,
  clientId: string,
  returnId: string,
  draft: ScannedReturn,
  ofDay: boolean,
): Promise<ReturnScanResult> {
  const { tx } = work
  const recorded = () => resultOfReturnScan(tx, clientId, returnId, draft.scanId, true)
  const first = await recorded()
  if (first !== undefined) return first
  const verdict = await verdictOf(() => recordUnit(work, clientId, returnId, draft, ofDay))
  if (verdict.kind === 'done' && verdict.result !== undefined) {
    // The scan is written: what refuses it from here on must undo the transaction.
    return takeIn(work, clientId, returnId, draft, verdict.result)
  }
  // While this waited for a lock, another transaction may have recorded the scan.
  const meanwhile = await recorded()
  if (meanwhile !== undefined) return meanwhile
  if (verdict.kind === 'refused') throw verdict.error
  throw conflict('Этот скан сейчас принимается: повторите его')
}

/** Undefined for a scan that another transaction has recorded: nothing was written for it. */
async function recordUnit(
  work: Work,
  clientId: string,
  returnId: string,
  draft: ScannedReturn,
  ofDay: boolean,
): Promise<ReturnedUnit | undefined> {
  const { cabinetId } = await lockReturnBatch(work, clientId, returnId, 'scan')
  if (draft.reason !== undefined) await refuseUnknownReason(work, 'correction', draft.reason)
  const named = await unitOfCode(work.tx, { clientId, code: draft.code, cabinetId })
  const unit = await findReturnedUnit(work, clientId, returnId, named, draft.barcode)
  const { expectedReturnId } = named
  const scan = { ...draft, clientId, returnId, ofDay, reason: reasonOf(draft), expectedReturnId }
  const [recorded] = await recordReturnScans(work, [{ ...scan, unit, actor: work.actor }])
  return recorded?.unit
}

export function reasonOf({ reason, condition }: ScannedReturn): string | undefined {
  return reason ?? (condition === 'sellable' ? undefined : usualReasons[condition])
}

async function takeIn(
  work: Work,
  clientId: string,
  returnId: string,
  draft: ScannedReturn,
  unit: ReturnedUnit,
): Promise<ReturnScanResult> {
  await moveBack(work, clientId, unit)
  const movement = movementOf(returnId, draft, unit)
  // The scan is written already: what is read of it does not depend on the movement.
  const [result] = await Promise.all([
    resultOfReturnScan(work.tx, clientId, returnId, draft.scanId, false),
    recordMovements(work, clientId, [movement]),
  ])
  if (result === undefined) throw new Error(`scan ${draft.scanId} vanished`)
  return result
}

/** The movement of a unit that came back. */
export function movementOf(
  returnId: string,
  draft: ScannedReturn,
  { barcode, order }: ReturnedUnit,
) {
  const reason = reasonOf(draft)
  return {
    kind: 'return',
    barcode,
    delta: 1,
    questionDelta: draft.condition === 'sellable' ? 0 : 1,
    returnId,
    ...ofOrder(order),
    ...(reason === undefined ? {} : { reason }),
  } as const
}

function ofOrder(order: ReturnedUnit['order']) {
  return order === null ? {} : { orderId: order.id, shipmentId: order.shipmentId }
}

/** The marks of the unit are free again. */
export async function moveBack(work: Work, clientId: string, unit: ReturnedUnit): Promise<void> {
  const { order, identity, newCode, pickScanId, barcode } = unit
  if (order !== null && identity !== undefined) {
    await bringBackMarkingCode(work, clientId, { identity, orderId: order.id })
  }
  if (newCode !== undefined) {
    await storeMarkingCode(work, clientId, {
      identity: newCode.identity,
      code: newCode.code,
      barcode,
    })
  }
  if (order !== null && pickScanId !== undefined) {
    await releaseMarksOfUnit(work, clientId, { orderId: order.id, scanId: pickScanId })
  }
}

interface UndoneReturnScan {
  readonly barcode: string
  readonly order_id: string | null
  readonly shipment_id: string | null
  readonly pick_scan_id: string | null
  readonly marking_code: string | null
  readonly new_code: boolean
  readonly condition: ReturnCondition
  readonly reason: string | null
}

/**
 * Undoes a scan while the batch is open: its unit leaves the stock, and what the unit was marked with is of
 * its order again. The scan's id stays used. A second undo changes nothing. Throws not_found, or conflict
 * where the unit is no longer free.
 */
export async function undoReturnScan(
  work: Work,
  clientId: string,
  returnId: string,
  scanId: string,
): Promise<ReturnScanResult> {
  const known = await resultOfReturnScan(work.tx, clientId, returnId, scanId, true)
  if (known === undefined) throw notFound('Скан не найден')
  if (known.undone) return known
  await lockReturnBatch(work, clientId, returnId, 'undo')
  const [scan] = await work.tx<UndoneReturnScan[]>`
    update return_scans set undone_at = ${work.at}, undone_by = ${actorText(work.actor)}
    where client_id = ${clientId} and return_id = ${returnId} and scan_id = ${scanId}
      and undone_at is null
    returning barcode, order_id, shipment_id, pick_scan_id, marking_code, new_code, condition, reason`
  if (scan !== undefined) await sendBack(work, clientId, returnId, scan)
  const result = await resultOfReturnScan(work.tx, clientId, returnId, scanId, scan === undefined)
  if (result === undefined) throw new Error(`scan ${scanId} vanished`)
  return result
}

async function sendBack(
  work: Work,
  clientId: string,
  returnId: string,
  scan: UndoneReturnScan,
): Promise<void> {
  const { order_id: orderId, shipment_id: shipmentId, marking_code: identity, barcode } = scan
  if (orderId !== null) await refuseReshipped(work, clientId, orderId, shipmentId)
  if (identity !== null && scan.new_code) await forgetReturnedCode(work, clientId, identity)
  else if (identity !== null && orderId !== null) {
    await sendOutMarkingCode(work, clientId, { identity, orderId })
  }
  if (orderId !== null && scan.pick_scan_id !== null) {
    const marks = await marksOfPick(work, clientId, orderId, scan.pick_scan_id)
    await takeUnitMarks(work, clientId, [{ orderId, scanId: scan.pick_scan_id, marks }])
  }
  await recordMovements(work, clientId, [
    {
      kind: 'return',
      barcode,
      delta: -1,
      questionDelta: scan.condition === 'sellable' ? 0 : -1,
      returnId,
      ...(orderId === null || shipmentId === null ? {} : { orderId, shipmentId }),
      ...(scan.reason === null ? {} : { reason: scan.reason }),
    },
  ])
}

/** An order that came back to be handed over again left its shipment: its units did not. */
async function refuseReshipped(
  work: Work,
  clientId: string,
  orderId: string,
  shipmentId: string | null,
): Promise<void> {
  const [order] = await lockKnownOrders(work, clientId, [orderId])
  if (order?.shipment_id === shipmentId) return
  throw conflict(
    `Заказ ${order?.external_id} после скана вернули на склад для повторной отгрузки: ` +
      'единица на остатке по праву, отменять скан не нужно',
  )
}

async function marksOfPick(
  { tx }: Work,
  clientId: string,
  orderId: string,
  scanId: string,
): Promise<GivenMarks> {
  const [pick] = await tx<{ marks: GivenMarks }[]>`
    select marks from picks
    where client_id = ${clientId} and order_id = ${orderId} and scan_id = ${scanId}
      and undone_at is null`
  return pick?.marks ?? {}
}
