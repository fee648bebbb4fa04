import type { Work } from '../db/work.ts'
import { lockOrderBook } from './change.ts'

export interface NamedLine {
  readonly orderId: string
  readonly line: number
  readonly barcode: string
}

/** Lines of orders that are in no shipment are for goods of another barcode than was thought. */
export async function renameGoods(
  work: Work,
  clientId: string,
  lines: readonly NamedLine[],
): Promise<void> {
  await lockOrderBook(work, clientId)
  const { tx } = work
  const rows = lines.map(({ orderId, line, barcode }) => ({ order_id: orderId, line, barcode }))
  const renamed = await tx<{ orderId: string; line: number }[]>`
    update order_lines l set barcode = n.barcode
    from jsonb_to_recordset(${tx.json(rows)}) as n (order_id uuid, line integer, barcode text)
    join orders o on o.client_id = ${clientId} and o.id = n.order_id and o.shipment_id is null
    where l.client_id = ${clientId} and l.order_id = n.order_id and l.line = n.line
    returning l.order_id as "orderId", l.line`
  const firsts = renamed.flatMap(({ orderId, line }) => (line === 1 ? [orderId] : []))
  await tx`
    update orders o set barcode = l.barcode from order_lines l
    where o.client_id = ${clientId} and o.id = any(${firsts}::uuid[])
      and l.client_id = o.client_id and l.order_id = o.id and l.line = 1`
}
