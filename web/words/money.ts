import { moscowDay } from './format.ts'

/** How sums, quantities and months are written. The API gives sums as texts: «1250.00». */

const sums = new Intl.NumberFormat('ru-RU', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const quantities = new Intl.NumberFormat('ru-RU', { maximumFractionDigits: 3 })
const months = new Intl.DateTimeFormat('ru-RU', { timeZone: 'UTC', month: 'long', year: 'numeric' })
const days = new Intl.DateTimeFormat('ru-RU', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

const thin = (text: string) => text.replaceAll('\u00A0', '\u202F')

/** «1 250,00 ₽», never on two lines. */
export function roublesText(sum: string): string {
  return `${thin(sums.format(Number(sum)))}\u00A0₽`
}

/** «1 250 ₽», where a glance is enough. */
export function wholeRoubles(sum: string): string {
  return `${thin(Math.round(Number(sum)).toLocaleString('ru-RU'))}\u00A0₽`
}

/** «1 250,5». */
export function quantityWords(quantity: string | number): string {
  return thin(quantities.format(Number(quantity)))
}

/** «Ноябрь 2026» of the month's first day. */
export function monthName(day: string): string {
  const text = months.format(new Date(day)).replace(/\s?г\.$/, '')
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** «20 нояб. 2026 г.» of a day such as `2026-11-20`. */
export function dayName(day: string): string {
  return days.format(new Date(day))
}

/** The first day of the month that comes so many months after this one, in Moscow. */
export function monthFromNow(later: number): string {
  const at = new Date(`${moscowDay(new Date()).slice(0, 7)}-01`)
  at.setUTCMonth(at.getUTCMonth() + later)
  return at.toISOString().slice(0, 10)
}
