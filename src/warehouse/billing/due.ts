import Type from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import { type Instant, moscowDate } from '../../platform/kernel/moscow-time.ts'
import { calendarDay, named, type Shown } from '../../platform/kernel/schema.ts'
import { roubles } from './money.ts'
import { monthOf } from './run.ts'

const DuePeriod = Type.Object(
  {
    client_id: Type.String({ description: 'Клиент.' }),
    client_name: Type.String({ description: 'Его название.' }),
    period: calendarDay('Первый день месяца.'),
    amount: Type.String({ examples: ['1250.00'], description: 'Начислено, рубли.' }),
  },
  { $id: 'DueBillingPeriod', description: 'Месяц, который пора закрыть.' },
)

export const DuePeriods = Type.Object(
  { items: Type.Array(named(DuePeriod), { description: 'Прежние месяцы первыми, до 500.' }) },
  { $id: 'DueBillingPeriods', description: 'Месяцы клиентов склада, которые пора закрыть.' },
)

/** Months of a warehouse's clients that have ended and are open. */
export async function listDuePeriods(
  db: Queryable,
  warehouse: string,
  now: Instant,
): Promise<Shown<typeof DuePeriod>[]> {
  const rows = await db<(Shown<typeof DuePeriod> & { kopecks: number })[]>`
    select p.client_id, c.name as client_name, p.month as period, coalesce(
      (select sum(amount) from charges where client_id = p.client_id and month = p.month), 0)::bigint as kopecks
    from billing_periods p join clients c on c.id = p.client_id
    where p.warehouse_code = ${warehouse} and p.closed_at is null and p.month < ${monthOf(moscowDate(now))}
      and c.mode = 'live'
    order by p.month, c.name, p.client_id limit 500`
  return rows.map(({ kopecks, ...row }) => ({ ...row, amount: roubles(kopecks) }))
}
