import { excerpt } from '../../platform/kernel/errors.ts'
import type { Cell, SheetRow } from './cell.ts'
import type { GoodsFile } from './goods.ts'
import { type Column, fieldOf } from './headings.ts'
import { namedColumns, type PlainTable, readPlainTable } from './plain-table.ts'
import type { Problems } from './problems.ts'
import { refusedFile } from './refusals.ts'
import { BadCell, cellReader, readBarcode, readQty } from './values.ts'

/** Reads what sets are made of from a spreadsheet file: a row for each part. */

type Field = 'set' | 'part' | 'qty'
type Columns = Readonly<Record<Field, Column>>

interface PartRow {
  readonly row: number
  readonly set: string
  readonly part: string
  readonly qty: number
}
export type SetsTable = PlainTable<Columns, PartRow>

/** The headings of the table that is saved, filled in and sent back. */
export const setsHeadings: Readonly<Record<Field, string>> = {
  set: 'Штрихкод набора',
  part: 'Штрихкод части',
  qty: 'Штук в наборе',
}

const words: Readonly<Record<Field, readonly string[]>> = {
  set: ['набор', 'набора', 'комплект', 'комплекта', 'set', 'kit', 'bundle'],
  part: ['часть', 'части', 'компонент', 'компонента', 'part', 'component'],
  qty: ['количество', 'кол', 'во', 'шт', 'штук', 'в', 'наборе', 'комплекте', 'qty', 'quantity'],
}

/** Throws ServiceError: bad_request if the file is no table, validation_error if it is no table of sets. */
export async function readSets(file: GoodsFile): Promise<SetsTable> {
  const headings = Object.values(setsHeadings)
  const table = await readPlainTable(file, { headings, columnsIn, readRow })
  if (table.rows.length === 0 && table.problems.none) {
    throw refusedFile('В файле нет ни одной части набора')
  }
  return table
}

function columnsIn(row: SheetRow): Columns | undefined {
  const { set, part, qty } = namedColumns(row, meaningOf)
  return set && part && qty ? { set, part, qty } : undefined
}

/** Knows headings such as «Штрихкод набора», «Набор», «Кол-во в наборе, шт.», but no columns with names of goods. */
function meaningOf(heading: string): { readonly field: Field } | undefined {
  const said = heading.toLowerCase().match(/\p{L}+/gu) ?? []
  const named = said.filter((word) => fieldOf(word) !== 'barcode')
  const field = (['set', 'part', 'qty'] as const).find((each) =>
    named.every((word) => words[each].includes(word)),
  )
  return named.length === 0 || field === undefined ? undefined : { field }
}

function readRow(row: SheetRow, columns: Columns, problems: Problems): PartRow | undefined {
  const { set, part, qty } = columns
  if ([set, part, qty].every(({ at }) => row.cells[at] === undefined)) return undefined
  const read = cellReader(row, problems)
  const found = { set: read(set, readBarcode), part: read(part, readBarcode) }
  const units = read(qty, readUnits)
  if (found.set === undefined || found.part === undefined || units === undefined) return undefined
  return { row: row.row, set: found.set, part: found.part, qty: units }
}

const unitsMax = 1000

function readUnits(cell: Cell | undefined): number {
  const units = readQty(cell)
  if (units > unitsMax) throw new BadCell(`не больше ${unitsMax} в одном наборе`)
  return units
}

/** What the client has of the goods that a table names. */
interface GoodsOfSets {
  /** The product's own barcode for the one in the file; undefined where the client has no such product. */
  readonly own: (written: string) => string | undefined
  readonly isSet: (barcode: string) => boolean
  /** The sets that have these goods as a part. */
  readonly setsWith: (barcode: string) => readonly string[]
}

export interface ComposedSet {
  readonly barcode: string
  /** Units by the parts' own barcodes. */
  readonly parts: ReadonlyMap<string, number>
}

/** The sets that a table asks for; adds a problem for what can't be. Sets that it does not name stay as they are. */
export function composedSets(
  { columns, rows, problems }: SetsTable,
  goods: GoodsOfSets,
  partsMax: number,
): ComposedSet[] {
  const found = rows.flatMap(({ row, ...written }) => {
    const own = (field: 'set' | 'part') => {
      const barcode = goods.own(written[field])
      if (barcode !== undefined) return barcode
      problems.add(row, columns[field], `товара ${excerpt(written[field])} у клиента нет`)
      return undefined
    }
    const [set, part] = [own('set'), own('part')]
    return set === undefined || part === undefined ? [] : [{ row, set, part, qty: written.qty }]
  })
  const sets = new Map<string, Map<string, { row: number; qty: number }>>()
  for (const { row, set, part, qty } of found) {
    const parts = sets.get(set) ?? new Map()
    if (!sets.has(set)) sets.set(set, parts)
    const before = parts.get(part)
    if (before !== undefined) {
      problems.add(row, columns.part, `эта часть набора уже названа в строке ${before.row}`)
    } else {
      parts.set(part, { row, qty })
      if (parts.size === partsMax + 1) {
        problems.add(row, columns.part, `в наборе не больше ${partsMax} разных частей`)
      }
    }
  }
  addNested({ columns, problems }, found, { ...goods, named: new Set(sets.keys()) })
  return [...sets].map(([barcode, parts]) => ({
    barcode,
    parts: new Map([...parts].map(([part, { qty }]) => [part, qty])),
  }))
}

/** Adds a problem for each part that would itself be a set. */
function addNested(
  { columns, problems }: Pick<SetsTable, 'columns' | 'problems'>,
  rows: readonly PartRow[],
  { isSet, setsWith, named }: GoodsOfSets & { readonly named: ReadonlySet<string> },
): void {
  const seen = new Set<string>()
  for (const { row, set, part } of rows) {
    if (part === set) problems.add(row, columns.part, 'это сам набор, а нужна его часть')
    else if (named.has(part) || isSet(part)) {
      problems.add(row, columns.part, 'это набор: назовите вместо него его части')
    }
    const other = setsWith(set).find((each) => !named.has(each))
    if (other !== undefined && !seen.has(set)) {
      const rule = `товар входит в набор ${excerpt(other)}, поэтому сам набором быть не может`
      problems.add(row, columns.set, rule)
    }
    seen.add(set)
  }
}
