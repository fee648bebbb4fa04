import type { Instant } from '../../../platform/kernel/moscow-time.ts'

/** A marketplace's clock may differ from ours by this much. */
export const clockSkewMsMax = 5 * 60_000

/**
 * The time at a marketplace. Its lists are asked for by time, so a service whose clock is wrong would miss what
 * changes meanwhile. Every answer names its time (`Date`): where ours differs by more than clocks usually do, the
 * marketplace's counts from that answer on, until the two agree again.
 */
export interface MarketplaceClock {
  now(): Instant
  /** Reads the time of an answer. */
  heed(attempt: Answer): void
}

interface Answer {
  /** `baseUrl`: another host than the usual one. */
  readonly call: { readonly baseUrl?: string }
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>
}

/** `report` gets by how much our clock is ahead of the marketplace's, whenever that changes; 0: they agree. */
export function openMarketplaceClock(
  own: () => Instant,
  report: (aheadMs: number) => void,
): MarketplaceClock {
  let offset = 0
  const now = () => own() + offset
  return {
    now,
    heed({ call, status = 0, headers = {} }) {
      // Files come from hosts of their own, and refusals may come from a proxy on the way.
      if (call.baseUrl !== undefined || status < 200 || status >= 300) return
      const answered = Date.parse(String(headers.date))
      if (Number.isNaN(answered) || Math.abs(now() - answered) <= clockSkewMsMax) return
      const behind = answered - own()
      offset = Math.abs(behind) <= clockSkewMsMax ? 0 : behind
      report(offset === 0 ? 0 : -offset)
    },
  }
}

/**
 * The moment before a call, `elapsedMs` ago. By the clock of that time it was `before`; the answer, or somebody who
 * set our clock meanwhile, may have corrected the clock.
 */
export function momentBefore(before: Instant, elapsedMs: number, now: Instant): Instant {
  const begun = Math.round(now - elapsedMs)
  return Math.abs(begun - before) > clockSkewMsMax ? begun : before
}
