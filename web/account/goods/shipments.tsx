import { shipmentStatusLabels } from '../../../src/warehouse/shipments/state.ts'
import type { Calls, Shipment } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useAddress } from '../../ui/address.ts'
import { Facts } from '../../ui/facts.tsx'
import { ChoiceFilter, DaysFilter, Filters, TextFilter } from '../../ui/lists/filters.tsx'
import { List, listRefreshMs } from '../../ui/lists/list.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number } from '../../words/format.ts'
import { account } from '../api.ts'
import { askedIn } from '../parts/asked.ts'
import { AskByApi } from '../parts/copy.tsx'
import { ListFiles } from '../parts/list-files.tsx'
import { withNames } from '../parts/of-goods.ts'
import { Long, OneLoaded, Page, Status } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { orderColumns } from './orders.tsx'

type Query = NonNullable<Calls['GET /shipments']['query']>

const columns: readonly Column<Shipment>[] = [
  { title: 'Номер', cell: ({ external_id }) => <Long text={external_id} /> },
  {
    title: 'Состояние',
    main: true,
    cell: ({ status, status_label }) => <Status status={status} label={status_label} />,
  },
  { title: 'Заказов', end: true, cell: ({ orders_count }) => number(orders_count) },
  { title: 'Маркетплейс', cell: ({ marketplace }) => marketplace },
  { title: 'Название', cell: ({ name }) => <Long text={name} /> },
  { title: 'Создана', cell: ({ created_at }) => <Moment at={created_at} /> },
  { title: 'Передана', cell: ({ closed_at }) => <Moment at={closed_at} /> },
  { title: 'Принята', cell: ({ accepted_at }) => <Moment at={accepted_at} /> },
]

const names = ['external_id', 'status', 'marketplace', 'created_from', 'created_to'] as const

export function Shipments() {
  const { query } = useAddress()
  const given = askedIn<Query>(query, names)
  const text = new URLSearchParams(given as Record<string, string>).toString()
  return (
    <Page title="Отгрузки">
      <Filters>
        <TextFilter name="external_id" label="Номер отгрузки" />
        <ChoiceFilter name="status" label="Состояние" options={shipmentStatusLabels} />
        <ChoiceFilter name="marketplace" label="Маркетплейс" options={{ WB: 'WB', OZON: 'OZON' }} />
        <DaysFilter names={['created_from', 'created_to']} label="Созданы с" />
      </Filters>
      <List
        of={`shipments ${text}`}
        name="Отгрузки"
        columns={columns}
        keyOf={({ id }) => id}
        href={({ id }) => paths.shipment(id)}
        ask={({ signal, ...page }) =>
          account('GET /shipments', { query: { ...given, ...page }, signal })
        }
        files={<ListFiles list="shipments" filter={given} />}
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
    async (signal) => {
      const shipment = await account('GET /shipments/{id}', { path: { id }, signal })
      return { ...shipment, orders: await withNames(shipment.orders ?? [], signal) }
    },
    { refreshMs: listRefreshMs },
  )
  return (
    <OneLoaded answer={answer} title="Отгрузка" missing="Такой отгрузки нет" above={above}>
      {(shipment) => (
        <Page title={`Отгрузка ${shipment.external_id}`} above={above}>
          <Facts
            of={{
              Состояние: <Status status={shipment.status} label={shipment.status_label} />,
              Название: shipment.name,
              Маркетплейс: shipment.marketplace,
              Заказов: number(shipment.orders_count),
              Создана: <Moment at={shipment.created_at} />,
              Передана: shipment.closed_at && <Moment at={shipment.closed_at} />,
              Принята: shipment.accepted_at && <Moment at={shipment.accepted_at} />,
            }}
          />
          <h2>Заказы</h2>
          <Table
            name="Заказы отгрузки"
            rows={shipment.orders}
            columns={orderColumns}
            keyOf={({ id }) => id}
            href={({ id }) => paths.order(id)}
            files={<ListFiles list="orders" filter={{ shipment_id: shipment.id }} />}
          />
          <AskByApi paths={[`/shipments/${shipment.id}`]} />
        </Page>
      )}
    </OneLoaded>
  )
}
