import { type Database, inTransaction, type Transaction } from '../../platform/db/connection.ts'
import { isStaying } from '../../platform/db/leaving.ts'
import { inTime } from '../../platform/db/transaction.ts'
import {
  fromTimestamp,
  type Instant,
  type Timestamp,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'

/** Figures of webhooks over all clients and processes, for the operator. */
export interface WebhookFigures {
  readonly enabled: boolean
  /** Pending deliveries. */
  readonly pending: {
    /** Due, and their queue may send: they should be on their way at once. */
    readonly due: number
    /** Due, but their queue is paused after failures. */
    readonly paused: number
    /** Due in the future. */
    readonly later: number
  }
  /** How long the oldest due delivery could have been sent already; 0 if none is due. */
  readonly oldestDueMs: number
  readonly subscriptions: readonly SubscriptionCount[]
  /** Since the database exists, events that were rolled back included. */
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

/** The cost grows with the number of subscriptions and the backlog, not with the length of the log. */
export function webhookFigures(db: Database, now: Instant): Promise<WebhookFigures> {
  return inTransaction(db, (tx) =>
    inTime(tx, timeoutMs, async () => {
      const [row] = await tx<[{ enabled: boolean; eventsWritten: number }]>`
        select enabled, coalesce(pg_sequence_last_value('events_number_seq'), 0) as "eventsWritten"
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
    select coalesce(sum(due) filter (where not paused), 0)::int8 as due,
      coalesce(sum(due) filter (where paused), 0)::int8 as paused,
      coalesce(sum(later), 0)::int8 as later,
      min(greatest(first, paused_until)) filter (where due > 0 and not paused) as since
    from (
      select client_id, webhook_id, min(next_attempt_at) as first,
        count(*) filter (where next_attempt_at <= ${toTimestamp(now)}) as due,
        count(*) filter (where next_attempt_at > ${toTimestamp(now)}) as later
      from pending_deliveries group by client_id, webhook_id
    ) q
    join webhook_subscriptions w on w.client_id = q.client_id and w.id = q.webhook_id
    cross join lateral (
      select coalesce(w.paused_until > ${toTimestamp(now)}, false) as paused
    ) p
    where w.disabled_at is null and ${isStaying(tx, 'w.client_id')}`
  return { pending, oldestDueMs: since === null ? 0 : Math.max(0, now - fromTimestamp(since)) }
}

async function countSubscriptions(tx: Transaction): Promise<SubscriptionCount[]> {
  const rows = await tx<SubscriptionCount[]>`
    select c.mode, count(*), case when w.disabled_at is not null then 'disabled'
      when w.failures_in_row > 0 then 'failing' else 'healthy' end as state
    from webhook_subscriptions w join clients c on c.id = w.client_id group by 1, 3`
  return [...rows]
}
