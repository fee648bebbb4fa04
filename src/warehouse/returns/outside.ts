import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { goodsNow, ledgerBarcodes } from '../catalogue/merged-products.ts'

/**
 * Units outside: by the ledger they left with shipments and did not come back. What a mirrored shipment took beyond the
 * stock counts, too, once its order is terminal; until then the order may leave with another shipment, which takes it
 * off this one. Goods that were merged after they left come back as the product that they became.
 */

/** Units of one product that left with an order. */
export interface OutsideUnits {
  readonly order_id: string
  readonly shipment_id: string
  readonly barcode: string
  /** How many are still outside; 0 if all came back. */
  readonly units: number
}

/** What left with an order, by shipment and product. */
export function unitsOfOrder(
  db: Queryable,
  clientId: string,
  orderId: string,
): Promise<OutsideUnits[]> {
  return unitsOfOrders(db, clientId, [orderId])
}

/** What left with each of these orders, by order, shipment and product. */
export function unitsOfOrders(
  db: Queryable,
  clientId: string,
  orderIds: readonly string[],
): Promise<OutsideUnits[]> {
  const left = goodsNow(db, 'm')
  const beyond = goodsNow(db, 'x')
  return db<OutsideUnits[]>`
    select order_id, shipment_id, barcode, sum(units)::int as units from (
      select m.order_id, m.shipment_id, ${left.barcode} as barcode, -m.delta as units
      from stock_movements m ${left.join}
      where m.client_id = ${clientId} and m.order_id = any(${[...orderIds]}::uuid[])
        and m.kind in ('shipment', 'return')
      union all
      select o.id, x.shipment_id, ${beyond.barcode}, x.units
      from orders o
      join shipment_shortages x on x.client_id = o.client_id and x.shipment_id = o.shipment_id
        and x.order_id = o.id and x.barcode is not null
      ${beyond.join}
      where o.client_id = ${clientId} and o.id = any(${[...orderIds]}::uuid[])
        and o.status in ('COMPLETED', 'CANCELLED')
    ) u group by order_id, shipment_id, barcode order by units desc, barcode, shipment_id`
}

/** Units of a product that mirrored shipments took beyond the stock. Their orders are terminal. */
export async function unitsTakenBeyondStock(
  db: Queryable,
  clientId: string,
  barcode: string,
): Promise<number> {
  const [row] = await db<[{ units: number }]>`
    select coalesce(sum(x.units), 0)::int as units
    from shipment_shortages x
    join orders o on o.client_id = x.client_id and o.id = x.order_id
      and o.status in ('COMPLETED', 'CANCELLED')
    where x.client_id = ${clientId} and x.barcode = any(${ledgerBarcodes(db, clientId, barcode)})`
  return row.units
}

/**
 * The order whose unit most likely came back, where only its product is known. It is one that this batch expects, else
 * one that its marketplace sends back, else the only one that is outside. Undefined where nothing tells. Its cost does
 * not grow with the ledger.
 */
export async function likelyOrder(
  db: Queryable,
  clientId: string,
  returnId: string,
  barcode: string,
): Promise<string | undefined> {
  const barcodes = ledgerBarcodes(db, clientId, barcode)
  const isOutside = (order: Fragment) => db`
    exists (
      select from stock_movements m
      where m.client_id = ${clientId} and m.order_id = ${order} and m.barcode = any(${barcodes})
        and m.kind in ('shipment', 'return')
      group by m.shipment_id having sum(m.delta) < 0)`
  const [row] = await db<[{ order_id: string | null }]>`
    select coalesce((
        select l.order_id from return_lines l
        where l.client_id = ${clientId} and l.return_id = ${returnId} and l.barcode = ${barcode}
          and ${isOutside(db`l.order_id`)}
        order by l.line limit 1
      ), (
        select e.order_id from expected_returns e
        where e.client_id = ${clientId} and e.order_id is not null and e.state <> 'NOT_COMING'
          and ${isOutside(db`e.order_id`)}
        order by e.order_id limit 1
      ), (
        select (array_agg(order_id))[1] from (
          select order_id from stock_movements
          where client_id = ${clientId} and barcode = any(${barcodes}) and kind in ('shipment', 'return')
            and order_id is not null
          group by order_id, shipment_id having sum(delta) < 0
          order by order_id, shipment_id limit 2
        ) u having count(*) = 1
      )) as order_id`
  return row.order_id ?? undefined
}
