import { useState } from 'preact/hooks'
import { CallError } from '../../api/caller.ts'
import type { StaffShipment } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Deadline } from '../../ui/deadline.tsx'
import { Failure } from '../../ui/failure.tsx'
import { CheckList } from '../../ui/forms/check-list.tsx'
import { Check } from '../../ui/forms/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'

interface FillProps {
  readonly shipment: StaffShipment
  readonly done: () => void
}

/** Orders of the shipment's cabinet that are in none, the most urgent first. */
export function Fill({ shipment, done }: FillProps) {
  const [refused, setRefused] = useState<readonly string[]>([])
  const { data, error, reload } = useAnswer(`orders for ${shipment.id}`, (signal) =>
    staff('GET /shipments/{id}/waiting-orders', { path: { id: shipment.id }, signal }),
  )
  const orders = data?.items ?? []
  return (
    <OpenedForm
      title="Добавить заказы"
      submit="Добавить"
      busy="Добавляем…"
      act={async (values, close) => {
        const ids = values.all('order')
        if (ids.length === 0) throw new CallError('validation_error', 'Отметьте хотя бы один заказ')
        const filled = await staff('POST /shipments/{id}/orders', {
          path: { id: shipment.id },
          body: { order_ids: ids },
        })
        done()
        reload()
        const refusals = filled.refused_orders ?? []
        setRefused(refusals.map(({ external_id: name, reason }) => `${name}: ${reason}`))
        if (refusals.length > 0) return
        showToast('Заказы добавлены')
        close()
      }}
    >
      {data === undefined ? (
        <Waiting error={error} retry={reload} />
      ) : (
        <Failure error={error} retry={reload} />
      )}
      {refused.map((sentence) => (
        <p key={sentence} class="notice bad">
          {sentence}
        </p>
      ))}
      {data?.items.length === 0 && <p class="quiet">Заказов, которые ждут отгрузки, нет.</p>}
      {orders.length > 0 && (
        <CheckList all="Все заказы">
          {orders.map((order) => (
            <div key={order.id} class="row">
              <Check
                name="order"
                value={order.id}
                label={order.external_id}
                hint={order.lines[0]?.name ?? order.article ?? order.barcode ?? ''}
                checked
              />
              <Deadline at={order.deadline} />
            </div>
          ))}
        </CheckList>
      )}
    </OpenedForm>
  )
}
