import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { type Timestamp, toMidnight } from '../../platform/kernel/moscow-time.ts'
import { count, moment, momentOrNull, oneOfValues } from '../../platform/kernel/schema.ts'

/** Receipts shown at most. */
const shownMax = 50

const decisions = ['confirmation', 'approval'] as const

const ReceiptToDecide = Type.Object({
  waits_for: oneOfValues(
    decisions,
    'Чего ждёт: confirmation — заявка продавца подтверждения, approval — приёмка без документа ' +
      'решения менеджера; до него её единицы под вопросом.',
  ),
  receipt_id: Type.String({ description: 'Приёмка.' }),
  number: Type.String({ description: 'Её номер.' }),
  client_id: Type.String({ description: 'Юридическое лицо.' }),
  client_name: Type.String({ description: 'Его название.' }),
  expected_qty: count('Сколько единиц заявлено.'),
  accepted_qty: count('Сколько единиц уже посчитано.'),
  planned_date: momentOrNull('Плановая дата поставки; null, если не указана.'),
  created_at: moment('Когда пришла заявка или привезли товар.'),
})

export const TodayReceipts = Type.Object(
  {
    total: count('Сколько приёмок ждут менеджера.'),
    items: Type.Array(ReceiptToDecide, {
      maxItems: shownMax,
      description: `Приёмки, сначала самые давние; не больше ${shownMax}.`,
    }),
  },
  { description: 'Приёмки, которые ждут решения менеджера. Видны менеджерам.' },
)
type TodayReceipts = Static<typeof TodayReceipts>

type Row = Omit<Static<typeof ReceiptToDecide>, 'planned_date'> & {
  total: number
  planned_date: string | null
  created_at: Timestamp
}

/** Rows w of the clients `c` that are seen. Each kind has an index of its own. */
export function receiptsToDecide(db: Queryable, seen: Fragment): Fragment {
  return db`
    (
      select client_id, id, 'confirmation' as waits_for from receipts
      where status = 'PENDING_CONFIRMATION'
      union all
      select client_id, id, 'approval' from receipts
      where walk_in and approved_at is null and cancelled_at is null
    ) w
    join clients c on c.id = w.client_id and ${seen}`
}

/** Receipts that wait for a manager, of the clients `c` that are seen; the oldest first. */
export async function receiptsOfToday(db: Queryable, seen: Fragment): Promise<TodayReceipts> {
  const rows = await db<Row[]>`
    select count(*) over () as total, w.waits_for, r.id as receipt_id, r.number, r.client_id,
      c.name as client_name, r.expected_qty, coalesce((
        select sum(i.accepted_qty) from receipt_items i
        where i.client_id = r.client_id and i.receipt_id = r.id), 0)::bigint as accepted_qty,
      r.planned_date, r.created_at
    from ${receiptsToDecide(db, seen)}
    join receipts r on r.client_id = w.client_id and r.id = w.id
    order by r.created_at, r.id limit ${shownMax}`
  return {
    total: rows[0]?.total ?? 0,
    items: rows.map(({ total: _, planned_date, ...row }) => ({
      ...row,
      planned_date: planned_date === null ? null : toMidnight(planned_date),
    })),
  }
}
