import { excerpt } from '../kernel/errors.ts'
import { columnLetters, type SheetRow, type SheetRows } from './cell.ts'
import { type Column, type Columns, type Headings, readHeadings } from './headings.ts'
import { gatherProblems, type Problems } from './problems.ts'
import { refusedFile } from './refusals.ts'
import { BadCell, readArticle, readBarcode, readHonestMark, readName, readQty } from './values.ts'

/** One line of goods, by the rules of a receipt request's items. */
export interface GoodsRow {
  /** As a spreadsheet program numbers it, from 1; the headings have a row as well. */
  readonly row: number
  readonly barcode: string
  readonly name?: string
  readonly article?: string
  readonly qty: number
  /** Undefined where the file does not say. */
  readonly honestMark?: boolean
}

/** Rows with goods in one file; empty ones and the headings don't count. */
export const ROWS_MAX = 10_000

/** The empty ones too. */
const ALL_ROWS_MAX = 100_000

/**
 * The first filled row has the headings, each filled row below it is goods. Throws validation_error
 * that names every bad cell, up to a bound; never gives a part of the rows.
 */
export async function readTable(portions: SheetRows): Promise<GoodsRow[]> {
  const problems = gatherProblems()
  const goods: GoodsRow[] = []
  const rowsByBarcode = new Map<string, number>()
  let headings: Headings | undefined
  let all = 0
  let count = 0
  reading: for await (const rows of portions) {
    all += rows.length
    if (all > ALL_ROWS_MAX) throw tooManyEmptyRows()
    for (const row of rows) {
      if (headings === undefined) {
        if (row.cells.some((cell) => cell !== undefined)) headings = readHeadings(row)
        continue
      }
      const { columns, width } = headings
      const isShifted = refuseStray(row, width, problems)
      if (problems.full) break reading
      if (isEmpty(row, columns)) continue
      if (++count > ROWS_MAX) throw tooManyRows()
      const line = isShifted ? undefined : readRow(row, columns, problems)
      if (line !== undefined) goods.push(line)
      if (line !== undefined) refuseRepeated(line, columns.barcode, rowsByBarcode, problems)
      if (problems.full) break reading
    }
  }
  if (headings === undefined) throw refusedFile('Файл пуст: нет ни одной заполненной строки')
  if (!problems.none) throw problems.error()
  if (count === 0) throw refusedFile('В файле нет ни одной строки с товаром, только заголовки')
  return goods
}

function readRow(
  { row, cells }: SheetRow,
  columns: Columns,
  problems: Problems,
): GoodsRow | undefined {
  const read = <T>(column: Column, value: (cell: SheetRow['cells'][number]) => T) => {
    try {
      return value(cells[column.at])
    } catch (error) {
      if (!(error instanceof BadCell)) throw error
      problems.add(row, column, error.message)
      return undefined
    }
  }
  const barcode = read(columns.barcode, readBarcode)
  const name = columns.name && read(columns.name, readName)
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
 * Whether something stands beyond the last heading. A comma in a name that nobody quoted moves the
 * cells behind it, and then none of them is what its heading says.
 */
function refuseStray({ row, cells }: SheetRow, width: number, problems: Problems): boolean {
  const at = cells.findIndex((cell, column) => column >= width && cell !== undefined)
  if (at < 0) return false
  problems.add(
    row,
    { at, label: `столбец ${columnLetters(at)}` },
    'заполнен, а заголовка у него нет; в CSV текст с разделителем внутри берут в кавычки',
  )
  return true
}

/** One barcode is one line: the second of a pair is refused, and the first named with it. */
function refuseRepeated(
  { row, barcode }: GoodsRow,
  column: Column,
  rowsByBarcode: Map<string, number>,
  problems: Problems,
): void {
  const first = rowsByBarcode.get(barcode)
  if (first === undefined) rowsByBarcode.set(barcode, row)
  else problems.add(row, column, `штрихкод ${excerpt(barcode)} уже есть в строке ${first}`)
}

/** Nothing in any column that is read; what stands beside them is none of ours. */
function isEmpty({ cells }: SheetRow, columns: Columns): boolean {
  return Object.values(columns).every((column: Column) => cells[column.at] === undefined)
}

function tooManyEmptyRows() {
  return refusedFile(
    `В файле больше ${ALL_ROWS_MAX} строк вместе с пустыми: удалите строки под таблицей`,
  )
}

function tooManyRows() {
  return refusedFile(`В файле больше ${ROWS_MAX} строк с товарами: разделите его на несколько`)
}
