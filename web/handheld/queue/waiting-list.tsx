import { useContext, useState } from 'preact/hooks'
import { moment, plural } from '../../words/format.ts'
import { Choice } from '../scan/choice.tsx'
import { WorkerContext } from '../sign-in/worker.ts'
import type { Entry } from './disk.ts'
import { handOver } from './queue.ts'

/** Whose scans wait, of which work, and since when. Those of a worker who has left can be handed over. */
export function WaitingList({ waiting }: { readonly waiting: readonly Entry[] }) {
  const worker = useContext(WorkerContext)
  const foreign = waiting.filter(({ userId }) => userId !== worker?.id)
  const others = [...new Set(foreign.map(({ login }) => login))]
  return (
    <section class="cards" aria-labelledby="waiting">
      <h2 id="waiting">Ждёт отправки</h2>
      <ul class="lines">
        {groupsOf(waiting).map(({ key, login, work, count, since }) => (
          <li key={key}>
            <span class="line-name">
              {login} · {work}
              <br />
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
}

/** By worker and work, oldest first. */
function groupsOf(waiting: readonly Entry[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { login, task, at } of waiting) {
    const key = `${login} ${task}`
    const { count, since } = groups.get(key) ?? { count: 0, since: at }
    groups.set(key, { key, login, work: workOf(task), count: count + 1, since })
  }
  return [...groups.values()]
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
