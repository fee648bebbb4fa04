import type { Work } from '../../platform/db/work.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import { changeOrders } from '../orders/change.ts'
import { takeBackPickedUnit } from '../orders/lines.ts'
import type { LockedOrder } from '../orders/lock.ts'
import { putBack } from '../stock/located-units.ts'
import { returnMarkingCode } from '../stock/marking-codes.ts'
import { lockOrdersOfTask, type ShipmentGuard } from './lock.ts'
import { dropProof, type MarkRefusal, type ProvedUnit, recordVerdict } from './mark-proofs.ts'
import { type RecordedPick, recordedPick } from './recorded-pick.ts'
import { undoChecks } from './tasks.ts'
import { replaceUnitMarks } from './unit-marks.ts'

/**
 * Undoes one pick: the unit goes back where it was taken from and stays reserved for its order, which is no longer
 * packed. Its marking code and marks are free. Returns false for a pick that was undone before. Throws not_found for an
 * unknown one, and conflict once the shipment has left or the marketplace takes no other marks.
 */
export async function undoPick(
  work: Work,
  clientId: string,
  taskId: string,
  scanId: string,
  guard?: ShipmentGuard,
): Promise<boolean> {
  const { order_id: orderId, undone } = await recordedPick(work, clientId, taskId, scanId)
  if (undone) return false
  const lock = { taskId, verb: 'undo', orderIds: [orderId], guard } as const
  const order = (await lockOrdersOfTask(work, clientId, lock)).get(orderId)
  // Another request may have undone it before the lock.
  const pick = await recordedPick(work, clientId, taskId, scanId)
  if (pick.undone || order === undefined) return false
  refuseReportedUnit(order, pick)
  await dropProof(work, clientId, taskId, scanId)
  await putUnitBack(work, clientId, { taskId, scanId }, pick, order)
  return true
}

export interface RefusedUnit extends ProvedUnit {
  readonly orderId: string
}

/**
 * The marketplace has refused a mark of the unit: its order wants another one. The unit counts where it was taken from.
 * Returns false for a unit that was put back, or given other marks, meanwhile.
 */
export async function takeBackRefusedUnit(
  work: Work,
  unit: RefusedUnit,
  refused: MarkRefusal,
  guard?: ShipmentGuard,
): Promise<boolean> {
  const { clientId, taskId, scanId, orderId } = unit
  const lock = { taskId, verb: 'undo', orderIds: [orderId], guard } as const
  const order = (await lockOrdersOfTask(work, clientId, lock)).get(orderId)
  const pick = await recordedPick(work, clientId, taskId, scanId)
  if (pick.undone || order === undefined) return false
  if (!(await recordVerdict(work, unit, refused))) return false
  await putUnitBack(work, clientId, { taskId, scanId }, pick, order)
  return true
}

async function putUnitBack(
  work: Work,
  clientId: string,
  { taskId, scanId }: Pick<RefusedUnit, 'taskId' | 'scanId'>,
  pick: RecordedPick,
  order: LockedOrder,
): Promise<void> {
  const orderId = order.id
  await work.tx`
    update picks set undone_at = ${work.at}
    where client_id = ${clientId} and task_id = ${taskId} and scan_id = ${scanId}`
  await takeBackPickedUnit(work, clientId, { orderId, line: pick.line })
  if (order.packed_at !== null) {
    await changeOrders(work, clientId, [{ order, patch: { packed_at: null } }])
  }
  if (pick.marking_code !== null) {
    await returnMarkingCode(work, clientId, { identity: pick.marking_code, orderId })
  }
  await replaceUnitMarks(work, clientId, { orderId, scanId })
  await undoChecks(work, clientId, orderId)
  await putBack(work, clientId, pick)
}

/**
 * The marketplace has the marks of the unit and takes no others: OZON from the packing of a posting on, WB
 * once it has the order. WB replaces marks until then.
 */
function refuseReportedUnit(
  { marketplace, marketplace_status: status, external_id: number }: LockedOrder,
  { marking_code: code, marks }: RecordedPick,
): void {
  if (code === null && Object.keys(marks).length === 0) return
  const fixed =
    marketplace === 'OZON' ? status !== 'NEW' : status === 'IN_DELIVERY' || status === 'COMPLETED'
  if (!fixed) return
  throw conflict(
    `${marketplace} уже знает, что эта единица в заказе ${number}: скан не отменить, уберите заказ из отгрузки`,
  )
}
