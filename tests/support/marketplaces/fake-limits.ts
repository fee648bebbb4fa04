import type { Instant } from '../../../src/kernel/moscow-time.ts'

/** How many calls of an account a fake takes; all accounts are counted by themselves. */
export type FakeLimit = FakeBucket | FakeWindow

/** So many calls at once, and one more every so often. */
export interface FakeBucket {
  readonly burst: number
  readonly intervalMs: number
  /** A refused call costs as much as so many. */
  readonly refusalCost?: number
}

/** So many calls in any stretch of time of this length. */
export interface FakeWindow {
  readonly calls: number
  readonly withinMs: number
}

export interface Meter {
  /** Milliseconds until the account has a call left; 0 where it had one, which is taken. */
  take(account: string): number
  /** The call that came last was refused. */
  refused(account: string): void
  remaining(account: string): number
}

export function meterOf(limit: FakeLimit, now: () => Instant): Meter {
  return 'burst' in limit ? bucketOf(limit, now) : windowOf(limit, now)
}

function bucketOf({ burst, intervalMs, refusalCost = 1 }: FakeBucket, now: () => Instant): Meter {
  const fullAt = new Map<string, number>()
  const fullAtOf = (account: string) => Math.max(fullAt.get(account) ?? 0, now())
  return {
    take(account) {
      const full = fullAtOf(account)
      const waitMs = full - (burst - 1) * intervalMs - now()
      if (waitMs <= 0) fullAt.set(account, full + intervalMs)
      return Math.max(0, waitMs)
    },
    refused(account) {
      fullAt.set(account, fullAtOf(account) + (refusalCost - 1) * intervalMs)
    },
    remaining(account) {
      return Math.max(0, Math.floor(burst - (fullAtOf(account) - now()) / intervalMs))
    },
  }
}

function windowOf({ calls, withinMs }: FakeWindow, now: () => Instant): Meter {
  const times = new Map<string, number[]>()
  const recent = (account: string) =>
    (times.get(account) ?? []).filter((at) => at > now() - withinMs)
  return {
    take(account) {
      const taken = recent(account)
      const [oldest = 0] = taken.slice(-calls)
      if (taken.length >= calls) return oldest + withinMs - now()
      times.set(account, [...taken, now()])
      return 0
    },
    refused() {},
    remaining: (account) => calls - recent(account).length,
  }
}
