import { badRequest, invalidParameter, type ServiceError } from '../../platform/kernel/errors.ts'
import { type Instant, isInstant } from '../../platform/kernel/moscow-time.ts'

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
 * Completes a requested period: without bounds it is the last `defaultDays` days, with one bound as
 * many days before or after it. Throws bad_request for a period that is empty, reversed, longer than
 * `maxDays` or outside of the calendar.
 */
export function metricsPeriod(
  requested: { readonly from: Instant | undefined; readonly to: Instant | undefined },
  now: Instant,
  limits: PeriodLimits,
): Period {
  const span = limits.defaultDays * day
  const to = requested.to ?? (requested.from === undefined ? now : requested.from + span)
  const from = requested.from ?? to - span
  if (from >= to) {
    throw invalidParameter('from', 'нужна дата раньше конца периода', 'from должен быть раньше to')
  }
  if (to - from > limits.maxDays * day) {
    throw wrongPeriod(`не длиннее ${limits.maxDays} дней`)
  }
  if (!isInstant(from) || !isInstant(to)) throw wrongPeriod('выходит за календарь')
  return { from, to }
}

/** Stands at the beginning: the end may be right. */
function wrongPeriod(rule: string): ServiceError {
  return badRequest(`Период from–to ${rule}`, [{ path: 'from', rule: `период ${rule}` }])
}
