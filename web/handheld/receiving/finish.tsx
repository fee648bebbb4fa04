import { useState } from 'preact/hooks'
import type { StaffReceipt } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { plural } from '../../words/format.ts'
import { waitingOf } from '../queue/queue.ts'
import { useQueue } from '../queue/use-queue.ts'
import { Choice } from '../scan/choice.tsx'
import { useWorker } from '../sign-in/worker.ts'
import { shortagesOf } from './receipt.ts'

interface FinishProps {
  readonly receipt: StaffReceipt
  readonly onFinished: () => Promise<void>
}

/** Ends counting; each shortage gets its reason. What is queued leaves before. */
export function Finish({ receipt, onFinished }: FinishProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Завершить приёмку
      </button>
      {isOpen && (
        <Choice title="Завершить приёмку?" onClose={() => setOpen(false)}>
          <FinishForm
            receipt={receipt}
            onFinished={async () => {
              await onFinished()
              setOpen(false)
            }}
          />
        </Choice>
      )}
    </>
  )
}

function FinishForm({ receipt, onFinished }: FinishProps) {
  const { id: userId } = useWorker()
  useQueue()
  const waiting = waitingOf(userId).length
  const short = shortagesOf(receipt)
  const reasons = useAnswer('shortage', () =>
    staff('GET /reasons', { query: { kind: 'shortage' } }),
  )
  const choices = reasons.data?.items.filter(({ code }) => code !== 'CANCELLED') ?? []
  const finish = useAction(async (form: FormData) => {
    const shortages = short.map(({ barcode }) => ({
      barcode,
      reason: String(form.get(barcode) ?? ''),
    }))
    await staff('POST /receipts/{id}/finish', { path: { id: receipt.id }, body: { shortages } })
    await onFinished()
  })
  if (waiting > 0) {
    return (
      <p class="notice warn" role="status">
        Сначала уйдут сканы: {plural(waiting, 'скан', 'скана', 'сканов')} в очереди
      </p>
    )
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void finish.run(new FormData(event.currentTarget))
      }}
    >
      {short.length === 0 ? (
        <p>Недостач нет.</p>
      ) : (
        <p>Не хватает {plural(short.length, 'товара', 'товаров', 'товаров')}. Укажите причины.</p>
      )}
      {short.map(({ barcode, name, missing }) => (
        <label key={barcode} class="field">
          <span>
            {name}: нет {missing}
          </span>
          <select name={barcode} required>
            <option value="">Выберите причину</option>
            {choices.map(({ code, label }) => (
              <option key={code} value={code}>
                {label}
              </option>
            ))}
          </select>
        </label>
      ))}
      <Failure error={reasons.error} />
      <Failure error={finish.error} />
      <button type="submit" class="primary" disabled={finish.busy || choices.length === 0}>
        Завершить
      </button>
    </form>
  )
}
