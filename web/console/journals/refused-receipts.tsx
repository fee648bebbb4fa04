import { publicErrors } from '../../../src/platform/kernel/errors.ts'
import type { RefusedReceiptEntry } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Heading } from '../../ui/heading.tsx'
import { Filters } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { PeriodFilter, periodOf } from '../../ui/lists/period.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RawJson } from '../../ui/raw-json.tsx'
import { plural } from '../../words/format.ts'
import { ClientFilter } from '../parts/client-filter.tsx'
import { ClientLink } from '../parts/client-link.tsx'
import { ExportLinks } from '../parts/export-links.tsx'

const columns: readonly Column<RefusedReceiptEntry>[] = [
  { title: 'Когда', cell: ({ time }) => <Moment at={time} /> },
  {
    title: 'Клиент',
    cell: ({ client_id: id, client_name: name }) =>
      name !== undefined && <ClientLink id={id} name={name} />,
  },
  {
    title: 'Ключ',
    cell: ({ key_name: key }) => <span class="name">{key ?? '—'}</span>,
  },
  { title: 'Почему', cell: ({ code }) => whyOf(code) },
  {
    title: 'Что пришло',
    cell: ({ body_bytes: bytes, body_start: start, body_sha256, request_id, status, code }) => (
      <details>
        <summary>
          {bytes === null ? 'Заявку не прочитали' : plural(bytes, 'байт', 'байта', 'байт')}
        </summary>
        <RawJson
          name="Заявка"
          value={{ request_id, status, code, body_sha256, body_start: start }}
        />
      </details>
    ),
  },
]

/** What the answer said, without its particulars. */
function whyOf(code: string): string {
  return Object.entries(publicErrors).find(([each]) => each === code)?.[1] ?? code
}

export default function RefusedReceipts() {
  const { query } = useAddress()
  const filter = { client_id: query.client_id, ...periodOf(query) }
  return (
    <div class="stack">
      <Heading
        title="Отказы в заявках"
        about="Заявки продавцов, которые сервис не принял, за двенадцать месяцев"
      />
      <Filters>
        <ClientFilter />
        <PeriodFilter />
      </Filters>
      <List
        name="Отказы в заявках"
        of={JSON.stringify(filter)}
        columns={columns}
        keyOf={({ client_id, time, request_id }) => `${client_id} ${time} ${request_id}`}
        ask={({ signal, ...page }) =>
          staff('GET /journal/refused-receipts', { query: { ...filter, ...page }, signal })
        }
        files={<ExportLinks list="refused-receipts" filter={filter} />}
        empty="Отказов не нашли. Здесь видно, какие заявки продавцов сервис не принял и почему."
      />
    </div>
  )
}
