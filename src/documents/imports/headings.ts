import { columnLetters } from '../../platform/kernel/column-letters.ts'
import { excerpt, type ServiceError } from '../../platform/kernel/errors.ts'
import type { Cell, SheetRow } from './cell.ts'
import { garbledProblemOf } from './garbled.ts'
import { refusedFile } from './refusals.ts'

export type Field = 'barcode' | 'name' | 'article' | 'qty' | 'honest_mark'

export interface Column {
  readonly at: number
  /** The name in messages: «столбец „Кол-во“ (C)». */
  readonly label: string
}

/** The column of each field; fields without a column are absent. */
export type Columns = Readonly<Partial<Record<Field, Column>>> & {
  readonly barcode: Column
  readonly qty: Column
}

const headings: Readonly<Record<Field, readonly string[]>> = {
  barcode: [
    ...['barcode', 'bar code', 'ean', 'ean13', 'ean 13', 'gtin', 'шк', 'шк товара'],
    ...['штрихкод', 'штрих код', 'баркод', 'бар код', 'штрихкод товара', 'баркод товара'],
    ...['штрихкоды', 'баркоды', 'ean штрихкод', 'штрихкод ean', 'штрихкод ean13'],
  ],
  name: [
    ...['name', 'title', 'product', 'product name', 'item', 'item name', 'название', 'имя'],
    ...['наименование', 'товар', 'название товара', 'наименование товара', 'номенклатура'],
  ],
  article: [
    ...['article', 'vendor code', 'seller article', 'артикул', 'артикул продавца'],
    ...['артикул поставщика', 'артикул товара', 'арт'],
  ],
  qty: [
    ...['qty', 'quantity', 'count', 'pcs', 'количество', 'кол во', 'колво', 'кол', 'шт', 'штук'],
    ...['количество шт', 'кол во шт', 'количество штук', 'количество товара', 'кол во товара'],
    ...['количество единиц', 'количество ед', 'единиц'],
  ],
  honest_mark: [
    ...['honest mark', 'honestmark', 'marking', 'честный знак', 'чз', 'маркировка', 'киз'],
    ...['кизы', 'маркируемый', 'маркированный', 'подлежит маркировке', 'нужна маркировка'],
    ...['маркировка честный знак', 'честный знак маркировка', 'требуется маркировка'],
  ],
}

const required = ['barcode', 'qty'] as const

const names: Readonly<Record<(typeof required)[number], string>> = {
  barcode: 'barcode (штрихкод)',
  qty: 'qty (количество)',
}

const fieldsByHeading = new Map<string, Field>(
  Object.entries(headings).flatMap(([field, words]) =>
    words.map((word) => [word, field as Field] as const),
  ),
)

/** The field of a heading, regardless of case, spaces, punctuation and text in brackets. */
export function fieldOf(heading: string): Field | undefined {
  const words = heading
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/\([^()]*\)/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return fieldsByHeading.get(words)
}

export interface Headings {
  readonly columns: Columns
  /** The number of columns up to the last heading, known or not. */
  readonly width: number
}

/** Above its headings a table may have a title, what the delivery is, and whose. */
const rowsAboveMax = 200

/** Looks for the row that names the columns. */
export interface HeadingSearch {
  /** The headings, if the row has them, alone or together with the row above. Throws validation_error. */
  take(row: SheetRow): Headings | undefined
  /** Nothing below can be a table. */
  readonly isOver: boolean
  /** What the likeliest row lacks; undefined where no row is filled. */
  refusal(): ServiceError | undefined
}

export function searchHeadings(): HeadingSearch {
  let likeliest: SheetRow | undefined
  let above: SheetRow | undefined
  let filled = 0
  return {
    take(row) {
      if (row.cells.every((cell) => cell === undefined)) return undefined
      filled++
      if (likeliest === undefined || countFields(row) > countFields(likeliest)) likeliest = row
      const joined = joinedRows(above, row)
      above = row
      const found = [row, joined].find((each) => each !== undefined && isHeadings(each))
      return found === undefined ? undefined : readHeadings(found)
    },
    get isOver() {
      return filled >= rowsAboveMax
    },
    refusal: () => (likeliest === undefined ? undefined : missing(likeliest)),
  }
}

/** Two rows of headings, as merged cells make them. */
function joinedRows(above: SheetRow | undefined, row: SheetRow): SheetRow | undefined {
  if (above?.row !== row.row - 1 || countFields(above) === 0 || countFields(row) === 0)
    return undefined
  const width = Math.max(above.cells.length, row.cells.length)
  const cells = Array.from({ length: width }, (_, at) => row.cells[at] ?? above.cells[at])
  return { row: row.row, cells }
}

function fieldsIn({ cells }: SheetRow): Field[] {
  return cells.map((cell) => fieldOf(headingText(cell))).filter((field) => field !== undefined)
}

function countFields(row: SheetRow): number {
  return new Set(fieldsIn(row)).size
}

/** Whether the row names all columns that a table needs. */
export function isHeadings(row: SheetRow): boolean {
  const fields = fieldsIn(row)
  return required.every((field) => fields.includes(field))
}

/** Whether the row repeats these headings, as printed tables do on each page. */
export function repeatsHeadings({ cells }: SheetRow, { columns }: Headings): boolean {
  return Object.entries(columns).every(
    ([field, { at }]) => fieldOf(headingText(cells[at])) === field,
  )
}

/** Throws validation_error if a heading occurs twice. */
function readHeadings({ row, cells }: SheetRow): Headings {
  const columns: Partial<Record<Field, Column>> = {}
  for (const [at, cell] of cells.entries()) {
    const heading = headingText(cell)
    const field = fieldOf(heading)
    if (field === undefined) continue
    const column = { at, label: `столбец „${excerpt(heading)}“ (${columnLetters(at)})` }
    const other = columns[field]
    if (other !== undefined) {
      throw refusedFile(
        `Строка ${row}: ${other.label} и ${column.label} означают одно и то же (${field}), ` +
          'оставьте один из них',
      )
    }
    columns[field] = column
  }
  const { barcode, qty } = columns
  if (barcode === undefined || qty === undefined) throw missing({ row, cells })
  const width = cells.findLastIndex((cell) => cell !== undefined) + 1
  return { columns: { ...columns, barcode, qty }, width }
}

function missing(row: SheetRow): ServiceError {
  const garbled = row.cells
    .map(headingText)
    .map(garbledProblemOf)
    .find((problem) => problem)
  if (garbled !== undefined) return refusedFile(`Заголовки (строка ${row.row}): ${garbled}`)
  const fields = fieldsIn(row)
  const absent = required.filter((field) => !fields.includes(field))
  const what = absent.map((field) => names[field]).join(' и ')
  return refusedFile(
    `В строке заголовков (строка ${row.row}) нет ${absent.length > 1 ? 'столбцов' : 'столбца'} ` +
      `${what}. Обязательны barcode и qty, ещё читаются name, article, honest_mark; ` +
      'годятся и русские заголовки: штрихкод, количество, название, артикул, честный знак',
  )
}

export function headingText(cell: Cell | undefined): string {
  return cell?.kind === 'text' ? cell.text : ''
}
