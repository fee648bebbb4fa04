import type { Work } from '../../platform/db/work.ts'

/** Updates the orders_count of shipments that orders have joined or left. */
export async function updateOrdersCount(
  { tx }: Work,
  clientId: string,
  shipmentIds: readonly string[],
): Promise<void> {
  await tx`
    update shipments s set orders_count = (
      select count(*) from orders o where o.client_id = s.client_id and o.shipment_id = s.id)
    where s.client_id = ${clientId} and s.id = any(${shipmentIds as string[]}::uuid[])`
}
