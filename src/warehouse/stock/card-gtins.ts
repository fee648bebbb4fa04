import type { Queryable } from '../../platform/db/connection.ts'
import { readGoodsBarcode, spellingsOf } from '../../platform/kernel/codes/goods-barcode.ts'
import { contradicts, gtinOf } from '../../platform/kernel/codes/gs1.ts'

/**
 * Whether a marking code with this GTIN cannot belong to goods with this barcode. The seller's cards may say that it
 * does.
 */
export type Contradiction = (gtin: string, barcode: string) => boolean

/** Whether goods with this barcode have this GTIN, too. */
export type GtinOwnership = (gtin: string, barcode: string) => boolean

/**
 * What a client's cards say of these GTINs. A code also belongs to goods that have its GTIN as another barcode, of
 * their card or their own, or as the second GTIN of their card.
 */
export async function contradictionByCards(
  db: Queryable,
  clientId: string,
  gtins: readonly string[],
): Promise<Contradiction> {
  const owns = await gtinsByCards(db, clientId, gtins)
  return (gtin, barcode) => contradicts(gtin, barcode) && !owns(gtin, barcode)
}

/** The goods of a client that have these GTINs, as their barcode or by their card. */
export async function gtinsByCards(
  db: Queryable,
  clientId: string,
  gtins: readonly string[],
): Promise<GtinOwnership> {
  if (gtins.length === 0) return ownsAlone
  const cards = await cardsWithGtins(db, clientId, gtins)
  const goods = new Map<string, Set<string>>()
  for (const { gtin, barcodes } of cards) {
    const known = goods.get(gtin) ?? new Set()
    for (const barcode of barcodes) known.add(nameOf(barcode))
    goods.set(gtin, known)
  }
  return (gtin, barcode) =>
    ownsAlone(gtin, barcode) || goods.get(gtin)?.has(nameOf(barcode)) === true
}

function ownsAlone(gtin: string, barcode: string): boolean {
  return gtinOf(barcode) === gtin
}

/** The barcodes, in all spellings, of the cards and goods that have a GTIN, as a second one or as a barcode. */
export async function barcodesByCards(
  db: Queryable,
  clientId: string,
  gtin: string,
): Promise<string[]> {
  const cards = await cardsWithGtins(db, clientId, [gtin])
  const barcodes = new Set(cards.flatMap((card) => card.barcodes))
  return [...barcodes].flatMap((barcode) => spellingsOf(readGoodsBarcode(barcode)))
}

/**
 * The GTINs that cards give to goods beside their own barcode: the one for marking codes, and those of the other
 * barcodes of the card.
 */
export async function gtinsOfCards(
  db: Queryable,
  clientId: string,
  barcodes: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db<{ barcode: string; gtin: string | null; others: string[] }[]>`
    select g.barcode, c.gtin, c.barcodes as others
    from unnest(${[...new Set(barcodes)]}::text[]) g (barcode)
    join barcode_aliases a on a.client_id = ${clientId} and a.barcode = g.barcode
    join card_barcodes b on b.client_id = a.client_id and b.barcode = a.spelling
    join marketplace_cards c on c.client_id = b.client_id and c.cabinet_id = b.cabinet_id
      and c.item_id = b.item_id`
  const found = new Map<string, Set<string>>()
  for (const { barcode, gtin, others } of rows) {
    const gtins = [gtin ?? undefined, ...others.map(gtinOf)].filter((each) => each !== undefined)
    const besides = gtins.filter((each) => each !== gtinOf(barcode))
    found.set(barcode, new Set([...(found.get(barcode) ?? []), ...besides]))
  }
  return new Map([...found].map(([barcode, gtins]) => [barcode, [...gtins].sort()]))
}

function cardsWithGtins(
  db: Queryable,
  clientId: string,
  gtins: readonly string[],
): Promise<{ gtin: string; barcodes: string[] }[]> {
  return db<{ gtin: string; barcodes: string[] }[]>`
    select w.gtin, c.barcodes
    from unnest(${[...new Set(gtins)]}::text[]) as w (gtin)
    cross join lateral (
      select c.barcodes from marketplace_cards c
      where c.client_id = ${clientId} and c.gtin = w.gtin collate "C"
      union all
      select c.barcodes
      from gtin_spellings(w.gtin) s (spelling)
      join card_barcodes b on b.client_id = ${clientId} and b.barcode = s.spelling
      join marketplace_cards c on c.client_id = b.client_id and c.cabinet_id = b.cabinet_id
        and c.item_id = b.item_id
      union all
      select array[a.barcode]
      from gtin_spellings(w.gtin) s (spelling)
      join barcode_aliases a on a.client_id = ${clientId} and a.spelling = s.spelling
        and a.added is not null
    ) c`
}

/** The same for all spellings of a GTIN. */
function nameOf(barcode: string): string {
  return gtinOf(barcode) ?? barcode
}
