import type { Database } from '../db/connection.ts'
import { deliveriesChannel } from '../events/outbox.ts'
import { inBatches } from '../kernel/batch.ts'
import type { Clock } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import type { ErrorLog } from '../kernel/log.ts'
import { fromTimestamp } from '../kernel/moscow-time.ts'
import type { Egress } from './egress.ts'
import {
  type DueDelivery,
  dueDeliveries,
  type Lane,
  type LaneState,
  leaseLanes,
  releaseLease,
  renewLease,
} from './lane.ts'
import { type Outcome, recordOutcomes } from './record.ts'
import { probationUntil, type RetrySchedule } from './schedule.ts'
import type { SecretBox } from './secret-box.ts'
import { type Attempt, send } from './send.ts'
import { deliveryHeaders } from './signature.ts'

/**
 * The dispatcher: sends what the outbox holds. Any number of processes may run one.
 *
 * - A subscription is a lane: one process at a time holds its lease and sends for it, a bounded
 *   number at once; lanes run beside each other, so a slow receiver holds up nobody else.
 * - Nothing is sent inside a transaction. An attempt is recorded under the lease it was made under;
 *   a process that slept past its lease changes nothing. A killed process's leases run out, and its
 *   lanes are taken on; an attempt that it made and did not record is made again, with the same event.
 * - A lane with a failure is on probation: one attempt at a time, and from the second failure on
 *   none before the pause of the schedule has passed. First attempts go before retries.
 * - It is woken by NOTIFY; a look every second is the net.
 */
export interface Dispatcher {
  start(): Promise<void>
  /** One look for work, and all of the work found. For tests. */
  runOnce(): Promise<void>
  /** Finishes the attempts under way, records them, and gives the leases back. */
  stop(): Promise<void>
}

export interface DispatcherOptions {
  readonly db: Database
  readonly clock: Clock
  readonly egress: Egress
  readonly secretBox: SecretBox
  readonly schedule: RetrySchedule
  /** Between 0 and 1, for jitter. */
  readonly chance: () => number
  /** Whether webhooks are switched on. */
  readonly enabled: () => Promise<boolean>
  readonly log: ErrorLog
}

const pollMs = 1_000
/** How much longer than an attempt a lease holds: for what the database takes. */
const leaseMarginMs = 5_000
const lanesMax = 100
/** Attempts at once of one subscription that answers well. */
const windowMax = 16

export function openDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, clock, log } = options
  const leaseMs = leaseMsOf(options)
  const running = new Set<Promise<void>>()
  let stopping = false
  let looking: Promise<void> | undefined
  let lookAgain = false
  let timer: NodeJS.Timeout | undefined
  let listening: { unlisten(): Promise<void> } | undefined

  async function look(): Promise<void> {
    if (stopping || running.size >= lanesMax || !(await options.enabled())) return
    const now = clock.now()
    const lanes = await leaseLanes(db, newId(), now, now + leaseMs, lanesMax - running.size)
    for (const lane of lanes) run(lane)
  }

  function run(lane: Lane): void {
    const work = workLane(options, lane, () => stopping)
      .catch((error: unknown) => log.error({ err: error }, 'webhook lane failed'))
      .then(() => {
        running.delete(work)
        wake()
      })
    running.add(work)
  }

  /** Looks now or, where a look is under way, once more after it. */
  function wake(): void {
    if (stopping) return
    lookAgain = true
    looking ??= lookUntilDone()
      .catch((error: unknown) => log.error({ err: error }, 'webhook dispatcher failed'))
      .finally(() => {
        looking = undefined
        if (lookAgain) wake()
      })
  }

  async function lookUntilDone(): Promise<void> {
    while (lookAgain) {
      lookAgain = false
      await look()
    }
  }

  return {
    async start() {
      listening = await db.listen(deliveriesChannel, wake, wake)
      timer = setInterval(wake, pollMs)
    },
    async runOnce() {
      wake()
      while (looking !== undefined || running.size > 0) await Promise.all([looking, ...running])
    },
    async stop() {
      stopping = true
      clearInterval(timer)
      await listening?.unlisten().catch(() => {})
      await looking
      await Promise.all(running)
    },
  }
}

/** No longer than needed: what a killed process held waits for so long. */
function leaseMsOf({ egress }: DispatcherOptions): number {
  return egress.timeoutMs + leaseMarginMs
}

/** Sends what is due on a leased lane until nothing is, then gives the lease back. */
async function workLane(
  options: DispatcherOptions,
  lane: Lane,
  stopping: () => boolean,
): Promise<void> {
  const { db, clock } = options
  const leaseMs = leaseMsOf(options)
  const record = inBatches<Outcome, void>(windowMax * 4, async (outcomes) => {
    await recordOutcomes(options, lane, outcomes)
    return outcomes.map(() => undefined)
  })
  try {
    while (!stopping() && (await options.enabled())) {
      const state = await renewLease(db, lane, clock.now() + leaseMs)
      if (state === undefined) return
      const due = await dueDeliveries(db, lane, clock.now(), allowance(options, state))
      if (due.length === 0) break
      await Promise.all(
        due.map(async (delivery) => record(await attemptDelivery(options, lane, state, delivery))),
      )
    }
  } finally {
    await releaseLease(db, lane)
  }
}

function allowance({ clock, schedule }: DispatcherOptions, state: LaneState) {
  const { failures_in_row: failures, last_failure_at: failedAt } = state
  if (failures === 0 || failedAt === null) return { limit: windowMax, pingsOnly: false }
  const resting = clock.now() < probationUntil(schedule, failures, fromTimestamp(failedAt))
  return { limit: 1, pingsOnly: resting }
}

async function attemptDelivery(
  { clock, egress, secretBox }: DispatcherOptions,
  lane: Lane,
  state: LaneState,
  delivery: DueDelivery,
): Promise<Outcome> {
  const startedAt = clock.now()
  const secret = openSecret(secretBox, lane, state)
  if (secret === undefined) return { delivery, startedAt, attempt: unsigned }
  const body = Buffer.from(delivery.body)
  const attempt = delivery.attempts + 1
  const headers = deliveryHeaders({
    eventType: delivery.event_type,
    deliveryHeaderId: attempt === 1 ? delivery.id : `${delivery.id}.${attempt}`,
    timestamp: Math.floor(startedAt / 1000),
    secret,
    body,
  })
  const { url, mode } = state
  return { delivery, startedAt, attempt: await send(egress, { url, mode, headers, body }) }
}

/** Recorded like any failure, so that the seller sees it: nothing is ever sent without a signature. */
const unsigned: Attempt = {
  ok: false,
  statusCode: 0,
  error: 'Секрет подписи больше не читается: удалите подписку и создайте её заново',
  durationMs: 0,
}

/** The signing secret; undefined where the key that sealed it is no longer among the settings. */
function openSecret(secretBox: SecretBox, lane: Lane, state: LaneState): string | undefined {
  try {
    return secretBox.open(state.secret, lane.webhookId)
  } catch {
    return undefined
  }
}
