import { excerpt } from '../kernel/errors.ts'
import { firstPlaces } from '../kernel/goods-barcode.ts'
import { columnLetters, type SheetRow, type SheetRows } from './cell.ts'
import { type Column, type Columns, type Headings, readHeadings } from './headings.ts'
import { collectProblems, type Problems } from './problems.ts'
import { refusedFile } from './refusals.ts'
import { BadCell, readArticle, readBarcode, readHonestMark, readName, readQty } from './values.ts'

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

/** Which of these barcodes have a name in the warehouse or on a marketplace: rows of others need one. */
export type NamesLookup = (
  barcodes: readonly string[],
) => Promise<{ has(barcode: string): boolean }>

/** Rows with goods in one file, without empty rows and the headings. */
export const ROWS_MAX = 10_000

/** All rows, empty ones included. */
const ALL_ROWS_MAX = 100_000

/**
 * Reads a table: the first filled row has the headings, each filled row below it is goods. Throws
 * validation_error that names the wrong cells, up to a bound. Never returns a part of the rows.
 */
export async function readTable(chunks: SheetRows, known?: NamesLookup): Promise<GoodsRow[]> {
  const { goods, problems } = await readRows(chunks, known)
  if (!problems.none) throw problems.error()
  return goods
}

export interface ReadTable {
  readonly headings: Headings
  /** Those without a problem in their cells. */
  readonly goods: GoodsRow[]
  readonly problems: Problems
}

/**
 * Reads a table and collects what is wrong with its cells. `seen` gets each row with goods. Throws validation_error for a
 * table without headings or goods, and for one that is too large.
 */
export async function readRows(
  chunks: SheetRows,
  known?: NamesLookup,
  seen: (row: SheetRow, columns: Columns) => void = () => undefined,
): Promise<ReadTable> {
  const problems = collectProblems()
  const goods: GoodsRow[] = []
  const nameless: NamelessRow[] = []
  const firstRow = firstPlaces<number>()
  let headings: Headings | undefined
  let all = 0
  let count = 0
  reading: for await (const rows of chunks) {
    all += rows.length
    if (all > ALL_ROWS_MAX) throw tooManyEmptyRows()
    for (const row of rows) {
      if (headings === undefined) {
        if (row.cells.some((cell) => cell !== undefined)) headings = readHeadings(row)
        continue
      }
      const { columns, width } = headings
      const isShifted = refuseStray(row, width, problems)
      if (!isEmpty(row, columns)) seen(row, columns)
      if (problems.full) break reading
      if (isEmpty(row, columns)) continue
      if (++count > ROWS_MAX) throw tooManyRows()
      const line = isShifted ? undefined : readRow(row, columns, problems, nameless)
      if (line !== undefined) goods.push(line)
      if (line !== undefined)
        refuseRepeated(line, columns.barcode, firstRow(line.barcode, line.row), problems)
      if (problems.full) break reading
    }
  }
  if (headings === undefined) throw refusedFile('Файл пуст: нет ни одной заполненной строки')
  if (known !== undefined) await refuseNameless(nameless, known, problems)
  if (problems.none && count === 0)
    throw refusedFile('В файле нет ни одной строки с товаром, только заголовки')
  return { headings, goods, problems }
}

interface NamelessRow {
  readonly row: number
  readonly barcode: string
  readonly column: Column
}

const nameColumn: Column = { at: -1, label: 'столбец name (название)' }

/** Adds a problem for each row without a name whose goods nobody knows. */
async function refuseNameless(
  rows: readonly NamelessRow[],
  known: NamesLookup,
  problems: Problems,
): Promise<void> {
  if (rows.length === 0 || problems.full) return
  const goods = await known([...new Set(rows.map(({ barcode }) => barcode))])
  for (const { row, barcode, column } of rows) {
    if (goods.has(barcode)) continue
    problems.add(row, column, `товар ${excerpt(barcode)} складу ещё не известен, укажите название`)
  }
}

function readRow(
  { row, cells }: SheetRow,
  columns: Columns,
  problems: Problems,
  nameless: NamelessRow[],
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
  const isNameless = columns.name === undefined || cells[columns.name.at] === undefined
  if (barcode !== undefined && isNameless) {
    nameless.push({ row, barcode, column: columns.name ?? nameColumn })
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

/** A barcode has one row: adds a problem for a second one, which names the first. */
function refuseRepeated(
  { row, barcode }: GoodsRow,
  column: Column,
  first: number,
  problems: Problems,
): void {
  if (first === row) return
  problems.add(row, column, `штрихкод ${excerpt(barcode)} уже есть в строке ${first}`)
}

/** Whether all columns that are read are empty; other columns do not matter. */
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
