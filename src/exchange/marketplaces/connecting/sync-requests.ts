import type { Transaction } from '../../../platform/db/connection.ts'

/** What others ask of the sync runs of a cabinet (sync/sync-runs.ts). */

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

/** Ends the cabinet's sync run: its process writes nothing more, and a new run may begin. */
export async function endLease(
  tx: Transaction,
  clientId: string,
  cabinetId: string,
): Promise<void> {
  await tx`
    update cabinet_syncs set lease = null, leased_until = null
    where client_id = ${clientId} and cabinet_id = ${cabinetId}`
}

/** What a choice of warehouses resets. `all`: orders, shipments and returns, too. */
export async function readAgain(
  tx: Transaction,
  clientId: string,
  cabinetId: string,
  what: 'stock' | 'all',
): Promise<void> {
  const all = tx`,
    orders_from = null, shipments_from = null, shipments_back_to = null, returns_at = null`
  await tx`
    update cabinet_syncs set stock_at = null ${what === 'all' ? all : tx``}
    where client_id = ${clientId} and cabinet_id = ${cabinetId}`
}
