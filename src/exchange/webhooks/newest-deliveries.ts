import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { DeliveryStatus } from './view.ts'

export interface DeliveryFilter {
  readonly clientId: string
  readonly webhookId: string
  /** Undefined: any. */
  readonly status?: DeliveryStatus | undefined
}

const allStatuses = ['PENDING', 'DELIVERED', 'FAILED'] as const

/**
 * The newest deliveries of a subscription, with the columns of `webhook_deliveries`, as a table expression. As many of
 * each status are read by its index, then merged. `condition` is a condition for the deliveries `d`.
 */
export function newestDeliveries(
  db: Queryable,
  { clientId, webhookId, status }: DeliveryFilter,
  { limit, condition }: { readonly limit: number; readonly condition: Fragment },
): Fragment {
  const newest = (columns: Fragment) => db`
    (select ${columns} d.client_id, d.id, d.webhook_id, d.event_id, d.event_type, d.attempts, d.last_attempt_at, d.last_status_code,
      d.last_error, d.last_duration_ms, d.earlier_attempts, d.created_at`
  const chosen = db`d.client_id = ${clientId} and d.webhook_id = ${webhookId} ${condition}`
  const order = db`order by d.created_at desc, d.id desc limit ${limit})`
  const parts = (status === undefined ? allStatuses : [status]).map((one) =>
    one === 'PENDING'
      ? db`${newest(db`'PENDING' as status, d.next_attempt_at,`)} from (
          select * from pending_deliveries where webhook_id = ${webhookId} offset 0
        ) d where ${chosen} ${order}`
      : db`${newest(db`d.status, null::timestamptz as next_attempt_at,`)} from ended_deliveries d
        where ${chosen} and d.status = ${one} ${order}`,
  )
  return parts.reduce((all, part) => db`${all} union all ${part}`)
}

/** How many deliveries there are, as an expression; the log is not counted but has tallies. */
export function countOfDeliveries(
  db: Queryable,
  { clientId, webhookId, status }: DeliveryFilter,
): Fragment {
  const own = db`client_id = ${clientId} and webhook_id = ${webhookId}`
  const pending = db`(select count(*) from pending_deliveries where ${own})`
  const ended = (tally: Fragment) =>
    db`(select coalesce(sum(${tally}), 0)::bigint from delivery_tallies where ${own})`
  if (status === 'PENDING') return pending
  if (status === undefined) return db`${pending} + ${ended(db`delivered + failed`)}`
  return ended(status === 'DELIVERED' ? db`delivered` : db`failed`)
}
