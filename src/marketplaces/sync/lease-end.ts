import type { Transaction } from '../../db/connection.ts'

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
