import type { Database } from '../../db/connection.ts'
import { type LimitRule, type Limits, limitsOf, realTime, type Time, waitMsMax } from './limits.ts'

/**
 * Stores the buckets of marketplace accounts in the database and counts by its clock.
 *
 * - All processes share the buckets, and they survive a restart of any process.
 * - Each step is one statement on one row and waits for no disk. A call that waits for its place
 *   holds no connection.
 * - All arithmetic is in whole microseconds.
 *
 * `db` is a pool of its own with one connection (`openBeside`): a call whose place is due does not
 * queue behind the API, and a busy sync takes no connection from the API.
 */
export function openSharedLimits(db: Database, rule: LimitRule, time: Time = realTime): Limits {
  const microsOf = (calls: number) => Math.ceil(calls * rule.intervalMs * 1000)
  const burstMicros = microsOf(rule.burst)

  return limitsOf(
    {
      async reserve(account, cost) {
        const taken = microsOf(Math.min(cost, rule.burst))
        const [row] = await db<[{ wait: number }?]>`
          insert into marketplace_buckets as b (account, full_at, held_until)
          values (${account}, now_micros() + ${taken}::bigint, 0)
          on conflict (account) do update
            set full_at = greatest(b.full_at, b.held_until, now_micros()) + ${taken}::bigint
            where greatest(b.held_until, b.full_at + ${taken}::bigint - ${burstMicros}::bigint)
              <= now_micros() + ${waitMsMax * 1000}::bigint
          returning greatest(held_until, full_at - ${burstMicros}::bigint) - now_micros() as wait`
        return row === undefined ? undefined : Math.ceil(Math.max(0, row.wait) / 1000)
      },

      async heldMs(name) {
        const [row] = await db<[{ wait: number }?]>`
          select held_until - now_micros() as wait from marketplace_buckets
          where account = ${name}`
        return Math.ceil(Math.max(0, row?.wait ?? 0) / 1000)
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
