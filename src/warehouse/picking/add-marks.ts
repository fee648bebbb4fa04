import type { Work } from '../../platform/db/work.ts'
import type { MarkingCode } from '../../platform/kernel/codes/marking-code.ts'
import type { GivenMarks } from '../../platform/kernel/codes/unit-mark.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import { linesOf } from '../orders/lines.ts'
import { contradictionByCards } from '../stock/card-gtins.ts'
import { lockMarkingCodes } from '../stock/marking-codes.ts'
import { lockOrdersOfTask, type ShipmentGuard } from './lock.ts'
import { awaitProofs } from './mark-proofs.ts'
import { type RecordedPick, recordedPick } from './recorded-pick.ts'
import { refuseAbsence } from './required-marks.ts'
import { goodsOfScan, pickMarkingCodes, refuseWrongCode } from './scanned-goods.ts'
import { undoChecks } from './tasks.ts'
import { replaceUnitMarks } from './unit-marks.ts'

export interface MarksOfPick {
  readonly scanId: string
  readonly marks: GivenMarks
  readonly markingCode?: MarkingCode
}

/**
 * Adds marks to a picked unit, or corrects them; marks that are not named stay. Returns false if the
 * unit has them already. Throws not_found for an unknown pick, and conflict for an undone one and for
 * a second marking code.
 */
export async function addMarks(
  work: Work,
  clientId: string,
  taskId: string,
  { scanId, marks, markingCode: given }: MarksOfPick,
  guard?: ShipmentGuard,
): Promise<boolean> {
  const orderId = (await recordedPick(work, clientId, taskId, scanId)).order_id
  const orders = await lockOrdersOfTask(work, clientId, {
    taskId,
    verb: 'pick',
    orderIds: [orderId],
    guard,
  })
  const pick = await recordedPick(work, clientId, taskId, scanId)
  if (pick.undone)
    throw conflict('Скан отменён: заказ убирали из отгрузки, соберите единицу заново')
  const order = orders.get(orderId)
  if (order !== undefined) refuseAbsence(order.marketplace, marks)
  const codeAdded =
    given !== undefined && (await addMarkingCode(work, clientId, pick, scanId, given))
  const merged = { ...pick.marks, ...marks }
  const isSame = Object.entries(marks).every(([kind, value]) => {
    const known: Readonly<Record<string, string | null>> = pick.marks
    return known[kind] === value
  })
  if (isSame && !codeAdded) return false
  if (codeAdded) await undoChecks(work, clientId, orderId)
  await work.tx`
    update picks set marks = ${work.tx.json(merged)},
      marking_code = coalesce(marking_code, ${given?.identity ?? null})
    where client_id = ${clientId} and task_id = ${taskId} and scan_id = ${scanId}`
  const markingCode = pick.marking_code ?? given?.identity
  const unit = { orderId, scanId, marks: merged, markingCode }
  await replaceUnitMarks(work, clientId, unit)
  await awaitProofs(work, clientId, taskId, [unit])
  return true
}

async function addMarkingCode(
  work: Work,
  clientId: string,
  { order_id: orderId, barcode, marking_code: known }: RecordedPick,
  scanId: string,
  markingCode: MarkingCode,
): Promise<boolean> {
  if (known === markingCode.identity) return false
  if (known !== null) {
    throw conflict(
      'У этой единицы другой код маркировки: уберите заказ из отгрузки и соберите заново',
    )
  }
  const codes = await lockMarkingCodes(work, clientId, [markingCode.identity])
  const lines = await linesOf(work, clientId, [orderId])
  const contradicts = await contradictionByCards(work.tx, clientId, [markingCode.gtin])
  const goods = goodsOfScan({ scanId, orderId, barcode, markingCode }, lines, codes, contradicts)
  refuseWrongCode(goods, codes, contradicts)
  await pickMarkingCodes(work, clientId, [goods])
  return true
}
