/**
 * A marketplace's own limits, kept before they are hit: a bucket of calls an account, in this
 * process. Accounts wait for their own bucket only, in the order in which they asked.
 */
export interface LimitRule {
  /** Calls at once from a full bucket. */
  readonly burst: number
  /** A call comes back every so many milliseconds. */
  readonly intervalMs: number
}

export interface Limits {
  /** Resolves when a call of the account may go. */
  take(account: string): Promise<void>
  /** Takes calls away that the marketplace charges on top. */
  charge(account: string, calls: number): void
  /** No call of the account goes before so many milliseconds have passed. */
  hold(account: string, ms: number): void
}

interface Bucket {
  /** When the bucket will be full again, in milliseconds of `now`. */
  fullAt: number
  heldUntil: number
  turn: Promise<void>
}

/** Buckets that nobody has used are forgotten when they are this many. */
const bucketsMax = 10_000

export interface Time {
  /** Milliseconds that only grow. */
  now(): number
  wait(ms: number): Promise<void>
}

export const realTime: Time = {
  now: () => performance.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

export function openLimits(rule: LimitRule, time: Time = realTime): Limits {
  const buckets = new Map<string, Bucket>()

  function bucketOf(account: string): Bucket {
    const known = buckets.get(account)
    if (known !== undefined) return known
    if (buckets.size >= bucketsMax) forgetFull()
    const bucket = { fullAt: 0, heldUntil: 0, turn: Promise.resolve() }
    buckets.set(account, bucket)
    return bucket
  }

  function forgetFull(): void {
    const now = time.now()
    for (const [account, { fullAt, heldUntil }] of buckets) {
      if (fullAt <= now && heldUntil <= now) buckets.delete(account)
    }
  }

  async function wait(bucket: Bucket): Promise<void> {
    for (;;) {
      const now = time.now()
      const room = bucket.fullAt - (rule.burst - 1) * rule.intervalMs
      const ready = Math.max(bucket.heldUntil, room)
      if (ready <= now) break
      await time.wait(ready - now)
    }
    bucket.fullAt = Math.max(bucket.fullAt, time.now()) + rule.intervalMs
  }

  return {
    take(account) {
      const bucket = bucketOf(account)
      bucket.turn = bucket.turn.then(() => wait(bucket))
      return bucket.turn
    },
    charge(account, calls) {
      const bucket = bucketOf(account)
      bucket.fullAt = Math.max(bucket.fullAt, time.now()) + calls * rule.intervalMs
    },
    hold(account, ms) {
      const bucket = bucketOf(account)
      bucket.heldUntil = Math.max(bucket.heldUntil, time.now() + ms)
    },
  }
}
