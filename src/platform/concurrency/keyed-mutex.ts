/**
 * A mutex per key, within one process. Callers of one key run one after the other, in the order in
 * which they came; callers of different keys run at the same time. An action that throws releases the
 * key like any other.
 */
export class KeyedMutex {
  /** The last action of each key that is held; keys that nobody holds are absent. */
  readonly #last = new Map<string, Promise<unknown>>()

  isHeld(key: string): boolean {
    return this.#last.has(key)
  }

  /** Waits for the key, then runs the action. */
  async run<T>(key: string, action: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(action, action)
    this.#last.set(key, mine)
    try {
      return await mine
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key)
    }
  }
}
