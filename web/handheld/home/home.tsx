import { useLayoutEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { PickingTask } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { useModule } from '../../ui/use-module.ts'
import { Frame } from '../frame.tsx'
import { paths } from '../paths.ts'
import { patienceMs, waitingOf } from '../queue/queue.ts'
import { useQueue, useTask } from '../queue/use-queue.ts'
import { listen } from '../scan/wedge.ts'
import { remembered, useWorker } from '../sign-in/worker.ts'
import { WaitingWork } from '../waiting/waiting.tsx'
import type { Waiting } from './task-lists.tsx'

const noFold = (waiting: Waiting) => waiting

/** What waits for the worker; a scan opens what the code is. */
export function Home() {
  const { login, name = login, id } = useWorker()
  const { route } = useLocation()
  const waiting = useTask<Waiting, never>(`home:${id}`, { ask: askWaiting, fold: noFold })
  useLayoutEffect(() => listen((code) => route(paths.code(code))), [])
  const lists = useModule(() => import('./task-lists.tsx'))
  // Buttons come together with the lists above them: they must not move under a finger.
  const isLoading = !(waiting.state && lists) && waiting.error === undefined
  return (
    <Frame title={name}>
      <div class="home">
        <p class="hint">Отсканируйте любой код: откроется то, чем он помечен</p>
        <WaitingWork />
        <Continue userId={id} />
        <Failure error={waiting.error?.code === 'offline' ? undefined : waiting.error} />
        {isLoading ? (
          <div class="waiting-cards" role="status">
            <span class="visually-hidden">Загружаем задания…</span>
          </div>
        ) : (
          <>
            {waiting.state && lists && <lists.TaskLists waiting={waiting.state} userId={id} />}
            <Doings />
            <Leave />
            {lists && <lists.ThemeChoice />}
          </>
        )}
      </div>
    </Frame>
  )
}

/** What a worker does without a task. */
function Doings() {
  const station = remembered.station.get()
  return (
    <>
      <a class="button wide" href={paths.walkIn}>
        Принять без документа
      </a>
      <a class="button wide" href={paths.returns}>
        Принять возврат
      </a>
      <a class="button wide" href={paths.findParcel}>
        Проверить упаковку
      </a>
      <a class="button wide" href={paths.placing}>
        Разместить короб или паллету
      </a>
      <a class="button wide" href={paths.units}>
        Положить или взять товар
      </a>
      <a class="button wide" href={paths.station}>
        {station === undefined ? 'Где печатать этикетки' : `Этикетки: ${station.name}`}
      </a>
    </>
  )
}

async function askWaiting(signal: AbortSignal): Promise<Waiting> {
  const given = { signal, patienceMs }
  const [picking, receiving, expected, counting, returns] = await Promise.all([
    staff('GET /picking-tasks', { query: { status: 'OPEN', limit: 100 }, ...given }),
    staff('GET /receipts', { query: { status: 'RECEIVING' }, ...given }),
    staff('GET /receipts', { query: { status: 'EXPECTED' }, ...given }),
    staff('GET /counts', { query: { status: 'COUNTING', to_count: 'true' }, ...given }),
    staff('GET /returns', { query: { status: 'OPEN' }, ...given }),
  ])
  const byDeadline = (task: PickingTask) =>
    task.deadline === null ? Number.POSITIVE_INFINITY : Date.parse(task.deadline)
  return {
    picking: picking.items.toSorted((a, b) => byDeadline(a) - byDeadline(b)),
    receipts: [...receiving.items, ...expected.items],
    counts: counting.items,
    returns: returns.items,
  }
}

/** Where the worker stood when the page was closed. */
function Continue({ userId }: { readonly userId: string }) {
  const [place] = useState(remembered.place.get())
  if (place === undefined || place.userId !== userId) return null
  return (
    <a class="button primary wide" href={place.path}>
      Продолжить: {place.title}
    </a>
  )
}

function Leave() {
  const { signOut, id } = useWorker()
  useQueue()
  const waiting = waitingOf(id).length
  const leaving = useAction(signOut)
  return (
    <div class="stack">
      <Failure error={leaving.error} />
      {waiting > 0 && (
        <p class="hint">
          Не отправлено: {waiting}. Сканы останутся на терминале и уйдут, когда вы войдёте снова.
        </p>
      )}
      <button type="button" class="wide" disabled={leaving.busy} onClick={() => leaving.run()}>
        Выйти или сменить сотрудника
      </button>
    </div>
  )
}
