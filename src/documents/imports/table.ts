import { firstPlaces } from '../../platform/kernel/codes/goods-barcode.ts'
import { ServiceError } from '../../platform/kernel/errors.ts'
import { allRowsMax, rowsMax, type Sheet, type SheetRow } from './cell.ts'
import {
  type GoodsRow,
  isEmpty,
  isTotal,
  type Question,
  readRow,
  refuseRepeated,
  refuseStray,
} from './goods-row.ts'
import {
  type Columns,
  type Headings,
  isHeadings,
  repeatsHeadings,
  searchHeadings,
} from './headings.ts'
import { collectProblems, type Problems } from './problems.ts'
import { refusedFile } from './refusals.ts'

/** Which of these barcodes have a name in the warehouse or on a marketplace: rows of others need one. */
export type NamesLookup = (
  barcodes: readonly string[],
) => Promise<{ has(barcode: string): boolean }>

export interface GoodsTable {
  readonly rows: readonly GoodsRow[]
  /** The sheet that was read, if the book has others. */
  readonly sheet: string | undefined
}

/**
 * Reads the first of the sheets that has a table of goods: a row with headings, and goods in the filled rows below it.
 * Throws validation_error that names the wrong cells, up to a bound. Never returns a part of the rows.
 */
export async function readTable(
  sheets: readonly Sheet[],
  known?: NamesLookup,
): Promise<GoodsTable> {
  const { goods, problems, sheet } = await readRows(sheets, known)
  if (!problems.none) throw problems.error()
  return { rows: goods, sheet }
}

export interface ReadTable {
  readonly sheet: string | undefined
  readonly headings: Headings
  /** Those without a problem in their cells. */
  readonly goods: GoodsRow[]
  readonly problems: Problems
}

type Seen = (row: SheetRow, columns: Columns) => void

/**
 * Reads a table and collects what is wrong with its cells. `seen` gets each row with goods. Throws validation_error for a
 * file without headings or goods, and for one that is too large.
 */
export async function readRows(
  sheets: readonly Sheet[],
  known?: NamesLookup,
  seen: Seen = () => undefined,
): Promise<ReadTable> {
  let refusal: ServiceError | undefined
  for (const sheet of sheets) {
    const table = await readSheet(sheet, seen)
    if (table instanceof ServiceError) {
      refusal ??= table
      continue
    }
    await refuseUnknown(table, known)
    return { ...table, sheet: sheet.name }
  }
  throw refusal ?? refusedFile('Файл пуст: нет ни одной заполненной строки')
}

/** What is read of a sheet row by row. */
interface OpenTable {
  readonly headings: Headings
  readonly goods: GoodsRow[]
  readonly problems: Problems
  /** Whose goods must be known, by name or by their barcode. */
  readonly questions: Question[]
}

/** The table of a sheet, or why it has none. Throws validation_error for one that is too large. */
async function readSheet(sheet: Sheet, seen: Seen): Promise<OpenTable | ServiceError> {
  const search = searchHeadings()
  let reader: ReturnType<typeof rowReader> | undefined
  let all = 0
  reading: for await (const rows of sheet.rows()) {
    all += rows.length
    if (all > allRowsMax) throw tooManyEmptyRows()
    for (const row of rows) {
      if (reader === undefined) {
        const headings = search.take(row)
        if (headings !== undefined) reader = rowReader(headings, sheet.name, seen)
        else if (search.isOver) break reading
      } else {
        reader.take(row)
        if (reader.table.problems.full) break reading
      }
    }
  }
  if (reader === undefined) {
    return search.refusal() ?? refusedFile('Файл пуст: нет ни одной заполненной строки')
  }
  const { table } = reader
  const isFilled = table.goods.length > 0 || !table.problems.none
  return isFilled ? table : refusedFile('В файле нет ни одной строки с товаром, только заголовки')
}

function rowReader(headings: Headings, sheet: string | undefined, seen: Seen) {
  const table: OpenTable = { headings, goods: [], problems: collectProblems(sheet), questions: [] }
  const { columns, width } = headings
  const { goods, problems, questions } = table
  const firstRow = firstPlaces<number>()
  let count = 0
  const take = (row: SheetRow) => {
    if (isTotal(row, columns) || repeatsHeadings(row, headings)) return
    if (isHeadings(row)) throw secondTable(row)
    const isShifted = refuseStray(row, width, problems)
    if (isEmpty(row, columns)) return
    seen(row, columns)
    if (problems.full) return
    if (++count > rowsMax) throw tooManyRows()
    const line = isShifted ? undefined : readRow(row, columns, problems, questions)
    if (line === undefined) return
    goods.push(line)
    refuseRepeated(line, columns.barcode, firstRow(line.barcode, line.row), problems)
  }
  return { table, take }
}

/** Adds the problem of each question whose goods nobody knows. Without a lookup names are not asked for. */
async function refuseUnknown(
  { questions, problems }: OpenTable,
  known: NamesLookup | undefined,
): Promise<void> {
  if (questions.length === 0 || problems.full) return
  const goods = await known?.([...new Set(questions.map(({ barcode }) => barcode))])
  for (const { row, barcode, column, rule, isCertain } of questions) {
    if (goods === undefined ? !isCertain : goods.has(barcode)) continue
    problems.add(row, column, rule)
  }
}

function secondTable({ row }: SheetRow) {
  return refusedFile(
    `Строка ${row}: начинается вторая таблица, с другими столбцами: оставьте в файле одну или сделайте столбцы одинаковыми`,
  )
}

function tooManyEmptyRows() {
  return refusedFile(
    `В файле больше ${allRowsMax} строк вместе с пустыми: удалите строки под таблицей`,
  )
}

function tooManyRows() {
  return refusedFile(`В файле больше ${rowsMax} строк с товарами: разделите его на несколько`)
}
