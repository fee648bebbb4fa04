import Type, { type Static } from 'typebox'
import type { Queryable } from '../db/connection.ts'
import { moment } from '../kernel/schema.ts'

export const UnitsInQuestion = Type.Object(
  {
    reason: Type.String({ description: 'Код причины; surplus — излишек при приёмке.' }),
    label: Type.String({ description: 'Причина словами.' }),
    units: Type.Integer({ minimum: 1, description: 'Сколько единиц.' }),
    since: moment('С какого времени: самая давняя из них.'),
    receipt_id: Type.Optional(
      Type.String({ description: 'Приёмка, если единицы — её излишек; иначе поля нет.' }),
    ),
  },
  { $id: 'UnitsInQuestion', description: 'Единицы под вопросом по одной причине.' },
)
export type UnitsInQuestion = Static<typeof UnitsInQuestion>

interface Row extends Omit<UnitsInQuestion, 'receipt_id'> {
  receipt_id: string | null
}

/**
 * The units in question of a product by reason, the oldest first; together they are its `in_question`.
 * Nobody says which units an investigation found, so the oldest count as found first. Undefined where the
 * client has no such product.
 */
export async function findUnitsInQuestion(
  db: Queryable,
  clientId: string,
  barcode: string,
): Promise<UnitsInQuestion[] | undefined> {
  const [balance] = await db<{ in_question: number }[]>`
    select in_question from stock_balances where client_id = ${clientId} and barcode = ${barcode}`
  if (balance === undefined) return undefined
  const rows = await db<Row[]>`
    select u.reason, coalesce(r.label, 'Излишек при приёмке') as label, u.units, u.since, u.receipt_id
    from (
      select coalesce(reason, 'surplus') as reason, receipt_id, min(at) as since,
        sum(least(question_delta, ${balance.in_question}::bigint - newer))::int as units
      from (
        select m.reason, m.receipt_id, m.at, m.question_delta,
          sum(m.question_delta) over (order by m.id desc) - m.question_delta as newer
        from stock_movements m
        where m.client_id = ${clientId} and m.barcode = ${barcode} and m.question_delta > 0
      ) entered
      where newer < ${balance.in_question}::bigint
      group by 1, 2
    ) u
    left join reasons r on r.kind = 'correction' and r.code = u.reason
    order by u.since, u.reason, u.receipt_id`
  return rows.map(({ receipt_id, ...row }) => (receipt_id === null ? row : { ...row, receipt_id }))
}
