import { useLocation } from 'preact-iso'
import { quoted } from '../../../src/platform/kernel/quoted.ts'
import type { Client } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { TextField } from '../../ui/forms/form.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { List, listRefreshMs } from '../../ui/lists/list.tsx'
import { Search } from '../../ui/lists/search.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import { WarehouseChoice } from '../parts/warehouse-choice.tsx'
import { pathOf } from '../paths.ts'
import { InnFields, innGiven } from './inn-fields.tsx'

const columns: readonly Column<Client>[] = [
  { title: 'Клиент', cell: ({ id, name }) => <a href={pathOf('client', id)}>{name}</a> },
  { title: 'ИНН', cell: ({ inn }) => inn ?? <span class="quiet">не указан</span> },
  { title: 'Склад', cell: ({ warehouse_code: code }) => code },
  { title: 'Заведён', cell: ({ created_at: at }) => <Moment at={at} /> },
]

export default function Clients() {
  const { query, hrefWith } = useAddress()
  return (
    <div class="stack">
      <Heading title="Клиенты" about="Юридические лица, чьи товары хранит склад">
        <a class="button primary" href={hrefWith({ form: 'new' })}>
          Завести клиента
        </a>
      </Heading>
      <Beside form={query.form === 'new' && <NewClient />}>
        <AskedKeys />
        <Search label="Название или ИНН" />
        <List
          name="Клиенты"
          of={query.search ?? ''}
          columns={columns}
          keyOf={({ id }) => id}
          ask={({ signal, ...page }) =>
            staff('GET /clients', { query: { search: query.search, ...page }, signal })
          }
          files={<ExportLinks list="clients" filter={{ search: query.search }} />}
          empty={
            query.search
              ? 'Никого не нашли: проверьте название или ИНН.'
              : 'Клиентов ещё нет. Заведите первого — кнопка справа вверху.'
          }
        />
      </Beside>
    </div>
  )
}

/** Whose key waits for a decision. */
function AskedKeys() {
  const { data } = useAnswer(
    'asked keys',
    (signal) => staff('GET /key-requests', { query: {}, signal }),
    { refreshMs: listRefreshMs },
  )
  if (data === undefined || data.total === 0) return null
  return (
    <p class="notice warn">
      Просят ключ:{' '}
      {data.items.map(({ request_id: id, client_id, client_name: client, name }, place) => (
        <span key={id}>
          {place > 0 && ', '}
          <a href={pathOf('client', client_id, 'keys')}>
            {client}, {quoted(name)}
          </a>
        </span>
      ))}
    </p>
  )
}

function NewClient() {
  const { route } = useLocation()
  return (
    <OpenedForm
      title="Новый клиент"
      submit="Завести"
      act={async (values) => {
        const client = await staff('POST /clients', {
          body: {
            name: values.text('name'),
            warehouse_code: values.optional('warehouse_code'),
            ...innGiven(values),
          },
        })
        route(pathOf('client', client.id))
      }}
    >
      <TextField name="name" label="Название" hint="Например, ООО «Ромашка»" required autofocus />
      <InnFields />
      <WarehouseChoice />
    </OpenedForm>
  )
}
