import type { Queryable } from '../db/connection.ts'
import type { ShippedOrder } from './connector.ts'

/** Orders as a marketplace is told of them. */
export async function shippedOrders(
  db: Queryable,
  clientId: string,
  orderIds: readonly string[],
): Promise<ShippedOrder[]> {
  return db<ShippedOrder[]>`
    select o.external_id as "externalId", sum(l.quantity)::int as units
    from orders o join order_lines l on l.client_id = o.client_id and l.order_id = o.id
    where o.client_id = ${clientId} and o.id = any(${orderIds as string[]}::uuid[])
    group by o.id, o.external_id order by o.id`
}

/** The orders that leave with a shipment: those that nobody cancelled. */
export async function membersOf(
  db: Queryable,
  clientId: string,
  shipmentId: string,
): Promise<{ id: string; externalId: string }[]> {
  return db<{ id: string; externalId: string }[]>`
    select id, external_id as "externalId" from orders
    where client_id = ${clientId} and shipment_id = ${shipmentId} and status <> 'CANCELLED'
    order by id`
}
