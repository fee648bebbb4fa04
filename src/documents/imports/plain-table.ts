import { columnLetters } from '../../platform/kernel/column-letters.ts'
import { excerpt, type ServiceError } from '../../platform/kernel/errors.ts'
import { allRowsMax, rowsMax, type Sheet, type SheetRow } from './cell.ts'
import { type GoodsFile, sheetsOf } from './goods.ts'
import { type Column, headingText } from './headings.ts'
import { collectProblems, type Problems } from './problems.ts'
import { refusedFile } from './refusals.ts'

/** Reads tables whose columns are named in one row: those of measures and of sets. Goods have more freedom (`table.ts`). */

interface TableKind<Columns, Row> {
  /** The headings that a table must have. */
  readonly headings: readonly string[]
  /** The columns of a row of headings; undefined for any other row. */
  readonly columnsIn: (row: SheetRow) => Columns | undefined
  /** Undefined for a row that says nothing, and for a wrong one, whose problems it adds. */
  readonly readRow: (row: SheetRow, columns: Columns, problems: Problems) => Row | undefined
}

export interface PlainTable<Columns, Row> {
  readonly columns: Columns
  readonly rows: Row[]
  readonly problems: Problems
  /** Of a book with several sheets, which one was read. */
  readonly sheet: string | undefined
}

/** The first table of a file. Throws ServiceError: bad_request if the file is no table, validation_error if it lacks headings or rows. */
export async function readPlainTable<Columns, Row>(
  file: GoodsFile,
  kind: TableKind<Columns, Row>,
): Promise<PlainTable<Columns, Row>> {
  let refusal: ServiceError | undefined
  for (const sheet of await sheetsOf(file)) {
    const table = await readSheet(sheet, kind)
    if (table !== undefined) return table
    refusal ??= refusedFile(
      `В файле нет строки с заголовками ${kind.headings.join('; ')}: возьмите шаблон`,
    )
  }
  throw refusal ?? refusedFile('Файл пуст: нет ни одной заполненной строки')
}

/** The table of a sheet, read until there are too many problems to name; undefined where no row has the headings. */
async function readSheet<Columns, Row>(
  sheet: Sheet,
  { columnsIn, readRow }: TableKind<Columns, Row>,
): Promise<PlainTable<Columns, Row> | undefined> {
  let table: PlainTable<Columns, Row> | undefined
  let all = 0
  for await (const rows of sheet.rows()) {
    all += rows.length
    if (all > allRowsMax) throw refusedFile('В файле слишком много строк: удалите пустые')
    for (const row of rows) {
      if (table === undefined) {
        const columns = columnsIn(row)
        if (columns !== undefined) {
          table = { columns, rows: [], problems: collectProblems(sheet.name), sheet: sheet.name }
        }
        continue
      }
      const read = readRow(row, table.columns, table.problems)
      if (table.problems.full) return table
      if (read === undefined) continue
      if (table.rows.length === rowsMax) {
        throw refusedFile(`В файле больше ${rowsMax} строк: разделите его`)
      }
      table.rows.push(read)
    }
  }
  return table
}

/** The columns that a row names, by what their headings mean. Throws validation_error if two mean the same. */
export function namedColumns<Field extends string, Meaning extends { readonly field: Field }>(
  { row, cells }: SheetRow,
  meaningOf: (heading: string) => Meaning | undefined,
): Partial<Record<Field, Column & Meaning>> {
  const found: Partial<Record<Field, Column & Meaning>> = {}
  for (const [at, cell] of cells.entries()) {
    const heading = headingText(cell)
    const meaning = meaningOf(heading)
    if (meaning === undefined) continue
    const label = `столбец „${excerpt(heading)}“ (${columnLetters(at)})`
    const other = found[meaning.field]
    if (other !== undefined) {
      throw refusedFile(
        `Строка ${row}: ${other.label} и ${label} означают одно и то же, оставьте один из них`,
      )
    }
    found[meaning.field] = { at, label, ...meaning }
  }
  return found
}
