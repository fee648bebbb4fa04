import { type Database, inTransaction, type Transaction } from '../../platform/db/connection.ts'
import { sharedWorkAt } from '../../platform/db/work.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import {
  fromTimestamp,
  type Instant,
  type Timestamp,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import {
  deliveredAttempts,
  failPending,
  recordAttempts,
} from '../../warehouse/events/delivery-log.ts'
import { type News, tell } from '../../warehouse/events/news.ts'
import type { DueDelivery } from './due-deliveries.ts'
import { heldQueues, type SubscriptionQueue } from './leases.ts'
import { failuresMax, type RetrySchedule, retryPause } from './schedule.ts'
import type { Attempt } from './send.ts'
import { afterAttempt, type QueueHealth } from './state.ts'

/**
 * Records the outcomes of attempts, of any number of queues in one transaction: the attempt in the log, the
 * delivery's next state, and the health of its queue. It holds the locks of the subscriptions, and records only under
 * the lease that the attempt was made under. So a process that slept past its lease changes nothing.
 */
export interface AttemptOutcome {
  readonly delivery: DueDelivery
  readonly startedAt: Instant
  readonly attempt: Attempt
}

export interface QueueOutcome {
  readonly queue: SubscriptionQueue
  readonly outcome: AttemptOutcome
}

export interface RecordOptions {
  readonly db: Database
  readonly clock: Clock
  readonly schedule: RetrySchedule
  /** Between 0 and 1, for jitter. */
  readonly chance: () => number
  /** Called for each moment at which something of a client becomes due. */
  readonly onRetryAt?: ((clientId: string, at: Instant) => void) | undefined
}

export async function recordOutcomes(
  options: RecordOptions,
  outcomes: readonly QueueOutcome[],
): Promise<void> {
  const queues = byQueue(outcomes)
  const delivered = queues.filter(({ made }) => made.every(({ attempt }) => attempt.ok))
  const recorded = await recordDelivered(options, delivered)
  const left = queues.filter((each) => !recorded.has(each))
  if (left.length > 0) await recordAny(options, left)
}

/** What came of attempts of one queue, in the order of the answers. */
interface QueueOutcomes {
  readonly queue: SubscriptionQueue
  readonly made: readonly AttemptOutcome[]
}

