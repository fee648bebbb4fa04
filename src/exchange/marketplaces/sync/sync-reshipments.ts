import type { Queryable } from '../../../platform/db/connection.ts'
import { day, minute, toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import { bringBackOrders } from '../../../warehouse/shipments/reshipment.ts'
import { isPartDue, progressAt, type SyncContext, writePages, writeProgress } from './context.ts'

const everyMs = 10 * minute
/** A marketplace that has not sorted an order for so long after it left has lost it. */
const followedMs = 30 * day

/**
 * Brings back the orders that the marketplace did not find in their shipments. The list is read only while
 * orders are under way that it may name. It runs before shipments, so that an order can join another
 * shipment of the cabinet in the same run.
 */
export async function syncReshipments(sync: SyncContext): Promise<void> {
  const { run, connector, startedAt, db, intervalMs } = sync
  if (connector.reshipments === undefined) return
  if (!isPartDue(sync, run.reshipmentsAt, Math.min(everyMs, 5 * intervalMs))) return
  const { clientId, cabinetId } = run
  const closedFrom = toTimestamp(startedAt - followedMs)
  if (!(await hasUnsorted(db, clientId, cabinetId, closedFrom))) return
  await writePages(sync, connector.reshipments(), (work, { items }) =>
    bringBackOrders(work, clientId, cabinetId, items),
  )
  await writeProgress(sync, { reshipments_at: progressAt(sync) })
}

/** Whether an order left since then that the marketplace has not sorted. */
async function hasUnsorted(
  db: Queryable,
  clientId: string,
  cabinetId: string,
  closedFrom: string,
): Promise<boolean> {
  const [row] = await db<[{ found: boolean }]>`
    select exists (
      select from orders o
      join shipments s on s.client_id = o.client_id and s.id = o.shipment_id
      where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId}
        and o.status = 'IN_DELIVERY' and not o.sorted and o.shipment_id is not null
        and s.closed_at >= ${closedFrom} and not s.observed
    ) as found`
  return row.found
}
