import { useState } from 'preact/hooks'
import type { StockCount } from '../../api/staff-calls.ts'
import { plural } from '../../words/format.ts'
import { Choice } from '../scan/choice.tsx'
import type { ScanLoop } from '../scan/use-scan-loop.ts'
import { useWorker } from '../sign-in/worker.ts'
import { leftOver, othersAtWork } from './own-part.ts'
import { codeOfPlace, type PlacesDone } from './places-done.ts'
import { finishing, resuming } from './verdict.ts'

interface FinishCountProps {
  readonly count: StockCount
  readonly done: PlacesDone
  readonly loop: ScanLoop
}

/** Ends the worker's part at once; where something of it was not counted, after one question that names it. */
export function FinishCount({ count, done, loop }: FinishCountProps) {
  const [isAsked, setAsked] = useState(false)
  const { id } = useWorker()
  const left = leftOver(count, (place) => done.has(codeOfPlace(place)))
  const finish = () => {
    setAsked(false)
    loop.act(finishing(count, id))
  }
  return (
    <>
      <button
        type="button"
        class="primary"
        onClick={() => (left === undefined ? finish() : setAsked(true))}
      >
        Готово
      </button>
      {isAsked && (
        <Choice
          title="Вы всё посчитали?"
          closeLabel="Считать дальше"
          onScan={(code) => {
            setAsked(false)
            loop.take(code)
          }}
          onClose={() => setAsked(false)}
        >
          <p class="notice warn">{left}</p>
          <p>Если их никто не посчитает, запишем 0 штук.</p>
          <button type="button" class="primary wide" onClick={finish}>
            Готово, больше ничего нет
          </button>
        </Choice>
      )}
    </>
  )
}

/** Takes the end back, as long as no manager has looked at the count. */
export function ResumeCount({ count, loop }: Omit<FinishCountProps, 'done'>) {
  const { id } = useWorker()
  return (
    <button type="button" class="undo" onClick={() => loop.act(resuming(count, id))}>
      Считать дальше
    </button>
  )
}

/** Nothing is left for this worker: what was counted, and who is still at it. */
export function PartDone({ count }: Pick<FinishCountProps, 'count'>) {
  const { id } = useWorker()
  const others = othersAtWork(count, id)
  return (
    <>
      <p class="sentence">
        Вы закончили считать. Всего: {plural(count.units, 'штука', 'штуки', 'штук')}
      </p>
      <p>
        {others.length > 0
          ? `Ещё считают: ${others.join(', ')}. Потом пересчёт проверит менеджер.`
          : 'Дальше пересчёт проверит менеджер.'}
      </p>
    </>
  )
}
