import { useRoute } from 'preact-iso'
import type { StaffShipment } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { Deadline } from '../../ui/deadline.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { number } from '../../words/format.ts'
import { shipmentTones, shipmentWords } from '../../words/statuses.ts'
import { WaitingMisses } from '../misses/waiting.tsx'
import { ChargeLink } from '../money/charge-link.tsx'
import { ClientLink } from '../parts/client-link.tsx'
import { NotOpened } from '../parts/not-opened.tsx'
import { ObjectJournal } from '../parts/object-journal.tsx'
import { pathOf } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'
import { Fill } from './fill.tsx'
import { MarkFigures, useMarks } from './mark-figures.tsx'
import { AssembledElsewhere, becauseOf, ShipmentActions } from './shipment-actions.tsx'
import { ShipmentBoxes } from './shipment-boxes.tsx'
import { ShipmentCommands } from './shipment-commands.tsx'
import { ShipmentOrders } from './shipment-orders.tsx'
import { ShippingMethod } from './shipping-method.tsx'
import { Shortages } from './shortages.tsx'

const workersTabs = { orders: 'Заказы', boxes: 'Грузоместа' } as const
const tabs = {
  ...workersTabs,
  commands: 'На маркетплейсе',
  shortages: 'Чего не хватило',
} as const

type Tab = keyof typeof tabs

export default function ShipmentPage() {
  const id = useRoute().params.id ?? ''
  const { query } = useAddress()
  const seen = isAtLeast(useSession().user, 'manager') ? tabs : workersTabs
  const { data, error, reload } = useAnswer(
    `shipment ${id}`,
    (signal) => staff('GET /shipments/{id}', { path: { id }, signal }),
    { refreshMs: 10_000 },
  )
  const marks = useMarks(data?.status === 'ASSEMBLING' ? data.picking_task_id : null)
  if (data === undefined) return <NotOpened error={error} retry={reload} />
  const codes = marks && <MarkFigures shipmentId={id} marks={marks} reload={reload} />
  // Refused codes stop the closing: on a phone the column beside the orders is far below.
  const isStopped = (marks?.refused?.length ?? 0) > 0
  const tab: Tab = query.tab !== undefined && query.tab in seen ? (query.tab as Tab) : 'orders'
  return (
    <div class="stack">
      <Heading
        title={`Отгрузка ${data.external_id}`}
        about={
          <>
            <Badge tone={shipmentTones[data.status]} word={shipmentWords[data.status]} />{' '}
            {data.marketplace} · <ClientLink id={data.client_id} name={data.client_name} />
          </>
        }
      >
        <ShipmentActions shipment={data} marks={marks} reload={reload} />
      </Heading>
      <Failure error={error} retry={reload} />
      <AssembledElsewhere shipment={data} />
      {isStopped && codes}
      <WaitingMisses of={{ shipment_id: id }} count={data.open_misses} />
      <Beside form={formOf(query.form, data, reload)}>
        <div class="object">
          <div class="stack">
            <Tabs name="Части отгрузки" tabs={seen} current={tab} />
            <TabContent tab={tab} shipment={data} reload={reload} />
          </div>
          <div class="stack">
            <About shipment={data} />
            {!isStopped && codes}
            <ObjectJournal id={id} version={`${data.status} ${data.orders_count}`} />
          </div>
        </div>
      </Beside>
    </div>
  )
}

function formOf(form: string | undefined, shipment: StaffShipment, reload: () => void) {
  const because = becauseOf(shipment)
  if (form === 'fill' && because('fill') === undefined) {
    return <Fill shipment={shipment} done={reload} />
  }
  if (form === 'method' && shipment.marketplace === 'WB' && because('prepare') === undefined) {
    return <ShippingMethod shipment={shipment} done={reload} />
  }
  return undefined
}

interface TabContentProps {
  readonly tab: Tab
  readonly shipment: StaffShipment
  readonly reload: () => void
}

function TabContent({ tab, shipment, reload }: TabContentProps) {
  if (tab === 'commands') return <ShipmentCommands shipment={shipment} />
  if (tab === 'boxes') return <ShipmentBoxes shipment={shipment} />
  if (tab === 'shortages') return <Shortages shipment={shipment} />
  return <ShipmentOrders shipment={shipment} reload={reload} />
}

function About({ shipment }: { readonly shipment: StaffShipment }) {
  const { shipping_method: method, picking_task_id: task } = shipment
  return (
    <section class="panel stack" aria-label="Об отгрузке">
      <Facts
        of={{
          Название: shipment.name,
          Срок: shipment.status === 'ASSEMBLING' && <Deadline at={shipment.deadline} />,
          Заказов: number(shipment.orders_count),
          Сборка: task && <a href={pathOf('pickingTask', task)}>Задание</a>,
          Куда: method && `${method.name}${method.address ? `, ${method.address}` : ''}`,
          'Когда едет': method?.date,
          Открыта: <Moment at={shipment.created_at} />,
          Закрыта: shipment.closed_at && <Moment at={shipment.closed_at} />,
          Принята: shipment.accepted_at && <Moment at={shipment.accepted_at} />,
          'Сверх остатка': shipment.shortage_units > 0 && number(shipment.shortage_units),
        }}
      />
      <ChargeLink of="shipment" object={shipment} />
    </section>
  )
}
