import type { PickingTask } from '../../api/staff-calls.ts'
import type { PickingLine } from '../picking/task.ts'
import { scanCall } from '../queue/queue.ts'
import type { Verdict } from '../scan/verdict.ts'
import { foldCheck, isComplete, parcelsOf } from './check.ts'

/** A unit that lies in its parcel rightly. The service has no verb that takes a check back. */
export function verdictOfCheck(task: PickingTask, line: PickingLine, code: string): Verdict {
  const { order_id: orderId, order_external_id: number, barcode, name } = line
  const effect = { orderId, barcode }
  const parcels = parcelsOf(foldCheck(task, effect))
  const parcel = parcels.find((each) => each.orderId === orderId)
  const isDone = parcel !== undefined && isComplete(parcel)
  const next = parcels.every(isComplete) ? 'Вся отгрузка проверена' : 'Берите следующий'
  return {
    kind: 'counts',
    call: scanCall(
      'POST /shipments/{id}/checks',
      { id: task.shipment_id },
      { order_id: orderId, code },
    ),
    effect,
    title: name,
    outcome: isDone ? 'full' : 'good',
    ...(parcel === undefined ? {} : { figure: parcel.checked, of: parcel.units }),
    sentence: isDone ? `Заказ ${number} проверен. ${next}` : `${name}. Заказ ${number}`,
  }
}
