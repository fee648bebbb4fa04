import type { CallEntry } from '../../api/account-calls.ts'
import { useAddress } from '../../ui/address.ts'
import { ChoiceFilter, DaysFilter, dayAfter, Filters } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { account } from '../api.ts'
import { ListFiles } from '../parts/list-files.tsx'
import { Badge, Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'

const toneOf = (status: number) => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad')

const columns: readonly Column<CallEntry>[] = [
  { title: 'Когда', cell: ({ time }) => <Moment at={time} /> },
  { title: 'Ответ', cell: ({ status }) => <Badge tone={toneOf(status)}>{status}</Badge> },
  {
    title: 'Вызов',
    cell: ({ method, path }) => (
      <code class="long">
        {method} {path}
      </code>
    ),
  },
  { title: 'Адрес', cell: ({ ip }) => ip },
  { title: 'Номер запроса', cell: ({ request_id }) => <code class="whole">{request_id}</code> },
]

const statuses = {
  200: '200 — удачно',
  201: '201 — создано',
  400: '400 — неверный запрос',
  404: '404 — не найдено',
  429: '429 — слишком часто',
  500: '500 — ошибка сервиса',
  503: '503 — выключено',
}

/** What the client's programs asked, with the number of each request for the support. */
export function Calls() {
  const { query: filters } = useAddress()
  const { status, key_id, created_from } = filters
  const query = {
    status: status === undefined ? undefined : Number(status),
    key_id,
    created_from,
    created_to: dayAfter(filters.created_to),
  }
  return (
    <Page title="Вызовы API">
      <Filters>
        <ChoiceFilter name="status" label="Ответ" options={statuses} />
        <DaysFilter names={['created_from', 'created_to']} label="С" />
      </Filters>
      {key_id !== undefined && (
        <p class="quiet">
          Здесь вызовы одного ключа. <a href={paths.calls}>Показать все</a>
        </p>
      )}
      <List
        of={`calls ${JSON.stringify(query)}`}
        name="Вызовы API"
        columns={columns}
        keyOf={({ id }) => String(id)}
        ask={({ signal, ...page }) =>
          account('GET /calls', { query: { ...query, ...page }, signal })
        }
        files={<ListFiles list="calls" filter={query} />}
        empty={<p>Таких вызовов нет. Вызов появляется здесь через секунду.</p>}
      />
    </Page>
  )
}
