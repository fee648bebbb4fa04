import { isNoValue } from '../../platform/kernel/codes/goods-barcode.ts'
import { columnLetters } from '../../platform/kernel/column-letters.ts'
import { excerpt } from '../../platform/kernel/errors.ts'
import { type Cell, cellText, type SheetRow } from './cell.ts'
import type { Column, Columns } from './headings.ts'
import type { Problems } from './problems.ts'
import {
  cellReader,
  isNo,
  readArticle,
  readBarcode,
  readHonestMark,
  readName,
  readQty,
  withLostZero,
} from './values.ts'

/** One line of goods, by the rules of a receipt request's items. */
export interface GoodsRow {
  /** The number in a spreadsheet program, from 1; the headings are a row as well. */
  readonly row: number
  readonly barcode: string
  readonly name?: string
  readonly article?: string
  readonly qty: number
  /** Undefined if the file does not say. */
  readonly honestMark?: boolean
}

/** What only the warehouse knows about a row: whether it has such goods. */
export interface Question {
  readonly row: number
  readonly barcode: string
  readonly column: Column
  /** What is wrong if it has none. */
  readonly rule: string
  /** Whether it is wrong as well where nobody can be asked. */
  readonly isCertain: boolean
}

const nameColumn: Column = { at: -1, label: 'столбец name (название)' }

/** Reads the cells of a row and adds what is wrong with them; undefined where its goods or their number are not known. */
export function readRow(
  sheetRow: SheetRow,
  columns: Columns,
  problems: Problems,
  questions: Question[],
): GoodsRow | undefined {
  const { row, cells } = sheetRow
  const read = cellReader(sheetRow, problems)
  const barcode = read(columns.barcode, readBarcode)
  const name = columns.name && read(columns.name, readName)
  const isNameless = columns.name === undefined || cells[columns.name.at] === undefined
  if (barcode !== undefined && isNameless) {
    questions.push({
      row,
      barcode,
      column: columns.name ?? nameColumn,
      rule: unnamed(barcode),
      isCertain: false,
    })
  }
  const whole = barcode === undefined ? undefined : withLostZero(barcode)
  if (barcode !== undefined && whole !== undefined) {
    questions.push({
      row,
      barcode,
      column: columns.barcode,
      rule: lostZero(barcode, whole),
      isCertain: true,
    })
  }
  const article = columns.article && read(columns.article, readArticle)
  const qty = read(columns.qty, readQty)
  const honestMark = columns.honest_mark && read(columns.honest_mark, readHonestMark)
  if (barcode === undefined || qty === undefined) return undefined
  return {
    row,
    barcode,
    ...(name === undefined ? {} : { name }),
    ...(article === undefined ? {} : { article }),
    qty,
    ...(honestMark === undefined ? {} : { honestMark }),
  }
}

/**
 * Whether a cell is filled beyond the last heading. An unquoted separator in a text shifts the
 * following cells, so that no cell of the row belongs to its heading.
 */
export function refuseStray({ row, cells }: SheetRow, width: number, problems: Problems): boolean {
  const isFilled = (cell: Cell | undefined) =>
    cell !== undefined && !(cell.kind === 'boolean' && !cell.value)
  const at = cells.findIndex((cell, column) => column >= width && isFilled(cell))
  if (at < 0) return false
  problems.add(
    row,
    { at, label: `столбец ${columnLetters(at)}` },
    'заполнен, а заголовка у него нет; в CSV текст с разделителем внутри берут в кавычки',
  )
  return true
}

/** A barcode has one row: adds a problem for a second one, which names the first. */
export function refuseRepeated(
  { row, barcode }: GoodsRow,
  column: Column,
  first: number,
  problems: Problems,
): void {
  if (first === row) return
  problems.add(row, column, `штрихкод ${excerpt(barcode)} уже есть в строке ${first}`)
}

/**
 * Whether a row says nothing of goods; other columns do not matter. Tables are prepared below their goods: formulas show
 * 0 or an error there, boxes to tick are not ticked.
 */
export function isEmpty({ cells }: SheetRow, columns: Columns): boolean {
  return Object.entries(columns).every(([field, { at }]) => {
    const cell = cells[at]
    if (cell === undefined) return true
    if (field === 'honest_mark') return isNo(cell)
    if (field === 'qty') return cellText(cell) === '0' || isLost(cell)
    return isLost(cell)
  })
}

function isLost(cell: Cell): boolean {
  return (
    cell.kind === 'error' || (cell.kind === 'text' && /^#/.test(cell.text) && isNoValue(cell.text))
  )
}

const totalWords =
  /^(?:(?:общий )?итог|итого|итоги|всего|total|subtotal|grand total)(?![\p{L}\p{N}])/iu

/** Whether a row adds up the others: it begins so, or so says its name, and no barcode stands in it. */
export function isTotal({ cells }: SheetRow, { barcode, name }: Columns): boolean {
  const texts = [
    cells.find((cell) => cell !== undefined),
    cells[barcode.at],
    name && cells[name.at],
  ]
  const isNamed = texts.some((cell) => cell?.kind === 'text' && totalWords.test(cell.text))
  const own = cells[barcode.at]
  return isNamed && (own === undefined || (own.kind === 'text' && totalWords.test(own.text)))
}

const unnamed = (barcode: string) =>
  `товар ${excerpt(barcode)} складу ещё не известен, укажите название`

const lostZero = (barcode: string, whole: string) =>
  `„${barcode}“ — похоже, таблица убрала ноль в начале: если это ${whole}, впишите его текстом; ` +
  'если ваш внутренний код, попросите склад завести такой товар'
