import type { Database } from '../../db/connection.ts'
import type { OrderDraft, OrderLineDraft } from '../../orders/draft.ts'
import { isOutsideWarehouse } from '../../orders/goods.ts'
import type { LineBarcode } from '../../orders/lines.ts'
import { nearestBarcode, rankBarcodes } from '../../stock/nearest-barcode.ts'
import type { ReportedLine, ReportedOrder } from '../connector.ts'
import { nearestOfCard } from './card-store.ts'

/** The barcode of an order's line: which of the goods' barcodes the warehouse works with. */

/**
 * Gives reported lines the barcode, of those that the order and the card of its goods have, that is
 * nearest to what lies in the warehouse, else the card's first. `unknownGoods`: some have no card.
 */
export async function withBarcodes(
  db: Database,
  clientId: string,
  cabinetId: string,
  orders: readonly ReportedOrder[],
): Promise<{ readonly drafts: OrderDraft[]; readonly unknownGoods: boolean }> {
  const lines = orders.flatMap((order) => order.lines)
  const ids = [...new Set(lines.map((line) => line.itemId ?? 0))]
  const rows = await db<{ itemId: number; barcodes: string[]; article: string | null }[]>`
    select item_id as "itemId", article, barcodes from marketplace_cards
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and item_id = any(${ids}::bigint[])`
  const cards = new Map(rows.map((row) => [row.itemId, row]))
  const reported = lines.flatMap(barcodesOf)
  const rank = await rankBarcodes(db, clientId, [
    ...reported,
    ...rows.flatMap((row) => row.barcodes),
  ])
  const lineWith = (line: ReportedLine): OrderLineDraft => {
    const { barcodes: _, ...given } = line
    const card = cards.get(line.itemId ?? 0)
    const own = barcodesOf(line)
    const stored = nearestBarcode([...own, ...(card?.barcodes ?? [])], rank)
    const barcode = stored ?? card?.barcodes[0] ?? own[0]
    const article = line.article ?? card?.article ?? undefined
    return {
      ...given,
      ...(barcode === undefined ? {} : { barcode }),
      ...(article === undefined ? {} : { article }),
    }
  }
  return {
    drafts: orders.map((order) => ({ ...order, lines: order.lines.map(lineWith) })),
    unknownGoods: ids.some((id) => id !== 0 && !cards.has(id)),
  }
}

function barcodesOf({ barcode, barcodes = [] }: ReportedLine): string[] {
  return barcode === undefined ? [...barcodes] : [barcode, ...barcodes]
}

const linesPerPage = 500

/**
 * Pages of lines, of orders that wait to be collected, whose goods have a barcode on their card that is
 * nearer to what lies in the warehouse than the line's. The card may have been added after the order,
 * and the goods may have arrived after both.
 */
export async function* misnamedLines(
  db: Database,
  clientId: string,
  cabinetId: string,
): AsyncIterable<readonly LineBarcode[]> {
  let last = { externalId: '', line: 0 }
  for (;;) {
    const rows = await db<(LineBarcode & { readonly externalId: string })[]>`
      select n."orderId", n.line, n.barcode, n."externalId" from (
        select o.external_id as "externalId", l.order_id as "orderId", l.line, l.barcode as before,
          ${nearestOfCard(db, db`array_prepend(l.barcode, c.barcodes)`)} as barcode
        from orders o
        join order_lines l on l.client_id = o.client_id and l.order_id = o.id
        join marketplace_cards c on c.client_id = o.client_id and c.cabinet_id = o.cabinet_id
          and c.item_id = l.item_id
        where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId} and ${isOutsideWarehouse(db, 'o')}
          and o.status in ('NEW', 'ASSEMBLING', 'IN_DELIVERY', 'OTHER')
          -- Redundant, but only this condition is found in the index.
          and o.external_id collate "C" >= ${last.externalId}
          and (o.external_id collate "C", l.line) > (${last.externalId}, ${last.line})
          and cardinality(c.barcodes) > 0
      ) n
      where n.before is distinct from n.barcode
      order by n."externalId" collate "C", n.line limit ${linesPerPage}`
    if (rows.length > 0) yield rows
    if (rows.length < linesPerPage) return
    last = rows.at(-1) ?? last
  }
}
