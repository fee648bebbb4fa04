import type { Instant } from '../../../platform/kernel/moscow-time.ts'
import type { Fields } from './response-fields.ts'

/** A page of a marketplace's list. */
export interface RemotePage {
  readonly requestedAt: Instant
  readonly items: readonly Fields[]
  /** The cursor of the next page; undefined after the last one, where WB may also send 0. */
  readonly next: string | undefined
}

export function* chunksOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
