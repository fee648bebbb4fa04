import { useLocation } from 'preact-iso'
import type { Client } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Form, TextField } from '../../ui/form.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { List } from '../../ui/list.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Search } from '../../ui/search.tsx'
import type { Column } from '../../ui/table.tsx'
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
        <Search label="Название или ИНН" />
        <List
          name="Клиенты"
          of={query.search ?? ''}
          columns={columns}
          keyOf={({ id }) => id}
          ask={({ signal, ...page }) =>
            staff('GET /clients', { query: { search: query.search, ...page }, signal })
          }
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

function NewClient() {
  const { route } = useLocation()
  const { hrefWith } = useAddress()
  return (
    <Form
      title="Новый клиент"
      submit="Завести"
      cancel={hrefWith({ form: undefined })}
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
    </Form>
  )
}
