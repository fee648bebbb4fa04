import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import { type Instant, moscowDate } from '../../platform/kernel/moscow-time.ts'
import { calendarDay, textOrNull } from '../../platform/kernel/schema.ts'
import { roubles } from './money.ts'
import { monthAfter, monthOf } from './run.ts'

/** What the current month comes to at its end, if the days to come cost as much as those that have ended. */

export const MonthForecast = Type.Object(
  {
    period: calendarDay('Текущий месяц: его первый день.'),
    amount: Type.String({
      examples: ['1250.00'],
      description: 'Начислено к этому моменту, рубли.',
    }),
    a_day: textOrNull('В среднем за прошедший день, рубли; null — ещё ни один день не прошёл.'),
    expected: textOrNull(
      'К концу месяца при таких же днях, рубли; null — ещё ни один день не прошёл.',
    ),
  },
  { $id: 'MonthForecast', description: 'Прогноз начислений на конец месяца.' },
)
export type MonthForecast = Static<typeof MonthForecast>

/**
 * Days to come cost as much as the ended days since the first charge of the client in the month; the minimum of the
 * month is left out.
 */
export async function forecastMonth(
  db: Queryable,
  clientId: string,
  now: Instant,
): Promise<MonthForecast> {
  const today = moscowDate(now)
  const month = monthOf(today)
  const [{ amount, ended, of_today: ofToday, days, left }] = await db<
    [{ amount: number; ended: number; of_today: number; days: number | null; left: number }]
  >`
    select coalesce(sum(amount), 0)::bigint as amount,
      coalesce(sum(amount) filter (where day >= ${today}), 0)::bigint as of_today,
      coalesce(sum(amount) filter (where day >= month and day < ${today}), 0)::bigint as ended,
      ${today}::date - min(day) filter (where day >= month and day < ${today}) as days,
      ${monthAfter(month)}::date - ${today}::date as left
    from charges where client_id = ${clientId} and month = ${month}`
  if (days === null) return { period: month, amount: roubles(amount), a_day: null, expected: null }
  const toCome = Math.max(Math.round((ended / days) * left), ofToday)
  return {
    period: month,
    amount: roubles(amount),
    a_day: roubles(Math.round(ended / days)),
    expected: roubles(amount - ofToday + toCome),
  }
}
