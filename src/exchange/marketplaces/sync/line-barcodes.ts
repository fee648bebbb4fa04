import type { Database } from '../../../platform/db/connection.ts'
import type { Statement } from '../../../platform/db/statements/tag.ts'
import type { OrderDraft, OrderLineDraft } from '../../../warehouse/orders/draft.ts'
import { isOutsideWarehouse } from '../../../warehouse/orders/goods.ts'
import type { LineBarcode } from '../../../warehouse/orders/lines.ts'
import { nearestBarcodes } from '../../../warehouse/stock/nearest-barcode.ts'
import type { ReportedLine, ReportedOrder } from '../connector.ts'
import { nearestOfCard } from './card-store.ts'

/** The barcode of an order's line: which of the goods' barcodes the warehouse works with. */

/**
 * Gives each reported line one barcode out of those of the order and of its card. It is the one nearest to what lies
 * in the warehouse, in the warehouse's spelling, else the card's first. `unknownGoods`: some have no card.
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
  const candidates = [...reported, ...rows.flatMap((row) => row.barcodes)]
  const nearest = await nearestBarcodes(db, clientId, candidates)
  const lineWith = (line: ReportedLine): OrderLineDraft => {
    const { barcodes: _, ...given } = line
    const card = cards.get(line.itemId ?? 0)
    const own = barcodesOf(line)
    const stored = nearest([...own, ...(card?.barcodes ?? [])])
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
 * Pages of lines of orders that wait to be collected, where the card of the goods has a barcode that is nearer to
 * what lies in the warehouse than the line's. The card may have been added after the order, and the goods may have
 * arrived after both.
 */
export async function* misnamedLines(
  db: Database,
  clientId: string,
  cabinetId: string,
): AsyncIterable<readonly LineBarcode[]> {
  let last: LinePlace = { externalId: '', line: 0 }
  for (;;) {
    const rows = await selectMisnamed(db, clientId, cabinetId, last)
    if (rows.length > 0) yield rows
    if (rows.length < linesPerPage) return
    last = rows.at(-1) ?? last
  }
}

interface LinePlace {
  readonly externalId: string
  readonly line: number
}

/**
 * The lines of one page, which follow `last`. Each looks up its own card: joined in another order, all cards of the
 * cabinet are compared with all its orders.
 */
export function selectMisnamed(
  db: Database,
  clientId: string,
  cabinetId: string,
  last: LinePlace,
): Statement<(LineBarcode & LinePlace)[]> {
  return db<(LineBarcode & LinePlace)[]>`
    select l.order_id as "orderId", l.line, n.barcode, o.external_id as "externalId"
    from orders o
    cross join lateral (
      select l.order_id, l.line, l.item_id, l.barcode from order_lines l
      where l.client_id = o.client_id and l.order_id = o.id offset 0
    ) l
    cross join lateral (
      select c.client_id, c.barcodes from marketplace_cards c
      where c.client_id = o.client_id and c.cabinet_id = o.cabinet_id and c.item_id = l.item_id
        and cardinality(c.barcodes) > 0 offset 0
    ) c
    cross join lateral (
      select ${nearestOfCard(db, db`array_prepend(l.barcode, c.barcodes)`)} as barcode offset 0
    ) n
    where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId} and ${isOutsideWarehouse(db)}
      and o.status in ('NEW', 'ASSEMBLING', 'IN_DELIVERY', 'OTHER')
      -- Redundant, but only this condition is found in the index.
      and o.external_id collate "C" >= ${last.externalId}
      and (o.external_id collate "C", l.line) > (${last.externalId}, ${last.line})
      and l.barcode is distinct from n.barcode
    order by o.external_id collate "C", l.line limit ${linesPerPage}`
}
