import type { PickingTask } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { Deadline } from '../../ui/deadline.tsx'
import { Heading } from '../../ui/heading.tsx'
import { ChoiceFilter, Filters, oneOf } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number } from '../../words/format.ts'
import { ClientFilter } from '../parts/client-filter.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { pathOf } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'

const columns: readonly Column<PickingTask>[] = [
  {
    title: 'Отгрузка',
    cell: ({ id, shipment_external_id: name }) => <a href={pathOf('pickingTask', id)}>{name}</a>,
  },
  { title: 'Где', cell: ({ marketplace }) => marketplace },
  { title: 'Клиент', cell: ({ client_name: name }) => <span class="name">{name}</span> },
  {
    title: 'Состояние',
    main: true,
    cell: ({ status }) =>
      status === 'OPEN' ? (
        <Badge tone="now" word="Собирают" />
      ) : (
        <Badge tone="good" word="Собрано" />
      ),
  },
  {
    title: 'Срок',
    cell: ({ status, deadline }) => (status === 'OPEN' ? <Deadline at={deadline} /> : '—'),
  },
  {
    title: 'Собрано',
    end: true,
    cell: (task) => `${number(task.packed_count)} из ${number(task.orders_count)}`,
  },
  {
    title: 'Кто собирает',
    cell: ({ claim, status }) =>
      claim?.name ?? <span class="quiet">{status === 'OPEN' ? 'свободно' : '—'}</span>,
  },
  { title: 'Открыто', cell: ({ opened_at: at }) => <Moment at={at} /> },
]

export default function Picking() {
  const { query } = useAddress()
  const manages = isAtLeast(useSession().user, 'manager')
  const filter = {
    client_id: query.client_id,
    warehouse_code: query.warehouse_code,
    status: oneOf(query.status, ['OPEN', 'DONE']),
  }
  return (
    <div class="stack">
      <Heading title="Сборка" about="Задания на сборку отгрузок" />
      <Filters>
        {manages && <ClientFilter />}
        <ChoiceFilter
          name="status"
          label="Состояние"
          options={{ OPEN: 'Собирают', DONE: 'Собрано' }}
        />
      </Filters>
      <List
        name="Задания на сборку"
        of={JSON.stringify(filter)}
        columns={columns}
        keyOf={({ id }) => id}
        ask={({ signal, ...page }) =>
          staff('GET /picking-tasks', { query: { ...filter, ...page }, signal })
        }
        files={<ExportLinks list="picking-tasks" filter={filter} />}
        empty="Заданий нет: они появляются, когда в отгрузку добавляют заказы."
      />
    </div>
  )
}
