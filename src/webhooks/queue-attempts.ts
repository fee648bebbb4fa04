import { WakeSignal } from '../concurrency/wake-signal.ts'
import type { Database } from '../db/connection.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Instant } from '../kernel/moscow-time.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import type { DueDelivery, DueRequest, QueueTarget } from './due-deliveries.ts'
import type { Egress } from './egress.ts'
import type { SubscriptionQueue } from './leases.ts'
import { attemptWebhook, type OwnReceivers } from './own-receivers.ts'
import type { AttemptOutcome } from './record.ts'
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
  readonly onAttempt?: (attempt: Attempt) => void
  /** Called when a failure is recorded: something of the client becomes due at that moment. */
  readonly onRetryAt?: (clientId: string, at: Instant) => void
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
  /** An attempt was answered; an outcome was recorded. */
  readonly #answered = new WakeSignal()
  readonly #recorded = new WakeSignal()
  readonly #errors: unknown[] = []
  #window = windowFirst
  #failure: Promise<void> | undefined
  #failures = 0
  #opened: OpenedSecret | undefined

  constructor(
    options: SendingOptions,
    queue: SubscriptionQueue,
    write: (outcome: AttemptOutcome) => Promise<void>,
  ) {
    this.#options = options
    this.#queue = queue
    this.#write = write
  }

  get inProgress(): Pick<DueRequest, 'sending' | 'inProgress'> {
    const inProgress = [...this.#sending.keys(), ...this.#recording.keys()]
    return { sending: this.#sending.size, inProgress }
  }

  get sending(): number {
    return this.#sending.size
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
    const answered = attemptDelivery(
      this.#options,
      this.#queue,
      target,
      delivery,
      this.#secretOf(target),
    )
      .then((outcome) => {
        this.#adaptWindow(outcome.attempt)
        this.#record(outcome)
      })
      .catch((error: unknown) => void this.#errors.push(error))
      .finally(() => {
        this.#sending.delete(delivery.id)
        this.#answered.set()
      })
    this.#sending.set(delivery.id, answered)
  }

  #record(outcome: AttemptOutcome): void {
    const { id } = outcome.delivery
    const recorded = this.#write(outcome)
      .catch((error: unknown) => void this.#errors.push(error))
      .finally(() => {
        this.#recording.delete(id)
        this.#recorded.set()
      })
    this.#recording.set(id, recorded)
    if (outcome.attempt.ok) return
    this.#failures += 1
    this.#failure = recorded
  }

  /** Waits until an attempt is answered or, where it is given, a wake signal comes. */
  async next(woken: Promise<void> | undefined): Promise<void> {
    this.#answered.reset()
    const answered = this.#answered.whenSet
    await (woken === undefined ? answered : Promise.race([answered, woken]))
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

  /** The signing secret, opened once as long as it stays the same; undefined where no configured key opens it. */
  #secretOf({ secret: sealed }: QueueTarget): string | undefined {
    if (this.#opened === undefined || !this.#opened.sealed.equals(sealed)) {
      const { secretBox } = this.#options
      this.#opened = { sealed, secret: openSecret(secretBox, this.#queue, sealed) }
    }
    return this.#opened.secret
  }
}

interface OpenedSecret {
  readonly sealed: Buffer
  readonly secret: string | undefined
}

async function attemptDelivery(
  { clock, onAttempt, ...outlets }: SendingOptions,
  queue: SubscriptionQueue,
  target: QueueTarget,
  delivery: DueDelivery,
  secret: string | undefined,
): Promise<AttemptOutcome> {
  const startedAt = clock.now()
  if (secret === undefined) return { delivery, startedAt, attempt: unsigned }
  const body = Buffer.from(delivery.body)
  const number = delivery.attempts + 1
  const headers = deliveryHeaders({
    eventType: delivery.event_type,
    deliveryHeaderId: number === 1 ? delivery.id : `${delivery.id}.${number}`,
    timestamp: Math.floor(startedAt / 1000),
    secret,
    body,
  })
  const { url, mode } = target
  const { clientId } = queue
  const eventType = delivery.event_type
  const webhook = { clientId, mode, url, eventType, headers, body, secret }
  const attempt = await attemptWebhook(outlets, webhook)
  onAttempt?.(attempt)
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
