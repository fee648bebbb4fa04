import type { Queryable } from '../../platform/db/connection.ts'
import { isId } from '../../platform/kernel/ids.ts'

/** The misses of one order, or of all orders of a shipment, and where they were reported; none of another id. */
export async function missesAbout(db: Queryable, id: string) {
  if (!isId(id)) return { misses: [], tasks: [], orders: [] }
  const rows = await db<{ id: string; task_id: string; order_id: string }[]>`
    select m.id, m.task_id, m.order_id from orders o
    join pick_misses m on m.client_id = o.client_id and m.order_id = o.id
    where o.id = ${id}
    union
    select m.id, m.task_id, m.order_id from shipments s
    join picking_tasks t on t.client_id = s.client_id and t.shipment_id = s.id
    join pick_misses m on m.client_id = t.client_id and m.task_id = t.id
    where s.id = ${id}`
  return {
    misses: rows.map((row) => row.id),
    tasks: [...new Set(rows.map((row) => row.task_id))],
    orders: [...new Set(rows.map((row) => row.order_id))],
  }
}
