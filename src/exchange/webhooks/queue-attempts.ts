import { WakeSignal } from '../../platform/concurrency/wake-signal.ts'
import type { Database } from '../../platform/db/connection.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import type { SecretBox } from '../../platform/kernel/secret-box.ts'
import type { DueDelivery, DueRequest, QueueTarget } from './due-deliveries.ts'
import type { Destination, Egress } from './egress.ts'
import type { SubscriptionQueue } from './leases.ts'
import { attemptWebhook, type OwnReceivers } from './own-receivers.ts'
import type { AttemptOutcome } from './record-outcomes.ts'
import type { RetrySchedule } from './schedule.ts'
import type { Attempt } from './send.ts'
import { deliveryHeaders } from './signature.ts'

export interface SendingOptions {
  readonly db: Database
  readonly clock: Clock
  readonly egress: Egress
  /** Absent: everything leaves the service. */
  readonly receivers?: OwnReceivers
  readonly secretBox: SecretBox
  readonly schedule: RetrySchedule
  /** Between 0 and 1, for jitter. */
  readonly chance: () => number
  /** Called after every attempt, before it is recorded. */
  readonly onAttempt?: (attempt: Attempt, event: AttemptedEvent) => void
  /** Called when a failure is recorded: something of the client becomes due at that moment. */
  readonly onRetryAt?: (clientId: string, at: Instant) => void
}

/** What an attempt delivers. */
export interface AttemptedEvent {
  readonly id: string
  readonly type: string
}

/**
 * Concurrent attempts of one healthy queue, at first and at most. Each slow answer that comes while all places are taken adds
 * one, and so does each read of a long backlog. More connections would not speed a fast receiver up.
 */
export const windowFirst = 4
export const windowMax = 16
export const slowMs = 20
/** Attempts of one queue that are answered and not recorded yet. */
export const recordingMax = 64

/**
 * The attempts of one queue. A delivery is first sending, then recording, then done. A 2xx answer makes
 * room for the next attempt at once; after a failure the queue sends nothing new before that failure is
 * recorded, since it changes what may be sent.
 */
export class QueueAttempts {
  readonly #options: SendingOptions
  readonly #queue: SubscriptionQueue
  readonly #write: (outcome: AttemptOutcome) => Promise<void>
  readonly #sending = new Map<string, Promise<void>>()
  readonly #recording = new Map<string, Promise<void>>()
  /** An attempt was answered, or all outcomes are recorded. */
  readonly #changed: WakeSignal
  readonly #recorded = new WakeSignal()
  readonly #errors: unknown[] = []
  #window = windowFirst
  #failure: Promise<void> | undefined
  #failures = 0
  #outlet: Outlet | undefined

  constructor(
    options: SendingOptions,
    queue: SubscriptionQueue,
    write: (outcome: AttemptOutcome) => Promise<void>,
    changed: WakeSignal,
  ) {
    this.#options = options
    this.#queue = queue
    this.#write = write
    this.#changed = changed
  }

