import type { Timestamp } from '../../platform/kernel/moscow-time.ts'

/** One month of one client, as it was at a moment: later scans do not count, and what was undone later does. */
export interface BillingScope {
  readonly clientId: string
  /** Whose tariff holds. */
  readonly warehouse: string
  /** The first moment of the month. */
  readonly from: Timestamp
  /** The first moment of the next month. */
  readonly to: Timestamp
  readonly asOf: Timestamp
}
