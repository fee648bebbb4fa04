import type { Instant } from './moscow-time.ts'

/**
 * The source of the current time. Callers pass it in, so that tests and the sandbox can play any
 * day.
 */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z, an integer. */
  now(): Instant
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that stands still until a test moves it, in either direction. */
export class ManualClock implements Clock {
  #instant: Instant

  constructor(instant: Instant) {
    this.#instant = instant
  }

  now(): Instant {
    return this.#instant
  }

  advance(milliseconds: number): void {
    this.#instant += milliseconds
  }

  set(instant: Instant): void {
    this.#instant = instant
  }
}
