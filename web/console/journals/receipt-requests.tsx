import type { ReceiptRequestEntry } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Heading } from '../../ui/heading.tsx'
import { Filters } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { PeriodFilter, periodOf } from '../../ui/lists/period.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RawJson } from '../../ui/raw-json.tsx'
import { ClientFilter } from '../parts/client-filter.tsx'
import { ClientLink } from '../parts/client-link.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { pathOf } from '../paths.ts'

const outcomes: Readonly<Record<ReceiptRequestEntry['outcome'], string>> = {
  created: 'приёмка создана',
  repeated: 'повтор заявки',
  changed: 'новая версия заявки',
}

const columns: readonly Column<ReceiptRequestEntry>[] = [
  { title: 'Когда', cell: ({ time }) => <Moment at={time} /> },
  {
    title: 'Приёмка',
    cell: ({ receipt_id: id, receipt_number: name }) => (
      <a href={pathOf('receipt', id)}>{name ?? 'Открыть'}</a>
    ),
  },
  {
    title: 'Клиент',
    cell: ({ client_id: id, client_name: name }) =>
      name !== undefined && <ClientLink id={id} name={name} />,
  },
  {
    title: 'Кто подал',
    cell: ({ key_name: key, user_login: login }) => (
      <span class="name">{login ?? (key === undefined ? '—' : `ключ ${key}`)}</span>
    ),
  },
  {
    title: 'Что вышло',
    cell: ({ outcome }) => outcomes[outcome],
  },
  {
    title: 'Что просили',
    cell: ({ body, entry }) => (
      <details>
        <summary>Запись № {entry}</summary>
        <RawJson name="Заявка" value={body} />
      </details>
    ),
  },
]

export default function ReceiptRequests() {
  const { query } = useAddress()
  const filter = { client_id: query.client_id, receipt_id: query.receipt_id, ...periodOf(query) }
  return (
    <div class="stack">
      <Heading title="Заявки продавцов" about="Кто и что просил принять; записи не меняются" />
      <Filters>
        <ClientFilter />
        <PeriodFilter />
      </Filters>
      <List
        name="Заявки продавцов"
        of={JSON.stringify(filter)}
        columns={columns}
        keyOf={({ client_id, entry }) => `${client_id} ${entry}`}
        ask={({ signal, ...page }) =>
          staff('GET /journal/receipts', { query: { ...filter, ...page }, signal })
        }
        files={<ExportLinks list="receipt-requests" filter={filter} />}
        empty="Заявок не нашли. Сбросьте фильтры или возьмите период длиннее."
      />
    </div>
  )
}
