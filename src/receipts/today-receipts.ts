import Type, { type Static } from 'typebox'
import type { Queryable } from '../db/connection.ts'
import { type Timestamp, toMidnight } from '../kernel/moscow-time.ts'
import { count, moment, momentOrNull } from '../kernel/schema.ts'

/** Receipts shown at most. */
const shownMax = 50

const ReceiptToConfirm = Type.Object({
  receipt_id: Type.String({ description: 'Приёмка.' }),
  number: Type.String({ description: 'Её номер.' }),
  client_id: Type.String({ description: 'Юридическое лицо.' }),
  client_name: Type.String({ description: 'Его название.' }),
  expected_qty: count('Сколько единиц заявлено.'),
  planned_date: momentOrNull('Плановая дата поставки; null, если не указана.'),
  created_at: moment('Когда пришла заявка.'),
})

export const TodayReceipts = Type.Object(
  {
    total: count('Сколько заявок ждут подтверждения.'),
    items: Type.Array(ReceiptToConfirm, {
      maxItems: shownMax,
      description: `Заявки, сначала самые давние; не больше ${shownMax}.`,
    }),
  },
  { description: 'Заявки продавцов, которые ждут подтверждения. Видны менеджерам.' },
)
type TodayReceipts = Static<typeof TodayReceipts>

type Row = Omit<Static<typeof ReceiptToConfirm>, 'planned_date'> & {
  total: number
  planned_date: string | null
  created_at: Timestamp
}

/** Requests of live clients that wait for a manager, the oldest first. */
export async function receiptsOfToday(db: Queryable): Promise<TodayReceipts> {
  const rows = await db<Row[]>`
    select count(*) over () as total, r.id as receipt_id, r.number, r.client_id,
      c.name as client_name, r.expected_qty, r.planned_date, r.created_at
    from receipts r join clients c on c.id = r.client_id and c.mode = 'live'
    where r.status = 'PENDING_CONFIRMATION'
    order by r.created_at, r.id limit ${shownMax}`
  return {
    total: rows[0]?.total ?? 0,
    items: rows.map(({ total: _, planned_date, ...row }) => ({
      ...row,
      planned_date: planned_date === null ? null : toMidnight(planned_date),
    })),
  }
}
