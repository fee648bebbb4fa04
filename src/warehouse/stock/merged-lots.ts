import type { Work } from '../../platform/db/work.ts'
import type { Merging } from '../catalogue/merged-products.ts'
import { holdLots } from './lots.ts'

/**
 * Lots of a product that becomes another one. Its units stay where they lie, with their dates, as units of the product
 * that stays. That one keeps dates from then on if either of the two did, and warns by its own days if it has them.
 * Scans that can still be undone name their lot under the product that stays. The caller has moved the units in this
 * transaction and holds both balances.
 */
export async function mergeStockLots(
  work: Work,
  clientId: string,
  { from, into }: Merging,
): Promise<void> {
  const { tx } = work
  const goods = [from, into].map((barcode) => ({ clientId, barcode }))
  const inserted = await tx`
    insert into lot_goods (client_id, barcode, warn_days)
    select client_id, ${into}, warn_days from lot_goods where client_id = ${clientId} and barcode = ${from}
    on conflict (client_id, barcode) do update set warn_days = lot_goods.warn_days
    returning barcode`
  if (inserted.length === 0) return
  await holdLots(work, goods)
  await tx`
    with moved as (
      delete from stock_lots where client_id = ${clientId} and barcode = ${from}
      returning place, place_id, expires_on, number, quantity
    )
    select change_lot(${clientId}, ${into}, place, place_id, expires_on, number, quantity)
    from (select * from moved order by place, place_id, expires_on, number) m`
  await tx`
    update scan_lots set barcode = ${into} where client_id = ${clientId} and barcode = ${from}`
  await tx`
    update lot_goods k set expired_units = k.expired_units + g.expired_units
    from lot_goods g
    where k.client_id = ${clientId} and k.barcode = ${into} and g.client_id = k.client_id and g.barcode = ${from}`
  await tx`delete from lot_goods where client_id = ${clientId} and barcode = ${from}`
}
