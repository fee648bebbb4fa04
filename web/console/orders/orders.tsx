import { flowStages } from '../../../src/warehouse/orders/flow-stages.ts'
import { orderStatuses } from '../../../src/warehouse/orders/state.ts'
import type { StaffOrder } from '../../api/staff-calls.ts'
import { asCallError } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { Deadline } from '../../ui/deadline.tsx'
import { Heading } from '../../ui/heading.tsx'
import type { BulkAction } from '../../ui/lists/bulk.tsx'
import {
  ChoiceFilter,
  DateFilter,
  DaysFilter,
  Filters,
  MoreFilters,
  midnightOf,
  oneOf,
  TextFilter,
} from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { periodOf } from '../../ui/lists/period.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { plural } from '../../words/format.ts'
import { orderTones, orderWords } from '../../words/statuses.ts'
import { ClientFilter } from '../parts/client-filter.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { Goods } from '../parts/goods.tsx'
import type { SortOf } from '../parts/sort-of.ts'
import { pathOf } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'
import { stageWords } from '../today/stages.ts'

const columns: readonly Column<StaffOrder, SortOf<'GET /orders'>>[] = [
  {
    title: 'Заказ',
    cell: ({ id, external_id: name }) => <a href={pathOf('order', id)}>{name}</a>,
  },
  { title: 'Где', cell: ({ marketplace }) => marketplace },
  {
    title: 'Клиент',
    sort: 'client',
    cell: ({ client_name: name }) => <span class="name">{name}</span>,
  },
  {
    title: 'Статус',
    sort: 'status',
    main: true,
    cell: ({ status }) => <Badge tone={orderTones[status]} word={orderWords[status]} />,
  },
  { title: 'Срок', sort: 'deadline', cell: (order) => <OrderDeadline order={order} /> },
  { title: 'Товар', cell: (order) => <FirstGoods order={order} /> },
  {
    title: 'Отгрузка',
    cell: ({ shipment_id: id, shipment_external_id: name }) =>
      id === null ? <span class="quiet">нет</span> : <a href={pathOf('shipment', id)}>{name}</a>,
  },
  { title: 'Собран', cell: ({ packed_at: at }) => <Moment at={at} /> },
  { title: 'Создан', sort: '-created', cell: ({ created_at: at }) => <Moment at={at} /> },
]

/** The first line stands for the order; others are counted. */
export function FirstGoods({ order }: { readonly order: StaffOrder }) {
  const [first, ...others] = order.lines
  if (first === undefined) return <>—</>
  return (
    <Goods client={order.client_id} goods={first} pictured>
      {others.length > 0 && (
        <div class="small quiet">и ещё {plural(others.length, 'товар', 'товара', 'товаров')}</div>
      )}
    </Goods>
  )
}

/** A deadline burns only until the order has left. */
export function OrderDeadline({ order }: { readonly order: StaffOrder }) {
  const waits = order.status === 'NEW' || order.status === 'ASSEMBLING'
  return waits ? <Deadline at={order.deadline} /> : <Moment at={order.deadline} />
}

/** Whether it waits for a shipment that is made here. */
export function waitsForShipment(order: StaffOrder): boolean {
  return isNew(order) && order.shipped_elsewhere !== true
}

function isNew({ status, shipment_id: shipment, observed }: StaffOrder): boolean {
  return status === 'NEW' && shipment === null && !observed
}

function becauseItStays(order: StaffOrder): string | undefined {
  if (waitsForShipment(order)) return undefined
  return isNew(order)
    ? 'Отгрузки этих кабинетов делают на маркетплейсе'
    : 'Среди выбранных нет новых заказов без отгрузки'
}

