/**
 * Moscow time as the public API shows and reads it (specification, Conventions 1 and 2):
 *
 * - Every time is shown with milliseconds and the fixed offset +03:00.
 * - A bare date means Moscow midnight.
 * - The offset is the same for every date, including dates on which the city's clocks differed.
 * - The Moscow year is in 1..9999; everything outside is a `range` problem or a RangeError.
 *
 * Temporal does the calendar. A text goes to it only after its form was checked, because Temporal
 * also reads forms that the API refuses: no colons, time zones in brackets.
 *
 * A leap second, 23:59:60 UTC at the end of a month, is the first instant of the next month, as in Unix
 * time: no stored time lies inside it.
 */

/** RFC 3339 with exactly three fraction digits and +03:00: `2026-11-20T18:25:02.123+03:00`. */
export type Timestamp = string & { readonly __brand: 'Timestamp' }

/** Milliseconds since 1970-01-01T00:00:00Z, an integer. */
export type Instant = number

/**
 * Why a text is not a time:
 *
 * - `format`: it has another form.
 * - `space`: it has a space where the offset's `+` belongs.
 * - `offset`: it is a day and a time without an offset.
 * - `date`: no such day, hour, minute, second or offset exists.
 * - `range`: the Moscow year is outside 1..9999.
 */
export type TimeProblem = 'format' | 'date' | 'range' | 'space' | 'offset'

type Failure = { ok: false; reason: TimeProblem }
export type ParsedTime = { ok: true; instant: Instant } | Failure
export type ParsedDate = { ok: true; date: string } | Failure

export const minute = 60_000
/** In milliseconds. */
export const hour = 60 * minute
/** In milliseconds. */
export const day = 24 * hour

const offset = '+03:00'
const offsetMs = 3 * hour
const earliest = Temporal.Instant.from(`0001-01-01T00:00:00${offset}`).epochMilliseconds
const afterLatest = Temporal.Instant.from(`+010000-01-01T00:00:00${offset}`).epochMilliseconds

const dateForm = /^\d{4}-\d\d-\d\d$/
const timeForm =
  /^(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:)(\d\d)(?:\.(\d+))?(?:([Zz])|([+\- ])(\d\d):(\d\d))?$/

/** Shows an instant. Throws RangeError outside the Moscow years 1..9999 and for a non-integer. */
export function toTimestamp(instant: Instant): Timestamp {
  const date = moscowDate(instant)
  const ofDay = (instant + offsetMs) % day
  const time = ofDay < 0 ? ofDay + day : ofDay
  const hours = pad2(Math.floor(time / hour))
  const minutes = pad2(Math.floor(time / minute) % 60)
  const seconds = pad2(Math.floor(time / 1000) % 60)
  return `${date}T${hours}:${minutes}:${seconds}.${pad3(time % 1000)}${offset}` as Timestamp
}

/** The instant a timestamp shows: the inverse of `toTimestamp`. */
export function fromTimestamp(timestamp: Timestamp): Instant {
  return Date.parse(timestamp)
}

/** The Moscow date of an instant, YYYY-MM-DD. Throws RangeError as `toTimestamp` does. */
export function moscowDate(instant: Instant): string {
  if (!Number.isInteger(instant) || !isInstant(instant)) throw new RangeError(`no time: ${instant}`)
  return dateOfDay(Math.floor((instant + offsetMs) / day))
}

/** The date of a day or a moment as people write it: `30.11.2026`; a month is `11.2026`. */
export function dottedDate(text: string): string {
  return text.slice(0, 10).split('-').toReversed().join('.')
}

/** The first instant of a Moscow date YYYY-MM-DD. Throws RangeError if the date does not exist. */
export function midnight(date: string): Instant {
  const start = dateForm.test(date) ? startOfDate(date) : undefined
  if (start === undefined || !isInstant(start)) throw new RangeError(`no date: ${date}`)
  return start
}

/** A Moscow date YYYY-MM-DD as the time of its midnight. Throws RangeError as `midnight` does. */
export function toMidnight(date: string): Timestamp {
  return toTimestamp(midnight(date))
}

