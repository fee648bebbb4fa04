import type { Transaction } from '../../platform/db/connection.ts'

/**
 * Makes the cabinet due at once, or after a pause. If a sync run is under way, the next one follows it.
 * Returns false where the cabinet is not connected.
 */
export async function requestSyncRun(
  tx: Transaction,
  clientId: string,
  cabinetId: string,
  pauseMs = 0,
): Promise<boolean> {
  const at = tx`now() + ${`${pauseMs} milliseconds`}::interval`
  const requested = await tx`
    insert into cabinet_syncs as s (client_id, cabinet_id, connected_at, next_at, planned_at)
    select client_id, id, coalesce(credentials_at, created_at), ${at}, now() from cabinets
    where client_id = ${clientId} and id = ${cabinetId} and credentials is not null and active
    on conflict (client_id, cabinet_id) do update set
      next_at = case when s.lease is null then least(s.next_at, excluded.next_at)
        else excluded.next_at end,
      planned_at = now()
    returning s.cabinet_id`
  return requested.length > 0
}
