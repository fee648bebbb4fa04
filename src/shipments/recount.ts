import type { Work } from '../db/work.ts'

/** Orders have come into these shipments, or have left them. */
export async function recountOrders(
  work: Work,
  clientId: string,
  shipmentIds: readonly string[],
): Promise<void> {
  await work.tx`
    update shipments s set orders_count = (
      select count(*) from orders o where o.client_id = s.client_id and o.shipment_id = s.id)
    where s.client_id = ${clientId} and s.id = any(${shipmentIds as string[]}::uuid[])`
}
