import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { moment } from '../../platform/kernel/schema.ts'

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

/** The balances of these goods, for openQuestions. */
export function balancesOf(db: Queryable, clientId: string, barcodes: readonly string[]) {
  return db`
    select client_id, barcode, in_question from stock_balances
    where client_id = ${clientId} and barcode = any(${[...barcodes]}) and in_question > 0`
}

/**
 * A select of what put units in question that still are: rows (client_id, barcode, receipt_id, reason, since, units).
 * For each of `balances` their units add up to its `in_question`. What a receipt or return put in question, less its
 * undone scans, is one row; an approved receipt has none. Nobody says which units an investigation found, so the oldest
 * count as found first. Where the end has a reason (a date was corrected), the oldest of this reason.
 */
export function openQuestions(db: Queryable, balances: Fragment) {
  return db`
    select b.client_id, b.barcode, e.receipt_id, e.reason, e.since,
      least(e.entered, b.in_question - e.newer)::bigint as units
    from (${balances}) b
    cross join lateral (
      select o.*, sum(o.entered) over (order by o.last desc) - o.entered as newer
      from (
        select g.receipt_id, g.reason, g.since, g.last, case when not g.is_alone then g.entered
          else least(g.entered, coalesce(sum(g.entered) filter (where g.entered < 0) over of_reason, 0)
            + sum(g.entered) filter (where g.entered > 0) over (of_reason order by g.last)) end as entered
        from (
          select m.receipt_id, m.reason, min(m.at) as since, max(m.id) as last,
            sum(m.question_delta) as entered, coalesce(m.receipt_id, m.return_id) is null as is_alone
          from stock_movements m
          where m.client_id = b.client_id and m.barcode = b.barcode and m.question_delta <> 0
            and (coalesce(m.receipt_id, m.return_id) is not null or m.question_delta > 0
              or m.kind = 'question' and m.reason is not null)
          group by m.receipt_id, m.return_id, m.reason,
            case when coalesce(m.receipt_id, m.return_id) is null then m.id end
          -- A question that names a receipt is its approval.
          having not coalesce(bool_or(m.kind = 'question' and m.receipt_id is not null), false)
        ) g
        window of_reason as (partition by g.is_alone, g.reason)
      ) o
      where o.entered > 0
    ) e
    where e.newer < b.in_question`
}

/**
 * The units in question of a product by reason, the oldest first; together they are its `in_question`.
 * Undefined where the client has no such product.
 */
export async function findUnitsInQuestion(
  db: Queryable,
  clientId: string,
  barcode: string,
): Promise<UnitsInQuestion[] | undefined> {
  const [balance] = await db`
    select barcode from stock_balances where client_id = ${clientId} and barcode = ${barcode}`
  if (balance === undefined) return undefined
  const rows = await db<Row[]>`
    select u.reason, coalesce(r.label, 'Излишек при приёмке') as label, u.units, u.since, u.receipt_id
    from (
      select coalesce(reason, 'surplus') as reason, receipt_id, min(since) as since,
        sum(units)::int as units
      from (${openQuestions(db, balancesOf(db, clientId, [barcode]))}) open
      group by 1, 2
    ) u
    left join reasons r on r.kind = 'correction' and r.code = u.reason
    order by u.since, u.reason, u.receipt_id`
  return rows.map(({ receipt_id, ...row }) => (receipt_id === null ? row : { ...row, receipt_id }))
}

export interface InQuestionTotals {
  readonly goods: number
  readonly units: number
}

/** How many goods of a client are in question, and how many units of them. */
export async function inQuestionTotals(db: Queryable, clientId: string): Promise<InQuestionTotals> {
  const [row] = await db<[InQuestionTotals]>`
    select count(*) as goods, coalesce(sum(in_question), 0)::bigint as units
    from stock_balances where client_id = ${clientId} and in_question > 0`
  return row
}
