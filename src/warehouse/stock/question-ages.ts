import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { count } from '../../platform/kernel/schema.ts'
import { openQuestions } from './units-in-question.ts'

export const QuestionAge = Type.Object(
  {
    days_from: count('Под вопросом не меньше стольких суток.'),
    days_to: Type.Optional(
      Type.Integer({ minimum: 1, description: 'И меньше стольких; у последней строки поля нет.' }),
    ),
    units: count('Единиц.'),
    goods: count('Разных товаров.'),
  },
  { $id: 'QuestionAge', description: 'Сколько единиц под вопросом столько времени.' },
)
export type QuestionAge = Static<typeof QuestionAge>

const bounds = [0, 1, 3, 7, 30] as const

/** Units in question of the clients `c` that are seen, by age, the newest first; empty ages too. */
export async function questionAges(
  db: Queryable,
  seen: Fragment,
  now: Instant,
): Promise<QuestionAge[]> {
  const balances = db`
    select b.client_id, b.barcode, b.in_question
    from stock_balances b join clients c on c.id = b.client_id and ${seen}
    where b.in_question > 0`
  const rows = await db<{ age: number; units: number; goods: number }[]>`
    select width_bucket(
        greatest(0, extract(epoch from ${toTimestamp(now)}::timestamptz - since) / 86400)::float8,
        ${[...bounds]}::float8[]) as age,
      sum(units)::bigint as units, count(distinct (client_id, barcode)) as goods
    from (${openQuestions(db, balances)}) open group by 1`
  return bounds.map((from, index) => {
    const row = rows.find(({ age }) => age === index + 1)
    const to = bounds[index + 1]
    return {
      days_from: from,
      ...(to !== undefined && { days_to: to }),
      units: row?.units ?? 0,
      goods: row?.goods ?? 0,
    }
  })
}
