import type { ComponentChildren } from 'preact'
import { plural } from '../words/format.ts'
import { useQueue } from './queue/use-queue.ts'
import { Unbroken } from './scan/place.tsx'
import { TypedCode } from './scan/typed-code.tsx'
import type { Shown } from './scan/verdict.ts'
import { useWorker } from './sign-in/worker.ts'

interface FrameProps {
  readonly title: string
  readonly about?: string | undefined
  /** Where «Назад» goes; left out on the first page. */
  readonly back?: string
  readonly outcome?: Shown['outcome'] | undefined
  readonly children: ComponentChildren
}

/** What every page of the handheld has: its title, the way back, the queue, and typing a code by hand. */
export function Frame({ title, about, back, outcome, children }: FrameProps) {
  return (
    <div class="handheld" data-outcome={outcome}>
      <header class="bar">
        {back !== undefined && (
          <a class="back" href={back} aria-label="Назад">
            ←
          </a>
        )}
        <div class="bar-title">
          <h1>
            <Unbroken text={title} />
          </h1>
          {about !== undefined && <p class="small">{about}</p>}
        </div>
        <TypedCode />
      </header>
      <QueueLine />
      <main class="body">{children}</main>
    </div>
  )
}

/** Says what is still to be sent, and whether something keeps it from being sent. */
function QueueLine() {
  const { entries, connection } = useQueue()
  const { id } = useWorker()
  const waiting = entries.filter(({ state }) => state === 'waiting')
  const own = waiting.filter(({ userId }) => userId === id).length
  const foreign = waiting.filter(({ userId }) => userId !== id)
  const others = [...new Set(foreign.map(({ login }) => login))]
  return (
    <div class="queue" role="status">
      {connection === 'offline' && <span>Нет связи, работайте дальше</span>}
      {own > 0 && <span>В очереди: {own}</span>}
      {others.length > 0 && (
        <span>
          {plural(foreign.length, 'скан ждёт', 'скана ждут', 'сканов ждут')} входа:{' '}
          {others.join(', ')}
        </span>
      )}
      {!globalThis.isSecureContext && (
        <span>Без HTTPS: страница не откроется без сети, камеры нет</span>
      )}
    </div>
  )
}
