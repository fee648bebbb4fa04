import type { Database } from '../../db/connection.ts'
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
 * - When the clock goes back, an account waits for a full bucket and a minute with all its parts, not for the
 *   clock; a hold lasts an hour at most.
 *
 * `db` is a pool of its own with one connection (`openBeside`): a call whose place is due does not
 * queue behind the API, and a busy sync takes no connection from the API.
 */
export function openSharedLimits(db: Database, rule: LimitRule, time: Time = realTime): Limits {
  const microsOf = (calls: number, { intervalMs } = rule) => Math.ceil(calls * intervalMs * 1000)
  const burstMicros = microsOf(rule.burst)

  /**
   * Moves times that only a clock that went back since can have set as far ahead as they may be, in the account and
   * all its parts: they wait at the same time, not one after the other.
   * Calls that wait and calls that were charged fill a bucket no further than two minutes ahead.
   */
  async function followClock(accountOrPart: string): Promise<void> {
    const [account] = accountOrPart.split(' ', 1) as [string]
    const fullMax = burstMicros + waitMsMax * 1000
    const heldMax = holdMsMax * 1000
    await db`
      update marketplace_buckets set
        full_at = case when full_at > now_micros() + ${fullMax + waitMsMax * 1000}::bigint
          then now_micros() + ${fullMax}::bigint else full_at end,
        held_until = least(held_until, now_micros() + ${heldMax}::bigint)
      where account = ${account} or account > ${`${account} `} and account < ${`${account}!`}`
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
        const [row] = await db<[{ wait: number }?]>`
          select held_until - now_micros() as wait from marketplace_buckets
          where account = ${name}`
        const waitMs = Math.ceil(Math.max(0, row?.wait ?? 0) / 1000)
        if (waitMs > holdMsMax) await followClock(name)
        return Math.min(waitMs, holdMsMax)
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

      async hold(name, ms) {
        await db`
          insert into marketplace_buckets as b (account, full_at, held_until)
          values (${name}, 0, now_micros() + ${Math.ceil(ms * 1000)}::bigint)
          on conflict (account) do update
            set held_until = greatest(b.held_until, excluded.held_until)`
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
