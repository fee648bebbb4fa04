import { type Cell, textCell } from '../cell.ts'
import { damagedXlsx } from '../refusals.ts'
import { unescaped } from './strings.ts'
import { type NumberFormat, plainFormat } from './styles.ts'

/** The shared strings and number formats to which cells refer. */
export interface SheetContext {
  readonly strings: readonly (Cell | undefined)[]
  readonly formats: readonly NumberFormat[]
}

export interface RawCell {
  /** The attribute `t` (ECMA-376, part 1, 18.18.11) without `inlineStr`. */
  readonly type: string
  /** The attribute `s`. */
  readonly style: string
  /** The content of `v`, if there is one. */
  readonly value: string | undefined
  readonly isFormula: boolean
}

/** Reads a cell by its type; a formula has its saved result. Throws ServiceError. */
export function readCell(raw: RawCell, { strings, formats }: SheetContext): Cell | undefined {
  const { type, value = '' } = raw
  if (type === 'str') return textCell(unescaped(value))
  if (type === 'e') return { kind: 'error' }
  if (value.trim() === '') return raw.isFormula ? { kind: 'unsaved' } : undefined
  if (type === 's') return sharedString(value, strings)
  if (type === 'b') return { kind: 'boolean', value: number(value) !== 0 }
  if (type === 'd') return { kind: 'date' }
  if (type !== 'n') throw damagedXlsx(`cell type ${type}`)
  const { isDate, digits } = formats[Number(raw.style)] ?? plainFormat
  return isDate ? { kind: 'date' } : { kind: 'number', value: number(value), digits }
}

function sharedString(value: string, strings: readonly (Cell | undefined)[]): Cell | undefined {
  const at = number(value)
  if (!(at in strings)) throw damagedXlsx('no such string')
  return strings[at]
}

function number(text: string): number {
  if (!/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text)) throw damagedXlsx('no number')
  const value = Number(text)
  if (!Number.isFinite(value)) throw damagedXlsx('no finite number')
  return value
}

const ROW_NUMBER_MAX = 1_048_576

/** The attribute `r` of a row. Throws ServiceError. */
export function rowNumber(text: string): number {
  const row = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (row < 1 || row > ROW_NUMBER_MAX) throw damagedXlsx('row number')
  return row
}

/** The column of a reference such as `AB12`, from 0. Throws ServiceError. */
export function columnOf(reference: string): number {
  const letters = /^([A-Z]{1,3})\d{1,7}$/.exec(reference)?.[1]
  if (letters === undefined) throw damagedXlsx('cell reference')
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
