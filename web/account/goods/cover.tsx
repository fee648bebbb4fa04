import type { Cover } from '../../api/account-calls.ts'
import { useAddress } from '../../ui/address.ts'
import { ChoiceFilter, Filters, oneOf } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { number, plural } from '../../words/format.ts'
import { account } from '../api.ts'
import { ListFiles } from '../parts/list-files.tsx'
import { Badge, Long, Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../session.tsx'

const coverWords: Readonly<Record<Cover['state'], string>> = {
  out: 'Закончился',
  low: 'Скоро закончится',
  enough: 'Хватает',
  idle: 'Не продаётся',
}
const tones = { out: 'bad', low: 'warn', enough: 'good', idle: 'plain' } as const

const columns: readonly Column<Cover>[] = [
  { title: 'Товар', cell: ({ name }) => <Long text={name} /> },
  {
    title: 'Хватит на',
    end: true,
    main: true,
    cell: ({ days }) => (days === null ? '—' : plural(days, 'день', 'дня', 'дней')),
  },
  {
    title: 'Запас',
    cell: ({ state }) => <Badge tone={tones[state]}>{coverWords[state]}</Badge>,
  },
  { title: 'Можно продать', end: true, cell: ({ available }) => number(available) },
  { title: 'Заказывают в день', end: true, cell: ({ a_day: aDay }) => number(aDay) },
  { title: 'Артикул', cell: ({ article }) => <Long text={article} /> },
  { title: 'Штрихкод', cell: ({ barcode }) => <code>{barcode}</code> },
]

interface Asked {
  readonly low_days: number
  readonly state?: Cover['state']
}

const limits = Object.fromEntries(
  [3, 7, 14, 30, 60, 90].map((days) => [days, `меньше ${days} дней`]),
)

/** For how many days the stock of each product lasts. */
export function CoverPage() {
  const { query } = useAddress()
  const { session } = useSession()
  const own = session.low_days
  const state = oneOf(query.state, ['out', 'low', 'enough', 'idle'])
  const asked: Asked = { low_days: lowDaysIn(query.low_days, own), ...(state && { state }) }
  return (
    <Page title="Запас в днях">
      <p class="quiet">
        Что можно продать, делённое на обычный спрос: среднее за последние 14 дней, когда товар был.
        Сначала то, что закончится раньше.
      </p>
      <Filters>
        <ChoiceFilter name="state" label="Показать" options={coverWords} all="Все товары" />
        <ChoiceFilter
          name="low_days"
          label="Скоро — это"
          options={limits}
          all={`меньше ${plural(own, 'дня', 'дней', 'дней')}`}
        />
        {session.kind === 'user' && (
          <a class="small" href={paths.notices}>
            Изменить своё число дней
          </a>
        )}
      </Filters>
      <List
        of={`cover ${asked.low_days} ${state ?? ''}`}
        name="Запас в днях"
        columns={columns}
        keyOf={({ barcode }) => barcode}
        href={({ barcode }) => paths.stockItem(barcode)}
        ask={({ signal, sort: _, ...page }) =>
          account('GET /cover', { query: { ...asked, ...page }, signal })
        }
        files={<ListFiles list="cover" filter={asked} />}
        empty={<p>Таких товаров нет. Сбросьте фильтр или возьмите больше дней запаса.</p>}
      />
    </Page>
  )
}

/** What a page asks for as days: whole ones, as the service reads them; otherwise the user's own number. */
function lowDaysIn(text: string | undefined, own: number): number {
  const days = Number(text ?? own)
  return Number.isInteger(days) && days >= 1 && days <= 90 ? days : own
}