/**
 * Reads RFC 3339 with any offset or `Z` and any number of fraction digits, or YYYY-MM-DD as Moscow
 * midnight (specification, Conventions 2). Fractions of a millisecond are rounded up: stored times
 * have whole milliseconds, so `>=` and `<` with the result select the same rows as the exact time.
 */
export function parseTime(text: string): ParsedTime {
  const time = read(text)
  if (!time.ok) return time
  const instant = time.finer ? time.instant + 1 : time.instant
  return isInstant(instant) ? { ok: true, instant } : { ok: false, reason: 'range' }
}

/** Reads the forms of `parseTime` and returns the Moscow date of that time, YYYY-MM-DD. */
export function parsePlannedDate(text: string): ParsedDate {
  const time = read(text)
  if (!time.ok) return time
  if (!isInstant(time.instant)) return { ok: false, reason: 'range' }
  return { ok: true, date: moscowDate(time.instant) }
}

/** Whether an instant can be shown: its Moscow year is in 1..9999. */
export function isInstant(instant: Instant): boolean {
  return instant >= earliest && instant < afterLatest
}

type ReadTime = { ok: true; instant: Instant; finer: boolean } | Failure

/**
 * The millisecond in which a time lies, and whether the time is later than that millisecond's
 * start.
 */
function read(text: string): ReadTime {
  if (text.length === 10) return readDate(text)
  const match = timeForm.exec(text)
  if (match === null) return { ok: false, reason: 'format' }
  const [, clock = '', second = '', fraction = '', utc, sign, hours = '00', minutes = '00'] = match
  if (utc === undefined && sign === undefined) return { ok: false, reason: 'offset' }
  if (sign === ' ') return { ok: false, reason: 'space' }
  const zone = `${sign ?? '+'}${hours}:${minutes}`
  if (second === '60') return readLeapSecond(`${clock}59${zone}`)
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0')
  const instant = parseInstant(`${clock}${second}.${milliseconds}${zone}`)
  if (instant === undefined) return { ok: false, reason: 'date' }
  return { ok: true, instant, finer: /[1-9]/.test(fraction.slice(3)) }
}

/** The second after the given one, if it begins a month in UTC. */
function readLeapSecond(before: string): ReadTime {
  const last = parseInstant(before)
  if (last === undefined) return { ok: false, reason: 'date' }
  const next = last + 1000
  const beginsMonth = next % day === 0 && new Date(next).getUTCDate() === 1
  return beginsMonth ? { ok: true, instant: next, finer: false } : { ok: false, reason: 'date' }
}

function readDate(text: string): ReadTime {
  if (!dateForm.test(text)) return { ok: false, reason: 'format' }
  const instant = startOfDate(text)
  return instant === undefined ? { ok: false, reason: 'date' } : { ok: true, instant, finer: false }
}

/**
 * Moscow midnight of a text in the form YYYY-MM-DD, year 0 included; undefined if no such day
 * exists.
 */
function startOfDate(date: string): Instant | undefined {
  return parseInstant(`${date}T00:00:00${offset}`)
}

/** The moment of a text in RFC 3339 with an offset; undefined if there is none. */
export function parseInstant(text: string): Instant | undefined {
  try {
    return Temporal.Instant.from(text).epochMilliseconds
  } catch {
    return undefined
  }
}

/**
 * Dates by day, counted from 1970-01-01. Showing a time with Temporal alone takes several times as
 * long, and a list of the API shows thousands of times that lie on a few days.
 */
const datesOfDays = new Map<number, string>()
const datesOfDaysMax = 4096

function dateOfDay(number: number): string {
  const known = datesOfDays.get(number)
  if (known !== undefined) return known
  const start = Temporal.Instant.fromEpochMilliseconds(number * day - offsetMs)
  const date = start.toZonedDateTimeISO(offset).toPlainDate().toString()
  if (datesOfDays.size >= datesOfDaysMax) datesOfDays.clear()
  datesOfDays.set(number, date)
  return date
}

function pad2(value: number): string {
  return value < 10 ? `0${value}` : `${value}`
}

function pad3(value: number): string {
  return value < 100 ? `0${pad2(value)}` : `${value}`
}
