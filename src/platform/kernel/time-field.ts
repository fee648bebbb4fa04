import { invalidField } from './errors.ts'
import { type Instant, parsePlannedDate, parseTime, type TimeProblem } from './moscow-time.ts'

/** Times in fields of bodies. */

export const timeWords =
  'дата YYYY-MM-DD или время RFC 3339 со смещением, например 2026-11-20T18:25:02+03:00'

const problems: Record<TimeProblem, string> = {
  format: timeWords,
  space: 'перед смещением + или −, а не пробел',
  offset: 'у времени нет смещения: добавьте в конец +03:00 или оставьте только дату',
  date: 'такой даты, времени или смещения не существует',
  range: 'год должен быть от 1 до 9999',
}

/** What is wrong with the text of a time; undefined for a time or a date. */
export function timeProblemOf(text: string): string | undefined {
  const time = parseTime(text)
  return time.ok ? undefined : problems[time.reason]
}

/** The time in a field. Throws validation_error. */
export function readTimeField(field: string, text: string): Instant {
  const time = parseTime(text)
  if (time.ok) return time.instant
  throw invalidField(field, problems[time.reason])
}

/** The Moscow date in a field, YYYY-MM-DD. Throws validation_error. */
export function readDateField(field: string, text: string): string {
  const date = parsePlannedDate(text)
  if (date.ok) return date.date
  throw invalidField(field, problems[date.reason])
}
