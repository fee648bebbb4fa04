import type { StockMovement } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { ChoiceFilter, Filters, oneOf, TextFilter } from '../../ui/filters.tsx'
import { Heading } from '../../ui/heading.tsx'
import { List } from '../../ui/list.tsx'
import { Moment } from '../../ui/moment.tsx'
import type { Column } from '../../ui/table.tsx'
import { number } from '../../words/format.ts'
import { ChooseClient } from '../parts/choose-client.tsx'
import { useChosenClient } from '../parts/chosen-client.ts'
import { ClientFilter } from '../parts/client-filter.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { ObjectLink } from '../parts/object-link.tsx'
import { useReasons } from '../parts/reasons.ts'

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
]

function signed(delta: number) {
  if (delta === 0) return <span class="quiet">0</span>
  return delta > 0 ? `+${number(delta)}` : `−${number(-delta)}`
}

export default function Movements() {
  const { query } = useAddress()
  const { barcode } = query
  const client = useChosenClient()
  const reasons = new Map(useReasons('correction').map(({ value, text }) => [value, text]))
  const kind = oneOf(query.kind, Object.keys(kinds) as StockMovement['kind'][])
  return (
    <div class="stack">
      <Heading title="Движения товара" about="Каждая единица: когда, почему и кем" />
      <Filters>
        <ClientFilter />
        <TextFilter name="barcode" label="Штрихкод" />
        <ChoiceFilter name="kind" label="Что" options={kinds} />
      </Filters>
      {client === undefined ? (
        <ChooseClient what="Движения чьих товаров показать?" />
      ) : (
        <List
          name="Движения"
          of={`${client} ${barcode ?? ''} ${kind ?? ''}`}
          columns={columnsOf(reasons)}
          keyOf={({ id }) => String(id)}
          ask={({ signal, ...page }) =>
            staff('GET /clients/{id}/movements', {
              path: { id: client },
              query: { barcode, kind, ...page },
              signal,
            })
          }
          files={<ExportLinks list="movements" filter={{ client_id: client, barcode, kind }} />}
          empty="Движений не нашли. Проверьте фильтры."
        />
      )}
    </div>
  )
}
