/**
 * A marketplace's own limits, kept before they are hit: a bucket of calls an account. A call reserves its
 * place in the bucket, is told how far off that is, and waits in its process, holding nothing. Calls go in
 * the order in which they asked; accounts wait for their own bucket only.
 *
 * The service's buckets are in the database (account-buckets.ts). Those of `openLimits` are in memory, for
 * tests alone: there the same arithmetic runs by a clock that tests move.
 */
export interface LimitRule {
  /** Calls at once from a full bucket. */
  readonly burst: number
  /** A call comes back every so many milliseconds. */
  readonly intervalMs: number
}

export interface Limits {
  /**
   * Resolves when a call may go that costs as much as so many, one unless told.
   *
   * @throws AccountHeld at once, taking nothing, where that is more than `waitMsMax` off
   */
  take(account: string, cost?: number): Promise<void>
  /** Takes calls away that the marketplace charges on top. */
  charge(account: string, calls: number): Promise<void>
  /** No call of the account goes before so many milliseconds have passed; `holdMsMax` at most. */
  hold(account: string, ms: number): Promise<void>
}

/** A call that would have to wait for longer is given up: who asked is answered, and asks again later. */
export const waitMsMax = 60_000
/** What a marketplace says of longer waits is not believed. */
export const holdMsMax = 3_600_000

/** The account's next call is further off than anybody waits. */
export class AccountHeld extends Error {
  override readonly name = 'AccountHeld'
}

/** Where buckets are kept; each of these is one step that no other can come between. */
export interface Buckets {
  /** Takes a place and tells in how many milliseconds it is; undefined and none where it is too far off. */
  reserve(account: string, cost: number): Promise<number | undefined>
  /** Whether no call may go now, whatever place it has. */
  isHeld(account: string): Promise<boolean>
  charge(account: string, calls: number): Promise<void>
  hold(account: string, ms: number): Promise<void>
}

export interface Time {
  /** Milliseconds that only grow. */
  now(): number
  wait(ms: number): Promise<void>
}

export const realTime: Time = {
  now: () => performance.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

export function limitsOf(buckets: Buckets, { wait }: Pick<Time, 'wait'>): Limits {
  return {
    async take(account, cost = 1) {
      for (;;) {
        const waitMs = await buckets.reserve(account, cost)
        if (waitMs === undefined) throw new AccountHeld()
        if (waitMs <= 0) return
        await wait(waitMs)
        // The marketplace may have told another call to wait meanwhile: then the place is void.
        if (!(await buckets.isHeld(account))) return
      }
    },
    charge: buckets.charge,
    hold: (account, ms) => buckets.hold(account, Math.min(ms, holdMsMax)),
  }
}

/** Times in milliseconds of one clock. */
export interface Bucket {
  /** When the bucket will be full. */
  readonly fullAt: number
  readonly heldUntil: number
}

/** The bucket with the next place taken, and when that is. A call never costs more than the burst. */
export function reserved(rule: LimitRule, bucket: Bucket, cost: number, now: number) {
  const taken = Math.min(cost, rule.burst) * rule.intervalMs
  const fullAt = Math.max(bucket.fullAt, bucket.heldUntil, now) + taken
  const at = Math.max(bucket.heldUntil, now, fullAt - rule.burst * rule.intervalMs)
  return { at, bucket: { ...bucket, fullAt } }
}

/** Buckets that nobody has used are forgotten when they are this many. */
const bucketsMax = 10_000

/** In memory, for tests. */
export function openLimits(rule: LimitRule, time: Time = realTime): Limits {
  const buckets = new Map<string, Bucket>()
  const bucketOf = (account: string) => buckets.get(account) ?? { fullAt: 0, heldUntil: 0 }

  function keep(account: string, bucket: Bucket): void {
    if (buckets.size >= bucketsMax && !buckets.has(account)) forgetFull()
    buckets.set(account, bucket)
  }

  function forgetFull(): void {
    const now = time.now()
    for (const [account, { fullAt, heldUntil }] of buckets) {
      if (fullAt <= now && heldUntil <= now) buckets.delete(account)
    }
  }

  const kept: Buckets = {
    async reserve(account, cost) {
      const now = time.now()
      const { at, bucket } = reserved(rule, bucketOf(account), cost, now)
      if (at - now > waitMsMax) return undefined
      keep(account, bucket)
      return at - now
    },
    async isHeld(account) {
      return bucketOf(account).heldUntil > time.now()
    },
    async charge(account, calls) {
      const bucket = bucketOf(account)
      const fullAt = Math.max(bucket.fullAt, time.now()) + calls * rule.intervalMs
      keep(account, { ...bucket, fullAt })
    },
    async hold(account, ms) {
      const bucket = bucketOf(account)
      keep(account, { ...bucket, heldUntil: Math.max(bucket.heldUntil, time.now() + ms) })
    },
  }
  return limitsOf(kept, time)
}
