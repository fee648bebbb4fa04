import { useState } from 'preact/hooks'
import type { ReturnBatchContent } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { number } from '../../words/format.ts'
import { waitingOf } from '../queue/queue.ts'
import { useQueue } from '../queue/use-queue.ts'
import { Choice } from '../scan/choice.tsx'
import { useWorker } from '../sign-in/worker.ts'

interface FinishBatchProps {
  readonly batch: ReturnBatchContent
  /** Reads the batch again. */
  readonly reload: () => Promise<void>
}

/** Ends the batch once every scan has left the device: one that came later would be refused. */
export function FinishBatch({ batch, reload }: FinishBatchProps) {
  const [isOpen, setOpen] = useState(false)
  const { id: userId } = useWorker()
  useQueue()
  const waiting = waitingOf(userId).length
  const open = () => {
    setOpen(true)
    // What came last is not yet among what is expected.
    void reload()
  }
  const finish = useAction(async () => {
    await staff('POST /returns/{id}/finish', { path: { id: batch.id } })
    setOpen(false)
    await reload()
  })
  return (
    <>
      <button type="button" disabled={waiting > 0} onClick={open}>
        {waiting > 0 ? 'Закончить можно, когда уйдут сканы' : 'Закончить приём возвратов'}
      </button>
      {isOpen && (
        <Choice title="Закончить приём возвратов?" onClose={() => setOpen(false)}>
          <p>Приехало: {number(batch.came_qty)}. Больше в него ничего не отсканировать.</p>
          {batch.missing_qty > 0 && (
            <p class="notice warn">Не приехало из списка: {number(batch.missing_qty)}</p>
          )}
          <Failure error={finish.error} />
          <button
            type="button"
            class="primary wide"
            disabled={finish.busy}
            onClick={() => finish.run()}
          >
            Закончить
          </button>
        </Choice>
      )}
    </>
  )
}
