import type { Database } from '../../platform/db/connection.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'

/** A bound on the result; a cabinet normally has a handful of such shipments. */
const max = 2_000

export interface NonTerminalShipment {
  readonly externalId: string
  /** Closed here; otherwise orders may still join it. */
  readonly closed: boolean
}

/** Shipments of a cabinet that the marketplace has and did not accept yet, the newest first. */
export async function nonTerminalShipments(
  db: Database,
  clientId: string,
  cabinetId: string,
  createdFrom: Timestamp,
): Promise<NonTerminalShipment[]> {
  return db<NonTerminalShipment[]>`
    select external_id as "externalId", status <> 'ASSEMBLING' as closed from shipments
    where client_id = ${clientId} and cabinet_id = ${cabinetId}
      and status in ('ASSEMBLING', 'HANDED_OVER') and not awaits_creation and created_at >= ${createdFrom}
    order by created_at desc limit ${max}`
}
