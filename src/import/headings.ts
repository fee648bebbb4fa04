import { excerpt } from '../kernel/errors.ts'
import { type Cell, columnLetters, type SheetRow } from './cell.ts'
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

/** Reads the first filled row. Throws validation_error if a heading is missing or occurs twice. */
export function readHeadings({ row, cells }: SheetRow): Headings {
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
  if (barcode === undefined || qty === undefined) throw missing(row, columns)
  const width = cells.findLastIndex((cell) => cell !== undefined) + 1
  return { columns: { ...columns, barcode, qty }, width }
}

function missing(row: number, columns: Partial<Record<Field, Column>>) {
  const absent = required.filter((field) => columns[field] === undefined)
  const what = absent.map((field) => names[field]).join(' и ')
  return refusedFile(
    `В строке заголовков (строка ${row}) нет ${absent.length > 1 ? 'столбцов' : 'столбца'} ` +
      `${what}. Обязательны barcode и qty, ещё читаются name, article, honest_mark; ` +
      'годятся и русские заголовки: штрихкод, количество, название, артикул, честный знак',
  )
}

function headingText(cell: Cell | undefined): string {
  return cell?.kind === 'text' ? cell.text : ''
}
