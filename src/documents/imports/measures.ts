import { columnLetters } from '../../platform/kernel/column-letters.ts'
import { excerpt, type ServiceError } from '../../platform/kernel/errors.ts'
import { firstPlaces } from '../../platform/kernel/goods-barcode.ts'
import type { Cell, Sheet, SheetRow } from './cell.ts'
import { type GoodsFile, sheetsOf } from './goods.ts'
import { type Column, fieldOf, headingText } from './headings.ts'
import { collectProblems, type Problems } from './problems.ts'
import { refusedFile } from './refusals.ts'
import { BadCell, readBarcode, readDecimal } from './values.ts'

/** Reads measures of goods from a spreadsheet file: all rows or none, as `goods.ts` reads goods. */

export interface MeasuredRow {
  /** The product's own barcode. */
  readonly barcode: string
  readonly length_mm: number
  readonly width_mm: number
  readonly height_mm: number
  readonly weight_g: number | null
}

/** The product's own barcode for one that is written in the file; undefined for goods that the warehouse does not know. */
export type BarcodeLookup = (
  barcodes: readonly string[],
) => Promise<(barcode: string) => string | undefined>

const rowsMax = 10_000
const allRowsMax = 100_000

const sideFields = ['length', 'width', 'height'] as const
const measureFields = [...sideFields, 'weight'] as const
type Side = (typeof sideFields)[number]
type Field = 'barcode' | 'weight' | Side

interface UnitColumn extends Column {
  /** Millimetres or grams in one of its units. */
  readonly size: number
}
type Columns = Readonly<Record<'barcode' | Side, UnitColumn>> & { readonly weight?: UnitColumn }

const names: Readonly<Record<'barcode' | Side, string>> = {
  barcode: 'Штрихкод',
  length: 'Длина, см',
  width: 'Ширина, см',
  height: 'Высота, см',
}

const words: Readonly<Record<Exclude<Field, 'barcode'>, readonly string[]>> = {
  length: ['длина', 'length'],
  width: ['ширина', 'width'],
  height: ['высота', 'height'],
  weight: ['вес', 'масса', 'weight'],
}

/** What stands beside the name of a measure in tables of marketplaces. */
const additions =
  /^(?:с|в|упаковки|упаковкой|упаковке|товара|единицы|брутто|package|packed|product|item)$/
const units: Readonly<Record<string, number>> = {
  ...{ мм: 1, mm: 1, см: 10, cm: 10 },
  ...{ г: 1, гр: 1, g: 1, кг: 1000, kg: 1000 },
}

/** Throws ServiceError: bad_request if the file is no table, validation_error that names the wrong cells. */
export async function readMeasures(file: GoodsFile, lookUp: BarcodeLookup): Promise<MeasuredRow[]> {
  let refusal: ServiceError | undefined
  for (const sheet of await sheetsOf(file)) {
    const table = await readSheet(sheet)
    if (table === undefined) {
      refusal ??= refusedFile(
        `В файле нет строки с заголовками ${Object.values(names).join('; ')}: возьмите шаблон`,
      )
      continue
    }
    return resolved(table, await lookUp(table.rows.map(({ barcode }) => barcode)))
  }
  throw refusal ?? refusedFile('Файл пуст: нет ни одной заполненной строки')
}

interface WrittenRow extends MeasuredRow {
  readonly row: number
}

interface Table {
  readonly columns: Columns
  readonly rows: WrittenRow[]
  readonly problems: Problems
}

/** The table of a sheet; undefined where no row has the headings. */
async function readSheet(sheet: Sheet): Promise<Table | undefined> {
  let table: Table | undefined
  let all = 0
  for await (const rows of sheet.rows()) {
    all += rows.length
    if (all > allRowsMax) throw refusedFile('В файле слишком много строк: удалите пустые')
    for (const row of rows) {
      if (table === undefined) {
        const columns = columnsIn(row)
        if (columns === undefined) continue
        table = { columns, rows: [], problems: collectProblems(sheet.name) }
      } else {
        readRow(row, table)
        if (table.problems.full) throw table.problems.error()
      }
    }
  }
  return table
}

