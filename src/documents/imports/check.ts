import Type, { type Static } from 'typebox'
import { columnLetters } from '../../platform/kernel/column-letters.ts'
import { excerpt } from '../../platform/kernel/errors.ts'
import { count, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import { cellText, type SheetRow } from './cell.ts'
import { type GoodsFile, sheetsOf } from './goods.ts'
import type { Columns, Field } from './headings.ts'
import type { Problems } from './problems.ts'
import { type NamesLookup, readRows } from './table.ts'

/** What a file of goods would bring, and what is wrong with it, cell by cell. */

/** Rows that are shown though nothing is wrong with them. */
const goodRowsShown = 100

const fields = ['barcode', 'name', 'article', 'qty', 'honest_mark'] as const
const fieldRule = 'Поле товара, которое читают из столбца.'

export const FileProblems = Type.Array(
  Type.Object({
    row: Type.Integer({ minimum: 1, description: 'Строка.' }),
    column: textOrNull('Буквы столбца; null — нужного столбца в таблице нет.'),
    rule: Type.String({ description: 'Что не так.' }),
  }),
  { description: 'Ошибки по порядку, не больше 50.' },
)

export const GoodsFileCheck = Type.Object(
  {
    sheet: textOrNull('Какой лист книги прочитан; null — лист в файле один.'),
    columns: Type.Array(
      Type.Object({
        letter: Type.String({ description: 'Буквы столбца.', examples: ['B'] }),
        field: oneOfValues(fields, fieldRule),
      }),
      { description: 'Столбцы, которые читаются, слева направо.' },
    ),
    rows: Type.Array(
      Type.Object({
        row: Type.Integer({ minimum: 1, description: 'Номер строки в таблице.' }),
        cells: Type.Array(Type.String(), {
          description: 'Что стоит в этих столбцах, не длиннее 60 знаков.',
        }),
      }),
      { description: `Первые ${goodRowsShown} строк и все строки с ошибками, по порядку.` },
    ),
    problems: FileProblems,
    rows_count: count('Сколько строк с товаром прочитано.'),
    units: count('Сколько в них единиц, не считая строк с ошибками.'),
  },
  { $id: 'GoodsFileCheck', description: 'Что в таблице товаров и что в ней не так.' },
)
export type GoodsFileCheck = Static<typeof GoodsFileCheck>

/** Throws ServiceError for a file that is no table of goods at all. */
export async function checkGoods(file: GoodsFile, known: NamesLookup): Promise<GoodsFileCheck> {
  const rows: GoodsFileCheck['rows'] = []
  const table = await readRows(await sheetsOf(file), known, (row, columns) => {
    rows.push({ row: row.row, cells: columnsOf(columns).map(({ at }) => shownAt(row, at)) })
  })
  const { found } = table.problems
  const wrong = new Set(found.map(({ row }) => row))
  return {
    sheet: table.sheet ?? null,
    columns: columnsOf(table.headings.columns).map(({ at, field }) => ({
      letter: columnLetters(at),
      field,
    })),
    rows: rows.filter(({ row }, index) => index < goodRowsShown || wrong.has(row)),
    problems: problemsShown(table.problems),
    rows_count: rows.length,
    units: table.goods.reduce((units, { qty }) => units + qty, 0),
  }
}

function columnsOf(columns: Columns): { readonly at: number; readonly field: Field }[] {
  return fields
    .flatMap((field) => {
      const column = columns[field]
      return column === undefined ? [] : [{ at: column.at, field }]
    })
    .sort((one, other) => one.at - other.at)
}

function shownAt({ cells }: SheetRow, at: number): string {
  return excerpt(cellText(cells[at]))
}

export function problemsShown({ found }: Problems): Static<typeof FileProblems> {
  return found.map(({ row, column: { at }, rule }) => ({
    ...{ row, column: at < 0 ? null : columnLetters(at), rule },
  }))
}
