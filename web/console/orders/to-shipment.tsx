import { CallError } from '../../api/caller.ts'
import type { StaffOrder } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { showToast } from '../../ui/toast.tsx'

interface ToShipmentProps {
  readonly order: StaffOrder
  readonly reload: () => void
}

/** An order that waits leaves in a shipment of its own at one press, and the toast takes it back; or it says what it waits for. */
export function ToShipment({ order: { id, external_id: name }, reload }: ToShipmentProps) {
  const shipping = useAction(async () => {
    const body = { order_ids: [id] }
    const { shipment, staying } = await staff('POST /orders/to-shipment', { body })
    if (shipment === null) throw new CallError('conflict', staying[0]?.reason ?? 'Заказ не вошёл')
    reload()
    showToast(`Заказ ${name} в отгрузке ${shipment.external_id}`, async () => {
      await staff('DELETE /shipments/{id}', { path: { id: shipment.id } })
      reload()
    })
  })
  return (
    <>
      <button
        type="button"
        class="primary"
        disabled={shipping.busy}
        onClick={() => void shipping.run()}
      >
        В отгрузку
      </button>
      <Failure error={shipping.error} />
    </>
  )
}
