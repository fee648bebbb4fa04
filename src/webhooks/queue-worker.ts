import { batchCalls } from '../concurrency/batching.ts'
import { WakeSignal } from '../concurrency/wake-signal.ts'
import type { Instant } from '../kernel/moscow-time.ts'
import { type DueDeliveries, type DueRequest, dueDeliveries } from './due-deliveries.ts'
import { releaseLeases, renewLeases, type SubscriptionQueue } from './leases.ts'
import { QueueAttempts, type SendingOptions, windowMax } from './queue-attempts.ts'
import { type QueueOutcome, recordOutcomes } from './record.ts'

/**
 * Works leased queues. A queue sends a bounded number of deliveries at once; when one is answered it
 * looks for the next, so a slow answer takes one place and not all. All queues of a process share their
 * statements: what they ask of the database at the same time goes there in one.
 */

/** How much longer than an attempt a lease lasts: time for the database. */
const leaseMarginMs = 5_000
/** No attempt starts under a lease that was renewed longer ago. */
const renewAfterMs = 1_000
/** Concurrent attempts of all queues together: the more queues work, the fewer each gets. */
const sendingMax = 1_600
const queuesPerStatement = 200
const outcomesPerStatement = 256

/** As short as is safe: after a kill its queues wait this long. */
export function leaseMsOf({ egress }: SendingOptions): number {
  return egress.timeoutMs + leaseMarginMs
}

/** A leased queue at work. */
export interface QueueWorker {
  readonly queue: SubscriptionQueue
  /** Something new may be due for the queue. */
  wake(): void
  /** Resolves when nothing is due any more and the lease is released; rejects on an error. */
  readonly ended: Promise<void>
}

export function openQueueWorkers(
  options: SendingOptions,
  isStopping: () => boolean,
): (queue: SubscriptionQueue, leasedAt: Instant) => QueueWorker {
  let working = 0
  const window = () => Math.max(1, Math.min(windowMax, Math.floor(sendingMax / working)))
  const statements = batchStatements(options, window)
  return (queue, leasedAt) => {
    const wakeSignal = new WakeSignal()
    working += 1
    const leased = { queue, leasedAt, wakeSignal, isStopping }
    const ended = workQueue(options, statements, leased).finally(() => {
      working -= 1
    })
    return { queue, wake: () => wakeSignal.set(), ended }
  }
}

/** The statements of a queue, batched over all queues. */
interface QueueStatements {
  due(request: DueRequest): Promise<DueDeliveries | undefined>
  record(outcome: QueueOutcome): Promise<void>
  renew(queue: SubscriptionQueue): Promise<void>
  release(queue: SubscriptionQueue): Promise<void>
}

function batchStatements(options: SendingOptions, window: () => number): QueueStatements {
  const { db, clock } = options
  return {
    due: batchCalls(queuesPerStatement, async (requests: readonly DueRequest[]) => {
      if (!(await options.enabled())) return requests.map(() => undefined)
      return dueDeliveries(db, requests, clock.now(), window())
    }),
    record: batchWrites(outcomesPerStatement, (outcomes: readonly QueueOutcome[]) =>
      recordOutcomes(options, outcomes),
    ),
    renew: batchWrites(queuesPerStatement, (queues: readonly SubscriptionQueue[]) =>
      renewLeases(db, queues, clock.now() + leaseMsOf(options)),
    ),
    release: batchWrites(queuesPerStatement, (queues: readonly SubscriptionQueue[]) =>
      releaseLeases(db, queues),
    ),
  }
}

function batchWrites<Input>(
  sizeMax: number,
  write: (inputs: readonly Input[]) => Promise<void>,
): (input: Input) => Promise<void> {
  return batchCalls(sizeMax, async (inputs) => {
    await write(inputs)
    return inputs.map(() => undefined)
  })
}

interface LeasedQueue {
  readonly queue: SubscriptionQueue
  readonly leasedAt: Instant
  readonly wakeSignal: WakeSignal
  readonly isStopping: () => boolean
}

/** Sends what is due until nothing is, or the lease is lost, then releases the lease. */
async function workQueue(
  options: SendingOptions,
  statements: QueueStatements,
  { queue, leasedAt, wakeSignal, isStopping }: LeasedQueue,
): Promise<void> {
  const { clock } = options
  const attempts = new QueueAttempts(options, queue, (outcome) =>
    statements.record({ queue, outcome }),
  )
  let renewedAt = leasedAt
  try {
    while (!isStopping() && !attempts.broken) {
      const now = clock.now()
      if (now - renewedAt > renewAfterMs) {
        await statements.renew(queue)
        renewedAt = now
      }
      wakeSignal.reset()
      const due = await statements.due({ queue, ...attempts.inProgress })
      if (due === undefined) break
      for (const delivery of due.deliveries) attempts.begin(due.target, delivery)
      if (attempts.inProgress.sending === 0) break
      await attempts.next(wakeSignal.whenSet)
    }
  } finally {
    await attempts.ended()
    await statements.release(queue)
  }
  attempts.rethrow()
}
