import type { Database } from '../db/connection.ts'
import { inTransaction, type Transaction } from '../db/connection.ts'
import type { Clock } from '../kernel/clock.ts'
import { fromTimestamp, type Instant, type Timestamp, toTimestamp } from '../kernel/moscow-time.ts'
import type { DueDelivery, Lane } from './lane.ts'
import { failuresMax, probationUntil, type RetrySchedule, retryPause } from './schedule.ts'
import type { Attempt } from './send.ts'

/** An attempt that was made, to be written down. */
export interface Outcome {
  readonly delivery: DueDelivery
  readonly startedAt: Instant
  readonly attempt: Attempt
}

export interface Recording {
  readonly db: Database
  readonly clock: Clock
  readonly schedule: RetrySchedule
  /** Between 0 and 1. */
  readonly chance: () => number
}

const disabledReason = `${failuresMax} неудачных доставок подряд`

/**
 * Writes down attempts of one lane, under the lock of its subscription and only while the lease is
 * still the one they were made under: a process that slept past its lease changes nothing.
 */
export async function recordOutcomes(
  recording: Recording,
  lane: Lane,
  outcomes: readonly Outcome[],
): Promise<void> {
  const { db, clock, schedule } = recording
  await inTransaction(db, async (tx) => {
    const [webhook] = await tx<{ failures_in_row: number; last_failure_at: Timestamp | null }[]>`
      select failures_in_row, last_failure_at from webhooks
      where client_id = ${lane.clientId} and id = ${lane.webhookId} and lease = ${lane.lease}
      for no key update`
    if (webhook === undefined) return
    const now = clock.now()
    await writeAttempts(tx, recording, lane, outcomes, now)
    const tally = countFailures(webhook, outcomes, now)
    const last = outcomes.at(-1)
    const disabled = tally.failures >= failuresMax
    const resting =
      tally.failedAt === null
        ? null
        : toTimestamp(probationUntil(schedule, tally.failures, tally.failedAt))
    await tx`
      update webhooks set last_delivery_at = ${toTimestamp(now)},
        last_status_code = ${last?.attempt.statusCode ?? null}, failures_in_row = ${tally.failures},
        last_failure_at = ${tally.failedAt === null ? null : toTimestamp(tally.failedAt)},
        resting_until = ${resting},
        disabled_at = coalesce(disabled_at, ${disabled ? toTimestamp(now) : null}),
        disabled_reason = coalesce(disabled_reason, ${disabled ? disabledReason : null})
      where client_id = ${lane.clientId} and id = ${lane.webhookId}`
    if (disabled) await failPending(tx, lane)
  })
}

interface Tally {
  readonly failures: number
  readonly failedAt: Instant | null
}

/**
 * Failures in a row after these attempts. One that was already under way when the last counted
 * failure was recorded says nothing new and does not count.
 */
function countFailures(
  before: { failures_in_row: number; last_failure_at: Timestamp | null },
  outcomes: readonly Outcome[],
  now: Instant,
): Tally {
  let failures = before.failures_in_row
  let failedAt = before.last_failure_at === null ? null : fromTimestamp(before.last_failure_at)
  for (const { startedAt, attempt } of outcomes) {
    if (attempt.ok) [failures, failedAt] = [0, null]
    else if (failedAt === null || startedAt > failedAt) [failures, failedAt] = [failures + 1, now]
  }
  return { failures, failedAt }
}

async function writeAttempts(
  tx: Transaction,
  { schedule, chance }: Recording,
  lane: Lane,
  outcomes: readonly Outcome[],
  now: Instant,
): Promise<void> {
  const rows = outcomes.map(({ delivery, startedAt, attempt }) => {
    const attempts = delivery.attempts + 1
    const pause = attempt.ok ? undefined : retryPause(schedule, attempts, chance())
    return {
      id: delivery.id,
      attempts,
      status: attempt.ok ? 'DELIVERED' : pause === undefined ? 'FAILED' : 'PENDING',
      next_attempt_at: pause === undefined ? null : toTimestamp(now + pause),
      at: toTimestamp(startedAt),
      status_code: attempt.statusCode,
      error: attempt.error,
      duration_ms: Math.round(attempt.durationMs),
    }
  })
  await tx`
    update deliveries d set status = a.status, attempts = a.attempts, last_attempt_at = a.at,
      last_status_code = a.status_code, last_error = a.error, next_attempt_at = a.next_attempt_at
    from jsonb_to_recordset(${tx.json(rows)}) as a
      (id uuid, attempts integer, status text, next_attempt_at timestamptz, at timestamptz,
       status_code integer, error text)
    where d.client_id = ${lane.clientId} and d.id = a.id`
  await tx`
    insert into delivery_attempts (client_id, delivery_id, attempt, at, status_code, error, duration_ms)
    select ${lane.clientId}, a.*
    from jsonb_to_recordset(${tx.json(rows)}) as a
      (id uuid, attempts integer, at timestamptz, status_code integer, error text, duration_ms integer)`
}

async function failPending(tx: Transaction, lane: Lane): Promise<void> {
  await tx`
    update deliveries set status = 'FAILED', next_attempt_at = null,
      last_error = ${`Подписка отключена: ${disabledReason}`}
    where client_id = ${lane.clientId} and webhook_id = ${lane.webhookId} and status = 'PENDING'`
}
