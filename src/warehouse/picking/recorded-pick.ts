import type { Work } from '../../platform/db/work.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import type { GivenMarks } from '../../platform/kernel/unit-mark.ts'

/** A recorded pick, as verbs that change it read it. */
export interface RecordedPick {
  readonly order_id: string
  readonly line: number
  readonly barcode: string
  /** Its identity. */
  readonly marking_code: string | null
  readonly marks: GivenMarks
  /** Where the unit was taken from; null: neither. */
  readonly box_id: string | null
  readonly location_id: string | null
  readonly undone: boolean
}

/** Throws not_found where the task has no such scan. */
export async function recordedPick(
  { tx }: Work,
  clientId: string,
  taskId: string,
  scanId: string,
): Promise<RecordedPick> {
  const [pick] = await tx<RecordedPick[]>`
    select order_id, line, barcode, marking_code, marks, box_id, location_id,
      undone_at is not null as undone
    from picks
    where client_id = ${clientId} and task_id = ${taskId} and scan_id = ${scanId}`
  if (pick === undefined) throw notFound('Скана нет в этом задании')
  return pick
}
