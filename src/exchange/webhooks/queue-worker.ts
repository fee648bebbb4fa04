import { type BatchPause, batchCalls } from '../../platform/concurrency/batching.ts'
import { WakeSignal } from '../../platform/concurrency/wake-signal.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import {
  type DueDeliveries,
  type DueDelivery,
  type DueRequest,
  dueDeliveries,
  type QueueTarget,
} from './due-deliveries.ts'
import { connectionsMax } from './egress.ts'
import { releaseLeases, renewLeases, type SubscriptionQueue } from './leases.ts'
import { QueueAttempts, type SendingOptions, windowMax } from './queue-attempts.ts'
import { type AttemptOutcome, type QueueOutcome, recordOutcomes } from './record-outcomes.ts'

/**
 * Works leased queues. A queue sends a bounded number of deliveries at once; when one is answered it
 * looks for the next, so a slow answer takes one place and not all. All queues of a process share their
 * statements: what they ask of the database at the same time goes there in one.
 */

/** How much longer than an attempt a lease lasts: time for the database. */
const leaseMarginMs = 5_000
/** No attempt starts under a lease that was renewed longer ago. */
const renewAfterMs = 1_000
/** Deliveries that one queue, and all queues together, read before there is a place for them. */
const aheadMax = 128
const aheadOfAllMax = 2_000
/** Deliveries in one read from which on they are a backlog that asks for more attempts at once. */
const longBacklog = 64
const queuesPerStatement = 200
const outcomesPerStatement = 256
/** Statements of queues that are busy wait for one another, since one for many costs less than many. */
const readPause: BatchPause = { msPerCall: 0.2, msMax: 20 }
const writePause: BatchPause = { msPerCall: 0.1, msMax: 20 }

/** As short as is safe: after a kill its queues wait this long. */
export function leaseMsOf({ egress }: SendingOptions): number {
  return egress.timeoutMs + leaseMarginMs
}

/** A leased queue at work. */
export interface QueueWorker {
  readonly queue: SubscriptionQueue
  /** Something new may be due for the queue. */
  wake(): void
  /**
   * Resolves when the lease is released. True: something may be due again, because the queue was woken or an outcome
   * changed what is due. Rejects on an error.
   */
  readonly ended: Promise<boolean>
}

export function openQueueWorkers(
  options: SendingOptions,
  isStopping: () => boolean,
): (queue: SubscriptionQueue, leasedAt: Instant) => QueueWorker {
  let working = 0
  // The more queues work, the fewer each gets of what all have together.
  const share = (most: number, ofAll: number) =>
    Math.max(1, Math.min(most, Math.floor(ofAll / working)))
  const limits = {
    window: () => share(windowMax, connectionsMax),
    ahead: () => share(aheadMax, aheadOfAllMax),
  }
  const statements = batchStatements(options)
  return (queue, leasedAt) => {
    const news = new QueueNews()
    working += 1
    const leased = { queue, leasedAt, news, isStopping, limits }
    const ended = workQueue(options, statements, leased).finally(() => {
      working -= 1
    })
    return { queue, wake: () => news.wake(), ended }
  }
}

/** The statements of a queue, batched over all queues. */
interface QueueStatements {
  due(request: DueRequest): Promise<DueDeliveries | undefined>
  record(outcome: QueueOutcome): Promise<void>
  renew(queue: SubscriptionQueue): Promise<void>
  release(queue: SubscriptionQueue): Promise<void>
}

