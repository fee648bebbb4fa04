interface KeptAnswerParts<Answer> {
  readonly make: () => Promise<Answer>
  /** For how long an answer is given again; 0: it is made anew for everybody. */
  readonly keptMs: (answer: Answer) => number
  /** For how long after that it is still given while the next one is made; 0: callers wait for the next one. */
  readonly staleMs?: number
  readonly elapsedMs?: () => number
}

/**
 * An answer that many ask for and that may cost much. All callers share it for as long as it is kept. The first caller after
 * that starts the next one, and still gets the kept one unless that is too old.
 */
export class KeptAnswer<Answer> {
  readonly #make: () => Promise<Answer>
  readonly #keptMs: (answer: Answer) => number
  readonly #staleMs: number
  readonly #elapsedMs: () => number
  #shared: Promise<Answer> | undefined
  #freshUntilMs = 0
  #next: Promise<Answer> | undefined

  constructor(parts: KeptAnswerParts<Answer>) {
    const { make, keptMs, staleMs = 0, elapsedMs = () => performance.now() } = parts
    this.#make = make
    this.#keptMs = keptMs
    this.#staleMs = staleMs
    this.#elapsedMs = elapsedMs
  }

  async get(): Promise<Answer> {
    const shared = this.#shared
    if (shared === undefined) return this.#makeAnswer()
    const now = this.#elapsedMs()
    if (now < this.#freshUntilMs) return shared
    this.#next ??= this.#makeAnswer().finally(() => {
      this.#next = undefined
    })
    if (now >= this.#freshUntilMs + this.#staleMs) return this.#next
    // Only those who find the kept answer too old learn of a failure.
    this.#next.catch(() => {})
    return shared
  }

  async #makeAnswer(): Promise<Answer> {
    const making = this.#make()
    try {
      const keptMs = this.#keptMs(await making)
      this.#shared = keptMs > 0 ? making : undefined
      this.#freshUntilMs = this.#elapsedMs() + keptMs
      return await making
    } catch (error) {
      this.#shared = undefined
      throw error
    }
  }
}
