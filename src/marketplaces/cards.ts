import type { Database, Queryable } from '../db/connection.ts'
import type { Work } from '../db/work.ts'
import { renameGoods } from '../orders/rename.ts'
import type { OrderDraft, OrderLineDraft } from '../orders/verbs.ts'
import type { Card, CardKey } from './connector.ts'

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
    nm_id: card.nmId ?? null,
    honest_mark: card.honestMark,
  }))
  await tx`
    insert into marketplace_cards as c
      (client_id, cabinet_id, item_id, barcodes, article, name, nm_id, honest_mark)
    select ${clientId}, ${cabinetId}, r.*
    from jsonb_to_recordset(${tx.json(rows)}) as r
      (item_id bigint, barcodes text[], article text, name text, nm_id bigint, honest_mark boolean)
    order by r.item_id
    on conflict (client_id, cabinet_id, item_id) do update set
      barcodes = excluded.barcodes, article = excluded.article, name = excluded.name,
      nm_id = excluded.nm_id, honest_mark = excluded.honest_mark
    where (c.barcodes, c.article, c.name, c.nm_id, c.honest_mark) is distinct from
      (excluded.barcodes, excluded.article, excluded.name, excluded.nm_id, excluded.honest_mark)`
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
    const rows = await db<{ itemId: number; article: string | null; barcode: string }[]>`
      select item_id as "itemId", article, ${barcodeOf(db)} as barcode
      from marketplace_cards c
      where client_id = ${clientId} and cabinet_id = ${cabinetId} and item_id > ${last}
        and cardinality(barcodes) > 0
      order by item_id limit ${pageSize}`
    if (rows.length > 0) yield rows.map((row) => ({ ...row, article: row.article ?? undefined }))
    if (rows.length < pageSize) return
    last = rows.at(-1)?.itemId ?? last
  }
}

/** Of a card's barcodes the first that is known goods of the client, else the first. */
function barcodeOf(db: Queryable) {
  return db`
    coalesce((
      select p.barcode from unnest(c.barcodes) with ordinality b (barcode, at)
      join products p on p.client_id = c.client_id and p.barcode = b.barcode
      order by b.at limit 1
    ), c.barcodes[1])`
}

/** Puts the warehouse's barcodes into orders, by the cards of their goods; some may have no card. */
export async function withBarcodes(
  db: Database,
  clientId: string,
  cabinetId: string,
  drafts: readonly OrderDraft[],
): Promise<{ readonly drafts: OrderDraft[]; readonly unknown: boolean }> {
  const ids = [...new Set(drafts.flatMap((draft) => draft.lines.map((line) => line.itemId ?? 0)))]
  const rows = await db<{ itemId: number; barcode: string | null; article: string | null }[]>`
    select item_id as "itemId", article, ${barcodeOf(db)} as barcode from marketplace_cards c
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and item_id = any(${ids}::bigint[])`
  const known = new Map(rows.map((row) => [row.itemId, row]))
  const lineWith = (line: OrderLineDraft): OrderLineDraft => {
    const card = known.get(line.itemId ?? 0)
    const barcode = card?.barcode ?? line.barcode
    const article = line.article ?? card?.article ?? undefined
    return {
      ...line,
      ...(barcode === undefined ? {} : { barcode }),
      ...(article === undefined ? {} : { article }),
    }
  }
  return {
    drafts: drafts.map((draft) => ({ ...draft, lines: draft.lines.map(lineWith) })),
    unknown: ids.some((id) => id !== 0 && !known.has(id)),
  }
}

/**
 * Orders that wait to be collected get the barcodes that their cards tell now: the card may have come
 * after the order, and the warehouse may have received the goods under another of its barcodes.
 */
export async function nameGoods(work: Work, clientId: string, cabinetId: string): Promise<void> {
  const { tx } = work
  const named = await tx<{ orderId: string; line: number; barcode: string }[]>`
    select n.* from (
      select l.order_id as "orderId", l.line, l.barcode as before, ${barcodeOf(tx)} as barcode
      from orders o
      join order_lines l on l.client_id = o.client_id and l.order_id = o.id
      join marketplace_cards c on c.client_id = o.client_id and c.cabinet_id = o.cabinet_id
        and c.item_id = l.item_id
      where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId} and o.shipment_id is null
        and o.status in ('NEW', 'ASSEMBLING', 'IN_DELIVERY', 'OTHER')
        and cardinality(c.barcodes) > 0
    ) n where n.before is distinct from n.barcode`
  if (named.length > 0) await renameGoods(work, clientId, named)
}
