import type { Calls, GoodsMovement } from '../../api/account-calls.ts'
import { useAddress } from '../../ui/address.ts'
import { ChoiceFilter, DaysFilter, Filters, TextFilter } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number } from '../../words/format.ts'
import { account } from '../api.ts'
import { askedIn } from '../parts/asked.ts'
import { ListFiles } from '../parts/list-files.tsx'
import { Long, Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { movementsTogether } from './movements-together.ts'

type Query = NonNullable<Calls['GET /movements']['query']>

const kinds: Readonly<Record<GoodsMovement['kind'], string>> = {
  acceptance: 'Приёмка',
  shipment: 'Отгрузка',
  return: 'Возврат',
  correction: 'Исправление остатка',
  write_off: 'Списание',
  question: 'Под вопрос и обратно',
}

const documentPaths = {
  receipt: paths.receipt,
  shipment: paths.shipment,
  return_batch: paths.returnBatch,
} as const

function Document({ document }: Pick<GoodsMovement, 'document'>) {
  if (document === null) return <>—</>
  return <a href={documentPaths[document.kind](document.id)}>{document.title || 'Открыть'}</a>
}

function signed(delta: number): string {
  if (delta === 0) return '0'
  return delta > 0 ? `+${number(delta)}` : `−${number(-delta)}`
}

/** Of one product. */
export const movementColumns: readonly Column<GoodsMovement>[] = [
  { title: 'Когда', cell: ({ time }) => <Moment at={time} /> },
  { title: 'Что', main: true, cell: ({ words }) => words },
  { title: 'Остаток', end: true, cell: ({ delta }) => signed(delta) },
  { title: 'Под вопросом', end: true, cell: ({ question_delta: delta }) => signed(delta) },
  { title: 'Документ', cell: ({ document }) => <Document document={document} /> },
  { title: 'Причина', cell: ({ reason }) => reason ?? '—' },
]

const columns: readonly Column<GoodsMovement>[] = [
  ...movementColumns.slice(0, 2),
  {
    title: 'Товар',
    cell: ({ name, barcode }) => (
      <a href={paths.stockItem(barcode)}>
        <Long text={name} />
      </a>
    ),
  },
  ...movementColumns.slice(2),
]

/** Every unit: when it came, left or was set aside, and why. */
export function Movements() {
  const { query } = useAddress()
  const given = askedIn<Query>(query, ['barcode', 'kind', 'from', 'to'])
  const text = new URLSearchParams(given as Record<string, string>).toString()
  return (
    <Page title="Движения товаров" above={{ href: paths.stock, title: 'Остатки' }}>
      <Filters>
        <TextFilter name="barcode" label="Штрихкод" />
        <ChoiceFilter name="kind" label="Что" options={kinds} />
        <DaysFilter names={['from', 'to']} label="С" />
      </Filters>
      <List
        of={`movements ${text}`}
        name="Движения товаров"
        columns={columns}
        keyOf={({ id }) => String(id)}
        together={movementsTogether}
        ask={({ signal, sort: _, ...page }) =>
          account('GET /movements', { query: { ...given, ...page }, signal })
        }
        files={<ListFiles list="movements" filter={given} />}
        empty={<p>Таких движений не было.</p>}
      />
    </Page>
  )
}
