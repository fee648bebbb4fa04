import type { Queryable } from '../../../platform/db/connection.ts'
import { conflict } from '../../../platform/kernel/errors.ts'
import { firstNames } from '../../../platform/kernel/sentences.ts'

/**
 * A marketplace may want orders of one kind in a shipment: one kind of cargo, one warehouse, one side of
 * the border, and companies apart from other buyers. It refuses all orders of a call for one that differs,
 * and does not name it, so they are compared here before the call. What is not known is left to the
 * marketplace.
 */
interface OrderKind {
  readonly number: string
  readonly present: boolean
  readonly cargo: string | null
  readonly warehouse: string | null
  readonly border: string | null
  readonly company: string
}

const properties = {
  cargo: 'габаритный тип',
  warehouse: 'склад',
  border: 'трансграничный тип',
  company: 'покупатель',
} as const

/** Throws conflict that names the orders that differ, from those in the shipment or from the first. */
export async function refuseMixedKinds(
  db: Queryable,
  clientId: string,
  shipmentId: string | undefined,
  orderIds: readonly string[],
): Promise<void> {
  const own = shipmentId ?? null
  const orders = await db<OrderKind[]>`
    select o.external_id as number, o.shipment_id is not distinct from ${own}::uuid
        and o.shipment_id is not null as present,
      f.cargo_type as cargo, o.remote_warehouse_id as warehouse, f.cross_border_type as border,
      case when o.is_b2b then 'компания' else 'не компания' end as company
    from orders o left join order_facts f on f.client_id = o.client_id and f.order_id = o.id
    where o.client_id = ${clientId} and (o.id = any(${orderIds as string[]}::uuid[])
      or o.shipment_id = ${own}::uuid and o.status <> 'CANCELLED')
    order by present desc, array_position(${orderIds as string[]}::uuid[], o.id)`
  const differing = orders.flatMap((order) => {
    const why = order.present ? undefined : differenceOf(order, orders)
    return why === undefined ? [] : `${order.number} — ${why}`
  })
  if (differing.length === 0) return
  const others = shipmentId === undefined ? 'остальными' : 'заказами отгрузки'
  throw conflict(`В одну поставку с ${others} не войдут, уберите их: ${firstNames(differing)}`)
}

function differenceOf(order: OrderKind, orders: readonly OrderKind[]): string | undefined {
  for (const name of Object.keys(properties) as (keyof typeof properties)[]) {
    const usual = orders.find((other) => other[name] !== null)?.[name]
    const value = order[name]
    if (value === null || usual === undefined || value === usual) continue
    return `${properties[name]} ${value}, а нужен ${usual}`
  }
  return undefined
}
