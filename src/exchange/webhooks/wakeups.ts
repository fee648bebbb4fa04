import type { Listener } from '../../platform/db/connection.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import { deliveriesChannel } from '../../warehouse/events/outbox.ts'

/**
 * What wakes a dispatcher:
 *
 * - NOTIFY, with the id of a client whose events wait;
 * - the end of a short pause, by a timer;
 * - a poll of everything, every `pollMs`, and whenever the listening connection is made again: it
 *   finds what a lost notification announced, what another process left, and the end of longer pauses.
 *
 * It also notices a clock that was set back.
 *
 * Nothing wakes before `start` or after `stop`.
 */
export interface WakeupOptions {
  readonly db: Listener
  readonly clock: Clock
  readonly pollMs: number
  readonly onClientDue: (clientId: string) => void
  readonly onPoll: () => void
  readonly onSetBack: () => void
}

/** Clocks are slewed by less between two polls. */
const setBackMsMin = 1_000

/** Longer pauses end with a poll: of those the wait until it adds little. */
export const shortPauseMs = 10_000

export class Wakeups {
  readonly #options: WakeupOptions
  readonly #pauses = new Set<NodeJS.Timeout>()
  #poll: NodeJS.Timeout | undefined
  #polledAt = 0
  #listening: { unlisten(): Promise<void> } | undefined

  constructor(options: WakeupOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { db, clock, pollMs, onClientDue, onPoll } = this.#options
    this.#listening = await db.listen(deliveriesChannel, onClientDue, onPoll)
    this.#polledAt = clock.now()
    this.#poll = setInterval(() => {
      this.#lookAtClock()
      onPoll()
    }, pollMs)
  }

  #lookAtClock(): void {
    const { clock, onSetBack } = this.#options
    const now = clock.now()
    if (now < this.#polledAt - setBackMsMin) onSetBack()
    this.#polledAt = now
  }

  /** Wakes for the client at that moment, where it is near. */
  wakeAt(clientId: string, at: Instant): void {
    const { clock, onClientDue } = this.#options
    const pauseMs = at - clock.now()
    if (this.#poll === undefined || pauseMs <= 0 || pauseMs > shortPauseMs) return
    // A timer may fire a millisecond early.
    const timer = setTimeout(() => {
      this.#pauses.delete(timer)
      onClientDue(clientId)
    }, pauseMs + 1)
    this.#pauses.add(timer)
  }

  async stop(): Promise<void> {
    clearInterval(this.#poll)
    this.#poll = undefined
    for (const timer of this.#pauses) clearTimeout(timer)
    this.#pauses.clear()
    await this.#listening?.unlisten().catch(() => {})
  }
}
