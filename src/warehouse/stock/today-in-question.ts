import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { type Instant, type Timestamp, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment } from '../../platform/kernel/schema.ts'
import { openQuestions } from './units-in-question.ts'

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
    counted_at: moment('Когда посчитано: если товаров тысячи — несколько секунд назад.'),
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

/** Goods in question of the clients `c` that are seen, those with the oldest units first. */
export async function inQuestionOfToday(
  db: Queryable,
  seen: Fragment,
  now: Instant,
): Promise<TodayInQuestion> {
  const balances = db`
    select b.client_id, b.barcode, b.in_question
    from stock_balances b join clients c on c.id = b.client_id and ${seen}
    where b.in_question > 0`
  const rows = await db<Row[]>`
    select q.total, q.all_units, q.client_id, c.name as client_name, q.barcode, p.name, q.units, q.since
    from (
      select client_id, barcode, sum(units)::bigint as units, min(since) as since,
        count(*) over () as total, (sum(sum(units)) over ())::bigint as all_units
      from (${openQuestions(db, balances)}) open
      group by client_id, barcode
      order by min(since), client_id, barcode limit ${shownMax}
    ) q
    join clients c on c.id = q.client_id
    join products p on p.client_id = q.client_id and p.barcode = q.barcode
    order by q.since, q.client_id, q.barcode`
  return {
    counted_at: toTimestamp(now),
    total: rows[0]?.total ?? 0,
    units: rows[0]?.all_units ?? 0,
    items: rows.map(({ total: _, all_units: __, ...row }) => row),
  }
}
