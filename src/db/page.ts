import type { Position } from '../kernel/cursor.ts'

export interface Page<Item> {
  readonly items: Item[]
  /** Items that match the filter, on all pages. */
  readonly total: number
  /** Null on the last page. */
  readonly next: Position | null
}

/** What a list is asked for beside its filter. */
export interface PageRequest {
  readonly limit: number
  readonly after: Position | undefined
}

/** Makes a page of rows that were read with one more than `limit`, which tells whether it goes on. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  total: number,
  view: (row: Row) => Item,
  position: (row: Row) => Position,
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    items: shown.map(view),
    total,
    next: last === undefined ? null : position(last),
  }
}
