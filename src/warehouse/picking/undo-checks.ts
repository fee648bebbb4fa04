import type { Work } from '../../platform/db/work.ts'

/** An order's content changed: its packing check begins again. The caller has locked the order. */
export async function undoChecks(work: Work, clientId: string, orderId: string): Promise<void> {
  await work.tx`
    update pack_checks set undone_at = ${work.at}
    where client_id = ${clientId} and order_id = ${orderId} and undone_at is null`
}
