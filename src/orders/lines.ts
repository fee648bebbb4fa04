import type { Work } from '../db/work.ts'
import { conflict } from '../kernel/errors.ts'

export interface OrderLine {
  readonly order_id: string
  readonly line: number
  readonly barcode: string
  readonly units: number
  readonly picked: number
}

/** The lines of orders. Throws conflict for a line whose goods are unknown: it can't be collected. */
export async function linesOf(
  work: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<OrderLine[]> {
  const lines = await work.tx<(Omit<OrderLine, 'barcode'> & { barcode: string | null })[]>`
    select order_id, line, barcode, quantity as units, picked from order_lines
    where client_id = ${clientId} and order_id = any(${orderIds as string[]}::uuid[])
    order by order_id, line`
  return lines.map((line) => {
    if (line.barcode === null) throw conflict(`У заказа ${line.order_id} не указан штрихкод`)
    return { ...line, barcode: line.barcode }
  })
}
