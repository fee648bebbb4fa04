/**
 * Moscow time as the public API speaks it (specification, Conventions 1 and 2): every time is shown
 * with the fixed offset +03:00 and milliseconds, and a bare date is read as Moscow midnight. The
 * offset is the same for every date, also for those on which the city's clocks said otherwise.
 */

/** RFC 3339 with exactly three fraction digits and +03:00: `2026-11-20T18:25:02.123+03:00`. */
export type Timestamp = string & { readonly __brand: 'Timestamp' }

/** Milliseconds since 1970-01-01T00:00:00Z, an integer. */
export type Instant = number

/**
 * Why a text is no time: `format` it has another form, `space` a space stands where the offset's `+`
 * was meant, `date` no such day, hour, minute, second or offset, `range` Moscow year not in 1..9999.
 */
export type TimeProblem = 'format' | 'date' | 'range' | 'space'

type Failure = { ok: false; reason: TimeProblem }
export type ParsedTime = { ok: true; instant: Instant } | Failure
export type ParsedDate = { ok: true; date: string } | Failure

const MINUTE = 60_000
/** In milliseconds. */
export const hour = 60 * MINUTE
export const day = 24 * hour
const MOSCOW_OFFSET = 3 * hour
const EARLIEST = dayNumber(1, 1, 1) * day - MOSCOW_OFFSET
const AFTER_LATEST = dayNumber(10_000, 1, 1) * day - MOSCOW_OFFSET

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+\- ])(\d\d):(\d\d))$/

/** Shows an instant. Throws RangeError outside the Moscow years 1..9999 and for a non-integer. */
export function toTimestamp(instant: Instant): Timestamp {
  const date = moscowDate(instant)
  const ofDay = (instant + MOSCOW_OFFSET) % day
  const time = ofDay < 0 ? ofDay + day : ofDay
  const hours = pad2(Math.floor(time / hour))
  const minutes = pad2(Math.floor(time / MINUTE) % 60)
  const seconds = pad2(Math.floor(time / 1000) % 60)
  return `${date}T${hours}:${minutes}:${seconds}.${pad3(time % 1000)}+03:00` as Timestamp
}

/** The instant a timestamp shows: the inverse of `toTimestamp`. */
export function fromTimestamp(timestamp: Timestamp): Instant {
  return Date.parse(timestamp)
}

/** The Moscow date of an instant, YYYY-MM-DD. Throws RangeError as `toTimestamp` does. */
export function moscowDate(instant: Instant): string {
  if (!Number.isInteger(instant) || !isInstant(instant)) throw new RangeError(`no time: ${instant}`)
  return dateOfDay(Math.floor((instant + MOSCOW_OFFSET) / day))
}

/** The first instant of a Moscow date YYYY-MM-DD. Throws RangeError for what is no such date. */
export function midnight(date: string): Instant {
  const start = startOfDate(date)
  if (start === undefined || !isInstant(start)) throw new RangeError(`no date: ${date}`)
  return start
}

/** A Moscow date YYYY-MM-DD as the time of its midnight. Throws RangeError as `midnight` does. */
export function toMidnight(date: string): Timestamp {
  return toTimestamp(midnight(date))
}

/**
 * Reads RFC 3339 with any offset or `Z` and any number of fraction digits, or YYYY-MM-DD, read as
 * Moscow midnight (specification, Conventions 2). What is finer than a millisecond is rounded up:
 * stored times have milliseconds, and so both `>=` and `<` of the result select what they would of
 * the exact time.
 */
export function parseTime(text: string): ParsedTime {
  const time = read(text)
  if (!time.ok) return time
  const instant = time.finer ? time.instant + 1 : time.instant
  return isInstant(instant) ? { ok: true, instant } : { ok: false, reason: 'range' }
}

/** Reads the forms of `parseTime` and answers the Moscow date YYYY-MM-DD that the time lies in. */
export function parsePlannedDate(text: string): ParsedDate {
  const time = read(text)
  if (!time.ok) return time
  if (!isInstant(time.instant)) return { ok: false, reason: 'range' }
  return { ok: true, date: moscowDate(time.instant) }
}

/** The millisecond that a text's time lies in, and whether the time is later than its start. */
function read(text: string): { ok: true; instant: Instant; finer: boolean } | Failure {
  if (text.length === 10) return readDate(text)
  const match = DATE_TIME.exec(text)
  if (match === null) return { ok: false, reason: 'format' }
  const [, date = '', hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = match
  if (sign === ' ') return { ok: false, reason: 'space' }
  const start = startOfDate(date)
  const time = clockTime(Number(hour), Number(minute), Number(second))
  const offset = clockTime(Number(offsetHour ?? 0), Number(offsetMinute ?? 0), 0)
  if (start === undefined || time === undefined || offset === undefined) {
    return { ok: false, reason: 'date' }
  }
  const millisecond = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const local = start + MOSCOW_OFFSET + time + millisecond
  const instant = sign === '-' ? local + offset : local - offset
  return { ok: true, instant, finer: /[1-9]/.test(fraction.slice(3)) }
}

function readDate(text: string): { ok: true; instant: Instant; finer: boolean } | Failure {
  if (!DATE.test(text)) return { ok: false, reason: 'format' }
  const instant = startOfDate(text)
  return instant === undefined ? { ok: false, reason: 'date' } : { ok: true, instant, finer: false }
}

/** Moscow midnight of a date in the form YYYY-MM-DD, year 0 included; undefined when there is none. */
function startOfDate(text: string): Instant | undefined {
  const match = DATE.exec(text)
  if (match === null) return undefined
  const [year, month, ofMonth] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (month < 1 || month > 12 || ofMonth < 1 || ofMonth > monthLength(year, month)) return undefined
  return dayNumber(year, month, ofMonth) * day - MOSCOW_OFFSET
}

function clockTime(hours: number, minutes: number, seconds: number): number | undefined {
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined
  return hours * hour + minutes * MINUTE + seconds * 1000
}

/** Whether an instant can be shown: its Moscow year is in 1..9999. */
export function isInstant(instant: Instant): boolean {
  return instant >= EARLIEST && instant < AFTER_LATEST
}

function monthLength(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** Days from 1970-01-01 in the proleptic Gregorian calendar, counted in years that begin in March. */
function dayNumber(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return (
    y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719468
  )
}

/** The inverse of `dayNumber`, as YYYY-MM-DD. Made by hand: `Date.toISOString` is many times slower. */
function dateOfDay(dayNumber: number): string {
  const sinceEra = dayNumber + 719468
  const era = Math.floor(sinceEra / 146097)
  const ofEra = sinceEra - era * 146097
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36524) - Math.floor(ofEra / 146096)) /
      365,
  )
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shifted = Math.floor((5 * ofYear + 2) / 153)
  const day = ofYear - Math.floor((153 * shifted + 2) / 5) + 1
  const month = shifted < 10 ? shifted + 3 : shifted - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${pad2(Math.floor(year / 100))}${pad2(year % 100)}-${pad2(month)}-${pad2(day)}`
}

function pad2(value: number): string {
  return value < 10 ? `0${value}` : `${value}`
}

function pad3(value: number): string {
  return value < 100 ? `0${pad2(value)}` : `${value}`
}
