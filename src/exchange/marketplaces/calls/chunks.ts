/** Parts of a list, for calls that take so many items, and calls for all of its items. */

export function* chunksOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

const parallelMax = 8

/** Runs the same call for all items, eight at a time. The first failure ends it. */
export async function mapInParallel<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const chunk of chunksOf(items, parallelMax)) {
    results.push(...(await Promise.all(chunk.map(run))))
  }
  return results
}
