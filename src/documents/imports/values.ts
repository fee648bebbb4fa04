import {
  barcodeProblemOf,
  hiddenGtin,
  isNoValue,
  plainBarcode,
} from '../../platform/kernel/codes/goods-barcode.ts'
import { gtinOf } from '../../platform/kernel/codes/gs1.ts'
import { plainCode, plainDigits } from '../../platform/kernel/codes/written-code.ts'
import { excerpt } from '../../platform/kernel/errors.ts'
import { codePointLength, hasBadText } from '../../platform/kernel/json.ts'
import { type Cell, cellText, type SheetRow } from './cell.ts'
import { garbledProblemOf } from './garbled.ts'
import type { Column } from './headings.ts'
import type { Problems } from './problems.ts'

/**
 * Reads values of cells by the rules of a receipt request's items. A spreadsheet program changes
 * texts that look like numbers or dates: a value that may have lost digits is refused and never
 * repaired.
 */

/** The problem of a cell, as a phrase that follows its row and column. */
export class BadCell extends Error {
  override readonly name = 'BadCell'
}

/** Reads the cells of a row. A wrong cell adds a problem and has no value. */
export function cellReader({ row, cells }: SheetRow, problems: Problems) {
  return <T>(column: Column, value: (cell: Cell | undefined) => T): T | undefined => {
    try {
      return value(cells[column.at])
    } catch (error) {
      if (!(error instanceof BadCell)) throw error
      problems.add(row, column, error.message)
      return undefined
    }
  }
}

const barcodeMax = 64
const textMax = 500
const qtyMax = 100_000

/** A spreadsheet program keeps 15 digits of a number and replaces the others by zeros. */
const exactDigits = 15

const asText = 'задайте столбцу текстовый формат и введите значение заново'

export function readBarcode(cell: Cell | undefined): string {
  const text = readText(cell, barcodeMax, plainBarcode)
  if (text === undefined) throw new BadCell('не заполнен штрихкод')
  const problem = barcodeProblemOf(text)
  if (problem !== undefined) throw new BadCell(problem)
  if (cell?.kind === 'number' ? !/^\d+$/.test(text) : /^\d{6,}[.,]\d+$/.test(text)) {
    throw new BadCell(`„${excerpt(text)}“ — не штрихкод, а дробное число: ${asText}`)
  }
  const hidden = hiddenGtin(text)
  if (hidden !== undefined) {
    throw new BadCell(
      `„${excerpt(text)}“ — в штрихкоде лишние знаки: если это ${hidden}, оставьте одни цифры`,
    )
  }
  refuseDate(text)
  if (hasLostTail(text, cell?.kind === 'number')) {
    throw new BadCell(
      `„${text}“ — последние цифры заменены нулями, когда таблица сочла штрихкод числом: ${asText}`,
    )
  }
  return text
}

/** Spreadsheets show a long number as `4.60705E+12`. When that becomes digits again, the last ones are zeros. */
function hasLostTail(barcode: string, isNumber: boolean): boolean {
  const isLong = isNumber ? /^\d{12,14}$/ : /^\d{12,13}$/
  return isLong.test(barcode) && barcode.endsWith('000') && gtinOf(barcode) === undefined
}

/** The GTIN of a barcode whose leading zero a spreadsheet took off; undefined for any other barcode. */
export function withLostZero(barcode: string): string | undefined {
  const whole = `0${barcode}`
  return /^(?:\d{7}|\d{11})$/.test(barcode) && gtinOf(whole) !== undefined ? whole : undefined
}

export function readName(cell: Cell | undefined): string | undefined {
  return readWords(cell)
}

export function readArticle(cell: Cell | undefined): string | undefined {
  const text = readWords(cell, plainCode)
  if (text !== undefined && /^\d+[.,]\d+E\+\d+$/i.test(text)) {
    throw new BadCell(`„${text}“ — округлённое число: ${asText}`)
  }
  if (text !== undefined) refuseDate(text)
  return text
}

/** A text for people. Throws BadCell for what stands for a lost value, and for garbled letters. */
function readWords(cell: Cell | undefined, plain?: (text: string) => string): string | undefined {
  const text = readText(cell, textMax, plain)
  if (text === undefined) return undefined
  if (text.startsWith('#') && isNoValue(text)) throw unreadable({ kind: 'error' })
  if (/^(?:null|nan|undefined)$/i.test(text)) {
    throw new BadCell(
      `„${text}“ — след потерянного значения: впишите его или оставьте ячейку пустой`,
    )
  }
  const problem = garbledProblemOf(text)
  if (problem !== undefined) throw new BadCell(problem)
  return text
}

const months =
  'янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
const dates = [
  /^\d{1,2}\.\d{1,2}\.(?:\d{2}|\d{4})(?: \d{1,2}:\d{2}(?::\d{2})?)?$/,
  /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?$/,
  /^\d{1,2}\/\d{1,2}\/\d{4}$/,
  new RegExp(`^(?:\\d{1,2}[.-](?:${months})|(?:${months})[.-]\\d{2,4})$`, 'i'),
]

/** Spreadsheets take «12-5» for the fifth of December, and write that as a date into CSV. */
function refuseDate(text: string): void {
  if (dates.some((date) => date.test(text)))
    throw new BadCell(`дата „${text}“ вместо значения: ${asText}`)
}

