import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import type { LockedOrder } from '../orders/lock.ts'

/** What is refused, and what a worker does about an order that is not ours. */
const wordings = {
  join: { refused: 'его заказы нельзя добавить в отгрузку', advice: 'уберите его' },
  split: { refused: 'его заказы здесь не делят', advice: 'его делит продавец в своём кабинете' },
} as const

/**
 * Whether order `o` of cabinet `k`, with its facts `f`, is of another warehouse or scheme. One of which neither is
 * reported is ours.
 */
export const isForeignOrder = (db: Queryable) => db`
  coalesce(o.remote_warehouse_id <> all(k.own_warehouses) or f.scheme <> 'fbs', false)`

/**
 * Refuses orders that this warehouse may not collect: those of a connected cabinet whose warehouses
 * nobody has chosen, and those of other warehouses and schemes. An order whose warehouse the marketplace
 * did not report may join.
 */
export async function refuseForeign(
  { tx }: Work,
  clientId: string,
  cabinetId: string,
  orders: readonly LockedOrder[],
  action: keyof typeof wordings = 'join',
): Promise<void> {
  if (orders.length === 0) return
  const [cabinet] = await tx<{ chosen: boolean; connected: boolean }[]>`
    select own_warehouses is not null as chosen, credentials is not null and active as connected
    from cabinets where client_id = ${clientId} and id = ${cabinetId}`
  const { refused, advice } = wordings[action]
  if (cabinet?.chosen !== true) {
    if (cabinet?.connected !== true) return
    throw conflict(
      `Склады кабинета не выбраны, поэтому ${refused}: попросите менеджера выбрать склады в ` +
        'настройках кабинета (поле warehouses)',
    )
  }
  const [foreign] = await tx<{ number: string; scheme: string | null }[]>`
    select o.external_id as number, nullif(f.scheme, 'fbs') as scheme
    from orders o
    join cabinets k on k.client_id = o.client_id and k.id = o.cabinet_id
    left join order_facts f on f.client_id = o.client_id and f.order_id = o.id
    where o.client_id = ${clientId} and o.id = any(${orders.map(({ id }) => id)}::uuid[])
      and ${isForeignOrder(tx)}
    order by o.id limit 1`
  if (foreign === undefined) return
  const { number, scheme } = foreign
  throw conflict(
    scheme === null
      ? `Заказ ${number} едет с другого склада продавца: ${advice}, или выберите этот склад в кабинете`
      : `Заказ ${number} продавец доставляет сам (схема ${scheme}): ${advice}`,
  )
}
