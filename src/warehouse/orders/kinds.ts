import type { Queryable } from '../../platform/db/connection.ts'
import type { Marketplace } from '../clients/marketplace.ts'

/**
 * What all orders of one shipment have in common. WB wants one kind of cargo, one warehouse and one side of the border,
 * and does not mix companies with other buyers; OZON wants one warehouse. Null: not known, so the marketplace judges
 * it.
 */
export interface OrderKind {
  readonly cargo: string | null
  readonly warehouse: string | null
  readonly border: string | null
  readonly company: string
}

/** The columns of OrderKind, of orders `o` with their facts `f`. */
export const kindColumns = (db: Queryable) => db`
  f.cargo_type as cargo, o.remote_warehouse_id as warehouse, f.cross_border_type as border,
  case when o.is_b2b then 'компания' else 'не компания' end as company`

const words = {
  cargo: 'габаритный тип',
  warehouse: 'склад',
  border: 'трансграничный тип',
  company: 'покупатель',
} as const

type Property = keyof typeof words

export const sharedProperties: Readonly<Record<Marketplace, readonly Property[]>> = {
  WB: ['cargo', 'warehouse', 'border', 'company'],
  OZON: ['warehouse'],
}

/** Why an order does not go with these; undefined where it does. */
export function kindDifference(
  order: OrderKind,
  others: readonly OrderKind[],
  shared: readonly Property[],
): string | undefined {
  for (const name of shared) {
    const usual = others.find((other) => other[name] !== null)?.[name]
    const value = order[name]
    if (value === null || usual === undefined || value === usual) continue
    return `${words[name]} ${value}, а нужен ${usual}`
  }
  return undefined
}