  get inProgress(): Pick<DueRequest, 'sending' | 'inProgress'> {
    const inProgress = [...this.#sending.keys(), ...this.#recording.keys()]
    return { sending: this.#sending.size, inProgress }
  }

  get sending(): number {
    return this.#sending.size
  }

  /** All attempts are answered and recorded. */
  get isDone(): boolean {
    return this.#sending.size === 0 && this.#recording.size === 0
  }

  /** Attempts that may be on their way at once. */
  get window(): number {
    return this.#window
  }

  #adaptWindow({ ok, durationMs }: Attempt): void {
    if (!ok) this.#window = windowFirst
    else if (durationMs >= slowMs && this.#sending.size >= this.#window) this.widen()
  }

  widen(): void {
    this.#window = Math.min(windowMax, this.#window + 1)
  }

  /** Attempts that failed so far. */
  get failures(): number {
    return this.#failures
  }

  /** An outcome could not be recorded. */
  get broken(): boolean {
    return this.#errors.length > 0
  }

  begin(target: QueueTarget, delivery: DueDelivery): void {
    this.#sending.set(delivery.id, this.#attempt(this.#outletTo(target), delivery))
  }

  async #attempt(outlet: Outlet, delivery: DueDelivery): Promise<void> {
    try {
      const outcome = await attemptDelivery(this.#options, this.#queue, outlet, delivery)
      this.#adaptWindow(outcome.attempt)
      this.#recording.set(delivery.id, this.#record(outcome))
    } catch (error) {
      this.#errors.push(error)
    } finally {
      this.#sending.delete(delivery.id)
      this.#changed.set()
    }
  }

  #record(outcome: AttemptOutcome): Promise<void> {
    const recorded = this.#written(outcome)
    if (!outcome.attempt.ok) {
      this.#failures += 1
      this.#failure = recorded
    }
    return recorded
  }

  async #written(outcome: AttemptOutcome): Promise<void> {
    try {
      await this.#write(outcome)
    } catch (error) {
      this.#errors.push(error)
    } finally {
      this.#recording.delete(outcome.delivery.id)
      this.#recorded.set()
      if (this.#recording.size === 0) this.#changed.set()
    }
  }

  /** Waits for a change, and then as long as nothing may be sent. */
  async next(): Promise<void> {
    await this.#changed.whenSet
    while (this.#recording.size >= recordingMax) {
      this.#recorded.reset()
      await this.#recorded.whenSet
    }
    while (this.#failure !== undefined) {
      const failure = this.#failure
      await failure
      if (this.#failure === failure) this.#failure = undefined
    }
  }

  /** Waits until all attempts are answered and recorded. */
  async ended(): Promise<void> {
    await Promise.all(this.#sending.values())
    await Promise.all(this.#recording.values())
  }

  rethrow(): void {
    if (this.broken) throw this.#errors[0]
  }

  /** Judged and opened once as long as the target stays the same. */
  #outletTo(target: QueueTarget): Outlet {
    const known = this.#outlet
    if (known?.target === target) return known
    this.#outlet =
      known !== undefined && isSame(known.target, target)
        ? { ...known, target }
        : openOutlet(this.#options, this.#queue, target)
    return this.#outlet
  }
}

/** Where a queue sends to, and what it signs with. */
interface Outlet {
  readonly target: QueueTarget
  readonly destination: Destination
  /** Undefined where no configured key opens it. */
  readonly secret: string | undefined
}

function isSame(one: QueueTarget, other: QueueTarget): boolean {
  return one.url === other.url && one.mode === other.mode && one.secret.equals(other.secret)
}

function openOutlet(
  { egress, secretBox }: SendingOptions,
  queue: SubscriptionQueue,
  target: QueueTarget,
): Outlet {
  const destination = egress.destination(target.url, target.mode)
  return { target, destination, secret: openSecret(secretBox, queue, target.secret) }
}

async function attemptDelivery(
  { clock, onAttempt, receivers }: SendingOptions,
  { clientId }: SubscriptionQueue,
  { destination, secret }: Outlet,
  delivery: DueDelivery,
): Promise<AttemptOutcome> {
  const startedAt = clock.now()
  if (secret === undefined) return { delivery, startedAt, attempt: unsigned }
  const number = delivery.attempts + 1
  const { event_id: eventId, event_type: eventType, body } = delivery
  const headers = deliveryHeaders({
    eventId,
    eventType,
    deliveryHeaderId: number === 1 ? delivery.id : `${delivery.id}.${number}`,
    timestamp: Math.floor(startedAt / 1000),
    secret,
    body,
  })
  const webhook = { clientId, destination, eventType, headers, body, secret }
  const attempt = await attemptWebhook(receivers, webhook)
  onAttempt?.(attempt, { id: eventId, type: eventType })
  return { delivery, startedAt, attempt }
}

/** Nothing is sent without a signature; recorded as a failure, so that the seller sees it. */
const unsigned: Attempt = {
  ok: false,
  statusCode: 0,
  error: 'Секрет подписи больше не читается: удалите подписку и создайте её заново',
  durationMs: 0,
}

function openSecret(
  secretBox: SecretBox,
  queue: SubscriptionQueue,
  sealed: Buffer,
): string | undefined {
  try {
    return secretBox.open(sealed, queue.webhookId)
  } catch {
    return undefined
  }
}
