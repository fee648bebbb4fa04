/**
 * A token bucket stored as one number (the generic cell rate algorithm): the time at which it is
 * full again. A call moves that time one interval ahead; the bucket is empty if the time is
 * `capacity` intervals ahead. All numbers are integers in microseconds, so that SQL computes
 * exactly the same and nothing is rounded.
 *
 * A clock that goes back leaves the time too far ahead. A bucket that is more than a second further
 * ahead than its capacity allows counts as empty, so a key waits for one interval and not for the
 * clock. The second covers statements that read the clock before they wait for the bucket's row.
 */
export interface BucketRule {
  /** Calls at once from a full bucket, at least 1. */
  readonly capacity: number
  /** Microseconds until one token returns, an integer of at least 1. */
  readonly intervalMicros: number
}

export interface BucketState {
  readonly limit: number
  readonly intervalMicros: number
  readonly remaining: number
  /** Unix time in seconds by which the bucket is full, rounded up. */
  readonly resetUnixSeconds: number
  /** Seconds until the bucket is full, rounded up. */
  readonly fullInSeconds: number
  /** Seconds until the bucket has a token, rounded up, at least 1. */
  readonly retryAfterSeconds: number
}

const SECOND = 1_000_000

/** The values of the rate headers (specification, Limits). */
export function describe(rule: BucketRule, fullAt: number | undefined, now: number): BucketState {
  const base = baseOf(rule, fullAt, now)
  const tokenAt = base - (rule.capacity - 1) * rule.intervalMicros
  return {
    limit: rule.capacity,
    intervalMicros: rule.intervalMicros,
    remaining: tokens(rule, base, now),
    resetUnixSeconds: Math.ceil(base / SECOND),
    fullInSeconds: Math.ceil((base - now) / SECOND),
    retryAfterSeconds: Math.max(1, Math.ceil((tokenAt - now) / SECOND)),
  }
}

/** When the bucket will be full: not before now, and not too far ahead (see above). */
function baseOf(rule: BucketRule, fullAt: number | undefined, now: number): number {
  const empty = now + rule.capacity * rule.intervalMicros
  return fullAt !== undefined && fullAt > empty + SECOND ? empty : Math.max(fullAt ?? now, now)
}

/** Whole tokens in the bucket. */
function tokens(rule: BucketRule, base: number, now: number): number {
  const spent = Math.ceil((base - now) / rule.intervalMicros)
  return Math.max(0, rule.capacity - spent)
}
