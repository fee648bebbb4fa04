import type { Calls, StaffEntry } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ClientLink } from '../parts/client-link.tsx'
import { Actor, Deed } from '../parts/deed.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { ObjectLink } from '../parts/object-link.tsx'
import { scansTogether } from './scans-together.ts'

type Filter = Omit<NonNullable<Calls['GET /journal/staff']['query']>, 'cursor' | 'limit'>

const columns: readonly Column<StaffEntry>[] = [
  { title: 'Когда', cell: ({ time }) => <Moment at={time} /> },
  { title: 'Кто', cell: (entry) => <Actor of={entry} /> },
  {
    title: 'Что сделали',
    cell: (entry) => <Deed of={entry} />,
  },
  {
    title: 'Что изменилось',
    cell: ({ object, client_id: client }) => object && <ObjectLink of={object} clientId={client} />,
  },
  {
    title: 'Клиент',
    cell: ({ client_id: id, client_name: name }) =>
      id !== null && name !== undefined && <ClientLink id={id} name={name} />,
  },
]

/** Changes by staff in words, newest first; managers see those of their clients. */
export function ChangeTable({ filter }: { readonly filter: Filter }) {
  return (
    <List
      name="Изменения"
      of={JSON.stringify(filter)}
      columns={columns}
      keyOf={({ id }) => String(id)}
      together={scansTogether}
      ask={({ signal, ...page }) =>
        staff('GET /journal/staff', { query: { ...filter, ...page }, signal })
      }
      files={<ExportLinks list="changes" filter={filter} />}
      empty="Изменений не нашли: здесь появится всё, что меняют сотрудники."
    />
  )
}
