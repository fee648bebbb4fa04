import type { Database } from '../db/connection.ts'
import { inTransaction, type Transaction } from '../db/connection.ts'
import type { Clock } from '../kernel/clock.ts'
import { fromTimestamp, type Instant, type Timestamp, toTimestamp } from '../kernel/moscow-time.ts'
import { type DueDelivery, heldLanes, type Lane } from './lane.ts'
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
  /** Is told when something of a client comes due after a failure. */
  readonly comesDue?: ((clientId: string, at: Instant) => void) | undefined
}

const disabledReason = `${failuresMax} неудачных доставок подряд`

/** An attempt with the lane that it was made for. */
export interface LaneOutcome {
  readonly lane: Lane
  readonly outcome: Outcome
}

interface Tallied {
  readonly client_id: string
  readonly id: string
  readonly lease: string
  readonly failures_in_row: number
  readonly last_failure_at: Timestamp | null
  readonly failing_alone: string | null
}

/**
 * Writes down attempts, of any number of lanes in one transaction, under the locks of their
 * subscriptions and only while a lease is still the one they were made under: a process that slept
 * past its lease changes nothing.
 */
export async function recordOutcomes(
  recording: Recording,
  outcomes: readonly LaneOutcome[],
): Promise<void> {
  const byLane = Map.groupBy(outcomes, ({ lane }) => `${lane.webhookId} ${lane.lease}`)
  const lanes = [...byLane.values()].flatMap(([first]) => first?.lane ?? [])
  const dueAgain = await inTransaction(recording.db, async (tx) => {
    const webhooks = await tx<Tallied[]>`
      with ${heldLanes(tx, lanes)}
      select client_id, id, lease, failures_in_row, last_failure_at, failing_alone from held`
    const now = recording.clock.now()
    const held = webhooks.map((webhook) => {
      const made = (byLane.get(`${webhook.id} ${webhook.lease}`) ?? []).map(
        ({ outcome }) => outcome,
      )
      return { webhook, made, tally: countFailures(webhook, made, now) }
    })
    if (held.length === 0) return []
    const attempts = held.flatMap(({ webhook, made }) =>
      made.map((outcome) => attemptRow(recording, webhook.client_id, outcome, now)),
    )
    const tallies = held.map((each) => tallyRow(recording.schedule, each, now))
    await write(tx, attempts, tallies, now)
    for (const { client_id, id, disabled } of tallies) {
      if (disabled) await failPending(tx, client_id, id)
    }
    return momentsOf(attempts, tallies)
  })
  for (const { clientId, at } of dueAgain) recording.comesDue?.(clientId, fromTimestamp(at))
}

/** When what failed may be tried again, and when the rest of its subscription may. */
function momentsOf(
  attempts: readonly ReturnType<typeof attemptRow>[],
  tallies: readonly ReturnType<typeof tallyRow>[],
) {
  const moments = [
    ...attempts.map((row) => ({ clientId: row.client_id, at: row.next_attempt_at })),
    ...tallies.map((row) => ({ clientId: row.client_id, at: row.resting_until })),
  ]
  return moments.flatMap(({ clientId, at }) => (at === null ? [] : [{ clientId, at }]))
}

function tallyRow(
  schedule: RetrySchedule,
  { webhook, made, tally }: { webhook: Tallied; made: readonly Outcome[]; tally: Tally },
  now: Instant,
) {
  const { failures, failedAt, failingAlone } = tally
  const rests = failedAt === null ? null : probationUntil(schedule, failures, failedAt)
  const disabled = failures >= failuresMax
  return {
    client_id: webhook.client_id,
    id: webhook.id,
    status_code: made.at(-1)?.attempt.statusCode ?? null,
    failures,
    failed_at: failedAt === null ? null : toTimestamp(failedAt),
    resting_until: rests === null ? null : toTimestamp(rests),
    failing_alone: failingAlone,
    disabled,
    disabled_at: disabled ? toTimestamp(now) : null,
    disabled_reason: disabled ? disabledReason : null,
  }
}

