/** How numbers and moments are written, everywhere in the pages. All times are Moscow's. */

const zone = 'Europe/Moscow'
const numbers = new Intl.NumberFormat('ru-RU')

/** 1118 becomes «1 118», with a thin space. */
export function number(value: number): string {
  return numbers.format(value).replaceAll('\u00A0', '\u202F')
}

/** The form of a noun that goes with a number: `plural(5, 'заказ', 'заказа', 'заказов')` is «5 заказов». */
export function plural(count: number, one: string, few: string, many: string): string {
  return `${number(count)} ${nounFor(count, one, few, many)}`
}

export function nounFor(count: number, one: string, few: string, many: string): string {
  const hundredth = Math.abs(count) % 100
  const tenth = hundredth % 10
  if (hundredth > 10 && hundredth < 20) return many
  if (tenth === 1) return one
  return tenth > 1 && tenth < 5 ? few : many
}

const tenths = new Intl.NumberFormat('ru-RU', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** The size of a file: «1,2 МБ». */
export function megabytes(bytes: number): string {
  return `${tenths.format(bytes / 1_000_000)} МБ`
}

const dayKey = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
const clockFormat = new Intl.DateTimeFormat('ru-RU', {
  timeZone: zone,
  hour: '2-digit',
  minute: '2-digit',
})
const dayFormat = new Intl.DateTimeFormat('ru-RU', {
  timeZone: zone,
  day: 'numeric',
  month: 'short',
})
const dayOfYearFormat = new Intl.DateTimeFormat('ru-RU', {
  timeZone: zone,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})
const exactFormat = new Intl.DateTimeFormat('ru-RU', {
  timeZone: zone,
  dateStyle: 'long',
  timeStyle: 'medium',
})

/** The day in Moscow, such as `2026-03-17`. */
export function moscowDay(moment: Date): string {
  return dayKey.format(moment)
}

/** A moment as people say it: «сегодня 14:05», «вчера 9:30», «17 мар. 14:05», «17 мар. 2025 г.». */
export function moment(timestamp: string, now = new Date()): string {
  const at = new Date(timestamp)
  const clock = clockFormat.format(at)
  const name = nearDays.get(daysBetween(now, at))
  if (name !== undefined) return `${name} ${clock}`
  const sameYear = moscowDay(at).slice(0, 4) === moscowDay(now).slice(0, 4)
  return sameYear ? `${dayFormat.format(at)} ${clock}` : dayOfYearFormat.format(at)
}

/** With seconds, for those who point at a moment. */
export function exactMoment(timestamp: string): string {
  return `${exactFormat.format(new Date(timestamp))} по Москве`
}

const nearDays = new Map([
  [-1, 'вчера'],
  [0, 'сегодня'],
  [1, 'завтра'],
])

function daysBetween(from: Date, to: Date): number {
  return (Date.parse(moscowDay(to)) - Date.parse(moscowDay(from))) / 86_400_000
}

/** How long until a moment or since it: «через 2 ч 10 мин», «просрочено на 15 мин». */
export function untilDeadline(timestamp: string, now = new Date()): string {
  const minutes = Math.round((Date.parse(timestamp) - now.getTime()) / 60_000)
  return minutes < 0 ? `просрочено на ${duration(-minutes)}` : `через ${duration(minutes)}`
}

function duration(minutes: number): string {
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24]
  if (days > 0) return `${plural(days, 'день', 'дня', 'дней')}${hours > 0 ? ` ${hours} ч` : ''}`
  const rest = minutes % 60
  if (hours === 0) return `${minutes} мин`
  // Nobody plans by minutes that far ahead.
  return rest > 0 && hours < 10 ? `${hours} ч ${rest} мин` : `${hours} ч`
}

/** The hour of a moment in Moscow, such as «14:00». */
export function hourOf(timestamp: string): string {
  return clockFormat.format(new Date(timestamp))
}

/** The day of a moment in Moscow, such as «17 мар.». */
export function shortDay(timestamp: string): string {
  return dayFormat.format(new Date(timestamp))
}
