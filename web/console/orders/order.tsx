import { useRoute } from 'preact-iso'
import type { StaffOrder, StaffOrderWithHistory } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { marketplaceWords } from '../../words/marketplace-statuses.ts'
import { orderTones, orderWords } from '../../words/statuses.ts'
import { WaitingMisses } from '../misses/waiting.tsx'
import { ChargeLink } from '../money/charge-link.tsx'
import { ClientLink } from '../parts/client-link.tsx'
import { Goods } from '../parts/goods.tsx'
import { NotOpened } from '../parts/not-opened.tsx'
import { ObjectJournal } from '../parts/object-journal.tsx'
import { ObjectPhotos } from '../parts/object-photos.tsx'
import { OpenLink } from '../parts/open-link.tsx'
import { PrintButton } from '../parts/print-button.tsx'
import { pathOf } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'
import { BoxesForm } from './boxes-form.tsx'
import { LatenessCosts } from './lateness.tsx'
import { OrderDeadline, waitsForShipment } from './orders.tsx'
import { SplitForm } from './split-form.tsx'
import { StatusForm } from './status-form.tsx'
import { ToShipment } from './to-shipment.tsx'
import { marksWords, schemeWords } from './words.ts'

export default function OrderPage() {
  const id = useRoute().params.id ?? ''
  const { query, hrefWith } = useAddress()
  const manages = isAtLeast(useSession().user, 'manager')
  const { data, error, reload } = useAnswer(
    `order ${id}`,
    (signal) => staff('GET /orders/{id}', { path: { id }, signal }),
    { refreshMs: 20_000 },
  )
  if (data === undefined) return <NotOpened error={error} retry={reload} />
  return (
    <div class="stack">
      <Heading
        title={`Заказ ${data.external_id}`}
        about={
          <>
            <Badge tone={orderTones[data.status]} word={orderWords[data.status]} />{' '}
            {data.marketplace} · <ClientLink id={data.client_id} name={data.client_name} />
          </>
        }
      >
        {manages && waitsForShipment(data) && <ToShipment order={data} reload={reload} />}
        {isOzonOpen(data) && (
          <>
            <a class="button" href={hrefWith({ form: 'boxes' })}>
              Число коробок
            </a>
            {unitsOf(data) > 1 && (
              <a class="button" href={hrefWith({ form: 'split' })}>
                Разделить
              </a>
            )}
          </>
        )}
        {manages && (
          <>
            <OpenLink href={`/staff/v1/orders/${id}/evidence`} label="Файл для спора" />
            <a class="button" href={hrefWith({ form: 'status' })}>
              Сообщить статус
            </a>
          </>
        )}
        {data.status === 'ASSEMBLING' && (
          <>
            <OpenLink href={`/staff/v1/orders/${id}/sticker`} label="Этикетка" />
            <PrintButton kind="order-sticker" id={id} />
          </>
        )}
      </Heading>
      <Failure error={error} retry={reload} />
      <Warnings order={data} />
      <WaitingMisses of={{ order_id: id }} count={data.open_misses} />
      <Beside form={formOf(query.form, { order: data, manages, reload })}>
        <div class="object">
          <div class="stack">
            <h2>Товары</h2>
            <Table
              name="Товары заказа"
              rows={data.lines}
              columns={lineColumns(data)}
              keyOf={(line) => String(data.lines.indexOf(line))}
            />
            <h2>История</h2>
            <Table
              name="История статусов"
              rows={data.history}
              columns={historyColumns}
              keyOf={({ at, status }) => `${at} ${status}`}
            />
          </div>
          <div class="stack">
            <About order={data} />
            <ObjectPhotos of="orders" id={id} />
            <ObjectJournal id={id} version={data.status} />
          </div>
        </div>
      </Beside>
    </div>
  )
}

interface FormOfProps {
  readonly order: StaffOrderWithHistory
  readonly manages: boolean
  readonly reload: () => void
}

