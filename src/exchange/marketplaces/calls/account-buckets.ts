import type { Database } from '../../../platform/db/connection.ts'
import {
  holdMsMax,
  type LimitRule,
  type Limits,
  limitsOf,
  realTime,
  type Time,
  waitMsMax,
} from './limits.ts'

/**
 * Stores the buckets of marketplace accounts in the database and counts by its clock.
 *
 * - All processes share the buckets, and they survive a restart of any process.
 * - Each step is one statement on one row and waits for no disk. A call that waits for its place
 *   holds no connection.
 * - All arithmetic is in whole microseconds.
 * - When the clock goes back, an account does not wait until the clock is there again. It waits, with all its parts,
 *   for a full bucket and a minute. A hold lasts as long as it was meant to, an hour at most.
 *
 * `db` is a pool of its own with one connection (`openBeside`). So calls to marketplaces and calls of the API do not
 * wait for each other's connections.
 */
export function openSharedLimits(db: Database, rule: LimitRule, time: Time = realTime): Limits {
  const microsOf = (calls: number, { intervalMs } = rule) => Math.ceil(calls * intervalMs * 1000)
  const burstMicros = microsOf(rule.burst)
  /** Two processes that hold an account at the same time read the clock this far apart at most. */
  const sameClockMicros = 1_000_000

  /**
   * Mends times that lie too far ahead because the clock went back: it moves them to the furthest moment that waiting
   * allows. The account and all its parts are mended together, so they wait at the same time, not one after the
   * other. Waiting and charged calls fill a bucket no further than two minutes ahead. A hold that was made at a later
   * clock lasts as long as it was meant to.
   */
  async function followClock(accountOrPart: string): Promise<void> {
    const [account] = accountOrPart.split(' ', 1) as [string]
    const fullMax = burstMicros + waitMsMax * 1000
    const heldMax = holdMsMax * 1000
    await db`
      update marketplace_buckets set
        full_at = case when full_at > now_micros() + ${fullMax + waitMsMax * 1000}::bigint
          then now_micros() + ${fullMax}::bigint else full_at end,
        held_until = least(
          case when held_at > now_micros() then now_micros() + held_until - held_at else held_until end,
          now_micros() + ${heldMax}::bigint),
        held_at = least(held_at, now_micros())
      where account = ${account} or account > ${`${account} `} and account < ${`${account}!`}`
  }

  /** Microseconds until the hold ends, and whether the clock went back since it was made. */
  async function holdOf(name: string) {
    const [row = { wait: 0, isOfLaterClock: false }] = await db<
      { wait: number; isOfLaterClock: boolean }[]
    >`
      select held_until - now_micros() as wait, held_at > now_micros() as "isOfLaterClock"
      from marketplace_buckets where account = ${name}`
    return row
  }

  return limitsOf(
    {
      async reserve(account, cost, given = rule) {
        const taken = microsOf(Math.min(cost, given.burst), given)
        const burstMicros = microsOf(given.burst, given)
        const [row] = await db<[{ wait: number }?]>`
          insert into marketplace_buckets as b (account, full_at, held_until)
          values (${account}, now_micros() + ${taken}::bigint, 0)
          on conflict (account) do update
            set full_at = greatest(b.full_at, b.held_until, now_micros()) + ${taken}::bigint
            where greatest(b.held_until, b.full_at + ${taken}::bigint - ${burstMicros}::bigint)
              <= now_micros() + ${waitMsMax * 1000}::bigint
          returning greatest(held_until, full_at - ${burstMicros}::bigint) - now_micros() as wait`
        if (row !== undefined) return Math.ceil(Math.max(0, row.wait) / 1000)
        await followClock(account)
        return undefined
      },

      async heldMs(name) {
        let hold = await holdOf(name)
        if (hold.isOfLaterClock) {
          await followClock(name)
          hold = await holdOf(name)
        }
        return Math.ceil(Math.max(0, hold.wait) / 1000)
      },

      async isOtherPartHeld(account, part) {
        const held = await db`
          select account from marketplace_buckets
          where account > ${`${account} `} and account < ${`${account}!`} and account <> ${part}
            and held_until > now_micros() limit 1`
        return held.length > 0
      },

      async charge(account, calls) {
        const charged = microsOf(calls)
        await db`
          insert into marketplace_buckets as b (account, full_at, held_until)
          values (${account}, now_micros() + ${charged}::bigint, 0)
          on conflict (account) do update
            set full_at = greatest(b.full_at, now_micros()) + ${charged}::bigint`
      },

      async leave(account, calls) {
        const taken = burstMicros - microsOf(Math.min(calls, rule.burst))
        await db`
          insert into marketplace_buckets as b (account, full_at, held_until)
          values (${account}, now_micros() + ${taken}::bigint, 0)
          on conflict (account) do update
            set full_at = greatest(b.full_at, now_micros() + ${taken}::bigint)`
      },

      async hold(name, ms) {
        await db`
          insert into marketplace_buckets as b (account, full_at, held_until, held_at)
          values (${name}, 0, now_micros() + ${Math.ceil(ms * 1000)}::bigint, now_micros())
          on conflict (account) do update set
            held_until = greatest(excluded.held_until,
              case when b.held_at > excluded.held_at + ${sameClockMicros}::bigint then 0 else b.held_until end),
            held_at = excluded.held_at`
      },
    },
    time,
  )
}

/** Deletes the rows of full buckets that are not held; a missing row means a full bucket. */
export async function forgetFullAccounts(db: Database): Promise<void> {
  await db`
    delete from marketplace_buckets where full_at < now_micros() and held_until < now_micros()`
}

/**
 * How fast the time of marketplaces passes: their limits, the pauses that they ask for and the pauses
 * between attempts. It is 1, except in tests, which would otherwise wait for most of their time. No
 * setting of the service changes it.
 */

export function limitsAtSpeed(db: Database, rule: LimitRule, speed: number): Limits {
  const { take, charge, leave, hold, holdPart } = openSharedLimits(db, {
    ...rule,
    intervalMs: rule.intervalMs / speed,
  })
  return {
    take: (account, cost, part, apartMs = 0) => take(account, cost, part, apartMs / speed),
    charge,
    leave,
    hold: (accountOrPart, ms) => hold(accountOrPart, ms / speed),
    holdPart: (account, part, ms) => holdPart(account, part, ms / speed),
  }
}

export function timeAtSpeed(speed: number): Time {
  return { wait: (ms) => realTime.wait(ms / speed) }
}
