import { useContext, useState } from 'preact/hooks'
import { moment, number, plural } from '../../words/format.ts'
import type { Entry } from '../queue/disk.ts'
import { acknowledge, handOver } from '../queue/queue.ts'
import { useQueue } from '../queue/use-queue.ts'
import { Choice } from '../scan/choice.tsx'
import { WorkerContext, type WorkerSession } from '../sign-in/worker.ts'
import { WaitingPhotos } from './waiting-photos.tsx'

/** What was refused, scans and photos that wait, and since when. Those of a worker who has left can be handed over. */
export function WaitingList() {
  const waiting = useQueue().entries.filter(({ state }) => state === 'waiting')
  const worker = useContext(WorkerContext)
  return (
    <>
      {worker !== undefined && <Refusals userId={worker.id} />}
      {waiting.length > 0 && <WaitingScans waiting={waiting} worker={worker} />}
      {worker !== undefined && <WaitingPhotos />}
    </>
  )
}

/** What the service refused after the worker had left the task. */
function Refusals({ userId }: { readonly userId: string }) {
  const { entries } = useQueue()
  const refused = entries.filter((entry) => entry.state === 'refused' && entry.userId === userId)
  return refused.map(({ seq, message }) => (
    <div key={seq} class="notice bad stack" role="alert">
      <p>{message}</p>
      <button type="button" onClick={() => acknowledge(seq)}>
        Понятно
      </button>
    </div>
  ))
}

interface WaitingScansProps {
  readonly waiting: readonly Entry[]
  readonly worker: WorkerSession | undefined
}

/** Whose scans wait, and of which work. */
function WaitingScans({ waiting, worker }: WaitingScansProps) {
  const foreign = waiting.filter(({ userId }) => userId !== worker?.id)
  const others = [...new Set(foreign.map(({ login }) => login))]
  return (
    <section class="cards" aria-labelledby="waiting">
      <h2 id="waiting">Ждёт отправки</h2>
      <ul class="lines">
        {groupsOf(waiting).map(({ key, login, work, count, since, titles }) => (
          <li key={key}>
            <span class="line-name">
              {login} · {work}
              <br />
              {titles.size > 0 && (
                <>
                  <span class="small">{listed(titles)}</span>
                  <br />
                </>
              )}
              <span class="small quiet">с {moment(since)}</span>
            </span>
            <span class="qty">{plural(count, 'скан', 'скана', 'сканов')}</span>
          </li>
        ))}
      </ul>
      {worker !== undefined && others.map((login) => <HandOver key={login} login={login} />)}
    </section>
  )
}

function HandOver({ login }: { readonly login: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="wide" onClick={() => setOpen(true)}>
        Передать менеджеру: {login}
      </button>
      {isOpen && (
        <Choice title={`Передать сканы ${login} менеджеру?`} onClose={() => setOpen(false)}>
          <p>
            Передавайте, если {login} больше не войдёт на этом терминале. Сканы не примутся сразу:
            по каждому решит менеджер. Размещение и «товара нет» уйдут от вашего имени.
          </p>
          <button type="button" class="primary wide" onClick={() => void handOver(login)}>
            Передать
          </button>
        </Choice>
      )}
    </>
  )
}

interface Group {
  readonly key: string
  readonly login: string
  readonly work: string
  readonly count: number
  readonly since: string
  /** What was scanned, and how often. */
  readonly titles: Map<string, number>
}

/** By worker and work, oldest first. */
function groupsOf(waiting: readonly Entry[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { login, task, at, title } of waiting) {
    const key = `${login} ${task}`
    const { count, since, titles } = groups.get(key) ?? { count: 0, since: at, titles: new Map() }
    if (title !== undefined) titles.set(title, (titles.get(title) ?? 0) + 1)
    groups.set(key, { key, login, work: workOf(task), count: count + 1, since, titles })
  }
  return [...groups.values()]
}

const shownMax = 5

function listed(titles: ReadonlyMap<string, number>): string {
  const shown = [...titles]
    .slice(0, shownMax)
    .map(([title, times]) => (times === 1 ? title : `${title} × ${number(times)}`))
  const left = titles.size - shown.length
  return left > 0 ? `${shown.join(', ')} и ещё ${number(left)}` : shown.join(', ')
}

function workOf(task: string): string {
  return works[task.split(':')[0] ?? ''] ?? 'прочее'
}

const works: Readonly<Record<string, string>> = {
  receiving: 'приёмка',
  picking: 'сборка',
  returns: 'возвраты',
  placing: 'размещение',
  counting: 'пересчёт',
  checking: 'проверка упаковки',
  units: 'товар на местах',
}