function resolved(
  { columns, rows, problems }: Table,
  own: (barcode: string) => string | undefined,
) {
  const firstRow = firstPlaces<number>()
  const found = rows.map(({ row, ...measured }) => {
    const barcode = own(measured.barcode)
    if (barcode === undefined) {
      problems.add(
        row,
        columns.barcode,
        `товара ${excerpt(measured.barcode)} у клиента нет: заведите его или уберите строку`,
      )
    }
    const first = firstRow(barcode ?? measured.barcode, row)
    if (first !== row) {
      problems.add(row, columns.barcode, `этот товар уже измерен в строке ${first}`)
    }
    return { ...measured, barcode: barcode ?? measured.barcode }
  })
  if (!problems.none) throw problems.error()
  if (found.length === 0) throw refusedFile('В файле не заполнены размеры ни одного товара')
  return found
}

/** Goods without any measure are those that nobody has measured yet. */
function readRow({ row, cells }: SheetRow, { columns, rows, problems }: Table): void {
  const { barcode, weight } = columns
  const measures = [...sideFields.map((side) => columns[side]), weight]
  if (measures.every((column) => column === undefined || cells[column.at] === undefined)) return
  if (rows.length >= rowsMax) throw refusedFile(`В файле больше ${rowsMax} строк: разделите его`)
  const read = <T>(column: Column, value: (cell: Cell | undefined) => T): T | undefined => {
    try {
      return value(cells[column.at])
    } catch (error) {
      if (!(error instanceof BadCell)) throw error
      problems.add(row, column, error.message)
      return undefined
    }
  }
  const written = read(barcode, readBarcode)
  const sides = sideFields.map((side) => read(columns[side], sideIn(columns[side])))
  const weighs = weight && read(weight, weightIn(weight))
  const [length, width, height] = sides
  if (written === undefined || !length || !width || !height) return
  rows.push({
    ...{ row, barcode: written, weight_g: weighs ?? null },
    ...{ length_mm: length, width_mm: width, height_mm: height },
  })
}

function sideIn({ size }: UnitColumn): (cell: Cell | undefined) => number {
  return (cell) => {
    const value = readDecimal(cell)
    if (value === undefined) throw new BadCell('не заполнен размер')
    return whole(value * size, 10_000, 'от 0,1 до 1000 см, не точнее миллиметра')
  }
}

function weightIn({ size }: UnitColumn): (cell: Cell | undefined) => number | undefined {
  return (cell) => {
    const value = readDecimal(cell)
    return value === undefined
      ? undefined
      : whole(value * size, 1_000_000, 'от 1 г до 1000 кг, не точнее грамма')
  }
}

function whole(value: number, max: number, rule: string): number {
  const rounded = Math.round(value)
  if (Math.abs(value - rounded) > 1e-6 || rounded < 1 || rounded > max) throw new BadCell(rule)
  return rounded
}

/** The columns of a row of headings; undefined for any other row. Throws validation_error if a heading occurs twice. */
function columnsIn({ row, cells }: SheetRow): Columns | undefined {
  const found: Partial<Record<Field, UnitColumn>> = {}
  for (const [at, cell] of cells.entries()) {
    const heading = headingText(cell)
    const { field, size } = meaningOf(heading)
    if (field === undefined) continue
    const label = `столбец „${excerpt(heading)}“ (${columnLetters(at)})`
    const other = found[field]
    if (other !== undefined) {
      throw refusedFile(
        `Строка ${row}: ${other.label} и ${label} означают одно и то же, оставьте один из них`,
      )
    }
    found[field] = { at, label, size }
  }
  const { barcode, length, width, height, weight } = found
  if (!barcode || !length || !width || !height) return undefined
  return { barcode, length, width, height, ...(weight && { weight }) }
}

/** «Длина упаковки, мм*» is a length in millimetres; without a unit sides are in centimetres, weights in grams. */
function meaningOf(heading: string): { readonly field: Field | undefined; readonly size: number } {
  if (fieldOf(heading) === 'barcode') return { field: 'barcode', size: 1 }
  const said = heading.toLowerCase().match(/\p{L}+/gu) ?? []
  const unit = said.find((word) => word in units)
  const [name, ...others] = said.filter((word) => !(word in units) && !additions.test(word))
  const field =
    others.length > 0 ? undefined : measureFields.find((each) => words[each].includes(name ?? ''))
  return { field, size: units[unit ?? (field === 'weight' ? 'г' : 'см')] ?? 1 }
}
