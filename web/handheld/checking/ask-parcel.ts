import type { PickingTask } from '../../api/staff-calls.ts'
import { askLookup } from '../scan/ask-lookup.ts'
import { type CheckReading, parcelOf } from './check.ts'

/** The order whose label the code may be. Without an answer it is no code of this shipment. */
export async function askParcel(task: PickingTask, code: string): Promise<CheckReading> {
  try {
    const matches = await askLookup(code)
    const order = matches.find(
      (match) => match.kind === 'order' && match.shipment_id === task.shipment_id,
    )
    return order?.id == null ? { kind: 'unknown' } : parcelOf(task, order.id)
  } catch {
    return { kind: 'wrong', sentence: `Не из этой отгрузки, или нет связи: ${code}` }
  }
}
