import type { Queryable } from '../../../platform/db/connection.ts'
import { conflict } from '../../../platform/kernel/errors.ts'
import { firstNames } from '../../../platform/kernel/sentences.ts'
import {
  kindColumns,
  kindDifference,
  type OrderKind,
  sharedProperties,
} from '../../../warehouse/orders/kinds.ts'

/**
 * The marketplace refuses all orders of a call for one that differs, and does not name it, so they are compared here
 * before the call.
 */
interface KindOfOrder extends OrderKind {
  readonly number: string
  readonly present: boolean
}

/** Throws conflict that names the orders that differ, from those in the shipment or from the first. */
export async function refuseMixedKinds(
  db: Queryable,
  clientId: string,
  shipmentId: string | undefined,
  orderIds: readonly string[],
): Promise<void> {
  const own = shipmentId ?? null
  const orders = await db<KindOfOrder[]>`
    select o.external_id as number, o.shipment_id is not distinct from ${own}::uuid
        and o.shipment_id is not null as present,
      ${kindColumns(db)}
    from orders o left join order_facts f on f.client_id = o.client_id and f.order_id = o.id
    where o.client_id = ${clientId} and (o.id = any(${orderIds as string[]}::uuid[])
      or o.shipment_id = ${own}::uuid and o.status <> 'CANCELLED')
    order by present desc, array_position(${orderIds as string[]}::uuid[], o.id)`
  const differing = orders.flatMap((order) => {
    const why = order.present ? undefined : kindDifference(order, orders, sharedProperties.WB)
    return why === undefined ? [] : `${order.number} — ${why}`
  })
  if (differing.length === 0) return
  const others = shipmentId === undefined ? 'остальными' : 'заказами отгрузки'
  throw conflict(`В одну поставку с ${others} не войдут, уберите их: ${firstNames(differing)}`)
}
