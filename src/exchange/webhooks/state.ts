import type { Instant } from '../../platform/kernel/moscow-time.ts'
import { failuresMax, pauseAfterFailures, type RetrySchedule } from './schedule.ts'

/**
 * The states of a subscription queue. Pure.
 *
 *     healthy   --failure-------------------> probation
 *     probation --2nd, 3rd … failure--------> paused, until the pause of the schedule ends
 *     paused    --the pause ends------------> probation
 *     probation, paused --2xx---------------> healthy
 *     probation, paused --8th failure-------> disabled
 *     disabled  ----------------------------> nothing: the client creates the subscription again
 *
 * A healthy queue sends up to 16 deliveries at once. On probation it sends one at a time, first attempts before
 * repeats. A paused queue sends pings that the client asks for. While all failures in a row belong to one delivery,
 * it also sends first attempts of other deliveries: the receiver may refuse that event alone.
 *
 * A failure counts only if its attempt began after the last counted failure was known: sixteen attempts
 * that one outage cuts off together are one failure. So an outage disables a subscription after the
 * whole schedule and not before, however many events wait.
 */
export type QueueHealth = Healthy | Failing | Disabled

interface Healthy {
  readonly kind: 'healthy'
}

/** On probation or, until `pausedUntil`, paused. */
interface Failing {
  readonly kind: 'failing'
  readonly failuresInRow: number
  readonly lastFailureAt: Instant
  readonly pausedUntil: Instant
  /** The delivery that all failures in a row belong to; null where they belong to several. */
  readonly soleFailingDelivery: string | null
}

interface Disabled {
  readonly kind: 'disabled'
  readonly failuresInRow: number
  readonly lastFailureAt: Instant | null
  readonly pausedUntil: Instant | null
  readonly soleFailingDelivery: string | null
}

export interface AttemptResult {
  readonly deliveryId: string
  readonly ok: boolean
  readonly startedAt: Instant
}

/** After an attempt whose result is known at `now`. */
export function afterAttempt(
  health: QueueHealth,
  { deliveryId, ok, startedAt }: AttemptResult,
  now: Instant,
  schedule: RetrySchedule,
): QueueHealth {
  if (health.kind === 'disabled') return health
  if (ok) return { kind: 'healthy' }
  if (health.kind === 'healthy') return failing(schedule, 1, now, deliveryId)
  const sole = health.soleFailingDelivery === deliveryId ? deliveryId : null
  if (startedAt <= health.lastFailureAt) return { ...health, soleFailingDelivery: sole }
  return failing(schedule, health.failuresInRow + 1, now, sole)
}

function failing(
  schedule: RetrySchedule,
  failuresInRow: number,
  now: Instant,
  soleFailingDelivery: string | null,
): Failing | Disabled {
  const pausedUntil = now + pauseAfterFailures(schedule, failuresInRow)
  const kind = failuresInRow >= failuresMax ? 'disabled' : 'failing'
  return { kind, failuresInRow, lastFailureAt: now, pausedUntil, soleFailingDelivery }
}
