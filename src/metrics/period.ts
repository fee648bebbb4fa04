import { badRequest } from '../kernel/errors.ts'
import { type Instant, isInstant } from '../kernel/moscow-time.ts'

const day = 24 * 60 * 60 * 1000

export interface Period {
  /** Inclusive. */
  readonly from: Instant
  /** Exclusive. */
  readonly to: Instant
}

export interface PeriodLimits {
  readonly defaultDays: number
  readonly maxDays: number
}

/**
 * The period that is meant: the last days up to now, or as many from the bound that is given.
 * Throws bad_request where it is empty, turned round, too long or off the calendar.
 */
export function metricsPeriod(
  asked: { readonly from: Instant | undefined; readonly to: Instant | undefined },
  now: Instant,
  limits: PeriodLimits,
): Period {
  const span = limits.defaultDays * day
  const to = asked.to ?? (asked.from === undefined ? now : asked.from + span)
  const from = asked.from ?? to - span
  if (from >= to) throw badRequest('Параметр from должен быть раньше to')
  if (to - from > limits.maxDays * day) {
    throw badRequest(`Период from–to не длиннее ${limits.maxDays} дней`)
  }
  if (!isInstant(from) || !isInstant(to)) throw badRequest('Период from–to выходит за календарь')
  return { from, to }
}
