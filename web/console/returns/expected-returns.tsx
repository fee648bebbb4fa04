import { returnStates } from '../../../src/warehouse/returns/state.ts'
import type { ExpectedReturn } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { Heading } from '../../ui/heading.tsx'
import { ChoiceFilter, Filters, oneOf } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number } from '../../words/format.ts'
import { returnTones, returnWords } from '../../words/statuses.ts'
import { ClientFilter } from '../parts/client-filter.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { Goods } from '../parts/goods.tsx'
import { pathOf } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'

const kinds: Readonly<Record<ExpectedReturn['kind'], string>> = {
  CANCELLATION: 'отменён в пути',
  REFUSAL: 'не взяли',
  BUYER_RETURN: 'вернул покупатель',
  OTHER: 'другое',
}

const columns: readonly Column<ExpectedReturn>[] = [
  { title: 'Возврат', cell: (each) => <ReturnLink of={each} /> },
  { title: 'Маркетплейс', cell: ({ marketplace }) => marketplace },
  { title: 'Клиент', cell: ({ client_name: name }) => <span class="name">{name}</span> },
  { title: 'Товар', cell: (each) => <Goods client={each.client_id} goods={each} /> },
  { title: 'Единиц', end: true, cell: ({ qty }) => number(qty) },
  { title: 'Почему', cell: ({ kind, reason }) => reason ?? kinds[kind] },
  {
    title: 'Состояние',
    main: true,
    cell: ({ state }) => <Badge tone={returnTones[state]} word={returnWords[state]} />,
  },
  {
    title: 'Где лежит',
    cell: (each) => [each.place_name, each.place_address].filter(Boolean).join(', '),
  },
  { title: 'Код выдачи', cell: ({ giveout_code: code }) => code && <code>{code}</code> },
  { title: 'Утилизируют', cell: ({ disposal_at: at }) => <Moment at={at} /> },
]

function ReturnLink({ of }: { readonly of: ExpectedReturn }) {
  return of.order_id === null ? (
    of.external_id
  ) : (
    <a href={pathOf('order', of.order_id)}>{of.external_id}</a>
  )
}

export default function ExpectedReturns() {
  const manages = isAtLeast(useSession().user, 'manager')
  const { query } = useAddress()
  const filter = {
    client_id: query.client_id,
    warehouse_code: query.warehouse_code,
    state: oneOf(query.state, returnStates),
  }
  return (
    <div class="stack">
      <Heading title="Что едет обратно" about="Возвраты, о которых сообщили маркетплейсы" />
      <Filters>
        {manages && <ClientFilter />}
        <ChoiceFilter name="state" label="Состояние" options={returnWords} />
      </Filters>
      <List
        name="Ожидаемые возвраты"
        of={JSON.stringify(filter)}
        columns={columns}
        keyOf={({ id }) => id}
        ask={({ signal, ...page }) =>
          staff('GET /expected-returns', { query: { ...filter, ...page }, signal })
        }
        files={<ExportLinks list="expected-returns" filter={filter} />}
        empty="Возвратов не нашли. Они появятся сами, когда маркетплейс их пришлёт."
      />
    </div>
  )
}