function formOf(form: string | undefined, { order, manages, reload }: FormOfProps) {
  if (form === 'status' && manages) return <StatusForm order={order} done={reload} />
  if (form === 'boxes' && isOzonOpen(order)) return <BoxesForm order={order} done={reload} />
  if (form === 'split' && isOzonOpen(order)) return <SplitForm order={order} />
  return undefined
}

/** Only OZON asks for boxes and divides orders, until they have left. */
function isOzonOpen({ marketplace, status }: StaffOrder): boolean {
  return marketplace === 'OZON' && (status === 'NEW' || status === 'ASSEMBLING')
}

function unitsOf({ lines }: StaffOrder): number {
  return lines.reduce((units, { qty }) => units + qty, 0)
}

const lineColumns = ({
  client_id: client,
  lines,
}: StaffOrder): readonly Column<StaffOrder['lines'][number]>[] => [
  {
    title: 'Товар',
    cell: (line) => (
      <>
        <Goods client={client} goods={line} pictured />
        {line.set_barcode !== undefined && (
          <span class="small quiet">в набор {line.set_barcode}</span>
        )}
      </>
    ),
  },
  { title: 'Заказано', end: true, cell: ({ qty }) => qty },
  { title: 'Собрано', end: true, cell: ({ picked }) => picked },
  ...(lines.some(({ required_marks: marks }) => marks.length > 0) ? [marksColumn] : []),
]

const marksColumn: Column<StaffOrder['lines'][number]> = {
  title: 'Указать',
  cell: ({ required_marks: marks }) => marksWords(marks),
}

const historyColumns: readonly Column<StaffOrderWithHistory['history'][number]>[] = [
  { title: 'Когда', cell: ({ at }) => <Moment at={at} /> },
  {
    title: 'Статус',
    main: true,
    cell: ({ status }) => <Badge tone={orderTones[status]} word={orderWords[status]} />,
  },
  {
    title: 'На маркетплейсе',
    cell: ({ marketplace_status: status }) => marketplaceWords(status) || '—',
  },
]

function Warnings({ order }: { readonly order: StaffOrderWithHistory }) {
  return (
    <>
      {order.reship_since !== null && (
        <p class="notice warn">
          Маркетплейс не нашёл заказ в отгрузке: передайте его ещё раз, в новой отгрузке.
        </p>
      )}
      {order.needs_boxes && (
        <p class="notice warn">
          Маркетплейс ждёт число коробок заказа до закрытия отгрузки.{' '}
          <a href={`${pathOf('order', order.id)}?form=boxes`}>Назвать</a>
        </p>
      )}
      {order.scheme !== undefined && order.scheme !== 'fbs' && (
        <p class="notice warn">
          Этот заказ продавец доставляет сам ({schemeWords(order.scheme)}): здесь его не собирают и
          не отгружают.
        </p>
      )}
      {order.shipped_elsewhere && order.status === 'NEW' && (
        <p class="notice">
          Отгрузки этого кабинета делают на маркетплейсе: заказ войдёт в отгрузку сам, когда его
          добавят там.
        </p>
      )}
      {order.observed && (
        <p class="notice">Кабинет только наблюдают: здесь этот заказ не собирают.</p>
      )}
    </>
  )
}

function About({ order }: { readonly order: StaffOrderWithHistory }) {
  const shipment = order.shipment_id
  return (
    <section class="panel stack" aria-label="О заказе">
      <Facts
        of={{
          Срок: <OrderDeadline order={order} />,
          'Цена передачи': order.lateness_costs && <LatenessCosts costs={order.lateness_costs} />,
          Отгрузка: shipment && (
            <a href={pathOf('shipment', shipment)}>{order.shipment_external_id}</a>
          ),
          Собран: order.packed_at && <Moment at={order.packed_at} />,
          Создан: <Moment at={order.created_at} />,
          Обновлён: order.synced_at && <Moment at={order.synced_at} />,
          'Склад продавца': order.warehouse && (order.warehouse.name ?? order.warehouse.id),
          Комментарий: order.comment,
          'Почему отменён': order.cancel_reason,
          Коробок: order.boxes,
          'Отделён от': order.parent_external_id,
        }}
      />
      <ChargeLink of="order" object={order} />
    </section>
  )
}
