import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { showFirstBarcodes } from './change.ts'
import { renameMergedLines } from './lines.ts'

/** Orders of goods that became another product. Those that have left keep the barcode under which they left. */

/** The orders that have not left and that lack, or hold ready, goods of a barcode. */
export async function ordersHereWith(
  db: Queryable,
  clientId: string,
  barcode: string,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select o.id from orders o
    left join shipments s on s.client_id = o.client_id and s.id = o.shipment_id
    where o.client_id = ${clientId} and (s.status = 'ASSEMBLING' or o.shipment_id is null
        and o.status in ('NEW', 'ASSEMBLING', 'IN_DELIVERY', 'OTHER'))
      and exists (
        select from order_lines l
        where l.client_id = o.client_id and l.order_id = o.id and l.barcode = ${barcode})
    order by o.id`
  return rows.map(({ id }) => id)
}

/** Orders name the product that their goods became. The caller has locked them. */
export async function nameMergedGoods(
  work: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<void> {
  const renamed = await renameMergedLines(work, clientId, orderIds)
  await showFirstBarcodes(work, clientId, renamed)
}
