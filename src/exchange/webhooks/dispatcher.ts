import { newId } from '../../platform/kernel/ids.ts'
import type { ErrorLog } from '../../platform/kernel/log.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import type { Span } from '../../platform/process/spans.ts'
import {
  type DispatcherEvent,
  type DispatcherState,
  isBusy,
  type LeaseRequest,
  opened,
  transition,
} from './dispatcher-state.ts'
import { leaseQueues, leaseQueuesOf, type SubscriptionQueue } from './leases.ts'
import type { AttemptedEvent, SendingOptions } from './queue-attempts.ts'
import { leaseMsOf, openQueueWorkers, type QueueWorker } from './queue-worker.ts'
import type { Attempt } from './send.ts'
import { planFromNow } from './set-back.ts'
import { Wakeups } from './wakeups.ts'

/**
 * The dispatcher sends the pending webhook deliveries. Any number of processes may run one.
 *
 * - Each subscription has a queue. One process at a time holds the lease of a queue and sends from it,
 *   four deliveries at once and up to 16 to a slow receiver. Queues run beside each other: none delays another.
 * - No transaction is open during an attempt. An outcome is recorded only under the lease that its
 *   attempt was made under: a process that slept past its lease changes nothing.
 * - The leases of a killed process expire, and other processes take its queues over. They repeat an
 *   attempt that was made but not recorded, with the same event and the same bytes. So a receiver gets
 *   each event at least once, and not always exactly once.
 *
 * Modes and transitions: `dispatcher-state.ts`. What wakes it: `wakeups.ts`. How a leased queue is
 * worked: `queue-worker.ts`. The states of a queue: `state.ts`.
 */
export interface Dispatcher {
  start(): Promise<void>
  /** Scans everything and sends all that is due now. For tests. */
  runOnce(): Promise<void>
  /** Waits for the running attempts, records them, and releases all leases. */
  stop(): Promise<void>
}

export interface DispatcherOptions extends SendingOptions {
  readonly log: ErrorLog
  /** Between scans of all pending queues; one second unless given. */
  readonly pollMs?: number
}

export function openDispatcher(options: DispatcherOptions): Dispatcher {
  return new QueueDispatcher(options)
}

class QueueDispatcher implements Dispatcher {
  readonly #options: DispatcherOptions
  readonly #wakeups: Wakeups
  readonly #openWorker: (queue: SubscriptionQueue, leasedAt: Instant) => QueueWorker
  readonly #workers = new Map<QueueWorker, Promise<void>>()
  #state: DispatcherState = opened
  #lastLease: Promise<void> | undefined
  #planning: Promise<void> | undefined

  constructor(options: DispatcherOptions) {
    const { db, clock, pollMs = 1_000 } = options
    this.#options = options
    this.#wakeups = new Wakeups({
      db,
      clock,
      pollMs,
      onClientDue: (clientId) => this.#wake(clientId),
      onPoll: () => this.#apply({ type: 'scanDue' }),
      onSetBack: () => void this.#planFromNow(),
    })
    const onRetryAt = (clientId: string, at: Instant) => this.#wakeups.wakeAt(clientId, at)
    this.#openWorker = openQueueWorkers({ ...options, onRetryAt }, () => this.#isStopping)
  }

  async start(): Promise<void> {
    await this.#planFromNow()
    await this.#wakeups.start()
  }

  async runOnce(): Promise<void> {
    do {
      this.#apply({ type: 'scanForced' })
      await this.#whenQuiet()
    } while (this.#state.mode === 'idle' && this.#state.demand.scan)
  }

  async stop(): Promise<void> {
    this.#apply({ type: 'stop' })
    await this.#wakeups.stop()
    await this.#planning
    await this.#whenQuiet()
  }

  get #isStopping(): boolean {
    return this.#state.mode !== 'idle' && this.#state.mode !== 'leasing'
  }

  async #whenQuiet(): Promise<void> {
    while (isBusy(this.#state)) await Promise.all([this.#lastLease, ...this.#workers.values()])
  }

  /** The clock may have been set back since the plans were made. Never rejects. */
  #planFromNow(): Promise<void> {
    const { db, clock, schedule, log } = this.#options
    const leaseMs = leaseMsOf(this.#options)
    this.#planning = planFromNow(db, { schedule, leaseMs, now: clock.now() }).catch(
      (error: unknown) => log.error({ err: error }, 'planning webhooks by the clock failed'),
    )
    return this.#planning
  }

  #wake(clientId: string): void {
    for (const worker of this.#workers.keys()) {
      if (worker.queue.clientId === clientId) worker.wake()
    }
    this.#apply({ type: 'clientDue', clientId })
  }

  #apply(event: DispatcherEvent): void {
    const { state, request } = transition(this.#state, event, performance.now())
    this.#state = state
    if (request !== undefined) this.#lastLease = this.#lease(request)
  }

  async #lease(request: LeaseRequest): Promise<void> {
    const { event, queues = [], leasedAt = 0 } = await this.#runLease(request)
    this.#apply(event)
    for (const queue of queues) this.#work(queue, leasedAt)
  }

  async #runLease(request: LeaseRequest): Promise<LeaseResult> {
    const { db, clock, log } = this.#options
    try {
      const startedMs = performance.now()
      const now = clock.now()
      const lease = {
        id: newId(),
        now,
        until: now + leaseMsOf(this.#options),
        queuesMax: request.queuesMax,
      }
      const queues =
        request.kind === 'scan'
          ? await leaseQueues(db, lease)
          : await leaseQueuesOf(db, request.clientIds, lease)
      const tookMs = performance.now() - startedMs
      return { event: { type: 'leased', queues: queues.length, tookMs }, queues, leasedAt: now }
    } catch (error) {
      log.error({ err: error }, 'leasing webhook queues failed')
      return { event: { type: 'leaseFailed' } }
    }
  }

  #work(queue: SubscriptionQueue, leasedAt: Instant): void {
    const worker = this.#openWorker(queue, leasedAt)
    const ended = worker.ended
      .then(
        (mayBeDue): DispatcherEvent => ({ type: 'queueEnded', clientId: queue.clientId, mayBeDue }),
      )
      .catch((error: unknown): DispatcherEvent => {
        this.#options.log.error({ err: error }, 'webhook queue failed')
        return { type: 'queueFailed' }
      })
      .then((event) => {
        this.#workers.delete(worker)
        this.#apply(event)
      })
    this.#workers.set(worker, ended)
  }
}

interface LeaseResult {
  readonly event: DispatcherEvent
  readonly queues?: readonly SubscriptionQueue[]
  readonly leasedAt?: Instant
}

/** The span of one attempt of a delivery. */
export function attemptSpan({ ok, statusCode, durationMs }: Attempt, event: AttemptedEvent): Span {
  return {
    name: `POST webhook ${event.type}`,
    kind: 'client',
    durationMs,
    attributes: {
      'http.request.method': 'POST',
      'http.response.status_code': statusCode === 0 ? undefined : statusCode,
      'sklad.event_id': event.id,
      'sklad.event_type': event.type,
    },
    hasFailed: !ok,
  }
}
