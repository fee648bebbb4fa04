import Type, { type Static } from 'typebox'
import type { Queryable } from '../db/connection.ts'
import type { Fragment } from '../db/fragment.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { count, moment } from '../kernel/schema.ts'

/** Goods shown at most. */
const shownMax = 50

const GoodsInQuestion = Type.Object({
  client_id: Type.String({ description: 'Юридическое лицо.' }),
  client_name: Type.String({ description: 'Его название.' }),
  barcode: Type.String({ description: 'Штрихкод.' }),
  name: Type.String({ description: 'Название.' }),
  units: Type.Integer({ minimum: 1, description: 'Сколько единиц под вопросом.' }),
  since: moment('С какого времени: самая давняя из них.'),
})

export const TodayInQuestion = Type.Object(
  {
    total: count('Сколько товаров под вопросом.'),
    units: count('Сколько единиц под вопросом.'),
    items: Type.Array(GoodsInQuestion, {
      maxItems: shownMax,
      description: `Товары, сначала с самыми давними единицами; не больше ${shownMax}.`,
    }),
  },
  { description: 'Товары под вопросом: их число или владельца нужно выяснить.' },
)
type TodayInQuestion = Static<typeof TodayInQuestion>

type Row = Static<typeof GoodsInQuestion> & { total: number; all_units: number; since: Timestamp }

/**
 * Goods in question of the clients `c` that are seen, those with the oldest units first. As in findUnitsInQuestion, the oldest units
 * count as found first, so the newest entries make up what is in question now.
 */
export async function inQuestionOfToday(db: Queryable, seen: Fragment): Promise<TodayInQuestion> {
  const rows = await db<Row[]>`
    select count(*) over () as total, (sum(b.in_question) over ())::bigint as all_units,
      b.client_id, c.name as client_name, b.barcode, p.name, b.in_question as units, e.since
    from stock_balances b
    join clients c on c.id = b.client_id and ${seen}
    join products p on p.client_id = b.client_id and p.barcode = b.barcode
    cross join lateral (
      select min(at) as since from (
        select m.at, sum(m.question_delta) over (order by m.id desc) - m.question_delta as newer
        from stock_movements m
        where m.client_id = b.client_id and m.barcode = b.barcode and m.question_delta > 0
      ) entered where newer < b.in_question
    ) e
    where b.in_question > 0
    order by e.since, b.client_id, b.barcode limit ${shownMax}`
  return {
    total: rows[0]?.total ?? 0,
    units: rows[0]?.all_units ?? 0,
    items: rows.map(({ total: _, all_units: __, ...row }) => row),
  }
}
