import { verdictOf } from '../db/together.ts'
import type { Work } from '../db/work.ts'
import { actorText } from '../kernel/actor.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import type { GivenMarks } from '../kernel/unit-mark.ts'
import { lockKnownOrders } from '../orders/lock.ts'
import { releaseMarksOfUnit, takeUnitMarks } from '../picking/unit-marks.ts'
import { recordMovements } from '../stock/ledger.ts'
import {
  bringBackMarkingCode,
  forgetReturnedCode,
  sendOutMarkingCode,
  storeMarkingCode,
} from '../stock/marking-codes.ts'
import { refuseUnknownReason } from '../warehouses/reasons.ts'
import { lockReturnBatch, shareBatchOfDay } from './batches.ts'
import { batchOfDayScan, type ReturnScanResult, resultOfReturnScan } from './return-scans.ts'
import { findReturnedUnit, type ReturnedUnit } from './returned-unit.ts'
import { type NamedUnit, unitOfCode } from './scanned-code.ts'
import { type ReturnCondition, usualReasons } from './state.ts'

/**
 * Taking units in, scan by scan. A unit enters the stock with its scan; a damaged or unchecked one enters in
 * question. Its marking code and its marks are free for another order. The only writer of return_scans.
 *
 * Locks are taken in this order: batch, order, marking code, balance.
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
 * Takes a unit in. A scan whose id the batch has is answered as it was, whatever the batch's status is now.
 * Throws validation_error, not_found or conflict.
 */
export async function takeReturnIn(
  work: Work,
  clientId: string,
  returnId: string,
  draft: ScannedReturn,
): Promise<ReturnScanResult> {
  return onceInBatch(work, clientId, returnId, draft, false)
}

/** Takes a unit into the batch of the day, which it opens where there is none. Throws like takeReturnIn. */
export async function takeReturnOfDay(
  work: Work,
  clientId: string,
  draft: ScannedReturn,
): Promise<ReturnScanResult> {
  const earlier = await batchOfDayScan(work.tx, clientId, draft.scanId)
  const returnId = earlier ?? (await shareBatchOfDay(work, clientId))
  return onceInBatch(work, clientId, returnId, draft, true)
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
  const verdict = await verdictOf(() => takeIn(work, clientId, returnId, draft, ofDay))
  if (verdict.kind === 'done' && verdict.result !== undefined) return verdict.result
  // While this waited for a lock, another transaction may have recorded the scan.
  const meanwhile = await recorded()
  if (meanwhile !== undefined) return meanwhile
  if (verdict.kind === 'refused') throw verdict.error
  throw conflict('Этот скан сейчас принимается: повторите его')
}

/** Undefined for a scan that another transaction has recorded: nothing was written for it. */
async function takeIn(
  work: Work,
  clientId: string,
  returnId: string,
  draft: ScannedReturn,
  ofDay: boolean,
): Promise<ReturnScanResult | undefined> {
  const { cabinetId } = await lockReturnBatch(work, clientId, returnId, 'scan')
  const { condition } = draft
  if (draft.reason !== undefined) await refuseUnknownReason(work, 'correction', draft.reason)
  const reason = draft.reason ?? (condition === 'sellable' ? undefined : usualReasons[condition])
  const named = await unitOfCode(work.tx, clientId, draft.code, cabinetId)
  const unit = await findReturnedUnit(work, clientId, returnId, named, draft.barcode)
  const scan = { ...draft, reason, ofDay }
  const isNew = await recordScan(work, clientId, returnId, scan, named, unit)
  if (!isNew) return undefined
  await moveBack(work, clientId, unit)
  await recordMovements(work, clientId, [
    {
      kind: 'return',
      barcode: unit.barcode,
      delta: 1,
      questionDelta: condition === 'sellable' ? 0 : 1,
      returnId,
      ...ofOrder(unit.order),
      ...(reason === undefined ? {} : { reason }),
    },
  ])
  return resultOfReturnScan(work.tx, clientId, returnId, draft.scanId, false)
}

function ofOrder(order: ReturnedUnit['order']) {
  return order === null ? {} : { orderId: order.id, shipmentId: order.shipmentId }
}

/** The marks of the unit are free again. */
async function moveBack(work: Work, clientId: string, unit: ReturnedUnit): Promise<void> {
  const { order, identity, newCode, pickScanId, barcode } = unit
  if (order !== null && identity !== undefined) {
    await bringBackMarkingCode(work, clientId, { identity, orderId: order.id })
  }
  if (newCode !== undefined) {
    await storeMarkingCode(work, clientId, {
      identity: newCode.identity,
      code: newCode.raw,
      barcode,
    })
  }
  if (order !== null && pickScanId !== undefined) {
    await releaseMarksOfUnit(work, clientId, { orderId: order.id, scanId: pickScanId })
  }
}

/** Returns false for a scan that another transaction has recorded. */
async function recordScan(
  { tx, at, actor }: Work,
  clientId: string,
  returnId: string,
  scan: ScannedReturn & { readonly ofDay: boolean },
  named: NamedUnit,
  unit: ReturnedUnit,
): Promise<boolean> {
  const orderId = unit.order?.id ?? null
  const expectedId = named.expectedReturnId ?? null
  const recorded = await tx`
    with expectation as (
      select e.id from expected_returns e
      where e.client_id = ${clientId} and case
          when ${expectedId}::uuid is null then e.order_id = ${orderId}::uuid
            and e.state <> 'NOT_COMING'
          else e.id = ${expectedId}::uuid end
        and e.units > (
          select count(*) from return_scans s
          where s.client_id = e.client_id and s.expected_return_id = e.id and s.undone_at is null)
      order by e.created_at, e.id limit 1
    ), place as (
      select l.line from return_lines l
      where l.client_id = ${clientId} and l.return_id = ${returnId}
        and coalesce(l.barcode, ${unit.barcode}) = ${unit.barcode}
        and (l.order_id = ${orderId}::uuid or l.order_id is null
          and (l.expected_return_id = (select id from expectation) or l.barcode is not null))
        and l.units > (
          select count(*) from return_scans s
          where s.client_id = l.client_id and s.return_id = l.return_id and s.line = l.line
            and s.undone_at is null)
      order by l.expected_return_id = (select id from expectation) desc nulls last, l.line limit 1
    )
    insert into return_scans (client_id, return_id, scan_id, of_day, code, line, expected_return_id,
      order_id, shipment_id, pick_scan_id, barcode, marking_code, new_code, condition, reason, at,
      actor)
    select ${clientId}, ${returnId}, ${scan.scanId}, ${scan.ofDay}, ${scan.code},
      (select line from place), (select id from expectation), ${orderId},
      ${unit.order?.shipmentId ?? null}, ${unit.pickScanId ?? null}, ${unit.barcode},
      ${unit.newCode?.identity ?? unit.identity ?? null}, ${unit.newCode !== undefined},
      ${scan.condition}, ${scan.reason ?? null}, ${at}, ${actorText(actor)}
    on conflict do nothing
    returning scan_id`
  return recorded.length > 0
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
