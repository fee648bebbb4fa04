import { moscowDay } from '../words/format.ts'

/** A period of whole days in Moscow, as the API takes it: `to` is not in it. */
export interface Period {
  readonly from: string
  readonly to: string
}

const dayMs = 86_400_000
const plus = (day: string, days: number) =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** The last day of a period: people say it, and addresses name it, in place of the day after it. */
export function lastDayOf({ to }: Period): string {
  return plus(to, -1)
}

/** The last days, today among them. */
export function lastDays(days: number): Period {
  const to = plus(moscowDay(new Date()), 1)
  return { from: plus(to, -days), to }
}

/** The periods that people ask for, with today where it is in them. */
export function usualPeriods(): readonly (Period & { readonly title: string })[] {
  const today = moscowDay(new Date())
  const month = `${today.slice(0, 7)}-01`
  return [
    { title: 'Сегодня', ...lastDays(1) },
    { title: '7 дней', ...lastDays(7) },
    { title: '30 дней', ...lastDays(30) },
    { title: '90 дней', ...lastDays(90) },
    { title: 'Этот месяц', from: month, to: plus(today, 1) },
    { title: 'Прошлый месяц', from: `${plus(month, -1).slice(0, 7)}-01`, to: month },
  ]
}

/** How many days; none where the dates are none: the service says what is wrong with them. */
export function daysIn({ from, to }: Period): number | undefined {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
  return Number.isNaN(days) ? undefined : days
}

/** The period before, of the same length. */
export function periodBefore(period: Period): Period {
  const days = daysIn(period)
  return days === undefined ? period : { from: plus(period.from, -days), to: period.from }
}
