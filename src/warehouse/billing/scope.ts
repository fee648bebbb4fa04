import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'

/** One month of one client as it was at a moment: scans after it do not count, and scans that were undone after it do. */
export interface BillingScope {
  readonly clientId: string
  /** Whose tariff holds, unless the client has moved: then that of the warehouse in which it was on the day. */
  readonly warehouse: string
  /** The first moment of the month. */
  readonly from: Timestamp
  /** The first moment of the next month. */
  readonly to: Timestamp
  readonly asOf: Timestamp
  /** This version of the warehouse's tariff as if it held on all days: what a month would cost. */
  readonly trial?: number
}

/** Versions of the warehouse's tariff that hold on a day; the one of the newest first day, then the last, is in force. */
export function warehouseVersions(
  db: Queryable,
  { clientId, warehouse, trial }: BillingScope,
  day: Fragment,
): Fragment {
  return trial === undefined
    ? db`warehouse_code = client_warehouse_on(${clientId}, (${day})::date, ${warehouse}) and first_day <= ${day}`
    : db`warehouse_code = ${warehouse} and version = ${trial}`
}
