import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import { count, textOrNull } from '../../platform/kernel/schema.ts'
import { goodsWithWords } from '../catalogue/products.ts'
import { demand } from './cover.ts'

/** Goods that a seller looks for to announce them, and how many to bring. */

/** Days for which the proposed units last, together with the stock. */
const broughtDays = 30
const foundMax = 8

export const GoodsToBring = Type.Object(
  {
    barcode: Type.String({ description: 'Штрихкод.' }),
    name: Type.String({ description: 'Название.' }),
    article: textOrNull('Артикул продавца.'),
    honest_mark: Type.Boolean({ description: 'Подлежит ли обязательной маркировке.' }),
    available: count('Можно продавать сейчас.'),
    bring: count(`Сколько привезти, чтобы хватило на ${broughtDays} дней при нынешнем спросе.`),
  },
  { $id: 'GoodsToBring', description: 'Товар для заявки.' },
)
export type GoodsToBring = Static<typeof GoodsToBring>

/** Goods with all words of the text; those whose barcode it is, and those that begin with it, first. */
export async function findGoodsToBring(
  db: Queryable,
  clientId: string,
  now: Instant,
  text: string,
): Promise<GoodsToBring[]> {
  if (text.trim() === '') return []
  const found = await db<Omit<GoodsToBring, 'bring'>[]>`
    select p.barcode, p.name, p.article, p.honest_mark, b.quantity - b.in_question as available
    from products p join stock_balances b on b.client_id = p.client_id and b.barcode = p.barcode
    where p.client_id = ${clientId} and ${goodsWithWords(db, text)}
    order by p.barcode <> ${text.trim()}, p.name_folded, p.barcode limit ${foundMax}`
  const barcodes = found.map(({ barcode }) => barcode)
  if (barcodes.length === 0) return []
  const rows = await db<{ barcode: string; wanted: number }[]>`
    select barcode, ceil(a_day * ${broughtDays}::int)::int as wanted
    from (${demand(db, clientId, now, barcodes)}) d`
  const wanted = new Map(rows.map((row) => [row.barcode, row.wanted]))
  return found.map((goods) => {
    const bring = Math.max(0, (wanted.get(goods.barcode) ?? 0) - goods.available)
    return { ...goods, bring }
  })
}
