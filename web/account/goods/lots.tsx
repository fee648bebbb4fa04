import type { GoodsLot } from '../../api/account-calls.ts'
import { queryOf } from '../../api/caller.ts'
import { useAddress } from '../../ui/address.ts'
import { ChoiceFilter, Filters, oneOf } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { number } from '../../words/format.ts'
import { dateText, daysLeftText, lotChoiceWords, lotStateWords } from '../../words/lots.ts'
import { account } from '../api.ts'
import { AskByApi } from '../parts/copy.tsx'
import { ListFiles } from '../parts/list-files.tsx'
import { Badge, Long, Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'

const tones = { expired: 'bad', soon: 'warn', good: 'good', unknown: 'plain' } as const
const choices = Object.keys(lotChoiceWords) as (keyof typeof lotChoiceWords)[]

const columns: readonly Column<GoodsLot>[] = [
  { title: 'Товар', cell: ({ name }) => <Long text={name} /> },
  {
    title: 'Срок',
    main: true,
    cell: ({ expires_on: date }) => (date === null ? '—' : dateText(date)),
  },
  {
    title: 'Состояние',
    cell: ({ state }) => <Badge tone={tones[state]}>{lotStateWords[state]}</Badge>,
  },
  { title: 'Осталось', cell: daysLeftText },
  { title: 'Единиц', end: true, cell: ({ quantity }) => number(quantity) },
  { title: 'Партия', cell: ({ number: text }) => text || '—' },
  { title: 'Артикул', cell: ({ article }) => <Long text={article} /> },
  { title: 'Штрихкод', cell: ({ barcode }) => <code>{barcode}</code> },
]

/** What of the client's goods expires first. */
export function LotsPage() {
  const { query } = useAddress()
  const state = oneOf(query.state, choices)
  const barcode = query.barcode || undefined
  const asked = { ...(state && { state }), ...(barcode && { barcode }) }
  return (
    <Page title="Сроки годности">
      <p class="quiet">
        Сначала то, что истечёт раньше. Просроченное склад ставит под вопрос и не отгружает.
      </p>
      <Filters>
        <ChoiceFilter name="state" label="Показать" options={lotChoiceWords} all="Все партии" />
      </Filters>
      <List
        of={`lots ${state ?? ''} ${barcode ?? ''}`}
        name="Сроки годности"
        columns={columns}
        keyOf={(lot) => `${lot.barcode} ${lot.expires_on} ${lot.number}`}
        href={({ barcode }) => paths.stockItem(barcode)}
        ask={({ signal, sort: _, ...page }) =>
          account('GET /lots', { query: { ...asked, ...page }, signal })
        }
        files={<ListFiles list="lots" filter={asked} />}
        empty={
          <p>Партий нет: склад учитывает срок годности у товаров, для которых вы его попросили.</p>
        }
      />
      <AskByApi paths={[`/lots${queryOf(asked)}`]} />
    </Page>
  )
}
