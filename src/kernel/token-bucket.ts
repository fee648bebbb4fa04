/**
 * A token bucket kept as one number (the generic cell rate algorithm): the moment at which it will be
 * full again. A call moves that moment one interval further; a bucket that holds `capacity` tokens is
 * empty when the moment lies `capacity` intervals ahead. All figures are integers in microseconds, so
 * the SQL of the gate can do the very same arithmetic, and nothing is ever lost to rounding.
 *
 * The present may not run backwards; where it does, the bucket only gets stricter.
 */
export interface BucketRule {
  /** Calls in a row from a full bucket, at least 1. */
  readonly capacity: number
  /** Microseconds in which one token comes back, an integer of at least 1. */
  readonly intervalMicros: number
}

export interface BucketState {
  readonly limit: number
  readonly remaining: number
  /** Unix time in seconds by which the bucket is full, rounded up. */
  readonly resetUnixSeconds: number
  /** Seconds until there is a token, rounded up, at least 1. */
  readonly retryAfterSeconds: number
}

const SECOND = 1_000_000

/**
 * Asks for `calls` tokens at `now` and grants as many as there are. `fullAt` is undefined for a
 * bucket that was never used; the new one is to be stored, also when nothing was granted.
 */
export function take(
  rule: BucketRule,
  fullAt: number | undefined,
  now: number,
  calls: number,
): { granted: number; fullAt: number } {
  const base = Math.max(fullAt ?? now, now)
  const granted = Math.min(calls, tokens(rule, base, now))
  return { granted, fullAt: base + granted * rule.intervalMicros }
}

/** What the rate headers say of a bucket (specification, Limits). */
export function describe(rule: BucketRule, fullAt: number | undefined, now: number): BucketState {
  const base = Math.max(fullAt ?? now, now)
  const tokenAt = base - (rule.capacity - 1) * rule.intervalMicros
  return {
    limit: rule.capacity,
    remaining: tokens(rule, base, now),
    resetUnixSeconds: Math.ceil(base / SECOND),
    retryAfterSeconds: Math.max(1, Math.ceil((tokenAt - now) / SECOND)),
  }
}

/** Whole tokens in the bucket; none where the rule has become smaller than what is already spent. */
function tokens(rule: BucketRule, base: number, now: number): number {
  const spent = Math.ceil((base - now) / rule.intervalMicros)
  return Math.max(0, rule.capacity - spent)
}