/**
 * A whole number, also with spaces between thousands and with a fraction of one or two zeros. Three
 * zeros are refused: «1,000» may be one or a thousand.
 */
export function readQty(cell: Cell | undefined): number {
  if (cell === undefined) throw new BadCell('не заполнено количество')
  // The sum of a formula may differ from the whole number that is shown, after the 15th digit.
  const qty =
    cell.kind === 'number' ? Number(cell.value.toPrecision(exactDigits)) : Number(wholeNumber(cell))
  if (!Number.isInteger(qty) || qty < 1 || qty > qtyMax) {
    throw new BadCell(`ожидается целое число от 1 до ${qtyMax}, указано „${shown(cell)}“`)
  }
  return qty
}

/** A number with a comma or a point, undefined for an empty cell. */
export function readDecimal(cell: Cell | undefined): number | undefined {
  if (cell === undefined) return undefined
  if (cell.kind === 'number') return Number(cell.value.toPrecision(exactDigits))
  const text = cell.kind === 'text' ? plainDigits(plainCode(protectedText(cell.text))) : ''
  if (!/^\d{1,9}(?:[.,]\d{1,6})?$/.test(text)) {
    throw new BadCell(`ожидается число, указано „${shown(cell)}“`)
  }
  return Number(text.replace(',', '.'))
}

const yes = new Set(['да', 'yes', 'true', '1', '+', 'истина', 'y', 'д', '✓', '✔', '✅', '☑'])
const no = new Set(['нет', 'no', 'false', '0', '-', '–', '—', '−', 'ложь', 'n', 'н'])

/** Undefined for an empty cell: then the product card decides. */
export function readHonestMark(cell: Cell | undefined): boolean | undefined {
  if (cell === undefined) return undefined
  if (cell.kind === 'boolean') return cell.value
  const word = shown(cell).toLowerCase()
  if (yes.has(word)) return true
  if (no.has(word)) return false
  throw new BadCell(`ожидается да или нет, указано „${shown(cell)}“`)
}

/** Whether the cell says no. A row that says nothing else names no goods. */
export function isNo(cell: Cell): boolean {
  return cell.kind === 'boolean' ? !cell.value : no.has(cellText(cell).toLowerCase())
}

function readText(
  cell: Cell | undefined,
  lengthMax: number,
  plain = (text: string) => text,
): string | undefined {
  if (cell === undefined) return undefined
  const text = plain(textOf(cell, lengthMax))
  if (hasBadText(text)) throw new BadCell('недопустимые символы: U+0000 или половина символа')
  if (codePointLength(text) > lengthMax) throw tooLong(lengthMax)
  return text === '' ? undefined : text
}

function textOf(cell: Cell, lengthMax: number): string {
  switch (cell.kind) {
    case 'text':
      return protectedText(cell.text)
    case 'long':
      throw tooLong(lengthMax)
    case 'number':
      return numberText(cell.value, cell.digits)
    case 'boolean':
      throw new BadCell('логическое значение вместо текста')
    default:
      throw unreadable(cell)
  }
}

/** In CSV, `="0012"` keeps a spreadsheet program from reading the text as a number. */
function protectedText(text: string): string {
  return /^="([^"]*)"$/.exec(text)?.[1]?.trim() ?? text
}

function numberText(value: number, digits: number): string {
  if (!Number.isInteger(value)) return String(Number(value.toPrecision(exactDigits)))
  const rounded = Math.abs(value) >= 10 ** exactDigits && value % 10 === 0
  if (!Number.isSafeInteger(value) || rounded) {
    throw new BadCell(`число ${value} слишком велико, чтобы сохраниться точно: ${asText}`)
  }
  return value < 0 ? String(value) : String(value).padStart(digits, '0')
}

function wholeNumber(cell: Cell): string {
  const text = cell.kind === 'text' ? plainDigits(plainCode(protectedText(cell.text))) : ''
  const found = /^(\d+|\d{1,3}(?: \d{3})+)(?:[.,]0{1,2})?$/.exec(text)
  return found?.[1]?.replace(/\D/g, '') ?? 'NaN'
}

/** The value for a message. */
function shown(cell: Cell): string {
  switch (cell.kind) {
    case 'text':
    case 'quotes':
      return excerpt(cell.text)
    case 'number':
      return String(cell.value)
    case 'boolean':
      return cell.value ? 'ИСТИНА' : 'ЛОЖЬ'
    case 'long':
      return 'длинный текст'
    default:
      throw unreadable(cell)
  }
}

function unreadable({ kind }: Pick<Cell, 'kind'>): BadCell {
  if (kind === 'quotes') {
    return new BadCell(
      'кавычки внутри текста прочитать нельзя: удвойте их или сохраните таблицу как XLSX',
    )
  }
  if (kind === 'date') return new BadCell(`дата вместо значения: ${asText}`)
  if (kind === 'error')
    return new BadCell('в ячейке ошибка формулы: исправьте её или впишите значение')
  return new BadCell('формула без сохранённого результата: откройте файл в Excel и сохраните')
}

function tooLong(lengthMax: number): BadCell {
  return new BadCell(`не больше ${lengthMax} символов`)
}
