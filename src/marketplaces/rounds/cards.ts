import type { Database, Queryable } from '../../db/connection.ts'
import type { Work } from '../../db/work.ts'
import { isUncollected, type NamedLine } from '../../orders/goods.ts'
import type { OrderDraft, OrderLineDraft } from '../../orders/verbs.ts'
import { nearest, rankBarcodes, rankOf } from '../../stock/barcodes.ts'
import type { Card, CardKey, ToldLine, ToldOrder } from '../connector.ts'

/** Cards of goods: how a cabinet names what the warehouse knows by barcode. */

export async function storeCards(
  work: Work,
  clientId: string,
  cabinetId: string,
  cards: readonly Card[],
): Promise<void> {
  const { tx } = work
  const rows = [...new Map(cards.map((card) => [card.itemId, card])).values()].map((card) => ({
    item_id: card.itemId,
    barcodes: card.barcodes,
    article: card.article ?? null,
    name: card.name,
    honest_mark: card.honestMark ?? null,
  }))
  await tx`
    insert into marketplace_cards as c
      (client_id, cabinet_id, item_id, barcodes, article, name, honest_mark)
    select ${clientId}, ${cabinetId}, r.*
    from jsonb_to_recordset(${tx.json(rows)}) as r
      (item_id bigint, barcodes text[], article text, name text, honest_mark boolean)
    order by r.item_id
    on conflict (client_id, cabinet_id, item_id) do update set
      barcodes = excluded.barcodes, article = excluded.article, name = excluded.name,
      honest_mark = excluded.honest_mark
    where (c.barcodes, c.article, c.name, c.honest_mark) is distinct from
      (excluded.barcodes, excluded.article, excluded.name, excluded.honest_mark)`
}

const pageSize = 1000

/** The cabinet's goods that have a barcode, by the one that the warehouse knows where it knows one. */
export async function* cardKeys(
  db: Database,
  clientId: string,
  cabinetId: string,
): AsyncIterable<readonly CardKey[]> {
  let last = 0
  for (;;) {
    const rows = await db<CardKey[]>`
      select item_id as "itemId", ${barcodeOf(db)} as barcode
      from marketplace_cards c
      where client_id = ${clientId} and cabinet_id = ${cabinetId} and item_id > ${last}
        and cardinality(barcodes) > 0
      order by item_id limit ${pageSize}`
    if (rows.length > 0) yield rows
    if (rows.length < pageSize) return
    last = rows.at(-1)?.itemId ?? last
  }
}

/** Of a card's barcodes the nearest to what lies in the warehouse, else the first. */
function barcodeOf(db: Queryable, barcodes = db`c.barcodes`) {
  return db`
    coalesce((
      select s.barcode from unnest(${barcodes}) with ordinality b (barcode, at)
      join stock_balances s on s.client_id = c.client_id and s.barcode = b.barcode
      order by ${rankOf(db)}, b.at limit 1
    ), c.barcodes[1])`
}

/**
 * Puts the warehouse's barcodes into orders: of those that the order and the card of its goods tell the
 * nearest to what lies there, else the card's first. Some goods may have no card.
 */
export async function withBarcodes(
  db: Database,
  clientId: string,
  cabinetId: string,
  orders: readonly ToldOrder[],
): Promise<{ readonly drafts: OrderDraft[]; readonly unknown: boolean }> {
  const lines = orders.flatMap((order) => order.lines)
  const ids = [...new Set(lines.map((line) => line.itemId ?? 0))]
  const rows = await db<{ itemId: number; barcodes: string[]; article: string | null }[]>`
    select item_id as "itemId", article, barcodes from marketplace_cards
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and item_id = any(${ids}::bigint[])`
  const cards = new Map(rows.map((row) => [row.itemId, row]))
  const told = lines.flatMap(barcodesOf)
  const rank = await rankBarcodes(db, clientId, [...told, ...rows.flatMap((row) => row.barcodes)])
  const lineWith = (line: ToldLine): OrderLineDraft => {
    const card = cards.get(line.itemId ?? 0)
    const own = barcodesOf(line)
    const stored = nearest([...own, ...(card?.barcodes ?? [])], rank)
    const barcode = stored ?? card?.barcodes[0] ?? own[0]
    const article = line.article ?? card?.article ?? undefined
    return {
      ...(line.itemId === undefined ? {} : { itemId: line.itemId }),
      ...(barcode === undefined ? {} : { barcode }),
      ...(article === undefined ? {} : { article }),
      quantity: line.quantity,
    }
  }
  return {
    drafts: orders.map((order) => ({ ...order, lines: order.lines.map(lineWith) })),
    unknown: ids.some((id) => id !== 0 && !cards.has(id)),
  }
}

function barcodesOf({ barcode, barcodes = [] }: ToldLine): string[] {
  return barcode === undefined ? [...barcodes] : [barcode, ...barcodes]
}

/** Lines at once. */
const linesMax = 500

/**
 * Lines of orders that wait to be collected whose goods lie in the warehouse under another barcode of
 * their card, page by page: the card may have come after the order, and the goods after both. One that
 * is as near as any other stays.
 */
export async function* misnamedLines(
  db: Database,
  clientId: string,
  cabinetId: string,
): AsyncIterable<readonly NamedLine[]> {
  let last = { externalId: '', line: 0 }
  for (;;) {
    const rows = await db<(NamedLine & { readonly externalId: string })[]>`
      select n."orderId", n.line, n.barcode, n."externalId" from (
        select o.external_id as "externalId", l.order_id as "orderId", l.line, l.barcode as before,
          ${barcodeOf(db, db`array_prepend(l.barcode, c.barcodes)`)} as barcode
        from orders o
        join order_lines l on l.client_id = o.client_id and l.order_id = o.id
        join marketplace_cards c on c.client_id = o.client_id and c.cabinet_id = o.cabinet_id
          and c.item_id = l.item_id
        where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId} and ${isUncollected(db)}
          and o.status in ('NEW', 'ASSEMBLING', 'IN_DELIVERY', 'OTHER')
          -- The first of these two alone leads through the index.
          and o.external_id collate "C" >= ${last.externalId}
          and (o.external_id collate "C", l.line) > (${last.externalId}, ${last.line})
          and cardinality(c.barcodes) > 0
      ) n
      where n.before is distinct from n.barcode
      order by n."externalId" collate "C", n.line limit ${linesMax}`
    if (rows.length > 0) yield rows
    if (rows.length < linesMax) return
    last = rows.at(-1) ?? last
  }
}
