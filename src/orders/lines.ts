import type { Work } from '../db/work.ts'
import { conflict } from '../kernel/errors.ts'

export interface OrderLine {
  readonly order_id: string
  readonly line: number
  readonly barcode: string
  readonly units: number
  readonly picked: number
}

interface LineRow extends Omit<OrderLine, 'barcode'> {
  readonly barcode: string | null
  /** Of an order whose goods are unknown. */
  readonly external_id: string | null
}

/** The lines of orders. Throws conflict for a line whose goods are unknown: it can't be collected. */
export async function linesOf(
  work: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<OrderLine[]> {
  const lines = await work.tx<LineRow[]>`
    select order_id, line, barcode, quantity as units, picked, case when barcode is null then (
        select o.external_id from orders o where o.client_id = ${clientId} and o.id = l.order_id
      ) end as external_id
    from order_lines l
    where l.client_id = ${clientId} and l.order_id = any(${orderIds as string[]}::uuid[])
    order by l.order_id, l.line`
  return lines.map(({ external_id, barcode, ...line }) => {
    if (barcode === null) {
      throw conflict(`Заказ ${external_id}: штрихкод товара не указан, собрать его нельзя`)
    }
    return { ...line, barcode }
  })
}
