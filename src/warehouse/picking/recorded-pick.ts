import type { Work } from '../../platform/db/work.ts'
import type { Actor } from '../../platform/kernel/actor.ts'
import type { MarkingCode } from '../../platform/kernel/codes/marking-code.ts'
import type { GivenMarks } from '../../platform/kernel/codes/unit-mark.ts'
import { notFound } from '../../platform/kernel/errors.ts'

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

/** A scan of one unit that goes into an order. */
export interface PickScan {
  /** Chosen by the handheld. A repeated id changes nothing. */
  readonly scanId: string
  readonly orderId: string
  /** Optional where the marking code identifies the goods. */
  readonly barcode?: string
  readonly markingCode?: MarkingCode
  /** What else identifies or describes the unit. */
  readonly marks?: GivenMarks
  /** The box that the unit is taken from; undefined for a loose unit. */
  readonly boxId?: string
  /** The location that a loose unit is taken from. */
  readonly locationId?: string
}

/** A scan, the task that it is for, and who made it. */
export interface ReceivedPick extends PickScan {
  readonly clientId: string
  readonly taskId: string
  readonly actor: Actor
}
