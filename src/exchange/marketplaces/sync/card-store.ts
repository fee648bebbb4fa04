import type { Database, Queryable } from '../../../platform/db/connection.ts'
import type { Work } from '../../../platform/db/work.ts'
import { nameCardPictures } from '../../../warehouse/catalogue/card-pictures.ts'
import { meantBarcodes, rankOfBalance } from '../../../warehouse/stock/nearest-barcode.ts'
import type { Card, CardKey } from '../connector.ts'

/** Cards of a cabinet: the marketplace's numbers, barcodes, articles, names, pictures and measures of goods. */

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
    gtin: card.gtin ?? null,
    picture_url: card.picture ?? null,
    ...card.measures,
  }))
  await tx`
    insert into marketplace_cards as c
      (client_id, cabinet_id, item_id, barcodes, article, name, honest_mark, gtin, picture_url, length_mm, width_mm,
        height_mm, weight_g)
    select ${clientId}, ${cabinetId}, r.*
    from jsonb_to_recordset(${tx.json(rows)}) as r
      (item_id bigint, barcodes text[], article text, name text, honest_mark boolean, gtin text, picture_url text,
        length_mm integer, width_mm integer, height_mm integer, weight_g integer)
    order by r.item_id
    on conflict (client_id, cabinet_id, item_id) do update set
      barcodes = excluded.barcodes, article = excluded.article, name = excluded.name,
      honest_mark = excluded.honest_mark, gtin = excluded.gtin, picture_url = excluded.picture_url,
      length_mm = excluded.length_mm, width_mm = excluded.width_mm, height_mm = excluded.height_mm,
      weight_g = excluded.weight_g
    where (c.barcodes, c.article, c.name, c.honest_mark, c.gtin, c.picture_url,
        c.length_mm, c.width_mm, c.height_mm, c.weight_g) is distinct from
      (excluded.barcodes, excluded.article, excluded.name, excluded.honest_mark, excluded.gtin, excluded.picture_url,
        excluded.length_mm, excluded.width_mm, excluded.height_mm, excluded.weight_g)`
  await nameCardPictures(
    work,
    clientId,
    cards.flatMap(({ barcodes }) => barcodes),
  )
}

const pageSize = 1000

/** Pages of the cabinet's goods that have a barcode, each with its nearest one. */
export async function* cardKeys(
  db: Database,
  clientId: string,
  cabinetId: string,
): AsyncIterable<readonly CardKey[]> {
  let last = 0
  for (;;) {
    const rows = await db<CardKey[]>`
      select item_id as "itemId", ${nearestOfCard(db)} as barcode
      from marketplace_cards c
      where client_id = ${clientId} and cabinet_id = ${cabinetId} and item_id > ${last}
        and cardinality(barcodes) > 0
      order by item_id limit ${pageSize}`
    if (rows.length > 0) yield rows
    if (rows.length < pageSize) return
    last = rows.at(-1)?.itemId ?? last
  }
}

/**
 * SQL of the barcode of a card `c` that is nearest to what lies in the warehouse (`rankOfBalance`), in the
 * warehouse's spelling. Where the warehouse knows none: the card's first.
 */
export function nearestOfCard(db: Queryable, barcodes = db`c.barcodes`) {
  return db`
    coalesce((
      select s.barcode from (${meantBarcodes(db, db`c.client_id`, barcodes)}) b
      join stock_balances s on s.client_id = c.client_id and s.barcode = b.barcode
      order by ${rankOfBalance(db)}, b.at limit 1
    ), c.barcodes[1])`
}
