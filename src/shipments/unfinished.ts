import type { Database } from '../db/connection.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'

/** A cabinet has a handful of shipments under way; more than this many are not asked for. */
const max = 2_000

/** Shipments of a cabinet that the marketplace has not scanned yet, the newest first. */
export async function unfinishedShipments(
  db: Database,
  clientId: string,
  cabinetId: string,
  createdFrom: Timestamp,
): Promise<{ externalId: string; closed: boolean }[]> {
  return db<{ externalId: string; closed: boolean }[]>`
    select external_id as "externalId", status <> 'ASSEMBLING' as closed from shipments
    where client_id = ${clientId} and cabinet_id = ${cabinetId}
      and status in ('ASSEMBLING', 'HANDED_OVER') and created_at >= ${createdFrom}
    order by created_at desc limit ${max}`
}
