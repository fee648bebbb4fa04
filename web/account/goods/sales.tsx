import type { GoodsSales, Sales } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useAddress } from '../../ui/address.ts'
import { periodBefore } from '../../ui/days.ts'
import { Chart, soFar } from '../../ui/figures/chart.tsx'
import { ChoiceFilter, Filters, oneOf } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { Ranges, useIsCompared, usePeriod } from '../../ui/lists/ranges.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { number, shortDay } from '../../words/format.ts'
import { account } from '../api.ts'
import { ListFiles } from '../parts/list-files.tsx'
import { Loaded, Long, Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../session.tsx'

type Figure = 'ordered' | 'cancelled' | 'shipped' | 'returned'
type Units = Readonly<Record<Figure, number>>

const figures = {
  ordered: 'Заказано',
  cancelled: 'Отменено',
  shipped: 'Отгружено',
  returned: 'Вернулось',
} as const
const names = Object.keys(figures) as Figure[]

const unitColumns: readonly Column<Units>[] = names.map((name) => ({
  title: figures[name],
  end: true,
  main: name === 'ordered',
  cell: (row) => number(row[name]),
}))

const goodsColumns: readonly Column<GoodsSales>[] = [
  {
    title: 'Товар',
    cell: ({ barcode, name }) =>
      barcode === null || name === null ? (
        <Long text={name ?? barcode ?? 'Карточка без штрихкода'} />
      ) : (
        <a href={paths.stockItem(barcode)}>
          <Long text={name} />
        </a>
      ),
  },
  ...unitColumns,
  { title: 'Артикул', cell: ({ article }) => <Long text={article} /> },
  { title: 'Штрихкод', cell: ({ barcode }) => <code>{barcode ?? '—'}</code> },
]

interface Asked {
  readonly from: string
  readonly to: string
  readonly cabinet_id?: string
  readonly marketplace?: 'WB' | 'OZON'
}

/** Units that buyers ordered, and how many of them were cancelled, were shipped and came back. */
export function SalesPage() {
  const { query } = useAddress()
  const { cabinets } = useSession().session
  const marketplace = oneOf(query.marketplace, ['WB', 'OZON'])
  const by = oneOf(query.by, names) ?? 'ordered'
  const asked: Asked = {
    ...usePeriod(30),
    ...(marketplace && { marketplace }),
    ...(query.cabinet_id && { cabinet_id: query.cabinet_id }),
  }
  return (
    <Page title="Продажи">
      <Ranges usual={30} canCompare />
      <Filters>
        <ChoiceFilter name="marketplace" label="Маркетплейс" options={{ WB: 'WB', OZON: 'OZON' }} />
        <ChoiceFilter
          name="cabinet_id"
          label="Кабинет маркетплейса"
          options={Object.fromEntries(cabinets.map(({ id, name }) => [id, name]))}
        />
        <ChoiceFilter name="by" label="Товары по числу" options={figures} all="Заказано" />
      </Filters>
      <SalesOfPeriod asked={asked} />
      <h2>По товарам</h2>
      <List
        of={`sales ${JSON.stringify(asked)} ${by}`}
        name="Продажи по товарам"
        columns={goodsColumns}
        keyOf={({ barcode }) => barcode ?? ''}
        ask={async ({ signal, sort: _, ...page }) => {
          const query = { ...asked, by, ...page }
          const { total, ...answer } = await account('GET /sales/goods', { query, signal })
          return { ...answer, ...(total !== null && { total }) }
        }}
        files={<ListFiles list="sales" filter={{ ...asked, by }} />}
        empty={<p>За эти дни ничего не заказывали и не возвращали. Возьмите период длиннее.</p>}
      />
    </Page>
  )
}

function SalesOfPeriod({ asked }: { readonly asked: Asked }) {
  const isCompared = useIsCompared()
  const answer = useAnswer(`sales ${JSON.stringify(asked)} ${isCompared}`, async (signal) => {
    const ask = (query: Asked) => account('GET /sales', { query, signal })
    const [now, before] = await Promise.all([
      ask(asked),
      isCompared ? ask({ ...asked, ...periodBefore(asked) }) : undefined,
    ])
    return { now, before }
  })
  return <Loaded answer={answer}>{(both) => <Pictures {...both} />}</Loaded>
}

interface PicturesProps {
  readonly now: Sales
  /** Undefined where nothing is compared. */
  readonly before: Sales | undefined
}

function Pictures({ now, before }: PicturesProps) {
  return (
    <>
      <div class="pictures curves">
        {names.map((name) => (
          <div key={name} class="panel">
            <Chart
              title={figures[name]}
              slots={now.days.map((row, at) => ({
                label: shortDay(row.day),
                ...soFar(`${row.day}T00:00:00+03:00`, 'day', row[name]),
                before: before?.total[name] ? (before.days[at]?.[name] ?? 0) : undefined,
              }))}
            />
          </div>
        ))}
      </div>
      <h2>По кабинетам</h2>
      <Table
        name="Продажи по кабинетам"
        rows={now.cabinets}
        keyOf={({ cabinet_id: id }) => id ?? ''}
        columns={[
          { title: 'Кабинет', cell: ({ cabinet_name: name }) => name ?? 'Без кабинета' },
          { title: 'Маркетплейс', cell: ({ marketplace }) => marketplace ?? '—' },
          ...unitColumns,
        ]}
        empty={<p class="quiet">За эти дни ничего.</p>}
      />
    </>
  )
}
