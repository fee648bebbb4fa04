import { flowStages } from '../../../src/warehouse/orders/flow-stages.ts'
import { orderStatuses } from '../../../src/warehouse/orders/state.ts'
import type { StaffOrder } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { Deadline } from '../../ui/deadline.tsx'
import {
  ChoiceFilter,
  DateFilter,
  Filters,
  midnightOf,
  oneOf,
  TextFilter,
} from '../../ui/filters.tsx'
import { Heading } from '../../ui/heading.tsx'
import { List } from '../../ui/list.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Picture } from '../../ui/picture.tsx'
import type { Column } from '../../ui/table.tsx'
import { orderTones, orderWords } from '../../words/statuses.ts'
import { ClientFilter } from '../parts/client-filter.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { pathOf } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'
import { stageWords } from '../today/stages.ts'

const columns: readonly Column<StaffOrder>[] = [
  {
    title: 'Заказ',
    cell: ({ id, external_id: name }) => <a href={pathOf('order', id)}>{name}</a>,
  },
  { title: 'Где', cell: ({ marketplace }) => marketplace },
  { title: 'Клиент', cell: ({ client_name: name }) => <span class="name">{name}</span> },
  {
    title: 'Статус',
    main: true,
    cell: ({ status }) => <Badge tone={orderTones[status]} word={orderWords[status]} />,
  },
  { title: 'Срок', cell: (order) => <OrderDeadline order={order} /> },
  { title: 'Товар', cell: (order) => <FirstGoods order={order} /> },
  {
    title: 'Отгрузка',
    cell: ({ shipment_id: id, shipment_external_id: name }) =>
      id === null ? <span class="quiet">нет</span> : <a href={pathOf('shipment', id)}>{name}</a>,
  },
  { title: 'Собран', cell: ({ packed_at: at }) => <Moment at={at} /> },
  { title: 'Создан', cell: ({ created_at: at }) => <Moment at={at} /> },
]

/** The first line stands for the order. */
export function FirstGoods({ order }: { readonly order: StaffOrder }) {
  const name = order.article ?? order.barcode ?? '—'
  return (
    <div class="pictured">
      <Picture src={order.lines[0]?.picture} name={name} />
      <span>{name}</span>
    </div>
  )
}

/** A deadline burns only until the order has left. */
export function OrderDeadline({ order }: { readonly order: StaffOrder }) {
  const waits = order.status === 'NEW' || order.status === 'ASSEMBLING'
  return waits ? <Deadline at={order.deadline} /> : <Moment at={order.deadline} />
}

export default function Orders() {
  const { query } = useAddress()
  const filter = {
    client_id: query.client_id,
    marketplace: oneOf(query.marketplace, ['WB', 'OZON']),
    status: oneOf(query.status, orderStatuses),
    external_id: query.external_id,
    barcode: query.barcode,
    to_reship: oneOf(query.to_reship, ['true', 'false']),
    stage: oneOf(query.stage, flowStages),
    warehouse_code: query.warehouse_code,
    observed: oneOf(query.observed, ['true', 'false']),
    created_from: midnightOf(query.from),
    created_to: midnightOf(query.to, 1),
    deadline_to: midnightOf(query.deadline, 1),
  }
  return (
    <div class="stack">
      <Heading title="Заказы" />
      <OrderFilters />
      <List
        name="Заказы"
        of={JSON.stringify(filter)}
        columns={columns}
        keyOf={({ id }) => id}
        ask={({ signal, ...page }) =>
          staff('GET /orders', { query: { ...filter, ...page }, signal })
        }
        files={<ExportLinks list="orders" filter={filter} />}
        empty="Заказов не нашли. Сбросьте фильтры или проверьте, подключён ли кабинет клиента."
      />
    </div>
  )
}

function OrderFilters() {
  const { user } = useSession()
  return (
    <Filters>
      <TextFilter name="external_id" label="Номер заказа" />
      {isAtLeast(user, 'manager') && <ClientFilter />}
      <ChoiceFilter name="status" label="Статус" options={orderWords} />
      <ChoiceFilter name="stage" label="Этап" options={Object.fromEntries(stageWords)} />
      <ChoiceFilter name="marketplace" label="Где" options={{ WB: 'WB', OZON: 'OZON' }} />
      <TextFilter name="barcode" label="Штрихкод" />
      <ChoiceFilter name="to_reship" label="Передать ещё раз" options={{ true: 'Только такие' }} />
      <DateFilter name="deadline" label="Срок до" />
      <DateFilter name="from" label="Созданы с" />
      <DateFilter name="to" label="по" />
    </Filters>
  )
}
