import type { Instant } from '../../kernel/moscow-time.ts'
import type { Fields } from './answer.ts'

/** A page of what a marketplace tells. */
export interface Page {
  readonly askedAt: Instant
  readonly items: readonly Fields[]
  /** Where the next page begins; undefined after the last, where WB may also say 0. */
  readonly next: string | undefined
}

export function* inPieces<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
