import type { Queryable } from '../../../platform/db/connection.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import type { ShippedOrder } from '../connector.ts'

export interface LeavingShipment {
  readonly clientId: string
  readonly shipmentId: string
  /** The shipment's number at the marketplace. */
  readonly externalId: string
}

/** Orders as the calls of a marketplace name them. */
export async function shippedOrders(
  db: Queryable,
  clientId: string,
  orderIds: readonly string[],
): Promise<ShippedOrder[]> {
  return db<ShippedOrder[]>`
    select o.external_id as "externalId", sum(l.quantity)::int as units
    from orders o join ordered_lines l on l.client_id = o.client_id and l.order_id = o.id
    where o.client_id = ${clientId} and o.id = any(${orderIds as string[]}::uuid[])
    group by o.id, o.external_id order by o.id`
}

/** The ids of orders that do not have these numbers. */
export async function withoutNumbers(
  db: Queryable,
  clientId: string,
  orderIds: readonly string[],
  numbers: readonly string[],
): Promise<readonly string[]> {
  if (numbers.length === 0) return orderIds
  const rows = await db<{ id: string }[]>`
    select id from orders
    where client_id = ${clientId} and id = any(${orderIds as string[]}::uuid[])
      and external_id = any(${numbers as string[]})`
  const refused = new Set(rows.map(({ id }) => id))
  return orderIds.filter((id) => !refused.has(id))
}

/** Throws not_found for the first id that is not an order of the cabinet. */
export async function refuseUnknown(
  db: Queryable,
  { clientId, id: cabinetId }: { readonly clientId: string; readonly id: string },
  orderIds: readonly string[],
): Promise<void> {
  const rows = await db<{ id: string }[]>`
    select id from orders
    where client_id = ${clientId} and cabinet_id = ${cabinetId}
      and id = any(${orderIds as string[]}::uuid[])`
  const known = new Set(rows.map(({ id }) => id))
  const missing = orderIds.findIndex((id) => !known.has(id))
  if (missing >= 0) throw notFound(`Заказ order_ids[${missing}] в этом кабинете не найден`)
}

/** The orders that join a shipment, and its other orders that are not cancelled. */
export async function joiningAndPresent(
  db: Queryable,
  clientId: string,
  shipmentId: string,
  joiningIds: readonly string[],
): Promise<{ readonly joining: ShippedOrder[]; readonly present: ShippedOrder[] }> {
  const joining = new Set(joiningIds)
  const members = await membersOf(db, clientId, shipmentId)
  return {
    joining: await shippedOrders(db, clientId, joiningIds),
    present: members.filter(({ id }) => !joining.has(id)),
  }
}

/** Numbers of the shipment's orders that are cancelled and not yet removed. */
export async function cancelledIn(
  db: Queryable,
  clientId: string,
  shipmentId: string,
): Promise<string[]> {
  const rows = await db<{ number: string }[]>`
    select external_id as number from orders
    where client_id = ${clientId} and shipment_id = ${shipmentId} and status = 'CANCELLED'`
  return rows.map(({ number }) => number)
}

/** An order that will leave with its shipment. */
export interface ShipmentMember extends ShippedOrder {
  readonly id: string
}

/** The shipment's orders that are not cancelled. */
export async function membersOf(
  db: Queryable,
  clientId: string,
  shipmentId: string,
): Promise<ShipmentMember[]> {
  return db<ShipmentMember[]>`
    select o.id, o.external_id as "externalId", sum(l.quantity)::int as units
    from orders o join ordered_lines l on l.client_id = o.client_id and l.order_id = o.id
    where o.client_id = ${clientId} and o.shipment_id = ${shipmentId} and o.status <> 'CANCELLED'
    group by o.id, o.external_id order by o.id`
}
