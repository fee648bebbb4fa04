import {
  type Buckets,
  type LimitRule,
  type Limits,
  limitsOf,
  waitMsMax,
} from '../../../src/exchange/marketplaces/calls/limits.ts'
import type { ClockedTime } from './fake-time.ts'

/**
 * Buckets in memory, by a clock that tests move. The arithmetic is the same as in the database; a
 * test compares both.
 */

/** Times in milliseconds of one clock. */
interface Bucket {
  /** When the bucket will be full. */
  readonly fullAt: number
  readonly heldUntil: number
}

/**
 * Takes the next place; returns its time and the new bucket. A call never costs more than the
 * burst.
 */
export function takePlace(rule: LimitRule, bucket: Bucket, cost: number, now: number) {
  const taken = Math.min(cost, rule.burst) * rule.intervalMs
  const fullAt = Math.max(bucket.fullAt, bucket.heldUntil, now) + taken
  const at = Math.max(bucket.heldUntil, now, fullAt - rule.burst * rule.intervalMs)
  return { at, bucket: { ...bucket, fullAt } }
}

export function openLimits(rule: LimitRule, time: ClockedTime): Limits {
  const buckets = new Map<string, Bucket>()
  const bucketOf = (account: string) => buckets.get(account) ?? { fullAt: 0, heldUntil: 0 }
  const stored: Buckets = {
    async reserve(account, cost, given = rule) {
      const now = time.now()
      const { at, bucket } = takePlace(given, bucketOf(account), cost, now)
      if (at - now > waitMsMax) return undefined
      buckets.set(account, bucket)
      return at - now
    },
    async heldMs(name) {
      return Math.max(0, bucketOf(name).heldUntil - time.now())
    },
    async isOtherPartHeld(account, part) {
      return [...buckets].some(
        ([name, { heldUntil }]) =>
          name.startsWith(`${account} `) && name !== part && heldUntil > time.now(),
      )
    },
    async charge(account, calls) {
      const bucket = bucketOf(account)
      const fullAt = Math.max(bucket.fullAt, time.now()) + calls * rule.intervalMs
      buckets.set(account, { ...bucket, fullAt })
    },
    async leave(account, calls) {
      const bucket = bucketOf(account)
      const taken = Math.max(0, rule.burst - calls) * rule.intervalMs
      buckets.set(account, { ...bucket, fullAt: Math.max(bucket.fullAt, time.now() + taken) })
    },
    async hold(name, ms) {
      const bucket = bucketOf(name)
      buckets.set(name, { ...bucket, heldUntil: Math.max(bucket.heldUntil, time.now() + ms) })
    },
  }
  return limitsOf(stored, time)
}
