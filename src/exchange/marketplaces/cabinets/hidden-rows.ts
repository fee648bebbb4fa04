import type { Database } from '../../../platform/db/connection.ts'
import { isStaying } from '../../../platform/db/leaving.ts'
import { perform } from '../../../platform/db/work.ts'
import type { Clock } from '../../../platform/kernel/clock.ts'
import { endHiding } from '../../../warehouse/clients/cabinets.ts'
import { showObservedOrders } from '../../../warehouse/orders/change.ts'
import { showObservedShipments } from '../../../warehouse/shipments/cabinet-shipments.ts'

/** Orders and shipments of cabinets whose observing has ended, until sellers see them (observe-cabinet.ts). */

/** Shows what was added while the cabinet was observed, if it is not any more. Callers take turns. */
export function showHiddenRows(
  db: Database,
  clock: Clock,
  clientId: string,
  cabinetId: string,
): Promise<void> {
  return perform(db, clock, { kind: 'service' }, async (work) => {
    const { tx } = work
    await tx`select pg_advisory_xact_lock(hashtextextended(${`hidden rows ${cabinetId}`}, 0))`
    const hidden = await tx`
      select id from cabinets
      where client_id = ${clientId} and id = ${cabinetId} and has_hidden_rows`
    if (hidden.length === 0) return
    await showObservedOrders(work, clientId, cabinetId)
    await showObservedShipments(work, clientId, cabinetId)
    await endHiding(work, clientId, cabinetId)
  })
}

/** Shows what processes that were killed have left hidden. */
export async function showAllHiddenRows(db: Database, clock: Clock): Promise<void> {
  const rows = await db<{ client: string; cabinet: string }[]>`
    select client_id as client, id as cabinet from cabinets
    where has_hidden_rows and ${isStaying(db, 'client_id')}`
  for (const { client, cabinet } of rows) await showHiddenRows(db, clock, client, cabinet)
}
