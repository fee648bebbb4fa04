import { day, hour, type Instant, midnight, moscowDate } from '../../platform/kernel/moscow-time.ts'

/** When letters go. All hours are of Moscow. Pure. */

/** Whole hours; the first is quiet, the last is not. `from` may be later than `to`: over midnight. */
export interface QuietHours {
  readonly from: number
  readonly to: number
}

/** The moment itself, or the end of the quiet hours that it lies in. */
export function afterQuiet(now: Instant, quiet: QuietHours | undefined): Instant {
  if (quiet === undefined) return now
  const { from, to } = quiet
  const hourOfDay = Math.floor((now - midnight(moscowDate(now))) / hour)
  const isQuiet =
    from <= to ? hourOfDay >= from && hourOfDay < to : hourOfDay >= from || hourOfDay < to
  return isQuiet ? nextHour(now, to) : now
}

/** The next moment at which this hour begins, after `now`. */
export function nextHour(now: Instant, hourOfDay: number): Instant {
  const today = midnight(moscowDate(now)) + hourOfDay * hour
  return today > now ? today : today + day
}
