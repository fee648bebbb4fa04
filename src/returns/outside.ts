import type { Queryable } from '../db/connection.ts'

/**
 * Units outside: those that left with shipments and did not come back, by the ledger. Units that a mirrored
 * shipment took beyond the stock count too, once their order is terminal: until then the order may come
 * back to be handed over again, and takes them off the shipment.
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
  return db<OutsideUnits[]>`
    select ${orderId}::uuid as order_id, shipment_id, barcode, sum(units)::int as units from (
      select m.shipment_id, m.barcode, -m.delta as units from stock_movements m
      where m.client_id = ${clientId} and m.order_id = ${orderId}
        and m.kind in ('shipment', 'return')
      union all
      select x.shipment_id, x.barcode, x.units
      from orders o
      join shipment_shortages x on x.client_id = o.client_id and x.shipment_id = o.shipment_id
        and x.order_id = o.id and x.barcode is not null
      where o.client_id = ${clientId} and o.id = ${orderId}
        and o.status in ('COMPLETED', 'CANCELLED')
    ) u group by shipment_id, barcode order by units desc, barcode, shipment_id`
}

/** How many units of a product are outside, whoever has them. */
export async function countOutside(
  db: Queryable,
  clientId: string,
  barcode: string,
): Promise<number> {
  const [row] = await db<[{ units: number }]>`
    select coalesce(-sum(delta), 0)::int as units from stock_movements
    where client_id = ${clientId} and barcode = ${barcode} and kind in ('shipment', 'return')`
  if (row.units > 0) return row.units
  const [missing] = await db<[{ units: number }]>`
    select coalesce(sum(x.units), 0)::int as units
    from shipment_shortages x
    join orders o on o.client_id = x.client_id and o.id = x.order_id
      and o.status in ('COMPLETED', 'CANCELLED')
    where x.client_id = ${clientId} and x.barcode = ${barcode}`
  return row.units + missing.units
}

/**
 * The order whose unit most likely came back, where only its product is known: one that this batch expects,
 * one that its marketplace sends back, the only one that is outside. Undefined where nothing tells.
 */
export async function likelyOrder(
  db: Queryable,
  clientId: string,
  returnId: string,
  barcode: string,
): Promise<string | undefined> {
  const rows = await db<{ order_id: string; expected: boolean }[]>`
    select u.order_id, p.place is not null as expected from (
      select order_id from stock_movements
      where client_id = ${clientId} and barcode = ${barcode} and kind in ('shipment', 'return')
        and order_id is not null
      group by order_id, shipment_id having sum(delta) < 0
    ) u
    left join lateral (
      select min(place) as place from (
        select l.line as place from return_lines l
        where l.client_id = ${clientId} and l.return_id = ${returnId} and l.order_id = u.order_id
          and l.barcode = ${barcode}
        union all
        select 1000000 from expected_returns e
        where e.client_id = ${clientId} and e.order_id = u.order_id and e.state <> 'NOT_COMING'
      ) places
    ) p on true
    order by p.place nulls last, u.order_id limit 2`
  const [first, second] = rows
  return first !== undefined && (first.expected || second === undefined)
    ? first.order_id
    : undefined
}
