import type { GoodsFileCheck } from '../../api/staff-calls.ts'
import { SheetRead } from '../../ui/forms/sheet-read.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { number, plural } from '../../words/format.ts'

type Row = GoodsFileCheck['rows'][number]
type Problem = GoodsFileCheck['problems'][number]

const fieldWords: Readonly<Record<GoodsFileCheck['columns'][number]['field'], string>> = {
  barcode: 'Штрихкод',
  name: 'Название',
  article: 'Артикул',
  qty: 'Количество',
  honest_mark: 'Честный знак',
}

/** The table of a file as the service read it, with what is wrong beside each cell. */
export function GoodsFileTable({ check }: { readonly check: GoodsFileCheck | undefined }) {
  if (check === undefined) {
    return (
      <div class="empty">
        Выберите клиента и таблицу: здесь появятся её строки, а ошибки — прямо в ячейках.
      </div>
    )
  }
  const { rows, problems, rows_count: all, units, sheet } = check
  return (
    <>
      <SheetRead sheet={sheet} />
      <p class={problems.length > 0 ? 'notice bad' : 'notice good'} role="status">
        {problems.length > 0
          ? `Исправьте в таблице ${plural(problems.length, 'ошибку', 'ошибки', 'ошибок')} и выберите её снова.`
          : `Таблица прочитана без ошибок: ${plural(all, 'строка', 'строки', 'строк')}, ${plural(units, 'единица', 'единицы', 'единиц')}.`}
      </p>
      <Table
        name="Таблица из файла"
        rows={rows}
        columns={columnsOf(check)}
        keyOf={({ row }) => String(row)}
      />
      {rows.length < all && (
        <p class="quiet small">
          Показаны {number(rows.length)} из {plural(all, 'строки', 'строк', 'строк')}: первые и все
          с ошибками.
        </p>
      )}
    </>
  )
}

function columnsOf({ columns, problems }: GoodsFileCheck): readonly Column<Row>[] {
  const shown = new Set(columns.map(({ letter }) => letter))
  const at = (row: number, letter: string) =>
    problems.filter((each) => each.row === row && each.column === letter)
  // What is wrong outside of the columns that are read stands at the row.
  const elsewhere = (row: number) =>
    problems.filter((each) => each.row === row && !shown.has(each.column ?? ''))
  return [
    {
      title: 'Строка',
      cell: ({ row }) => <Cell text={String(row)} problems={elsewhere(row)} names />,
    },
    ...columns.map(({ letter, field }, index) => ({
      title: `${letter}: ${fieldWords[field]}`,
      cell: ({ row, cells }: Row) => <Cell text={cells[index] ?? ''} problems={at(row, letter)} />,
    })),
  ]
}

interface CellProps {
  readonly text: string
  readonly problems: readonly Problem[]
  /** Whether to name the columns of the problems. */
  readonly names?: boolean
}

function Cell({ text, problems, names = false }: CellProps) {
  if (problems.length === 0) return <span class="name">{text}</span>
  return (
    <div class="wrong-cell">
      <span class="name">{text || 'пусто'}</span>
      {problems.map(({ column, rule }) => (
        <p key={`${column} ${rule}`} class="small problem">
          {names && column !== null ? `Столбец ${column}: ${rule}` : rule}
        </p>
      ))}
    </div>
  )
}
