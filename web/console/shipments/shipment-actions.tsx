import { useLocation } from 'preact-iso'
import {
  allowsShipmentVerb,
  mirroredMessage,
  observedMessage,
  refusalOfShipment,
  refusalToClose,
  type ShipmentVerb,
} from '../../../src/warehouse/shipments/state.ts'
import type { StaffShipment } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { OpenLink } from '../parts/open-link.tsx'
import { Paper } from '../parts/paper.tsx'
import { PrintButton } from '../parts/print-button.tsx'
import { paths } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'
import { CloseShipment } from './close-shipment.tsx'
import type { Marks } from './mark-figures.tsx'

interface ActionsProps {
  readonly shipment: StaffShipment
  readonly marks: Marks | undefined
  readonly reload: () => void
}

/** What can be done to the shipment now; closing it is the main button. */
export function ShipmentActions({ shipment, marks, reload }: ActionsProps) {
  const manages = isAtLeast(useSession().user, 'manager')
  const { hrefWith } = useAddress()
  const { id, marketplace, status, orders_count: orders } = shipment
  const can = (verb: ShipmentVerb) => becauseOf(shipment)(verb) === undefined
  return (
    <>
      {can('close') && (
        <CloseShipment
          primary
          id={id}
          name={shipment.external_id}
          orders={orders}
          task={shipment.picking_task_id}
          because={refusalToClose(shipment.orders ?? [])}
          marks={marks}
          done={reload}
        />
      )}
      {can('fill') && (
        <a class="button" href={hrefWith({ form: 'fill' })}>
          Добавить заказы
        </a>
      )}
      {manages && marketplace === 'WB' && can('prepare') && (
        <a class="button" href={hrefWith({ form: 'method' })}>
          Куда везти
        </a>
      )}
      {manages && can('accept') && <Accept shipment={shipment} reload={reload} />}
      {status === 'ASSEMBLING' && orders > 0 && <Stickers id={id} />}
      <Paper kind="shipment" id={id} label="Акт" />
      {manages && can('cancel') && <Cancel shipment={shipment} />}
    </>
  )
}

/** Where nothing can be done to it here though it has not left: why, once for all verbs. */
export function AssembledElsewhere({ shipment }: Pick<ActionsProps, 'shipment'>) {
  const because = becauseOf(shipment)('close')
  if (shipment.status !== 'ASSEMBLING' || because === undefined) return null
  return <p class="notice">{because}.</p>
}

function Stickers({ id }: { readonly id: string }) {
  return (
    <>
      <OpenLink href={`/staff/v1/shipments/${id}/stickers`} label="Этикетки" />
      <PrintButton kind="shipment-stickers" id={id} />
    </>
  )
}

function Accept({ shipment: { id, external_id: name }, reload }: Omit<ActionsProps, 'marks'>) {
  return (
    <ConfirmButton
      label="Принята"
      question={`Маркетплейс принял отгрузку ${name}?`}
      consequence="Отметьте, если кабинет не подключён: у подключённого это придёт само. Отменить отметку нельзя."
      act={async () => {
        await staff('POST /shipments/{id}/accept', { path: { id }, body: {} })
        reload()
      }}
    />
  )
}

function Cancel({ shipment: { id, external_id: name } }: Pick<ActionsProps, 'shipment'>) {
  const { route } = useLocation()
  return (
    <ConfirmButton
      danger
      label="Отменить"
      question={`Отменить отгрузку ${name}?`}
      consequence="Отгрузка исчезнет и у нас, и в кабинете. Заказы снова будут ждать отгрузки. Вернуть её нельзя: у новой будет другой номер."
      act={async () => {
        await staff('DELETE /shipments/{id}', { path: { id } })
        showToast(`Отгрузка ${name} отменена`)
        route(paths.shipments)
      }}
    />
  )
}

/** Why a verb is impossible now; undefined where it is possible. */
export function becauseOf(shipment: StaffShipment) {
  const { status, observed, picking_task_id: task } = shipment
  return (verb: ShipmentVerb): string | undefined => {
    if (observed) return observedMessage
    if (!allowsShipmentVerb(status, verb)) return refusalOfShipment(status)
    return task === null && verb !== 'accept' ? mirroredMessage : undefined
  }
}
