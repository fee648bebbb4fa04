import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import { wordForms } from '../../platform/kernel/case-folding.ts'
import { named } from '../../platform/kernel/schema.ts'

/** Goods of all live clients by words of their names, for those who have no barcode at hand. */

export const NamedGoods = Type.Object(
  {
    client_id: Type.String({ description: 'Чей товар.' }),
    client_name: Type.String({ description: 'Название клиента.' }),
    barcode: Type.String({ description: 'Штрихкод.' }),
    name: Type.String({ description: 'Название товара.' }),
  },
  { $id: 'NamedGoods', description: 'Товар, найденный по названию.' },
)
export const NamedGoodsList = Type.Object(
  { items: Type.Array(named(NamedGoods), { description: 'Не больше 20.' }) },
  { $id: 'NamedGoodsList', description: 'Товары, найденные по названию.' },
)
export type NamedGoods = Static<typeof NamedGoods>

const goodsMax = 20
/** Goods that are put in order at most: two letters may begin a word of most names. */
const comparedMax = 500

function beginningsIn(text: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.length === 0 ? '' : `(${words.map((word) => `${word}:*`).join(' & ')})`
}

/** Goods whose names have a word with each of these beginnings. `warehouses`: the codes of the viewer's; none: all. */
export async function goodsByName(
  db: Queryable,
  text: string,
  warehouses: readonly string[],
): Promise<NamedGoods[]> {
  const beginnings = wordForms(text).map(beginningsIn).filter(Boolean).join(' | ')
  if (beginnings === '') return []
  const own = warehouses.length === 0 ? db`` : db`and c.warehouse_code = any(${[...warehouses]})`
  return db<NamedGoods[]>`
    select * from (
      select p.client_id, c.name as client_name, p.barcode, p.name
      from products p join clients c on c.id = p.client_id and c.mode = 'live' ${own}
      where p.merged_into is null and to_tsvector('simple', translate(p.name_folded, '-/_.,', '     '))
        @@ to_tsquery('simple', ${beginnings})
      limit ${comparedMax}
    ) g
    order by name, client_name, client_id, barcode limit ${goodsMax}`
}
