import type { SetPart } from '../catalogue/set-fields.ts'

/** How free units serve what is wanted. Pure: callers read, and lock where they reserve. */

export interface Wanted {
  readonly barcode: string
  readonly units: number
}

export interface Served<Each extends Wanted> {
  readonly wanted: Each
  /** Units that lie ready. */
  readonly ready: number
  /** Of a set: units that are put together from parts. */
  readonly fromParts: number
  /** Units that nothing is there for. */
  readonly short: number
}

/**
 * Takes what is wanted from `free`, which changes: first goods that are no sets, then sets one after the other, those that
 * lie ready before parts. So no set takes the parts that the same order wants alone.
 */
export function serveWanted<Each extends Wanted>(
  wanted: readonly Each[],
  free: Map<string, number>,
  sets: ReadonlyMap<string, { readonly parts: readonly SetPart[] }>,
): Served<Each>[] {
  const take = (barcode: string, units: number) =>
    free.set(barcode, (free.get(barcode) ?? 0) - units)
  const there = (barcode: string) => Math.max(0, free.get(barcode) ?? 0)
  const serveOne = (each: Each): Served<Each> => {
    const ready = Math.min(there(each.barcode), each.units)
    take(each.barcode, ready)
    const { parts = [] } = sets.get(each.barcode) ?? {}
    const allowed = parts.map((part) => Math.floor(there(part.barcode) / part.qty))
    const fromParts = parts.length === 0 ? 0 : Math.min(each.units - ready, ...allowed)
    for (const part of parts) take(part.barcode, fromParts * part.qty)
    return { wanted: each, ready, fromParts, short: each.units - ready - fromParts }
  }
  const alone = wanted.filter(({ barcode }) => !sets.has(barcode))
  const composed = wanted.filter(({ barcode }) => sets.has(barcode))
  return [...alone, ...composed].map(serveOne)
}
