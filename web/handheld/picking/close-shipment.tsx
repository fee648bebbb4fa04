import type { PickingTask } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/use-action.ts'

interface CloseShipmentProps {
  readonly task: PickingTask
  readonly onClosed: () => Promise<void>
}

/** Everything is packed: the shipment is handed over, or the service says what is missing. */
export function CloseShipment({ task, onClosed }: CloseShipmentProps) {
  const close = useAction(async () => {
    await staff('POST /shipments/{id}/close', { path: { id: task.shipment_id } })
    await onClosed()
  })
  return (
    <>
      <Failure error={close.error} />
      <button type="button" class="primary" disabled={close.busy} onClick={() => close.run()}>
        {close.busy ? 'Закрываем…' : 'Закрыть отгрузку'}
      </button>
    </>
  )
}