function batchStatements(options: SendingOptions): QueueStatements {
  const { db, clock } = options
  return {
    due: batchCalls(
      queuesPerStatement,
      (requests: readonly DueRequest[]) => dueDeliveries(db, requests, clock.now()),
      readPause,
    ),
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
  const run = async (inputs: readonly Input[]) => {
    await write(inputs)
    return inputs.map(() => undefined)
  }
  return batchCalls(sizeMax, run, writePause)
}

/** What a queue waits for. */
class QueueNews {
  /** Something new may be due. */
  isWoken = false
  /** That, or an attempt was answered, or all outcomes are recorded. */
  readonly signal = new WakeSignal()

  wake(): void {
    this.isWoken = true
    this.signal.set()
  }
}

interface LeasedQueue {
  readonly queue: SubscriptionQueue
  readonly leasedAt: Instant
  readonly news: QueueNews
  readonly isStopping: () => boolean
  readonly limits: QueueLimits
}

/** What a queue may have at once. */
interface QueueLimits {
  /** Attempts. */
  readonly window: () => number
  /** Deliveries that were read and not sent yet. */
  readonly ahead: () => number
}

/**
 * Sends what is due until nothing is, or the lease is lost, then releases the lease. Answers whether something may be due
 * again.
 */
async function workQueue(
  options: SendingOptions,
  statements: QueueStatements,
  { queue, leasedAt, news, isStopping, limits }: LeasedQueue,
): Promise<boolean> {
  const { clock } = options
  const record = (outcome: AttemptOutcome) => statements.record({ queue, outcome })
  const attempts = new QueueAttempts(options, queue, record, news.signal)
  let renewedAt = leasedAt
  let ahead = nothingAhead
  const places = () => Math.min(limits.window(), attempts.window) - attempts.sending
  const mayBeDue = () => news.isWoken || !ahead.isEnd(clock.now(), attempts.failures)
  try {
    while (!isStopping() && !attempts.broken) {
      news.signal.reset()
      const now = clock.now()
      // Counted before the renewal, during which an attempt may fail, too: what is read holds for these failures alone.
      const { failures } = attempts
      if (now - renewedAt > renewAfterMs) {
        await statements.renew(queue)
        renewedAt = now
      }
      if (places() > 0 && !ahead.isFresh(now, attempts.failures) && mayBeDue()) {
        news.isWoken = false
        // A queue whose receiver is fast reads twice what it sent since the last time; a slow one what it can send now.
        const room = Math.max(places(), Math.min(2 * ahead.taken, limits.ahead()))
        const due = await statements.due({ queue, room, ...attempts.inProgress })
        if (due === undefined) break
        ahead = new ReadAhead(due, now, failures)
        if (due.deliveries.length >= longBacklog) attempts.widen()
      }
      const { target } = ahead
      for (const delivery of ahead.take(places(), attempts.failures)) {
        if (target !== undefined) attempts.begin(target, delivery)
      }
      if (attempts.isDone) break
      await attempts.next()
    }
  } finally {
    await attempts.ended()
    await statements.release(queue)
  }
  attempts.rethrow()
  return mayBeDue()
}

/**
 * Due deliveries that were read and wait for a place. They are sent only while no attempt has failed since they were
 * read, and while the lease, the switch and the subscription were looked at a short time ago.
 */
class ReadAhead {
  readonly target: QueueTarget | undefined
  readonly #deliveries: readonly DueDelivery[]
  readonly #readAt: Instant
  readonly #failures: number
  readonly #isAll: boolean
  #taken = 0

  constructor(due: DueDeliveries | undefined, readAt: Instant, failures: number) {
    this.target = due?.target
    this.#deliveries = due?.deliveries ?? []
    this.#isAll = due?.isAll ?? false
    this.#readAt = readAt
    this.#failures = failures
  }

  /** Deliveries that were sent of these. */
  get taken(): number {
    return this.#taken
  }

  isFresh(now: Instant, failures: number): boolean {
    return this.#taken < this.#deliveries.length && this.#holds(now, failures)
  }

  /** All are taken, and nothing else was due. A failure changes what is due, and a wake signal says that more may be. */
  isEnd(now: Instant, failures: number): boolean {
    return this.#isAll && this.#taken === this.#deliveries.length && this.#holds(now, failures)
  }

  #holds(now: Instant, failures: number): boolean {
    return failures === this.#failures && Math.abs(now - this.#readAt) <= renewAfterMs
  }

  /** None where an attempt has failed since they were read. */
  take(places: number, failures: number): readonly DueDelivery[] {
    if (failures !== this.#failures) return []
    const next = this.#deliveries.slice(this.#taken, this.#taken + Math.max(0, places))
    this.#taken += next.length
    return next
  }
}

const nothingAhead = new ReadAhead(undefined, 0, 0)
