/**
 * A wake signal that is never lost: once set, it stays set until it is reset, so a waiter that comes
 * later wakes at once. Reset it before looking for work: a signal that arrives during the look then
 * wakes the next wait.
 */
export class WakeSignal {
  #waiting: PromiseWithResolvers<void> | undefined
  #isSet = false

  /** Wakes everybody who waits. Setting it twice is the same as once. */
  set(): void {
    this.#isSet = true
    this.#waiting?.resolve()
    this.#waiting = undefined
  }

  reset(): void {
    this.#isSet = false
  }

  get isSet(): boolean {
    return this.#isSet
  }

  /** Resolves when the signal is set; at once if it is. */
  get whenSet(): Promise<void> {
    if (this.#isSet) return Promise.resolve()
    this.#waiting ??= Promise.withResolvers()
    return this.#waiting.promise
  }
}
