import type { CallEntry } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Filters, TextFilter } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { PeriodFilter, periodOf } from '../../ui/lists/period.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ClientFilter } from '../parts/client-filter.tsx'
import { ClientLink } from '../parts/client-link.tsx'
import { ExportLinks } from '../parts/export-links.tsx'

const columns: readonly Column<CallEntry>[] = [
  { title: 'Когда', cell: ({ time }) => <Moment at={time} /> },
  {
    title: 'Вызов',
    cell: ({ method, path }) => (
      <code>
        {method} {path}
      </code>
    ),
  },
  {
    title: 'Ответ',
    cell: ({ status, error_code: code }) => (
      <>
        <Badge tone={toneOf(status)} word={String(status)} /> {code !== null && <code>{code}</code>}
      </>
    ),
  },
  { title: 'Шёл, мс', cell: ({ duration_ms: duration }) => duration },
  {
    title: 'Ключ',
    cell: ({ key_name: name, key_id: id }) => (
      <span class="name">{name ?? (id === null ? 'неизвестен' : 'удалён')}</span>
    ),
  },
  {
    title: 'Клиент',
    cell: ({ client_id: id, client_name: name }) =>
      id !== null && name !== undefined && <ClientLink id={id} name={name} />,
  },
  { title: 'Адрес', cell: ({ ip }) => ip },
  { title: 'Номер запроса', cell: ({ request_id: id }) => <code>{id}</code> },
]

function toneOf(status: number) {
  if (status < 400) return 'good'
  return status < 500 ? 'warn' : 'bad'
}

export default function CallJournal() {
  const { query } = useAddress()
  const { client_id, key_id, status, request_id } = query
  const filter = { client_id, key_id, request_id, ...periodOf(query) }
  return (
    <div class="stack">
      <Heading title="Вызовы API" about="Все запросы программ продавцов" />
      <Filters>
        <ClientFilter />
        <TextFilter name="request_id" label="Номер запроса" />
        <TextFilter name="status" label="Код ответа" />
        <PeriodFilter />
      </Filters>
      <List
        name="Вызовы API"
        of={JSON.stringify([filter, status])}
        columns={columns}
        keyOf={({ id }) => String(id)}
        ask={({ signal, ...page }) =>
          staff('GET /journal/calls', {
            query: {
              ...filter,
              status: status === undefined ? undefined : Number(status),
              ...page,
            },
            signal,
          })
        }
        files={<ExportLinks list="calls" filter={{ ...filter, status }} />}
        empty="Вызовов не нашли. Сбросьте фильтры или возьмите период длиннее."
      />
    </div>
  )
}
