import type { Queryable } from '../../platform/db/connection.ts'

/**
 * Joins for expected returns called `e`: `g`, the card of their goods, and `l`, the line of their order with
 * the barcode of these goods. Either may be missing.
 */
export function goodsOfExpected(db: Queryable) {
  return db`
    left join marketplace_cards g on g.client_id = e.client_id and g.cabinet_id = e.cabinet_id
      and g.item_id = e.item_id
    left join lateral (
      select l.barcode from order_lines l
      where l.client_id = e.client_id and l.order_id = e.order_id and l.item_id = e.item_id
      order by l.line limit 1
    ) l on true`
}
