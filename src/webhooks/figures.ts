import { type Database, inTransaction, type Transaction } from '../db/connection.ts'
import { inTime } from '../db/in-time.ts'
import { fromTimestamp, type Instant, type Timestamp, toTimestamp } from '../kernel/moscow-time.ts'

/** How webhooks fare over all clients and processes, for the operator. */
export interface WebhookFigures {
  readonly enabled: boolean
  /** Pending deliveries. */
  readonly pending: {
    /** Their time has come, and their subscription may be tried: they should go out at once. */
    readonly due: number
    /** Their time has come, but their subscription rests after failures. */
    readonly resting: number
    /** Their next attempt lies ahead. */
    readonly later: number
  }
  /** For how long the oldest of those that are due could have been tried; 0 where none is. */
  readonly oldestDueMs: number
  readonly subscriptions: readonly SubscriptionCount[]
  /** Since the server's statistics began; those of changes that were rolled back are among them. */
  readonly eventsWritten: number
}

export interface SubscriptionCount {
  readonly mode: 'live' | 'test'
  readonly state: SubscriptionState
  readonly count: number
}

export const subscriptionStates = ['healthy', 'failing', 'disabled'] as const
export type SubscriptionState = (typeof subscriptionStates)[number]

const timeoutMs = 10_000

/** Takes time by the number of subscriptions and by the backlog, and none by the length of the log. */
export function webhookFigures(db: Database, now: Instant): Promise<WebhookFigures> {
  return inTransaction(db, (tx) =>
    inTime(tx, timeoutMs, async () => {
      const [row] = await tx<[{ enabled: boolean; eventsWritten: number }]>`
        select enabled, pg_stat_get_tuples_inserted('events'::regclass) as "eventsWritten"
        from service_switches where name = 'webhooks'`
      return { ...row, ...(await backlog(tx, now)), subscriptions: await countSubscriptions(tx) }
    }),
  )
}

async function backlog(
  tx: Transaction,
  now: Instant,
): Promise<Pick<WebhookFigures, 'pending' | 'oldestDueMs'>> {
  const [{ since, ...pending }] = await tx<
    [WebhookFigures['pending'] & { since: Timestamp | null }]
  >`
    select coalesce(sum(come) filter (where not rests), 0)::int8 as due,
      coalesce(sum(come) filter (where rests), 0)::int8 as resting,
      coalesce(sum(later), 0)::int8 as later,
      min(greatest(first, resting_until)) filter (where come > 0 and not rests) as since
    from (
      select client_id, webhook_id, min(next_attempt_at) as first,
        count(*) filter (where next_attempt_at <= ${toTimestamp(now)}) as come,
        count(*) filter (where next_attempt_at > ${toTimestamp(now)}) as later
      from deliveries where status = 'PENDING' group by client_id, webhook_id
    ) l
    join webhooks w on w.client_id = l.client_id and w.id = l.webhook_id
    cross join lateral (
      select coalesce(w.resting_until > ${toTimestamp(now)}, false) as rests
    ) r
    where w.disabled_at is null`
  return { pending, oldestDueMs: since === null ? 0 : Math.max(0, now - fromTimestamp(since)) }
}

async function countSubscriptions(tx: Transaction): Promise<SubscriptionCount[]> {
  const rows = await tx<SubscriptionCount[]>`
    select c.mode, count(*), case when w.disabled_at is not null then 'disabled'
      when w.failures_in_row > 0 then 'failing' else 'healthy' end as state
    from webhooks w join clients c on c.id = w.client_id group by 1, 3`
  return [...rows]
}
