import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { toMidnight } from '../../platform/kernel/moscow-time.ts'
import { count, momentOrNull, oneOfValues } from '../../platform/kernel/schema.ts'

/** Receipts shown at most. */
const shownMax = 50

const statuses = ['RECEIVING', 'EXPECTED'] as const

const ReceiptToCount = Type.Object({
  receipt_id: Type.String({ description: 'Приёмка.' }),
  number: Type.String({ description: 'Её номер.' }),
  client_id: Type.String({ description: 'Юридическое лицо.' }),
  client_name: Type.String({ description: 'Его название.' }),
  status: oneOfValues(statuses, 'RECEIVING — считают, EXPECTED — ждут привоза.'),
  walk_in: Type.Boolean({ description: 'Приёмка без документа.' }),
  expected_qty: count('Сколько единиц заявлено.'),
  accepted_qty: count('Сколько единиц уже посчитано.'),
  planned_date: momentOrNull('Плановая дата поставки; null, если не указана.'),
})

export const TodayReceiving = Type.Object(
  {
    total: count('Сколько приёмок считают или ждут.'),
    items: Type.Array(ReceiptToCount, {
      maxItems: shownMax,
      description: `Приёмки, сначала начатые, потом по плановой дате; не больше ${shownMax}.`,
    }),
  },
  { description: 'Приёмки, которые считают или ждут.' },
)
type TodayReceiving = Static<typeof TodayReceiving>

type Row = Omit<Static<typeof ReceiptToCount>, 'planned_date'> & {
  total: number
  planned_date: string | null
}

/** Rows r of the clients `c` that are seen. */
export function receiptsToCount(db: Queryable, seen: Fragment): Fragment {
  return db`
    receipts r
    join clients c on c.id = r.client_id and ${seen} and r.status in ('EXPECTED', 'RECEIVING')`
}

/** Receipts that workers count, of the clients `c` that are seen; the begun ones first. */
export async function receivingOfToday(db: Queryable, seen: Fragment): Promise<TodayReceiving> {
  const rows = await db<Row[]>`
    select r.*, a.accepted_qty from (
      select count(*) over () as total, r.id as receipt_id, r.number, r.client_id,
        c.name as client_name, r.status, r.walk_in, r.expected_qty, r.planned_date, r.created_at
      from ${receiptsToCount(db, seen)}
      order by r.status = 'RECEIVING' desc, r.planned_date nulls last, r.created_at, r.id
      limit ${shownMax}
    ) r
    cross join lateral (
      select coalesce(sum(i.accepted_qty), 0)::bigint as accepted_qty from receipt_items i
      where i.client_id = r.client_id and i.receipt_id = r.receipt_id
    ) a
    order by r.status = 'RECEIVING' desc, r.planned_date nulls last, r.created_at, r.receipt_id`
  return {
    total: rows[0]?.total ?? 0,
    items: rows.map((row) => ({
      receipt_id: row.receipt_id,
      number: row.number,
      client_id: row.client_id,
      client_name: row.client_name,
      status: row.status,
      walk_in: row.walk_in,
      expected_qty: row.expected_qty,
      accepted_qty: row.accepted_qty,
      planned_date: row.planned_date === null ? null : toMidnight(row.planned_date),
    })),
  }
}
