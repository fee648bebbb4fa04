/** A table as both formats give it: rows of cells, each with what is left of its meaning. */

export type Cell =
  | { readonly kind: 'text'; readonly text: string }
  /** A text longer than `TEXT_UNITS_MAX`; it is not kept. */
  | { readonly kind: 'long' }
  /** `digits`: how many are shown at least, zeros before the others, where the format says so. */
  | { readonly kind: 'number'; readonly value: number; readonly digits: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'date' }
  /** Such as `#N/A`. */
  | { readonly kind: 'error' }
  /** A formula whose result was not saved with it. */
  | { readonly kind: 'unsaved' }

export interface SheetRow {
  /** As a spreadsheet program numbers it, from 1. */
  readonly row: number
  /** By column, from 0; an empty cell is undefined. */
  readonly cells: readonly (Cell | undefined)[]
}

/** Rows in portions: between two of them other work of the process gets its turn. */
export type SheetRows = AsyncIterable<readonly SheetRow[]>

/** More than any value may have, in UTF-16 units. */
export const TEXT_UNITS_MAX = 2_000

/** Only columns with something in them count. */
export const COLUMNS_MAX = 100

/** A trimmed text; nothing where nothing is left of it. */
export function textCell(text: string): Cell | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return trimmed.length > TEXT_UNITS_MAX ? { kind: 'long' } : { kind: 'text', text: trimmed }
}

/** The letters over a column: A, B … Z, AA. */
export function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last
}
