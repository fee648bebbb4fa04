import type { ReturnBatchPage } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { plural } from '../../words/format.ts'
import { TakePhoto } from '../photos/take-photo.tsx'
import { useTask } from '../queue/use-queue.ts'
import { ScanScreen } from '../scan/scan-screen.tsx'
import { useScanLoop } from '../scan/use-scan-loop.ts'
import { ConditionChoice, useCondition } from './condition-choice.tsx'
import {
  type Came,
  type Condition,
  conditions,
  type ScannedReturn,
  verdictOfReturn,
} from './verdict.ts'
import { WhichGoods } from './which-goods.tsx'
import { mayBeAnyones, WhoseGoods } from './whose-goods.tsx'

const key = 'returns'

/** The open batches as last read, and how many units were scanned since. */
type OpenBatches = ReturnBatchPage & { readonly since?: number }

function cameOf({ items, since = 0 }: OpenBatches = { items: [], total: 0, next_cursor: null }) {
  return items.reduce((sum, batch) => sum + batch.came_qty, since)
}

/** Units that come back, by whatever code is on them; the service finds the order and the day's batch. */
export function Returns() {
  const [condition, setCondition] = useCondition()
  const batches = useTask<OpenBatches, Came>(key, {
    ask: (signal) => staff('GET /returns', { query: { status: 'OPEN' }, signal }),
    fold: ({ since = 0, ...page }, { came }, times) => ({ ...page, since: since + came * times }),
  })
  const read = (unit: ScannedReturn) =>
    verdictOfReturn({ ...unit, figure: cameOf(batches.now()) + 1 })
  const loop = useScanLoop(key, (code) => read({ code, condition }))
  const { refused } = loop
  return (
    <>
      <ScanScreen
        title="Возвраты"
        about={conditions[condition]}
        resume="возвраты"
        loop={loop}
        actions={<ConditionChoice chosen={condition} choose={setCondition} />}
      >
        <p>Выберите состояние и сканируйте любой код с единицы: этикетку, маркировку, штрихкод.</p>
        <Failure error={batches.state === undefined ? batches.error : undefined} />
        {loop.last !== undefined && (
          <TakePhoto
            target={{
              name: 'PUT /returns/scans/photos/{photo}',
              path: {},
              scanId: loop.last.scanId,
            }}
            of={loop.last.name}
          />
        )}
        <ul class="lines">
          {batches.state?.items.map((batch) => (
            <li key={batch.id}>
              <span class="line-name">
                {batch.number} · {batch.client_name}
              </span>
              <span class="qty">{plural(batch.came_qty, 'единица', 'единицы', 'единиц')}</span>
            </li>
          ))}
        </ul>
      </ScanScreen>
      {refused !== undefined && mayBeAnyones(refused) && (
        <WhoseGoods
          key={refused.seq}
          refused={refused}
          onClose={loop.accept}
          onChosen={(client) => {
            const { code, condition: like } = refused.body
            loop.act(read({ code: String(code), condition: like as Condition, client }), refused)
          }}
        />
      )}
      <WhichGoods loop={loop} read={read} />
    </>
  )
}
