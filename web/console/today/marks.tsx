import type { Today } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { untilDeadline } from '../../words/format.ts'
import { pathOf } from '../paths.ts'
import { ButtonLink, type Item, Thing } from './section.tsx'

interface RefusedMarksCardProps {
  readonly order: Item<Today['refused_marks']>
  readonly reload: () => void
}

/** The shipment can't leave with it: another unit is picked there, or the order waits for the next shipment. */
export function RefusedMarksCard({ order, reload }: RefusedMarksCardProps) {
  const { order_id: id, order_external_id: number, shipment_id: shipment } = order
  return (
    <>
      <Thing href={pathOf('order', id)} title={`Заказ ${number}: ${order.name}`}>
        <strong class="problem">
          {order.marketplace} {order.reason}
        </strong>
        {order.deadline && ` · ${untilDeadline(order.deadline)}`} · отгрузка{' '}
        {order.shipment_external_id} · {order.client_name}
      </Thing>
      <div class="row decisions">
        <ButtonLink href={pathOf('shipment', shipment)} label="Отгрузка" of={number} />
        <ActionButton
          label="В следующую отгрузку"
          act={async () => {
            const path = { id: shipment }
            await staff('DELETE /shipments/{id}/orders/{order_id}', {
              path: { ...path, order_id: id },
            })
            reload()
            showToast(`Заказ ${number} ждёт следующей отгрузки`, async () => {
              await staff('POST /shipments/{id}/orders', { path, body: { order_ids: [id] } })
              reload()
            })
          }}
        />
      </div>
    </>
  )
}