/** A manager may cancel the new shipments again, so only a worker is asked first. */
const shipAs = (manages: boolean): BulkAction<StaffOrder> => ({
  label: 'В отгрузку',
  question: manages
    ? undefined
    : (count) => `Отгрузить ${plural(count, 'заказ', 'заказа', 'заказов')}?`,
  consequence:
    'Откроются новые отгрузки, по одной на кабинет. Товар достанется сначала самым срочным заказам. Отменить отгрузку сможет менеджер.',
  titleOf: ({ external_id: name }) => name,
  because: becauseItStays,
  actOnAll: async (orders) => {
    const { refused, opened } = await shipByCabinet(orders)
    const undo = async () => {
      for (const id of opened) await staff('DELETE /shipments/{id}', { path: { id } })
    }
    return { refused, undo: manages && opened.length > 0 ? undo : undefined }
  },
})

/** Resolves with why orders stay, and the shipments that were opened. */
async function shipByCabinet(orders: readonly StaffOrder[]) {
  const refused = new Map<StaffOrder, string>()
  const opened: string[] = []
  for (const cabinet of new Set(orders.map(({ cabinet_id: id }) => id))) {
    const chosen = orders.filter(({ cabinet_id: id }) => id === cabinet)
    const body = { order_ids: chosen.map(({ id }) => id) }
    await staff('POST /orders/to-shipment', { body }).then(
      ({ shipment, staying }) => {
        if (shipment !== null) opened.push(shipment.id)
        const reasons = new Map(staying.map(({ order_id: id, reason }) => [id, reason]))
        for (const order of chosen) {
          const reason = reasons.get(order.id)
          if (reason !== undefined) refused.set(order, reason)
        }
      },
      (error: unknown) => {
        for (const order of chosen) refused.set(order, asCallError(error).message)
      },
    )
  }
  return { refused, opened }
}

export default function Orders() {
  const { query } = useAddress()
  const manages = isAtLeast(useSession().user, 'manager')
  const filter = {
    client_id: query.client_id,
    marketplace: oneOf(query.marketplace, ['WB', 'OZON']),
    status: oneOf(query.status, orderStatuses),
    external_id: query.external_id,
    barcode: query.barcode,
    to_reship: oneOf(query.to_reship, ['true', 'false']),
    stage: oneOf(query.stage, flowStages),
    lacking: oneOf(query.lacking, ['any', 'unknown_barcode']),
    cabinet_id: query.cabinet_id,
    warehouse_code: query.warehouse_code,
    observed: oneOf(query.observed, ['true', 'false']),
    ...periodOf(query),
    deadline_to: midnightOf(query.deadline, 1),
  }
  return (
    <div class="stack">
      <Heading title="Заказы" />
      <OrderFilters />
      <List
        order="-created"
        name="Заказы"
        of={JSON.stringify(filter)}
        columns={columns}
        keyOf={({ id }) => id}
        bulk={[shipAs(manages)]}
        ask={({ signal, ...page }) =>
          staff('GET /orders', { query: { ...filter, ...page }, signal })
        }
        files={<ExportLinks list="orders" filter={filter} />}
        empty="Заказов не нашли. Сбросьте фильтры или проверьте, подключён ли кабинет клиента."
      />
    </div>
  )
}

const lackingWords = {
  any: 'Любого',
  unknown_barcode: 'Штрихкод неизвестен',
}

function OrderFilters() {
  const { user } = useSession()
  return (
    <Filters>
      <TextFilter name="external_id" label="Номер заказа" />
      {isAtLeast(user, 'manager') && <ClientFilter />}
      <ChoiceFilter name="status" label="Статус" options={orderWords} />
      <ChoiceFilter name="stage" label="Этап" options={Object.fromEntries(stageWords)} />
      <MoreFilters>
        <DateFilter name="deadline" label="Срок до" />
        <ChoiceFilter name="marketplace" label="Маркетплейс" options={{ WB: 'WB', OZON: 'OZON' }} />
        <TextFilter name="barcode" label="Штрихкод" />
        <ChoiceFilter name="lacking" label="Не хватает товара" options={lackingWords} />
        <ChoiceFilter
          name="to_reship"
          label="Передать ещё раз"
          options={{ true: 'Только такие' }}
        />
        <DaysFilter names={['from', 'to']} label="Созданы с" />
      </MoreFilters>
    </Filters>
  )
}
