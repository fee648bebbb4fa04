import type { MarketplaceError } from '../calls/failure.ts'
import type { Time } from '../calls/limits.ts'
import { inPieces } from '../calls/pages.ts'

/** OZON answers that it will, and does it a little later: a few looks, then the caller asks again. */

const looksMax = 6
const pauseMs = 1000

/** Looks until there is something to see. Throws what it is given where it takes long. */
export async function seen<T>(
  time: Time,
  look: (last: boolean) => Promise<T | undefined>,
  late: MarketplaceError,
): Promise<T> {
  for (let looks = 1; ; looks++) {
    const found = await look(looks === looksMax)
    if (found !== undefined) return found
    if (looks === looksMax) throw late
    await time.wait(pauseMs)
  }
}

const atOnceMax = 8

/** Does the same with all items, a few at once; the first failure ends it. */
export async function withEach<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const some of inPieces(items, atOnceMax)) {
    results.push(...(await Promise.all(some.map(run))))
  }
  return results
}
