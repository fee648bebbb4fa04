import { shipmentStatuses } from '../../../src/warehouse/shipments/state.ts'
import type { StaffShipment } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { Deadline } from '../../ui/deadline.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import {
  ChoiceFilter,
  DaysFilter,
  Filters,
  MoreFilters,
  oneOf,
  TextFilter,
} from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { periodOf } from '../../ui/lists/period.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number } from '../../words/format.ts'
import { shipmentTones, shipmentWords } from '../../words/statuses.ts'
import { ClientFilter, clientColumn } from '../parts/client-filter.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import type { SortOf } from '../parts/sort-of.ts'
import { pathOf } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'
import { DayShipment } from './day-shipment.tsx'
import { NewShipment } from './new-shipment.tsx'

const columns: readonly Column<StaffShipment, SortOf<'GET /shipments'>>[] = [
  {
    title: 'Отгрузка',
    cell: ({ id, external_id: name }) => <a href={pathOf('shipment', id)}>{name}</a>,
  },
  { title: 'Где', cell: ({ marketplace }) => marketplace },
  { title: 'Название', cell: ({ name }) => <span class="name">{name ?? '—'}</span> },
  clientColumn,
  {
    title: 'Состояние',
    sort: 'status',
    main: true,
    cell: ({ status }) => <Badge tone={shipmentTones[status]} word={shipmentWords[status]} />,
  },
  {
    title: 'Срок',
    sort: 'deadline',
    cell: ({ status, deadline }) => (status === 'ASSEMBLING' ? <Deadline at={deadline} /> : '—'),
  },
  { title: 'Заказов', end: true, cell: ({ orders_count: count }) => number(count) },
  { title: 'Открыта', sort: '-created', cell: ({ created_at: at }) => <Moment at={at} /> },
  { title: 'Закрыта', cell: ({ closed_at: at }) => <Moment at={at} /> },
]

export default function Shipments() {
  const manages = isAtLeast(useSession().user, 'manager')
  const { query, hrefWith } = useAddress()
  const filter = {
    client_id: query.client_id,
    warehouse_code: query.warehouse_code,
    marketplace: oneOf(query.marketplace, ['WB', 'OZON']),
    status: oneOf(query.status, shipmentStatuses),
    external_id: query.external_id,
    ...periodOf(query),
  }
  return (
    <div class="stack">
      <Heading title="Отгрузки">
        {manages && (
          <a class="button primary" href={hrefWith({ form: 'new' })}>
            Открыть отгрузку
          </a>
        )}
      </Heading>
      <Beside form={formOf(query, manages)}>
        <Filters>
          <TextFilter name="external_id" label="Номер отгрузки" />
          {manages && <ClientFilter />}
          <ChoiceFilter name="status" label="Состояние" options={shipmentWords} />
          <MoreFilters>
            <ChoiceFilter
              name="marketplace"
              label="Маркетплейс"
              options={{ WB: 'WB', OZON: 'OZON' }}
            />
            <DaysFilter names={['from', 'to']} label="Открыты с" />
          </MoreFilters>
        </Filters>
        <List
          order="-created"
          name="Отгрузки"
          of={JSON.stringify(filter)}
          columns={columns}
          keyOf={({ id }) => id}
          ask={({ signal, ...page }) =>
            staff('GET /shipments', { query: { ...filter, ...page }, signal })
          }
          files={<ExportLinks list="shipments" filter={filter} />}
          empty="Отгрузок не нашли. Сбросьте фильтры или откройте отгрузку: кнопка справа вверху."
        />
      </Beside>
    </div>
  )
}

function formOf(
  { form, cabinet_id: cabinet }: ReturnType<typeof useAddress>['query'],
  manages: boolean,
) {
  if (form === 'day' && cabinet) return <DayShipment key={cabinet} cabinetId={cabinet} />
  return manages && form === 'new' && <NewShipment />
}
