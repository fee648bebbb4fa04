import Type from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { readGoodsBarcode, spellingsOf } from '../../platform/kernel/codes/goods-barcode.ts'
import { conflict, excerpt } from '../../platform/kernel/errors.ts'
import { quoted } from '../../platform/kernel/quoted.ts'
import { keepFromMerging } from './merged-products.ts'
import type { Goods } from './pictures.ts'

/**
 * Other barcodes of products: a supplier's beside the marketplace's. Whatever is scanned, imported or ordered under one of them
 * is the product; stock, ledger and the public API keep the product's own barcode. They stand beside the spellings of GTINs in
 * `barcode_aliases`, marked as added.
 */

/** Of one product. */
export const otherBarcodesMax = 50

/** The optional field of goods in answers of staff. */
export const otherBarcodes = Type.Optional(
  Type.Array(Type.String(), {
    description: 'Другие штрихкоды этого же товара; если их нет, поля нет.',
  }),
)

/** The product's own barcode where a scan is one of its others; else what was scanned. */
export type MeantByScan = (clientId: string, text: string) => string

/**
 * What scans of any clients mean, in one statement. A barcode that is a product's own is not looked for: no other product can
 * have it.
 */
export async function meantByScans(
  db: Queryable,
  scans: readonly { readonly clientId: string; readonly text: string }[],
): Promise<MeantByScan> {
  if (scans.length === 0) return (_, text) => text
  const read = scans.map(({ clientId, text }) => ({
    clientId,
    text,
    spellings: spellingsOf(readGoodsBarcode(text)),
  }))
  const asked = read.flatMap((scan) =>
    scan.spellings.map((spelling) => ({ client_id: scan.clientId, spelling })),
  )
  const rows = await db<{ client_id: string; spelling: string; barcode: string }[]>`
    select q.client_id, q.spelling, a.barcode
    from jsonb_to_recordset(${db.json(asked)}) as q (client_id uuid, spelling text)
    join barcode_aliases a on a.client_id = q.client_id and a.spelling = q.spelling
    where a.added is not null`
  if (rows.length === 0) return (_, text) => text
  const added = new Map(rows.map((row) => [`${row.client_id} ${row.spelling}`, row.barcode]))
  return (clientId, text) => {
    const spellings = spellingsOf(readGoodsBarcode(text))
    const named = spellings.map((spelling) => added.get(`${clientId} ${spelling}`))
    return named.find((barcode) => barcode !== undefined) ?? text
  }
}

/** SQL of (client, own barcode): the goods of all clients that have one of these barcodes. */
export function goodsUnder(db: Queryable, barcodes: readonly string[]) {
  const asked = [...barcodes]
  return db`
    select client_id, barcode from products
    where barcode = any(${asked}::text[]) and merged_into is null
    union
    select client_id, barcode from barcode_aliases
    where spelling = any(${asked}::text[]) and added is not null`
}

/** The other barcodes of goods of any clients, in one statement. */
export async function otherBarcodesOf(
  db: Queryable,
  goods: readonly Goods[],
): Promise<(goods: Goods) => readonly string[]> {
  const clients = goods.map(({ clientId }) => clientId)
  const barcodes = goods.map(({ barcode }) => barcode)
  const rows = await db<(Goods & { added: string })[]>`
    select distinct a.client_id as "clientId", a.barcode, a.added
    from (
      select distinct * from unnest(${clients}::uuid[], ${barcodes}::text[]) g (client_id, barcode)
    ) g
    join barcode_aliases a on a.client_id = g.client_id and a.barcode = g.barcode
    where a.added is not null order by a.added`
  const key = ({ clientId, barcode }: Goods) => `${clientId} ${barcode}`
  const added = Map.groupBy(rows, key)
  return (each) => added.get(key(each))?.map((row) => row.added) ?? []
}

/**
 * Gives a product of the client one more barcode, in all its spellings. Returns false where it has it. Throws conflict for the
 * barcode of other goods, and where the product has too many.
 */
export async function addOtherBarcode(
  work: Work,
  { clientId, barcode }: Goods,
  other: string,
): Promise<boolean> {
  const { tx } = work
  // Of two additions to one product the second waits here.
  await tx`
    select from products where client_id = ${clientId} and barcode = ${barcode} for no key update`
  await keepFromMerging(work, clientId, [barcode])
  const spellings = spellingsOf(readGoodsBarcode(other))
  const inserted = await tx`
    insert into barcode_aliases (client_id, spelling, barcode, added)
    select ${clientId}, s.spelling, ${barcode}, ${other}
    from unnest(${spellings}::text[]) s (spelling) order by s.spelling collate "C"
    on conflict do nothing returning spelling`
  const [foreign] = await tx<{ barcode: string; name: string }[]>`
    select p.barcode, p.name from barcode_aliases a
    join products p on p.client_id = a.client_id and p.barcode = a.barcode
    where a.client_id = ${clientId} and a.spelling = any(${spellings}) and a.barcode <> ${barcode}
    limit 1`
  if (foreign !== undefined) throw ofOtherGoods(other, foreign)
  if (inserted.length === 0) return false
  const [{ count }] = await tx<[{ count: number }]>`
    select count(distinct added) from barcode_aliases
    where client_id = ${clientId} and barcode = ${barcode}`
  if (count > otherBarcodesMax) {
    throw conflict(`У товара уже ${otherBarcodesMax} других штрихкодов: уберите ненужные`)
  }
  return true
}

function ofOtherGoods(other: string, { barcode, name }: { barcode: string; name: string }): Error {
  const goods = barcode === other ? quoted(name) : `${quoted(name)} (${excerpt(barcode)})`
  return conflict(
    `Штрихкод ${excerpt(other)} уже у другого товара этого клиента, ${goods}: проверьте, верно ли он прочитан; если это один ` +
      'и тот же товар, объедините их',
  )
}

/**
 * Takes one of the other barcodes from a product. Returns false where it has no such one. Throws conflict for the barcode of a
 * product that was merged into it: without it nobody would find what that one was.
 */
export async function removeOtherBarcode(
  { tx }: Work,
  { clientId, barcode }: Goods,
  other: string,
): Promise<boolean> {
  const [merged] = await tx`
    select from products where client_id = ${clientId} and barcode = ${other} and merged_into = ${barcode}`
  if (merged !== undefined) {
    throw conflict(`Штрихкод ${excerpt(other)} остался от объединённого товара, убрать его нельзя`)
  }
  const removed = await tx`
    delete from barcode_aliases
    where client_id = ${clientId} and barcode = ${barcode} and added = ${other} returning spelling`
  return removed.length > 0
}
