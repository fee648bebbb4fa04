import { seenText } from '../../platform/kernel/codes/written-code.ts'

/** Rows and cells of a table, as the readers of both formats produce them. */

export type Cell =
  | { readonly kind: 'text'; readonly text: string }
  /** A text longer than `textUnitsMax`, which is not stored. */
  | { readonly kind: 'long' }
  /** `digits`: the least number of digits that the cell's format shows, with leading zeros. */
  | { readonly kind: 'number'; readonly value: number; readonly digits: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'date' }
  /** For example `#N/A`. */
  | { readonly kind: 'error' }
  /** Quotes inside quotes that may be read in two ways. */
  | { readonly kind: 'quotes'; readonly text: string }
  /** A formula without a saved result. */
  | { readonly kind: 'unsaved' }

export interface SheetRow {
  /** The number in a spreadsheet program, from 1. */
  readonly row: number
  /** Cells by column, from 0; an empty cell is undefined. */
  readonly cells: readonly (Cell | undefined)[]
}

/** Rows in chunks: other work of the process runs between two chunks. */
export type SheetRows = AsyncIterable<readonly SheetRow[]>

/** A table of a file: CSV has one, a book as many as it has visible sheets. */
export interface Sheet {
  /** Undefined where the file has this sheet alone: then it is clear which one was read. */
  readonly name: string | undefined
  /** From the first row, each time. */
  rows(): SheetRows
}

/** Rows that say something in one file, without the headings. */
export const rowsMax = 10_000

/** All rows, empty ones included. */
export const allRowsMax = 100_000

/** In UTF-16 units; longer than any valid value. */
export const textUnitsMax = 2_000

/** Empty columns do not count. */
export const columnsMax = 100

/** A text without what nobody sees and without white space around it; undefined if it is empty. */
export function textCell(text: string): Cell | undefined {
  const trimmed = seenText(text).trim()
  if (trimmed === '') return undefined
  return trimmed.length > textUnitsMax ? { kind: 'long' } : { kind: 'text', text: trimmed }
}

/** What a cell shows to people; of a cell without a value that can be read, what stands there instead. */
export function cellText(cell: Cell | undefined): string {
  switch (cell?.kind) {
    case undefined:
      return ''
    case 'text':
    case 'quotes':
      return cell.text
    case 'number':
      return String(cell.value).padStart(cell.digits, '0')
    case 'boolean':
      return cell.value ? 'ИСТИНА' : 'ЛОЖЬ'
    case 'long':
      return 'длинный текст'
    case 'date':
      return 'дата'
    case 'error':
      return '#ОШИБКА'
    case 'unsaved':
      return 'формула'
  }
}
