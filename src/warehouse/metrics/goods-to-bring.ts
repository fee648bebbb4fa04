import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import { count, textOrNull } from '../../platform/kernel/schema.ts'
import { goodsWithWords } from '../catalogue/products.ts'
import { Cover, daysLeft, demand } from './cover.ts'

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
  const rows = await db<{ barcode: string; a_day: number }[]>`
    select barcode, units::float8 / days as a_day from (${demand(db, clientId, now, barcodes)}) d`
  const demanded = new Map(rows.map((row) => [row.barcode, row.a_day]))
  return found.map((goods) => ({
    ...goods,
    bring: toBring(demanded.get(goods.barcode) ?? 0, goods.available),
  }))
}

function toBring(aDay: number, available: number): number {
  return Math.max(0, Math.ceil(aDay * broughtDays) - available)
}

export const ProductCover = Type.Object(
  {
    ...Type.Pick(Cover, ['barcode', 'available', 'a_day', 'days']).properties,
    bring: GoodsToBring.properties.bring,
    bring_days: count('На сколько дней хватит привезённого вместе с остатком.'),
  },
  { $id: 'ProductCover', description: 'На сколько хватит товара и сколько его привезти.' },
)
export type ProductCover = Static<typeof ProductCover>

/** As the list of cover has it; undefined where the client has no such product. */
export async function findProductCover(
  db: Queryable,
  clientId: string,
  now: Instant,
  barcode: string,
): Promise<ProductCover | undefined> {
  const [row] = await db<{ available: number; a_day: number | null; days: number | null }[]>`
    select b.quantity - b.in_question as available, d.units::float8 / d.days as a_day,
      ${daysLeft(db)} as days
    from stock_balances b left join (${demand(db, clientId, now, [barcode])}) d on d.barcode = b.barcode
    where b.client_id = ${clientId} and b.barcode = ${barcode}`
  if (row === undefined) return undefined
  const aDay = row.a_day ?? 0
  return {
    ...{ barcode, available: row.available, a_day: Math.round(aDay * 100) / 100, days: row.days },
    ...{ bring: toBring(aDay, row.available), bring_days: broughtDays },
  }
}
