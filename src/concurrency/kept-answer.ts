interface KeptAnswerParts<Answer> {
  readonly make: () => Promise<Answer>
  /** How long others get an answer again; 0 makes it anew for everybody. */
  readonly keptMs: (answer: Answer) => number
  readonly elapsedMs?: () => number
}

/**
 * An answer that many ask for and that may cost much. One that is to be kept is shared by all callers for that time,
 * and while the next one is being made.
 */
export class KeptAnswer<Answer> {
  readonly #make: () => Promise<Answer>
  readonly #keptMs: (answer: Answer) => number
  readonly #elapsedMs: () => number
  #shared: Promise<Answer> | undefined
  #freshUntilMs = 0

  constructor({ make, keptMs, elapsedMs = () => performance.now() }: KeptAnswerParts<Answer>) {
    this.#make = make
    this.#keptMs = keptMs
    this.#elapsedMs = elapsedMs
  }

  async get(): Promise<Answer> {
    const shared = this.#shared
    if (shared !== undefined && this.#elapsedMs() < this.#freshUntilMs) return shared
    const making = this.#make()
    if (shared !== undefined) {
      this.#shared = making
      this.#freshUntilMs = Number.POSITIVE_INFINITY
    }
    try {
      const answer = await making
      const keptMs = this.#keptMs(answer)
      this.#shared = keptMs > 0 ? making : undefined
      this.#freshUntilMs = this.#elapsedMs() + keptMs
      return answer
    } catch (error) {
      this.#shared = undefined
      throw error
    }
  }
}
