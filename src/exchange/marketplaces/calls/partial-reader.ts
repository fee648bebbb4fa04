import type { Instant } from '../../../platform/kernel/moscow-time.ts'
import { isFailure, type MarketplaceError, PartlyMalformed } from './failure.ts'
import type { Fields } from './response-fields.ts'

/**
 * Reads a response item by item, so that one unreadable item does not hide the others. The reader
 * keeps the first failure; `finish` throws it after all readable items were used.
 */
export interface PartialReader {
  /**
   * Parses the items and skips those that fail. A parsed item gives one result, several or none.
   */
  each<Item, T>(items: readonly Item[], parse: (item: Item) => T | readonly T[] | undefined): T[]
  /** Awaits the response about one object; undefined if it was refused or cannot be parsed. */
  attempt<T>(response: Promise<T>): Promise<T | undefined>
  /** Whether nothing has failed so far. */
  isComplete(): boolean
  /**
   * @throws MarketplaceError the first failure if that is a refusal, or else PartlyMalformed
   */
  finish(): void
}

export function openPartialReader(): PartialReader {
  let first: MarketplaceError | undefined
  return {
    each(items, parse) {
      return items.flatMap((item) => {
        try {
          return parse(item) ?? []
        } catch (error) {
          if (!isFailure(error)) throw error
          first ??= error
          return []
        }
      })
    },
    async attempt(response) {
      try {
        return await response
      } catch (error) {
        if (!isFailure(error, 'rejected', 'malformed')) throw error
        first ??= error
        return undefined
      }
    },
    isComplete: () => first === undefined,
    finish() {
      if (first === undefined) return
      throw first.kind === 'rejected' ? first : new PartlyMalformed(first.message, { cause: first })
    },
  }
}

/** A page of a marketplace's list. */
export interface RemotePage {
  readonly requestedAt: Instant
  readonly items: readonly Fields[]
  /** The cursor of the next page; undefined after the last one, where WB may also send 0. */
  readonly next: string | undefined
}
