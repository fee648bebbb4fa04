import { SkladError } from './errors.ts'
import type { Timing } from './time.ts'

export interface Passing {
  readonly signal: AbortSignal
  /** After so long a refusal is thrown. */
  readonly waitMaxMs: number
  /** The service holds the answer: others need not wait for it. */
  readonly isHeld: boolean
}

const jitterMs = 500

/**
 * Calls of one client that go too often wait together: in their order, and one at a time, so that a refused crowd
 * does not come back as a crowd.
 */
export class RateGate {
  readonly #timing: Timing
  #opensMs = Number.NEGATIVE_INFINITY
  #refusal: SkladError | undefined
  #waiting = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(timing: Timing) {
    this.#timing = timing
  }

  /** Sends now, or in its turn; after `rate_limited` again as `Retry-After` says. Throws every other error. */
  async pass<Result>(send: () => Promise<Result>, passing: Passing): Promise<Result> {
    const { signal, waitMaxMs, isHeld } = passing
    const { elapsedMs } = this.#timing
    const startedMs = elapsedMs()
    let leave: (() => void) | undefined
    try {
      for (;;) {
        if (leave === undefined && this.#isClosed()) leave = await this.#turn(signal)
        const waitMs = Math.max(0, this.#opensMs - elapsedMs())
        if (this.#refusal !== undefined && elapsedMs() + waitMs - startedMs > waitMaxMs)
          throw this.#refusal
        if (waitMs > 0) await this.#timing.wait(waitMs, signal)
        if (isHeld) {
          leave?.()
          leave = undefined
        }
        try {
          return await send()
        } catch (error) {
          if (!(error instanceof SkladError) || error.code !== 'rate_limited') throw error
          this.#close(error)
        }
      }
    } finally {
      leave?.()
    }
  }

  #isClosed(): boolean {
    return this.#waiting > 0 || this.#opensMs > this.#timing.elapsedMs()
  }

  /** Other clients may have the same key: chance keeps them from coming back together. */
  #close(refusal: SkladError): void {
    const ms = (refusal.retryAfterSeconds ?? 1) * 1000 + this.#timing.random() * jitterMs
    this.#opensMs = Math.max(this.#opensMs, this.#timing.elapsedMs() + ms)
    this.#refusal = refusal
  }

  /** Resolves, to what gives the turn on, after everybody who came before has given it on. */
  async #turn(signal: AbortSignal): Promise<() => void> {
    let pass = (): void => {}
    const passed = new Promise<void>((resolve) => {
      pass = resolve
    })
    const ahead = this.#last
    this.#last = ahead.then(() => passed)
    this.#waiting += 1
    const leave = () => {
      this.#waiting -= 1
      pass()
    }
    try {
      await untilAborted(ahead, signal)
    } catch (error) {
      leave()
      throw error
    }
    return leave
  }
}

function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    work.then(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, reject)
  })
}
