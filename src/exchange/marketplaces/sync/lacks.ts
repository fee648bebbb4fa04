import {
  day,
  fromTimestamp,
  type Instant,
  minute,
  type Timestamp,
  toTimestamp,
} from '../../../platform/kernel/moscow-time.ts'
import { isObsolete, isWithdrawn } from '../calls/failure.ts'
import { shownReason } from './failure-message.ts'

/**
 * What a marketplace refuses to a cabinet while all that matters is read: a call that it has withdrawn, or that this
 * key may not make. That is no failure of the cabinet. It is stored with the cabinet, since when it is missing, until
 * the marketplace answers again.
 */
export interface Lack {
  /** What is missing, in the plural. */
  readonly what: string
  readonly since: Timestamp
  /** When the marketplace was last asked. */
  readonly askedAt: Timestamp
  readonly reason: string
  /** The marketplace does not know the call: it says so, or has answered 404 for a day. */
  readonly withdrawn: boolean
}

/** A refused call costs ten at WB, so it is repeated after ten minutes, or after five runs where these take less. */
const againMs = 10 * minute
const againRuns = 5

/** Whether it is too early to ask again for what is missing. */
export function isPaused(lack: Lack | undefined, now: Instant, intervalMs: number): boolean {
  if (lack === undefined) return false
  const agoMs = now - fromTimestamp(lack.askedAt)
  return agoMs >= 0 && agoMs < Math.min(againMs, againRuns * intervalMs)
}

export function lackOf(what: string, error: unknown, before: Lack | undefined, now: Instant): Lack {
  const at = toTimestamp(now)
  const since = before?.since ?? at
  return {
    what,
    since,
    askedAt: at,
    reason: shownReason(error, false).replace(/\.$/, ''),
    withdrawn: isGone(error, since, now),
  }
}

/** Whether a refused call is no longer there: a 404 alone may also mean a missing object. */
export function isGone(error: unknown, since: Timestamp, now: Instant): boolean {
  return isWithdrawn(error) || (isObsolete(error) && now - fromTimestamp(since) >= day)
}
