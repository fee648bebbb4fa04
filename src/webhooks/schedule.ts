/**
 * When a delivery is tried again, and when a subscription may be tried at all (specification,
 * Delivery rules). Pure; times in milliseconds.
 */

/** Pauses after the 1st, 2nd, … failed attempt. One attempt more than pauses is made in all. */
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

/** Failed attempts in a row after which a subscription is disabled. */
export const failuresMax = 8

const jitterShare = 0.1
const jitterMaxMs = 2_000

/** The pause after so many failed attempts, or undefined after the last; chance only adds to it. */
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
 * From when on a subscription with so many failures in a row may be tried again. The first failure
 * only makes attempts come one at a time; from the second on the pauses of the schedule pass between
 * them, so that an outage disables a subscription after the whole schedule and not before, however
 * many events wait.
 */
export function probationUntil(
  schedule: RetrySchedule,
  failuresInRow: number,
  lastFailureAt: number,
): number {
  if (failuresInRow < 2) return lastFailureAt
  return lastFailureAt + (schedule[failuresInRow - 2] ?? schedule.at(-1) ?? 0)
}