interface Tally {
  readonly failures: number
  readonly failedAt: Instant | null
  /** The one delivery that all of them were of. */
  readonly failingAlone: string | null
}

/**
 * Failures in a row after these attempts. An attempt that began before the last counted failure was
 * known is of the same outage, and does not count.
 */
function countFailures(
  before: Pick<Tallied, 'failures_in_row' | 'last_failure_at' | 'failing_alone'>,
  outcomes: readonly Outcome[],
  now: Instant,
): Tally {
  let failures = before.failures_in_row
  let failedAt = before.last_failure_at === null ? null : fromTimestamp(before.last_failure_at)
  let failingAlone = before.failing_alone
  for (const { delivery, startedAt, attempt } of outcomes) {
    if (attempt.ok) {
      failures = 0
      failedAt = null
      failingAlone = null
      continue
    }
    if (failures === 0) failingAlone = delivery.id
    else if (failingAlone !== delivery.id) failingAlone = null
    if (failedAt === null || startedAt > failedAt) {
      failures += 1
      failedAt = now
    }
  }
  return { failures, failedAt, failingAlone }
}

function attemptRow(
  { schedule, chance }: Recording,
  clientId: string,
  { delivery, startedAt, attempt }: Outcome,
  now: Instant,
) {
  const attempts = delivery.attempts + 1
  const pause = attempt.ok ? undefined : retryPause(schedule, attempts, chance())
  return {
    client_id: clientId,
    id: delivery.id,
    attempts,
    status: attempt.ok ? 'DELIVERED' : pause === undefined ? 'FAILED' : 'PENDING',
    next_attempt_at: pause === undefined ? null : toTimestamp(now + pause),
    at: toTimestamp(startedAt),
    status_code: attempt.statusCode,
    error: attempt.error,
    duration_ms: Math.round(attempt.durationMs),
  }
}

async function write(
  tx: Transaction,
  attempts: readonly ReturnType<typeof attemptRow>[],
  tallies: readonly ReturnType<typeof tallyRow>[],
  now: Instant,
): Promise<void> {
  await tx`
    with made as (
      select * from jsonb_to_recordset(${tx.json(attempts)}) as a
        (client_id uuid, id uuid, attempts integer, status text, next_attempt_at timestamptz,
         at timestamptz, status_code integer, error text, duration_ms integer)
    ), tallied as (
      update webhooks w set last_delivery_at = ${toTimestamp(now)}, last_status_code = t.status_code,
        failures_in_row = t.failures, last_failure_at = t.failed_at, resting_until = t.resting_until,
        failing_alone = t.failing_alone,
        disabled_at = coalesce(w.disabled_at, t.disabled_at),
        disabled_reason = coalesce(w.disabled_reason, t.disabled_reason)
      from jsonb_to_recordset(${tx.json(tallies)}) as t
        (client_id uuid, id uuid, status_code integer, failures integer, failed_at timestamptz,
         resting_until timestamptz, failing_alone uuid, disabled_at timestamptz,
         disabled_reason text)
      where w.client_id = t.client_id and w.id = t.id
    ), logged as (
      insert into delivery_attempts
        (client_id, delivery_id, attempt, at, status_code, error, duration_ms)
      select client_id, id, attempts, at, status_code, error, duration_ms from made
    )
    update deliveries d set status = a.status, attempts = a.attempts, last_attempt_at = a.at,
      last_status_code = a.status_code, last_error = a.error, next_attempt_at = a.next_attempt_at
    from made a where d.client_id = a.client_id and d.id = a.id`
}

async function failPending(tx: Transaction, clientId: string, webhookId: string): Promise<void> {
  await tx`
    update deliveries set status = 'FAILED', next_attempt_at = null,
      last_error = ${`Подписка отключена: ${disabledReason}`}
    where client_id = ${clientId} and webhook_id = ${webhookId} and status = 'PENDING'`
}
