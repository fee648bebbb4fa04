import { shipmentStatusLabels } from '../../../src/warehouse/shipments/state.ts'
import type { Calls, Shipment } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { number } from '../../words/format.ts'
import { account } from '../api.ts'
import { useFilters } from '../parts/address.ts'
import { AskByApi } from '../parts/copy.tsx'
import { Choice, Day, Filters, Search } from '../parts/filters.tsx'
import { type Column, List, listRefreshMs, Table } from '../parts/list.tsx'
import { Moment } from '../parts/moment.tsx'
import { Facts, Long, OneLoaded, Page, Status } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { orderColumns } from './orders.tsx'

type Query = NonNullable<Calls['GET /shipments']['query']>

const columns: readonly Column<Shipment>[] = [
  { title: 'Номер', cell: ({ external_id }) => <Long text={external_id} /> },
  {
    title: 'Состояние',
    cell: ({ status, status_label }) => <Status status={status} label={status_label} />,
  },
  { title: 'Заказов', isNumber: true, cell: ({ orders_count }) => number(orders_count) },
  { title: 'Маркетплейс', cell: ({ marketplace }) => marketplace },
  { title: 'Название', cell: ({ name }) => <Long text={name} /> },
  { title: 'Создана', cell: ({ created_at }) => <Moment at={created_at} /> },
  { title: 'Передана', cell: ({ closed_at }) => <Moment at={closed_at} /> },
  { title: 'Принята', cell: ({ accepted_at }) => <Moment at={accepted_at} /> },
]

const names = ['external_id', 'status', 'marketplace', 'created_from', 'created_to']

export function Shipments() {
  const { filters } = useFilters()
  const given = Object.fromEntries(
    Object.entries(filters).filter(([name]) => names.includes(name)),
  ) as Query
  const text = new URLSearchParams(given as Record<string, string>).toString()
  return (
    <Page title="Отгрузки">
      <Filters names={names}>
        <Search name="external_id" label="Номер отгрузки" />
        <Choice name="status" label="Состояние" options={shipmentStatusLabels} />
        <Choice name="marketplace" label="Маркетплейс" options={{ WB: 'WB', OZON: 'OZON' }} />
        <Day name="created_from" label="Созданы с" />
        <Day name="created_to" label="До" />
      </Filters>
      <List
        listKey={`shipments ${text}`}
        caption="Отгрузки"
        columns={columns}
        keyOf={({ id }) => id}
        href={({ id }) => paths.shipment(id)}
        ask={(page, signal) => account('GET /shipments', { query: { ...given, ...page }, signal })}
        empty={
          text === '' ? (
            <p>Отгрузок ещё нет: они появятся, когда склад соберёт заказы.</p>
          ) : (
            <p>Таких отгрузок нет: измените фильтр.</p>
          )
        }
      />
      <AskByApi paths={[`/shipments${text === '' ? '' : `?${text}`}`]} />
    </Page>
  )
}

const above = { href: paths.shipments, title: 'Отгрузки' }

export function ShipmentPage({ id }: { readonly id: string }) {
  const answer = useAnswer(
    `shipment ${id}`,
    (signal) => account('GET /shipments/{id}', { path: { id }, signal }),
    { refreshMs: listRefreshMs },
  )
  return (
    <OneLoaded answer={answer} title="Отгрузка" missing="Такой отгрузки нет" above={above}>
      {(shipment) => (
        <Page title={`Отгрузка ${shipment.external_id}`} above={above}>
          <Facts
            facts={[
              [
                'Состояние',
                <Status key="s" status={shipment.status} label={shipment.status_label} />,
              ],
              ['Название', shipment.name],
              ['Маркетплейс', shipment.marketplace],
              ['Заказов', number(shipment.orders_count)],
              ['Создана', <Moment key="c" at={shipment.created_at} />],
              ['Передана', shipment.closed_at && <Moment at={shipment.closed_at} />],
              ['Принята', shipment.accepted_at && <Moment at={shipment.accepted_at} />],
            ]}
          />
          <h2>Заказы</h2>
          <Table
            caption="Заказы отгрузки"
            rows={shipment.orders ?? []}
            columns={orderColumns}
            keyOf={({ id }) => id}
            href={({ id }) => paths.order(id)}
          />
          <AskByApi paths={[`/shipments/${shipment.id}`]} />
        </Page>
      )}
    </OneLoaded>
  )
}
