import type { StockMovement } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Beside, Heading } from '../../ui/heading.tsx'
import {
  ChoiceFilter,
  DaysFilter,
  Filters,
  MoreFilters,
  midnightOf,
  oneOf,
  TextFilter,
} from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number } from '../../words/format.ts'
import { ClientFilter } from '../parts/client-filter.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { ObjectLink } from '../parts/object-link.tsx'
import { useReasons } from '../parts/reasons.ts'
import { EntryPhotos } from './entry-photos.tsx'

const kinds: Readonly<Record<StockMovement['kind'], string>> = {
  acceptance: 'Приёмка',
  shipment: 'Отгрузка',
  return: 'Возврат',
  correction: 'Корректировка',
  write_off: 'Списание',
  question: 'Под вопрос или обратно',
}

const columnsOf = (reasons: ReadonlyMap<string, string>): readonly Column<StockMovement>[] => [
  { title: 'Когда', cell: ({ time }) => <Moment at={time} /> },
  {
    title: 'Товар',
    cell: ({ name, barcode }) => (
      <>
        <span class="name">{name}</span>
        <code class="small">{barcode}</code>
      </>
    ),
  },
  { title: 'Клиент', cell: ({ client_name: name }) => <span class="name">{name}</span> },
  { title: 'Что', cell: ({ kind }) => kinds[kind] },
  { title: 'Остаток', end: true, cell: ({ delta }) => signed(delta) },
  { title: 'Под вопросом', end: true, cell: ({ question_delta: delta }) => signed(delta) },
  {
    title: 'Основание',
    cell: ({ document }) =>
      document ? <ObjectLink of={document} /> : <span class="quiet">—</span>,
  },
  {
    title: 'Причина',
    cell: ({ reason, comment }) =>
      [reason && (reasons.get(reason) ?? reason), comment].filter(Boolean).join(': '),
  },
  { title: 'Кто', cell: ({ actor_name: name, actor }) => name ?? actor },
  { title: 'Фото', cell: (movement) => <PhotosLink of={movement} /> },
]

function PhotosLink({ of }: { readonly of: StockMovement }) {
  const { hrefWith } = useAddress()
  const { entry_id: entry, entry_with_photos: photographed, client_id: client, name } = of
  if (photographed !== undefined) {
    return <a href={hrefWith({ entry: photographed, entry_of: client })}>Фото</a>
  }
  if (entry === undefined) return null
  return (
    <a href={hrefWith({ entry, entry_of: client })} aria-label={`Приложить фото: ${name}`}>
      Приложить
    </a>
  )
}

function signed(delta: number) {
  if (delta === 0) return <span class="quiet">0</span>
  return delta > 0 ? `+${number(delta)}` : `−${number(-delta)}`
}

export default function Movements() {
  const { query } = useAddress()
  const { options: reasons = [] } = useReasons()
  const filter = {
    client_id: query.client_id,
    barcode: query.barcode,
    kind: oneOf(query.kind, Object.keys(kinds) as StockMovement['kind'][]),
    reason: query.reason,
    from: midnightOf(query.from),
    to: midnightOf(query.to, 1),
  }
  const words = new Map(reasons.map(({ value, text }) => [value, text]))
  const { entry, entry_of: client } = query
  const photos = entry !== undefined && client !== undefined && (
    <EntryPhotos key={`${client} ${entry}`} client={client} entry={entry} />
  )
  return (
    <Beside form={photos}>
      <Heading title="Движения товара" about="Каждая единица: когда, почему и кем" />
      <Filters>
        <ClientFilter />
        <TextFilter name="barcode" label="Штрихкод" />
        <ChoiceFilter name="kind" label="Что" options={kinds} />
        <MoreFilters>
          <ChoiceFilter name="reason" label="Причина" options={Object.fromEntries(words)} />
          <DaysFilter names={['from', 'to']} label="С" />
        </MoreFilters>
      </Filters>
      <List
        name="Движения"
        of={JSON.stringify(filter)}
        columns={columnsOf(words)}
        keyOf={({ client_id: client, id }) => `${client} ${id}`}
        ask={({ signal, ...page }) =>
          staff('GET /movements', { query: { ...filter, ...page }, signal })
        }
        files={<ExportLinks list="movements" filter={filter} />}
        empty="Движений не нашли. Сбросьте фильтры; первые появятся с первой приёмкой."
      />
    </Beside>
  )
}
