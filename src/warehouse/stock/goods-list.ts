import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import { countOf, type Page, type PageRequest, pageOf } from '../../platform/db/lists/page.ts'
import { countOfProducts, matchingProducts, type ProductFilter } from '../catalogue/products.ts'
import { partsMax, type SetPart } from '../catalogue/set-fields.ts'
import { partsAsJson } from '../catalogue/sets.ts'
import { partsAllow } from './parts-allow.ts'

/** Goods as sellers see them: sets with what they are made of. */

const PartOfGoods = Type.Object(
  {
    barcode: Type.String({ description: 'Штрихкод части.' }),
    name: Type.String({ description: 'Её название.' }),
    quantity: Type.Integer({ minimum: 1, description: 'Сколько единиц в одном наборе.' }),
  },
  { description: 'Часть набора.' },
)

export const GoodsItem = Type.Object(
  {
    barcode: Type.String({ description: 'Штрихкод товара.' }),
    article: Type.Optional(Type.String({ description: 'Артикул продавца; если нет, поля нет.' })),
    name: Type.String({ description: 'Название.' }),
    is_set: Type.Boolean({ description: 'Набор ли это: товар, который составляют из других.' }),
    parts: Type.Array(PartOfGoods, {
      maxItems: partsMax,
      description: 'Из чего набор, по возрастанию штрихкода; у остальных товаров пусто.',
    }),
    parts_allow: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description:
        'Сколько наборов выйдет сейчас из свободных единиц частей: не под вопросом и не отложенных для других заказов. ' +
        'Собранные заранее сюда не входят: они в остатке самого набора. null, если это не набор.',
    }),
  },
  { $id: 'GoodsItem', description: 'Товар клиента; у набора — его части.' },
)
export type GoodsItem = Static<typeof GoodsItem>

interface GoodsRow {
  barcode: string
  article: string | null
  name: string
  parts: SetPart[] | null
  parts_allow: number | null
}

export interface GoodsFilter extends Pick<ProductFilter, 'barcode'> {
  readonly is_set: 'true' | 'false' | undefined
}

/** Lists goods by barcode, in byte order. */
export async function listGoods(
  db: Queryable,
  clientId: string,
  { is_set, barcode }: GoodsFilter,
  page: PageRequest,
): Promise<Page<GoodsItem>> {
  const filter = { barcode, search: undefined }
  const isSet = db`exists (
    select from set_parts s where s.client_id = p.client_id and s.set_barcode = p.barcode)`
  const where = db`
    ${matchingProducts(db, clientId, filter)}
    ${is_set === undefined ? db`` : db`and ${is_set === 'true'} = ${isSet}`}`
  const total =
    is_set === undefined
      ? countOfProducts(db, clientId, filter)
      : db`select count(*) from products p where ${where}`
  const rows = await db<(GoodsRow & { total: number })[]>`
    select p.barcode, p.article, p.name, ${partsAsJson(db, db`p.client_id`, db`p.barcode`)} as parts,
      ${partsAllow(db, db`p.client_id`, db`p.barcode`)} as parts_allow, (${total}) as total
    from products p
    where ${where} ${page.after === undefined ? db`` : db`and p.barcode > ${String(page.after[0])}`}
    order by p.barcode limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: goodsView,
    position: (row) => [row.barcode],
    count: () => countOf(db, total),
  })
}

/** One product by its own barcode. */
export async function findGoods(
  db: Queryable,
  clientId: string,
  barcode: string,
): Promise<GoodsItem | undefined> {
  const filter = { barcode, is_set: undefined }
  const { items } = await listGoods(db, clientId, filter, { limit: 1, after: undefined })
  return items[0]
}

function goodsView({ barcode, article, name, parts, parts_allow }: GoodsRow): GoodsItem {
  return {
    barcode,
    ...(article === null ? {} : { article }),
    name,
    is_set: parts !== null,
    parts: (parts ?? []).map(({ qty, ...part }) => ({ ...part, quantity: qty })),
    parts_allow,
  }
}
