import type { Actor } from '../../platform/kernel/actor.ts'
import type { MarkingCode } from '../../platform/kernel/marking-code.ts'
import type { GivenMarks } from '../../platform/kernel/unit-mark.ts'

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
