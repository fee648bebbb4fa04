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
import { Because } from '../../ui/because.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
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

export function ShipmentActions({ shipment, marks, reload }: ActionsProps) {
  const manages = isAtLeast(useSession().user, 'manager')
  const { hrefWith } = useAddress()
  const { id, marketplace, status } = shipment
  const because = becauseOf(shipment)
  const cannotFill = because('fill')
  return (
    <>
      {cannotFill === undefined ? (
        <a class="button" href={hrefWith({ form: 'fill' })}>
          Добавить заказы
        </a>
      ) : (
        <Because label="Добавить заказы" because={cannotFill} />
      )}
      {manages && marketplace === 'WB' && because('prepare') === undefined && (
        <a class="button" href={hrefWith({ form: 'method' })}>
          Куда везти
        </a>
      )}
      <CloseShipment
        id={id}
        name={shipment.external_id}
        orders={shipment.orders_count}
        task={shipment.picking_task_id}
        because={because('close') ?? refusalToClose(shipment.orders ?? [])}
        marks={marks}
        done={reload}
      />
      {manages && <Accept shipment={shipment} reload={reload} />}
      {manages && <Cancel shipment={shipment} />}
      <Paper kind="shipment" id={id} label="Акт" />
      {status === 'ASSEMBLING' && <Stickers shipment={shipment} />}
    </>
  )
}

function Stickers({ shipment: { id, orders_count: count } }: Pick<ActionsProps, 'shipment'>) {
  if (count === 0) return <Because label="Этикетки" because="В отгрузке нет заказов" />
  return (
    <>
      <OpenLink href={`/staff/v1/shipments/${id}/stickers`} label="Этикетки" />
      <PrintButton kind="shipment-stickers" id={id} />
    </>
  )
}

function Accept({ shipment, reload }: Omit<ActionsProps, 'marks'>) {
  const { id, external_id: name } = shipment
  return (
    <ConfirmButton
      label="Принята"
      question={`Маркетплейс принял отгрузку ${name}?`}
      consequence="Отметьте, если кабинет не подключён: у подключённого это придёт само. Отменить отметку нельзя."
      because={becauseOf(shipment)('accept')}
      act={async () => {
        await staff('POST /shipments/{id}/accept', { path: { id }, body: {} })
        reload()
      }}
    />
  )
}

function Cancel({ shipment }: Pick<ActionsProps, 'shipment'>) {
  const { route } = useLocation()
  const { id, external_id: name } = shipment
  return (
    <ConfirmButton
      danger
      label="Отменить"
      question={`Отменить отгрузку ${name}?`}
      consequence="Отгрузка исчезнет и у нас, и в кабинете. Заказы снова будут ждать отгрузки. Вернуть её нельзя: у новой будет другой номер."
      because={becauseOf(shipment)('cancel')}
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
