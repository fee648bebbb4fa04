/**
 * When a delivery is repeated, and how long a subscription queue is paused (specification, Delivery
 * rules). Pure; times in milliseconds.
 */

/** Pauses after the 1st, 2nd, … failed attempt. A delivery gets one attempt more than there are pauses. */
export type RetrySchedule = readonly number[]

const minute = 60_000
const hour = 60 * minute

export const standardSchedule: RetrySchedule = [
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  12 * hour,
  12 * hour,
  12 * hour,
]

/** Failures in a row after which a subscription is disabled. */
export const failuresMax = 8

const jitterShare = 0.1
const jitterMaxMs = 2_000

/**
 * The pause of a delivery after so many failed attempts; undefined after the last one. `chance`, between
 * 0 and 1, adds up to a tenth of the pause and at most two seconds.
 */
export function retryPause(
  schedule: RetrySchedule,
  attempts: number,
  chance: number,
): number | undefined {
  const pause = schedule[attempts - 1]
  if (pause === undefined) return undefined
  return Math.round(pause + Math.min(pause * jitterShare, jitterMaxMs) * chance)
}

/**
 * The pause of a queue after so many failures in a row. After the first one there is none: from then on
 * attempts come one at a time. From the second one on the pauses of the schedule pass between attempts.
 */
export function pauseAfterFailures(schedule: RetrySchedule, failuresInRow: number): number {
  if (failuresInRow < 2) return 0
  return schedule[failuresInRow - 2] ?? schedule.at(-1) ?? 0
}
