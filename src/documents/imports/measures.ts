import { firstPlaces } from '../../platform/kernel/codes/goods-barcode.ts'
import { excerpt } from '../../platform/kernel/errors.ts'
import type { Cell, SheetRow } from './cell.ts'
import type { GoodsFile } from './goods.ts'
import { type Column, fieldOf } from './headings.ts'
import { namedColumns, type PlainTable, readPlainTable } from './plain-table.ts'
import type { Problems } from './problems.ts'
import { refusedFile } from './refusals.ts'
import { BadCell, cellReader, readBarcode, readDecimal } from './values.ts'

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
  const headings = Object.values(names)
  const table = await readPlainTable(file, { headings, columnsIn, readRow })
  return resolved(table, await lookUp(table.rows.map(({ barcode }) => barcode)))
}

interface WrittenRow extends MeasuredRow {
  readonly row: number
}

function resolved(
  { columns, rows, problems }: PlainTable<Columns, WrittenRow>,
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
function readRow(row: SheetRow, columns: Columns, problems: Problems): WrittenRow | undefined {
  const { barcode, weight } = columns
  const measures = [...sideFields.map((side) => columns[side]), weight]
  if (measures.every((column) => column === undefined || row.cells[column.at] === undefined)) {
    return undefined
  }
  const read = cellReader(row, problems)
  const written = read(barcode, readBarcode)
  const sides = sideFields.map((side) => read(columns[side], sideIn(columns[side])))
  const weighs = weight && read(weight, weightIn(weight))
  const [length, width, height] = sides
  if (written === undefined || !length || !width || !height) return undefined
  return {
    ...{ row: row.row, barcode: written, weight_g: weighs ?? null },
    ...{ length_mm: length, width_mm: width, height_mm: height },
  }
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

function columnsIn(row: SheetRow): Columns | undefined {
  const { barcode, length, width, height, weight } = namedColumns(row, meaningOf)
  if (!barcode || !length || !width || !height) return undefined
  return { barcode, length, width, height, ...(weight && { weight }) }
}

/** «Длина упаковки, мм*» is a length in millimetres; without a unit sides are in centimetres, weights in grams. */
function meaningOf(heading: string): { readonly field: Field; readonly size: number } | undefined {
  if (fieldOf(heading) === 'barcode') return { field: 'barcode', size: 1 }
  const said = heading.toLowerCase().match(/\p{L}+/gu) ?? []
  const unit = said.find((word) => word in units)
  const [name, ...others] = said.filter((word) => !(word in units) && !additions.test(word))
  if (others.length > 0) return undefined
  const field = measureFields.find((each) => words[each].includes(name ?? ''))
  return field && { field, size: units[unit ?? (field === 'weight' ? 'г' : 'см')] ?? 1 }
}
