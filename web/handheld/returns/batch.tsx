import { useRoute } from 'preact-iso'
import type { ReturnBatchContent } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { number } from '../../words/format.ts'
import { TakePhoto } from '../photos/take-photo.tsx'
import { useTask } from '../queue/use-queue.ts'
import { ScanScreen } from '../scan/scan-screen.tsx'
import { useScanLoop } from '../scan/use-scan-loop.ts'
import { note, type Verdict } from '../scan/verdict.ts'
import { ConditionChoice, useCondition } from './condition-choice.tsx'
import { FinishBatch } from './finish-batch.tsx'
import { type Came, conditions, type ScannedReturn, verdictOfReturn } from './verdict.ts'
import { WhichGoods } from './which-goods.tsx'

/** One batch of returns: whose they are is known, and what is still expected is shown. */
export function Batch() {
  const { params } = useRoute()
  const id = params.id ?? ''
  const key = `returns:${id}`
  const [condition, setCondition] = useCondition()
  const batch = useTask<ReturnBatchContent, Came>(key, {
    ask: (signal) => staff('GET /returns/{id}', { path: { id }, signal }),
    fold: (state, { came }, times) => ({ ...state, came_qty: state.came_qty + came * times }),
  })
  const read = (unit: ScannedReturn): Verdict => {
    const now = batch.now()
    if (now === undefined) return notLoaded
    if (now.status === 'FINISHED') return { kind: 'wrong', sentence: 'Приём возвратов закончен' }
    const figure = now.came_qty + 1
    return verdictOfReturn({ ...unit, figure, batchId: id })
  }
  const loop = useScanLoop(key, (code) => read({ code, condition }))
  const now = batch.state
  const isOpen = now?.status === 'OPEN'
  return (
    <>
      <ScanScreen
        title={`Возвраты ${now?.number ?? ''}`}
        about={now && `${now.client_name} · ${conditions[condition].toLowerCase()}`}
        resume={now && `возвраты ${now.number}`}
        isOver={now?.status === 'FINISHED'}
        loop={loop}
        actions={isOpen && <ConditionChoice chosen={condition} choose={setCondition} />}
      >
        <Failure error={now === undefined ? batch.error : undefined} />
        {isOpen && (
          <TakePhoto
            target={{
              name: 'PUT /returns/{id}/photos/{photo}',
              path: { id },
              scanId: loop.last?.scanId,
            }}
            of={loop.last?.name}
          />
        )}
        {now !== undefined && <Content batch={now} />}
        {isOpen && <FinishBatch batch={now} reload={batch.reload} />}
      </ScanScreen>
      <WhichGoods loop={loop} read={read} />
    </>
  )
}

const notLoaded = note('Возвраты ещё загружаются, отсканируйте ещё раз', 'surplus')

const shownMax = 100

/** What came, and what is expected: what is missing first. */
function Content({ batch }: { readonly batch: ReturnBatchContent }) {
  const expected = batch.expected.toSorted((a, b) => b.missing_qty - a.missing_qty)
  return (
    <>
      {batch.status === 'FINISHED' && <p class="sentence">Приём возвратов закончен</p>}
      <h2>
        Приехало: {number(batch.came_qty)}
        {batch.expected_qty > 0 && `, ждали ${number(batch.expected_qty)}`}
      </h2>
      {expected.length === 0 && <p>Выберите состояние и сканируйте любой код с единицы.</p>}
      <ul class="lines" aria-label="Ждём">
        {expected.slice(0, shownMax).map((line) => (
          <li
            key={`${line.external_id}${line.barcode}`}
            class={line.missing_qty === 0 ? 'complete' : ''}
          >
            <span class="line-name">
              {line.name ?? 'Товар не назван'}
              <br />
              <span class="small quiet">{line.external_id}</span>
            </span>
            <span class="qty">
              {number(line.came_qty)} из {number(line.qty)}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
