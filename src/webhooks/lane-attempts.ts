import type { Database } from '../db/connection.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Instant } from '../kernel/moscow-time.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import type { Egress } from './egress.ts'
import type { Asked, DueDelivery, Lane, LaneState } from './lane.ts'
import type { Outcome } from './record.ts'
import type { RetrySchedule } from './schedule.ts'
import { type Attempt, send } from './send.ts'
import { deliveryHeaders } from './signature.ts'

export interface SendingOptions {
  readonly db: Database
  readonly clock: Clock
  readonly egress: Egress
  readonly secretBox: SecretBox
  readonly schedule: RetrySchedule
  /** Between 0 and 1, for jitter. */
  readonly chance: () => number
  /** Whether webhooks are switched on. */
  readonly enabled: () => Promise<boolean>
  /** Is told of every attempt, before it is recorded. */
  readonly attempted?: (attempt: Attempt) => void
  /** Is told when something of a client comes due after a failure. */
  readonly comesDue?: (clientId: string, at: Instant) => void
}

/** Attempts at once of one subscription that answers well. */
export const windowMax = 16
/** Attempts of one subscription that are answered and not recorded yet. */
export const recordingMax = 64

/**
 * The attempts of a lane: those on their way, and those that are answered and being recorded. A good
 * answer makes room for the next attempt; after a failure nothing is looked for until it is recorded.
 */
export class LaneAttempts {
  readonly #options: SendingOptions
  readonly #lane: Lane
  readonly #write: (outcome: Outcome) => Promise<void>
  readonly #sending = new Map<string, Promise<void>>()
  readonly #recording = new Map<string, Promise<void>>()
  readonly #errors: unknown[] = []
  #failure: Promise<void> | undefined

  constructor(options: SendingOptions, lane: Lane, write: (outcome: Outcome) => Promise<void>) {
    this.#options = options
    this.#lane = lane
    this.#write = write
  }

  get underWay(): Omit<Asked, 'lane'> {
    const known = [...this.#sending.keys(), ...this.#recording.keys()]
    return { sending: this.#sending.size, known }
  }

  /** Something could not be recorded. */
  get broken(): boolean {
    return this.#errors.length > 0
  }

  begin(state: LaneState, delivery: DueDelivery): void {
    const answered = attemptDelivery(this.#options, this.#lane, state, delivery)
      .then((outcome) => this.#record(outcome))
      .catch((error: unknown) => void this.#errors.push(error))
      .finally(() => this.#sending.delete(delivery.id))
    this.#sending.set(delivery.id, answered)
  }

  #record(outcome: Outcome): void {
    const { id } = outcome.delivery
    const recorded = this.#write(outcome)
      .catch((error: unknown) => void this.#errors.push(error))
      .finally(() => this.#recording.delete(id))
    this.#recording.set(id, recorded)
    if (!outcome.attempt.ok) this.#failure = recorded
  }

  /** Until there may be room for more, or there was a poke and it can be answered. */
  async next(poked: Promise<void>): Promise<void> {
    const full = this.#sending.size >= windowMax
    await Promise.race([...this.#sending.values(), ...(full ? [] : [poked])])
    while (this.#recording.size >= recordingMax) await Promise.race(this.#recording.values())
    while (this.#failure !== undefined) {
      const failure = this.#failure
      await failure
      if (this.#failure === failure) this.#failure = undefined
    }
  }

  async over(): Promise<void> {
    await Promise.all(this.#sending.values())
    await Promise.all(this.#recording.values())
  }

  rethrow(): void {
    if (this.broken) throw this.#errors[0]
  }
}

async function attemptDelivery(
  { clock, egress, secretBox, attempted }: SendingOptions,
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
  const made = await send(egress, { url, mode, headers, body })
  attempted?.(made)
  return { delivery, startedAt, attempt: made }
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
