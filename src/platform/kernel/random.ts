import { hash } from 'node:crypto'

/** Reproducible random numbers for scenarios, jitter and simulations. Not for secrets. */
export interface Random {
  /** Uniform in [0, 1), 53 bits. */
  next(): number
  /**
   * A uniform integer, both bounds included. Throws RangeError unless min <= max are safe integers.
   */
  int(min: number, max: number): number
  /** One of the items. Throws RangeError if there are none. */
  pick<T>(items: readonly T[]): T
  /** A shuffled copy of the items. */
  shuffle<T>(items: readonly T[]): T[]
}

/** The same seed gives the same numbers, in every version of the service. */
export function seededRandom(seed: string): Random {
  const word = sfc32(seed)
  const next = () => ((word() >>> 5) * 2 ** 26 + (word() >>> 6)) / 2 ** 53
  const int = (min: number, max: number) => {
    if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max - min) || min > max) {
      throw new RangeError(`no integer between ${min} and ${max}`)
    }
    return min + Math.floor(next() * (max - min + 1))
  }
  const pick = <T>(items: readonly T[]) => items[int(0, items.length - 1)] as T
  const shuffle = <T>(items: readonly T[]) => {
    const shuffled = [...items]
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = int(0, last)
      const moved = shuffled[other] as T
      shuffled[other] = shuffled[last] as T
      shuffled[last] = moved
    }
    return shuffled
  }
  return { next, int, pick, shuffle }
}

/**
 * Chris Doty-Humphrey's sfc32 (PractRand): 128 bits of state, a period of at least 2^32, and a
 * counter that separates seeds. The state is the beginning of the seed's SHA-256.
 */
function sfc32(seed: string): () => number {
  const digest = hash('sha256', seed, 'buffer')
  let a = digest.readInt32LE(0)
  let b = digest.readInt32LE(4)
  let c = digest.readInt32LE(8)
  let counter = digest.readInt32LE(12)
  return () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
}