function byQueue(outcomes: readonly QueueOutcome[]): readonly QueueOutcomes[] {
  const groups = Map.groupBy(outcomes, ({ queue }) => `${queue.webhookId} ${queue.lease}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    return first === undefined
      ? []
      : [{ queue: first.queue, made: group.map(({ outcome }) => outcome) }]
  })
}

/**
 * Records outcomes that are all 2xx, in one statement. Answers with those of the queues that were healthy: nothing is
 * recorded of the others.
 */
async function recordDelivered(
  { db, clock }: RecordOptions,
  queues: readonly QueueOutcomes[],
): Promise<ReadonlySet<QueueOutcomes>> {
  if (queues.length === 0) return new Set()
  const attempts = queues.flatMap(({ made }, index) =>
    made.map(({ delivery, startedAt, attempt }) => ({
      place: index + 1,
      id: delivery.id,
      attempts: delivery.attempts + 1,
      at: startedAt,
      statusCode: attempt.statusCode,
      durationMs: Math.round(attempt.durationMs),
    })),
  )
  const lastStatusCodes = queues.map(({ made }) => made.at(-1)?.attempt.statusCode ?? 0)
  const rows = await db<{ place: number }[]>`
    with ${heldQueues(
      db,
      queues.map(({ queue }) => queue),
    )}, healthy as (
      select client_id, id, place from held where failures_in_row = 0 and disabled_at is null
    ), ${deliveredAttempts(db, attempts)}
    update webhook_subscriptions w
    set last_delivery_at = ${toTimestamp(clock.now())}, last_status_code = (${lastStatusCodes}::int[])[h.place::int]
    from healthy h where w.client_id = h.client_id and w.id = h.id
    returning h.place`.planOnce()
  return new Set(rows.flatMap(({ place }) => queues[place - 1] ?? []))
}

async function recordAny(options: RecordOptions, queues: readonly QueueOutcomes[]): Promise<void> {
  const moments = await inTransaction(
    options.db,
    async (tx) => {
      const subscriptions = await tx<HealthRow[]>`
      with ${heldQueues(
        tx,
        queues.map(({ queue }) => queue),
      )}
      select client_id, id, url, place, failures_in_row, last_failure_at, paused_until, sole_failing_delivery, disabled_at
      from held`
      if (subscriptions.length === 0) return []
      const now = options.clock.now()
      const held = subscriptions.map((subscription) => ({
        subscription,
        made: queues[subscription.place - 1]?.made ?? [],
      }))
      const attempts = held.flatMap(({ subscription, made }) =>
        made.map((outcome) => attemptRow(options, subscription.client_id, outcome, now)),
      )
      const healths = held.map((each) => healthRow(options.schedule, each, now))
      await Promise.all([updateSubscriptions(tx, healths, now), recordAttempts(tx, attempts)])
      for (const { client_id, id, disabled_reason } of healths) {
        if (disabled_reason === null) continue
        await failPending(tx, client_id, id, `Подписка отключена: ${disabled_reason}`)
      }
      await tell(sharedWorkAt(tx, now), newsOf(held, healths))
      return retryMoments(attempts, healths)
    },
    undefined,
    { planOnce: true },
  )
  for (const { clientId, at } of moments) options.onRetryAt?.(clientId, fromTimestamp(at))
}

/** Failures in a row from which on somebody should look: the event may have been the reason of a single one. */
const newsworthyFailures = 2

interface HeldQueue {
  readonly subscription: HealthRow
  readonly made: readonly AttemptOutcome[]
}

/** Queues that begin to fail or are disabled. Of an address only the host is named: the rest may hold a secret. */
function newsOf(
  held: readonly HeldQueue[],
  healths: readonly ReturnType<typeof healthRow>[],
): News[] {
  return held.flatMap(
    ({ subscription: { client_id, id, url, failures_in_row, disabled_at } }, n): News[] => {
      const { failures = 0, failed_at = '', disabled_reason = null } = healths[n] ?? {}
      const news = { clientId: client_id, objectId: id, subject: URL.parse(url)?.host ?? '' }
      if (disabled_at === null && disabled_reason !== null) {
        return [{ ...news, kind: 'webhook_disabled', key: id }]
      }
      const fails = failures_in_row < newsworthyFailures && failures >= newsworthyFailures
      return fails ? [{ ...news, kind: 'webhook_failing', key: `${id} ${failed_at}` }] : []
    },
  )
}

interface HealthRow {
  readonly client_id: string
  readonly id: string
  readonly url: string
  /** Of its queue among those that were asked for, from 1. */
  readonly place: number
  readonly failures_in_row: number
  readonly last_failure_at: Timestamp | null
  readonly paused_until: Timestamp | null
  readonly sole_failing_delivery: string | null
  readonly disabled_at: Timestamp | null
}

function healthOf(row: HealthRow): QueueHealth {
  const failuresInRow = row.failures_in_row
  const lastFailureAt = instantOf(row.last_failure_at)
  const pausedUntil = instantOf(row.paused_until)
  const soleFailingDelivery = row.sole_failing_delivery
  if (row.disabled_at !== null) {
    return { kind: 'disabled', failuresInRow, lastFailureAt, pausedUntil, soleFailingDelivery }
  }
  if (lastFailureAt === null) return { kind: 'healthy' }
  return {
    kind: 'failing',
    failuresInRow,
    lastFailureAt,
    pausedUntil: pausedUntil ?? lastFailureAt,
    soleFailingDelivery,
  }
}

const noFailures = {
  failuresInRow: 0,
  lastFailureAt: null,
  pausedUntil: null,
  soleFailingDelivery: null,
}

/** The health of a queue after its attempts, as columns. */
function healthRow(schedule: RetrySchedule, { subscription, made }: HeldQueue, now: Instant) {
  let health = healthOf(subscription)
  for (const { delivery, startedAt, attempt } of made) {
    const result = { deliveryId: delivery.id, ok: attempt.ok, startedAt }
    health = afterAttempt(health, result, now, schedule)
  }
  const failures = health.kind === 'healthy' ? noFailures : health
  const disabled = health.kind === 'disabled'
  return {
    client_id: subscription.client_id,
    id: subscription.id,
    status_code: made.at(-1)?.attempt.statusCode ?? null,
    failures: failures.failuresInRow,
    failed_at: timestampOf(failures.lastFailureAt),
    paused_until: timestampOf(failures.pausedUntil),
    sole_failing_delivery: failures.soleFailingDelivery,
    disabled_at: disabled ? toTimestamp(now) : null,
    disabled_reason: disabled ? disabledReason(made) : null,
  }
}

function disabledReason(made: readonly AttemptOutcome[]): string {
  const last = made.findLast(({ attempt }) => !attempt.ok)?.attempt.error
  return `${failuresMax} неудачных попыток подряд${last == null ? '' : `, последняя: ${last}`}`
}

function attemptRow(
  { schedule, chance }: RecordOptions,
  clientId: string,
  { delivery, startedAt, attempt }: AttemptOutcome,
  now: Instant,
) {
  const attempts = delivery.attempts + 1
  const pause = attempt.ok ? undefined : retryPause(schedule, attempts, chance())
  return {
    client_id: clientId,
    id: delivery.id,
    event_id: delivery.event_id,
    attempts,
    status: attempt.ok ? 'DELIVERED' : pause === undefined ? 'FAILED' : 'PENDING',
    next_attempt_at: pause === undefined ? null : toTimestamp(now + pause),
    at: toTimestamp(startedAt),
    status_code: attempt.statusCode,
    error: attempt.error,
    duration_ms: Math.round(attempt.durationMs),
  } as const
}

async function updateSubscriptions(
  tx: Transaction,
  healths: readonly ReturnType<typeof healthRow>[],
  now: Instant,
): Promise<void> {
  await tx`
    update webhook_subscriptions w set last_delivery_at = ${toTimestamp(now)}, last_status_code = h.status_code,
      failures_in_row = h.failures, last_failure_at = h.failed_at, paused_until = h.paused_until,
      sole_failing_delivery = h.sole_failing_delivery,
      disabled_at = coalesce(w.disabled_at, h.disabled_at),
      disabled_reason = coalesce(w.disabled_reason, h.disabled_reason)
    from jsonb_to_recordset(${tx.json(healths)}) as h
      (client_id uuid, id uuid, status_code integer, failures integer, failed_at timestamptz,
       paused_until timestamptz, sole_failing_delivery uuid, disabled_at timestamptz,
       disabled_reason text)
    where w.client_id = h.client_id and w.id = h.id`
}

/** When a failed delivery becomes due again, and when the pause of a queue ends. */
function retryMoments(
  attempts: readonly ReturnType<typeof attemptRow>[],
  healths: readonly ReturnType<typeof healthRow>[],
) {
  const moments = [
    ...attempts.map((row) => ({ clientId: row.client_id, at: row.next_attempt_at })),
    ...healths.map((row) => ({ clientId: row.client_id, at: row.paused_until })),
  ]
  return moments.flatMap(({ clientId, at }) => (at === null ? [] : [{ clientId, at }]))
}

function instantOf(at: Timestamp | null): Instant | null {
  return at === null ? null : fromTimestamp(at)
}

function timestampOf(at: Instant | null): Timestamp | null {
  return at === null ? null : toTimestamp(at)
}
