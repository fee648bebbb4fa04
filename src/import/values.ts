import { excerpt } from '../kernel/errors.ts'
import { codePointLength, hasBadText } from '../kernel/json.ts'
import type { Cell } from './cell.ts'

/**
 * Reads values of cells by the rules of a receipt request's items. A spreadsheet program changes
 * texts that look like numbers or dates: a value that may have lost digits is refused and never
 * repaired.
 */

/** The problem of a cell, as a phrase that follows its row and column. */
export class BadCell extends Error {
  override readonly name = 'BadCell'
}

const BARCODE_MAX = 64
const TEXT_MAX = 500
const QTY_MAX = 100_000

/** A spreadsheet program keeps 15 digits of a number and replaces the others by zeros. */
const EXACT_DIGITS = 15

const asText = 'задайте столбцу текстовый формат и введите значение заново'

export function readBarcode(cell: Cell | undefined): string {
  const text = readText(cell, BARCODE_MAX)
  if (text === undefined) throw new BadCell('не заполнен штрихкод')
  if (/^\d+(?:[.,]\d+E\+?|E\+)\d+$/i.test(text)) {
    throw new BadCell(`„${excerpt(text)}“ — не штрихкод, а округлённое число: ${asText}`)
  }
  if (cell?.kind === 'number' ? !/^\d+$/.test(text) : /^\d{6,}[.,]\d+$/.test(text)) {
    throw new BadCell(`„${excerpt(text)}“ — не штрихкод, а дробное число: ${asText}`)
  }
  return text
}

export function readName(cell: Cell | undefined): string | undefined {
  return readText(cell, TEXT_MAX)
}

export function readArticle(cell: Cell | undefined): string | undefined {
  return readText(cell, TEXT_MAX)
}

/**
 * A whole number, also with spaces between thousands and with a fraction of one or two zeros. Three
 * zeros are refused: «1,000» may be one or a thousand.
 */
export function readQty(cell: Cell | undefined): number {
  if (cell === undefined) throw new BadCell('не заполнено количество')
  const qty = cell.kind === 'number' ? cell.value : Number(wholeNumber(cell))
  if (!Number.isInteger(qty) || qty < 1 || qty > QTY_MAX) {
    throw new BadCell(`ожидается целое число от 1 до ${QTY_MAX}, указано „${shown(cell)}“`)
  }
  return qty
}

const yes = new Set(['да', 'yes', 'true', '1', '+', 'истина', 'y', 'д'])
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

function readText(cell: Cell | undefined, lengthMax: number): string | undefined {
  if (cell === undefined) return undefined
  const text = textOf(cell, lengthMax)
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
  if (!Number.isInteger(value)) return String(Number(value.toPrecision(EXACT_DIGITS)))
  const rounded = Math.abs(value) >= 10 ** EXACT_DIGITS && value % 10 === 0
  if (!Number.isSafeInteger(value) || rounded) {
    throw new BadCell(`число ${value} слишком велико, чтобы сохраниться точно: ${asText}`)
  }
  return value < 0 ? String(value) : String(value).padStart(digits, '0')
}

function wholeNumber(cell: Cell): string {
  const text = cell.kind === 'text' ? protectedText(cell.text) : ''
  const found = /^(\d+|\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+)(?:[.,]0{1,2})?$/.exec(text)
  return found?.[1]?.replace(/\D/g, '') ?? 'NaN'
}

/** The value for a message. */
function shown(cell: Cell): string {
  switch (cell.kind) {
    case 'text':
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

function unreadable({ kind }: Cell): BadCell {
  if (kind === 'date') return new BadCell(`дата вместо значения: ${asText}`)
  if (kind === 'error') return new BadCell('в ячейке ошибка формулы')
  return new BadCell('формула без сохранённого результата: откройте файл в Excel и сохраните')
}

function tooLong(lengthMax: number): BadCell {
  return new BadCell(`не больше ${lengthMax} символов`)
}
