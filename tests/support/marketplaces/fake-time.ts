import { setImmediate as otherWork } from 'node:timers/promises'
import type { Time } from '../../../src/exchange/marketplaces/calls/limits.ts'

/** How much faster the stand-ins' time passes: they need no pauses. */
export const marketplaceSpeed = 50

export interface ClockedTime extends Time {
  /** In milliseconds; never goes back. */
  now(): number
}

/** Time that passes only through waits. */
export interface PassingTime extends ClockedTime {
  /** All waits so far, in milliseconds. */
  readonly waits: readonly number[]
}

/** Every wait ends at once and moves the clock forward by its length. */
export function passingTime(): PassingTime {
  let now = 0
  const waits: number[] = []
  return {
    waits,
    now: () => now,
    async wait(ms) {
      waits.push(ms)
      now += ms
    },
  }
}

export interface SteppingTime extends ClockedTime {
  /** Ends all waits, each at its time, until none is left. */
  run(): Promise<void>
  /** Ends the waits that are due within so many milliseconds. */
  pass(ms: number): Promise<void>
}

/** Waits end in the order in which they are due, as with a real clock, but without delay. */
export function steppingTime(): SteppingTime {
  let now = 0
  let waiting: { at: number; resolve: () => void }[] = []

  async function runUntil(end: number): Promise<void> {
    for (;;) {
      await otherWork()
      const at = Math.min(...waiting.map((wait) => wait.at))
      if (waiting.length === 0 || at > end) return
      now = Math.max(now, at)
      const due = waiting.filter((wait) => wait.at <= at)
      waiting = waiting.filter((wait) => wait.at > at)
      for (const { resolve } of due) resolve()
    }
  }

  return {
    now: () => now,
    wait: (ms) => new Promise((resolve) => waiting.push({ at: now + ms, resolve })),
    run: () => runUntil(Number.POSITIVE_INFINITY),
    async pass(ms) {
      const end = now + ms
      await runUntil(end)
      now = end
    },
  }
}
