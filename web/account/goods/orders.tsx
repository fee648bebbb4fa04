import { orderStatusLabels } from '../../../src/warehouse/orders/state.ts'
import type { Calls, Order } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useAddress } from '../../ui/address.ts'
import { Facts } from '../../ui/facts.tsx'
import { FileLink } from '../../ui/file-link.tsx'
import {
  ChoiceFilter,
  DaysFilter,
  Filters,
  MoreFilters,
  TextFilter,
} from '../../ui/lists/filters.tsx'
import { List, listRefreshMs } from '../../ui/lists/list.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number, untilDeadline } from '../../words/format.ts'
import { marketplaceWords } from '../../words/marketplace-statuses.ts'
import { account } from '../api.ts'
import { askedIn } from '../parts/asked.ts'
import { AskByApi } from '../parts/copy.tsx'
import { ListFiles } from '../parts/list-files.tsx'
import { ObjectPhotos } from '../parts/object-photos.tsx'
import { withNames } from '../parts/of-goods.ts'
import { Long, OneLoaded, Page, Status } from '../parts/page.tsx'
import { paths } from '../paths.ts'

type Query = NonNullable<Calls['GET /orders']['query']>

type NamedOrder = Order & { readonly name?: string | undefined }

export const orderColumns: readonly Column<NamedOrder>[] = [
  { title: 'Номер', cell: ({ external_id }) => <Long text={external_id} /> },
  {
    title: 'Статус',
    main: true,
    cell: ({ status, status_label }) => <Status status={status} label={status_label} />,
  },
  { title: 'Товар', cell: ({ name, article }) => <Long text={name ?? article} /> },
  { title: 'Маркетплейс', cell: ({ marketplace }) => marketplace },
  { title: 'Артикул', cell: ({ article }) => <Long text={article} /> },
  {
    title: 'Штрихкод',
    cell: ({ barcode }) => (barcode === undefined ? '—' : <code>{barcode}</code>),
  },
  { title: 'Создан', cell: ({ created_at }) => <Moment at={created_at} /> },
  { title: 'Собран', cell: ({ packed_at }) => <Moment at={packed_at} /> },
]

const names = [
  'external_id',
  'words',
  'barcode',
  'status',
  'marketplace',
  'created_from',
  'created_to',
] as const

export function Orders() {
  const { query } = useAddress()
  const given = askedIn<Query>(query, names)
  const text = new URLSearchParams(given as Record<string, string>).toString()
  return (
    <Page title="Заказы">
      <Filters>
        <TextFilter name="external_id" label="Номер заказа" />
        <TextFilter name="words" label="Товар: название или артикул" />
        <ChoiceFilter name="status" label="Статус" options={orderStatusLabels} />
        <MoreFilters>
          <TextFilter name="barcode" label="Штрихкод" />
          <ChoiceFilter
            name="marketplace"
            label="Маркетплейс"
            options={{ WB: 'WB', OZON: 'OZON' }}
          />
          <DaysFilter names={['created_from', 'created_to']} label="Созданы с" />
        </MoreFilters>
      </Filters>
      <List
        of={`orders ${text}`}
        name="Заказы"
        columns={orderColumns}
        keyOf={({ id }) => id}
        href={({ id }) => paths.order(id)}
        ask={async ({ signal, ...page }) => {
          const answer = await account('GET /orders', { query: { ...given, ...page }, signal })
          return { ...answer, items: await withNames(answer.items, signal) }
        }}
        files={<ListFiles list="orders" filter={given} />}
        empty={
          text === '' ? (
            <p>Заказов ещё нет: они появятся, когда покупатели закажут ваши товары.</p>
          ) : (
            <p>Таких заказов нет: измените фильтр.</p>
          )
        }
      />
      <AskByApi paths={[`/orders${text === '' ? '' : `?${text}`}`]} />
    </Page>
  )
}

const above = { href: paths.orders, title: 'Заказы' }

export function OrderPage({ id }: { readonly id: string }) {
  const answer = useAnswer(
    `order ${id}`,
    async (signal) => {
      const [order, details] = await Promise.all([
        account('GET /orders/{id}', { path: { id }, signal }),
        account('GET /orders/{id}/details', { path: { id }, signal }),
      ])
      return { order, details, lines: await withNames(details.lines, signal) }
    },
    { refreshMs: listRefreshMs },
  )
  return (
    <OneLoaded answer={answer} title="Заказ" missing="Такого заказа нет" above={above}>
      {({ order, details, lines }) => (
        <Page
          title={`Заказ ${order.external_id}`}
          above={above}
          actions={
            <FileLink
              href={`/account/v1/orders/${order.id}/evidence`}
              label="Файл для спора"
              check={() => account('GET /session')}
            />
          }
        >
          <Facts
            of={{
              Статус: <Status status={order.status} label={order.status_label} />,
              Кабинет: `${details.cabinet.marketplace}, ${details.cabinet.name}`,
              Срок: details.deadline && (
                <Deadline
                  at={details.deadline}
                  isOpen={order.status === 'NEW' || order.status === 'ASSEMBLING'}
                />
              ),
              Создан: <Moment at={order.created_at} />,
              Собран: order.packed_at && <Moment at={order.packed_at} />,
              Отгрузка: order.shipment_id && (
                <a href={paths.shipment(order.shipment_id)}>{order.shipment_external_id}</a>
              ),
              'Отменён, потому что': details.cancel_reason,
            }}
          />
          <h2>Состав</h2>
          <Table
            name="Состав заказа"
            rows={lines}
            keyOf={({ barcode, article }) => `${barcode} ${article}`}
            columns={[
              {
                title: 'Товар',
                cell: ({ barcode, name, article }) =>
                  barcode === undefined ? (
                    <Long text={name ?? article} />
                  ) : (
                    <a href={paths.stockItem(barcode)}>
                      <Long text={name ?? article ?? barcode} />
                    </a>
                  ),
              },
              { title: 'Штрихкод', cell: ({ barcode }) => <code>{barcode ?? 'не указан'}</code> },
              { title: 'Артикул', cell: ({ article }) => <Long text={article} /> },
              { title: 'Единиц', end: true, cell: ({ qty }) => number(qty) },
              { title: 'Собрано', end: true, cell: ({ picked }) => number(picked) },
            ]}
          />
          <h2>История</h2>
          <ol class="history">
            {details.history.map(({ at, status, marketplace_status: raw }) => (
              <li key={at + status}>
                <Moment at={at} /> <Status status={status} label={orderStatusLabels[status]} />{' '}
                <span class="small quiet">{marketplaceWords(raw)}</span>
              </li>
            ))}
          </ol>
          <ObjectPhotos of="orders" id={order.id} />
          <AskByApi paths={[`/orders/${order.id}`, `/orders/${order.id}/details`]} />
        </Page>
      )}
    </OneLoaded>
  )
}

function Deadline({ at, isOpen }: { readonly at: string; readonly isOpen: boolean }) {
  return (
    <>
      <Moment at={at} /> {isOpen && <span class="quiet">({untilDeadline(at)})</span>}
    </>
  )
}
