/**
 * Makes scans of what a camera sees. A code that stays in view counts once; it counts again when it has been out of view
 * for a while, or after another code. A single frame may be misread, so two in a row must agree.
 */

/** Out of view for less, a code has only trembled or been out of focus. */
const awayMs = 1_200

export class Sightings {
  #last: string | undefined
  #candidate: string | undefined
  #seenAt = Number.NEGATIVE_INFINITY

  /** The code of a frame, or undefined where it shows none. Answers the code if it counts now. */
  see(code: string | undefined, atMs: number): string | undefined {
    if (atMs - this.#seenAt > awayMs) this.#last = undefined
    const before = this.#candidate
    this.#candidate = code
    if (code === undefined) return undefined
    if (code === this.#last) {
      this.#seenAt = atMs
      return undefined
    }
    if (code !== before) return undefined
    this.#last = code
    this.#seenAt = atMs
    return code
  }
}
