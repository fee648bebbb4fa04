import { useState } from 'preact/hooks'
import { newId } from '../../api/new-id.ts'
import type { ReasonPage } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { TakePhoto } from '../photos/take-photo.tsx'
import { plainCall } from '../queue/queue.ts'
import { useTask } from '../queue/use-queue.ts'
import { Choice } from '../scan/choice.tsx'
import type { Verdict } from '../scan/verdict.ts'
import type { PickingLine } from './task.ts'

interface MissFormProps {
  readonly taskId: string
  readonly line: PickingLine
  readonly act: (verdict: Verdict) => void
}

/** The goods are not where they should be: one tap and a reason, and the walk goes on. */
export function MissForm({ taskId, line, act }: MissFormProps) {
  const [isOpen, setOpen] = useState(false)
  const reasons = useTask<ReasonPage, never>('reasons:not_found', {
    ask: (signal) => staff('GET /reasons', { query: { kind: 'not_found' }, signal }),
    fold: (page) => page,
  })
  const report = (reason: string) => {
    setOpen(false)
    const { order_id, barcode } = line
    const body = { order_id, barcode, reason, scan_id: newId(), ...placeIn(line) }
    act({
      kind: 'counts',
      call: plainCall('POST /picking-tasks/{id}/not-found', { id: taskId }, body),
      effect: { missedOrderId: order_id, barcode },
      outcome: 'surplus',
      sentence: `Не найден: ${line.name}. Что делать с заказом ${line.order_external_id}, решит менеджер`,
    })
  }
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Товара нет
      </button>
      {isOpen && (
        <Choice title={`Почему нет «${line.name}»?`} onClose={() => setOpen(false)}>
          <Failure error={reasons.state === undefined ? reasons.error : undefined} />
          {reasons.state?.items.map(({ code, label }) => (
            <button key={code} type="button" class="wide" onClick={() => report(code)}>
              {label}
            </button>
          ))}
          <TakePhoto
            target={{ name: 'PUT /orders/{id}/photos/{photo}', path: { id: line.order_id } }}
            of="место или повреждение"
          />
        </Choice>
      )}
    </>
  )
}

/** The place where the walk sent the picker. */
function placeIn({ from: [source] }: PickingLine) {
  if (source?.box_id !== undefined) return { box_id: source.box_id }
  return source?.location_id === undefined ? {} : { location_id: source.location_id }
}
