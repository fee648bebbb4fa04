import type { Instant } from '../../../src/platform/kernel/moscow-time.ts'

/** How many calls a fake takes from each account. */
export type FakeLimit = FakeBucket | FakeWindow

/** `burst` calls at once, and one more every `intervalMs`. */
export interface FakeBucket {
  readonly burst: number
  readonly intervalMs: number
  /** The number of calls that a refused call counts as. */
  readonly refusalCost?: number
}

/** `calls` calls within any `withinMs`. */
export interface FakeWindow {
  readonly calls: number
  readonly withinMs: number
}

export interface Meter {
  /** Takes a call and returns 0, or returns the milliseconds until the account has one left. */
  take(account: string): number
  /** Counts the last call as refused. */
  refused(account: string): void
  remaining(account: string): number
  /** Calls at once at most, and in how many milliseconds all of them are back. */
  readonly most: number
  readonly fullInMs: (account: string) => number
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
    most: burst,
    fullInMs: (account) => fullAtOf(account) - now(),
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
    most: calls,
    fullInMs: () => withinMs,
  }
}
