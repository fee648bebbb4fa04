import type { Calls, StaffEntry } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { List } from '../../ui/list.tsx'
import { Moment } from '../../ui/moment.tsx'
import type { Column } from '../../ui/table.tsx'
import { ClientLink } from '../parts/client-link.tsx'
import { ObjectLink } from '../parts/object-link.tsx'

type Filter = Omit<NonNullable<Calls['GET /journal/staff']['query']>, 'cursor' | 'limit'>

const columns: readonly Column<StaffEntry>[] = [
  { title: 'Когда', cell: ({ time }) => <Moment at={time} /> },
  { title: 'Кто', cell: ({ actor_name: name, login, actor }) => name ?? login ?? actor },
  {
    title: 'Что сделали',
    cell: ({ title, action, words }) => (
      <>
        <strong>{title ?? action}</strong>
        <Words words={words} />
      </>
    ),
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

const shownAtOnce = 4

/** What changed; a long story is opened. */
function Words({ words }: { readonly words: readonly string[] }) {
  const list = (
    <ul class="words">
      {words.map((word) => (
        <li key={word}>{word}</li>
      ))}
    </ul>
  )
  if (words.length <= shownAtOnce) return list
  return (
    <details>
      <summary>
        {words.slice(0, 2).join(', ')} и ещё {words.length - 2}
      </summary>
      {list}
    </details>
  )
}

/** Changes by staff in words, newest first; managers see those of their clients. */
export function ChangeTable({ filter }: { readonly filter: Filter }) {
  return (
    <List
      name="Изменения"
      of={JSON.stringify(filter)}
      columns={columns}
      keyOf={({ id }) => String(id)}
      ask={({ signal, ...page }) =>
        staff('GET /journal/staff', { query: { ...filter, ...page }, signal })
      }
      empty="Изменений не было."
    />
  )
}
