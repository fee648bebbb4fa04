import { invalidField } from '../../../kernel/errors.ts'
import { type Instant, parseTime, type TimeProblem } from '../../../kernel/moscow-time.ts'

const problems: Readonly<Record<TimeProblem, string>> = {
  format: 'время по RFC 3339 со смещением, например 2026-11-20T18:25:02+03:00',
  space: 'время по RFC 3339, перед смещением + или −, а не пробел',
  offset: 'время со смещением: добавьте в конец +03:00 или Z',
  date: 'существующие дата, время и смещение',
  range: 'год от 1 до 9999',
}

/** The time in a field of a body. Throws validation_error. */
export function timeOf(field: string, text: string): Instant {
  const parsed = parseTime(text)
  if (parsed.ok) return parsed.instant
  throw invalidField(field, problems[parsed.reason])
}
