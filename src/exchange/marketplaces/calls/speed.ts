import type { Database } from '../../../platform/db/connection.ts'
import { openSharedLimits } from './account-buckets.ts'
import { type LimitRule, type Limits, realTime, type Time } from './limits.ts'

/**
 * How fast the time of marketplaces passes: their limits, the pauses that they ask for and the pauses
 * between attempts. It is 1, except in tests, which would otherwise wait for most of their time. No
 * setting of the service changes it.
 */

export function limitsAtSpeed(db: Database, rule: LimitRule, speed: number): Limits {
  const { take, charge, hold, holdPart } = openSharedLimits(db, {
    ...rule,
    intervalMs: rule.intervalMs / speed,
  })
  return {
    take: (account, cost, part, apartMs = 0) => take(account, cost, part, apartMs / speed),
    charge,
    hold: (accountOrPart, ms) => hold(accountOrPart, ms / speed),
    holdPart: (account, part, ms) => holdPart(account, part, ms / speed),
  }
}

export function timeAtSpeed(speed: number): Time {
  return { wait: (ms) => realTime.wait(ms / speed) }
}
