import type { StockLot } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Heading } from '../../ui/heading.tsx'
import { ChoiceFilter, Filters, oneOf, TextFilter } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { number } from '../../words/format.ts'
import { placesText } from '../../words/lot-places.ts'
import { dateText, daysLeftText, lotChoiceWords, lotStateWords } from '../../words/lots.ts'
import { ClientFilter } from '../parts/client-filter.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { pathOf } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'

const tones: Readonly<Record<StockLot['state'], Tone>> = {
  expired: 'bad',
  soon: 'warn',
  good: 'good',
  unknown: 'quiet',
}

const choices = Object.keys(lotChoiceWords) as (keyof typeof lotChoiceWords)[]

/** What expires first, over all clients. */
export default function Lots() {
  const { query } = useAddress()
  const manages = isAtLeast(useSession().user, 'manager')
  const filter = {
    client_id: query.client_id,
    barcode: query.barcode,
    state: oneOf(query.state, choices),
  }
  return (
    <div class="stack">
      <Heading title="Сроки годности" about="Что истечёт раньше, где лежит и сколько осталось" />
      <Filters>
        {manages && <ClientFilter />}
        <TextFilter name="barcode" label="Штрихкод" />
        <ChoiceFilter name="state" label="Показать" options={lotChoiceWords} />
      </Filters>
      <List
        name="Сроки годности"
        of={JSON.stringify(filter)}
        columns={columns}
        keyOf={(lot) => `${lot.client_id} ${lot.barcode} ${lot.expires_on} ${lot.number}`}
        ask={({ signal, sort: _, ...page }) =>
          staff('GET /lots', { query: { ...filter, ...page }, signal })
        }
        files={<ExportLinks list="lots" filter={filter} />}
        empty="Таких партий нет. Учёт срока годности включают у товара: клиент, вкладка «Товары»."
      />
    </div>
  )
}

const columns: readonly Column<StockLot>[] = [
  {
    title: 'Товар',
    cell: (lot) => <Goods lot={lot} />,
  },
  { title: 'Клиент', cell: ({ client_name: name }) => <span class="name">{name}</span> },
  {
    title: 'Срок',
    main: true,
    cell: ({ expires_on: date }) => (date === null ? '—' : dateText(date)),
  },
  {
    title: 'Состояние',
    cell: ({ state }) => <Badge tone={tones[state]} word={lotStateWords[state]} />,
  },
  { title: 'Осталось', cell: daysLeftText },
  { title: 'Партия', cell: ({ number: text }) => text || '—' },
  { title: 'Единиц', end: true, cell: ({ quantity }) => number(quantity) },
  { title: 'Где лежит', cell: placesText },
]

/** Managers open the product, where dates are corrected. */
function Goods({ lot }: { readonly lot: StockLot }) {
  const { client_id: client, name, barcode } = lot
  const isManager = isAtLeast(useSession().user, 'manager')
  const href = `${pathOf('client', client, 'products')}&product=${barcode}`
  return (
    <>
      {isManager ? (
        <a class="name" href={href}>
          {name}
        </a>
      ) : (
        <span class="name">{name}</span>
      )}
      <code class="small">{barcode}</code>
    </>
  )
}
