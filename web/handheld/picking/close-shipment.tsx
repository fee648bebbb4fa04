import { useState } from 'preact/hooks'
import type { PickingTask } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { plural } from '../../words/format.ts'
import { uncheckedWords } from '../checking/check.ts'
import { Choice } from '../scan/choice.tsx'

interface CloseShipmentProps {
  readonly task: PickingTask
  readonly onClosed: () => Promise<void>
}

/** Everything is packed: after one question, which names what was not checked, the shipment is handed over. */
export function CloseShipment({ task, onClosed }: CloseShipmentProps) {
  const [isOpen, setOpen] = useState(false)
  const unchecked = uncheckedWords(task)
  const close = useAction(async () => {
    await staff('POST /shipments/{id}/close', { path: { id: task.shipment_id } })
    await onClosed()
  })
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        Закрыть отгрузку
      </button>
      {isOpen && (
        <Choice
          title={`Закрыть отгрузку ${task.shipment_external_id}?`}
          onClose={() => setOpen(false)}
        >
          <p>
            {plural(task.packed_count, 'заказ уедет', 'заказа уедут', 'заказов уедут')}. Вернуть
            отгрузку в сборку будет нельзя.
          </p>
          {unchecked && <p class="notice warn">{unchecked}</p>}
          <Failure error={close.error} />
          <button type="button" class="primary" disabled={close.busy} onClick={() => close.run()}>
            {close.busy ? 'Закрываем…' : 'Закрыть'}
          </button>
        </Choice>
      )}
    </>
  )
}
