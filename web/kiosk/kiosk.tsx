import { useEffect, useRef, useState } from 'preact/hooks'
import type { PrintJob, PrintStation } from '../api/staff-calls.ts'
import { useAnswer } from '../api/use-answer.ts'
import { formatWords } from '../console/printing/formats.ts'
import { staff } from '../staff/api.ts'
import { Clock } from '../staff/clock.tsx'
import { Failure } from '../ui/failure.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { ThemeChoice } from '../ui/theme/theme-choice.tsx'
import { moment } from '../words/format.ts'
import { contentOf } from './printer.ts'
import { shownMax, useStation } from './use-station.ts'

interface Chosen {
  readonly id: string
  readonly name: string
}

const key = 'sklad.kiosk'
/** Jobs also fail without this page: other pages give up on them. */
const refreshMs = 30_000

function chosenBefore(): Chosen | undefined {
  const text = localStorage.getItem(key)
  return text === null ? undefined : (JSON.parse(text) as Chosen)
}

interface KioskProps {
  /** The device, or the person who signed in. */
  readonly who: string
  /** None for a device, which nobody signed in on. */
  readonly signOut?: () => void
}

/** The page beside a printer: it prints what handhelds and managers ask its station for. */
export function Kiosk({ who, signOut }: KioskProps) {
  const [station, setStation] = useState(chosenBefore)
  const choose = (chosen: Chosen | undefined) => {
    if (chosen === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify({ id: chosen.id, name: chosen.name }))
    setStation(chosen)
  }
  return (
    <main class="kiosk stack">
      <header class="row">
        <h1 class="grow">{station === undefined ? 'Печать' : station.name}</h1>
        <ThemeChoice />
        {who !== station?.name && <span class="quiet">{who}</span>}
        {station !== undefined && (
          <button type="button" class="plain" onClick={() => choose(undefined)}>
            Сменить станцию
          </button>
        )}
        {signOut !== undefined && (
          <button type="button" class="plain" onClick={signOut}>
            Выйти
          </button>
        )}
      </header>
      {station === undefined ? (
        <Choice choose={choose} />
      ) : (
        <Station key={station.id} id={station.id} />
      )}
    </main>
  )
}

function Choice({ choose }: { readonly choose: (station: PrintStation) => void }) {
  const { data, error, reload } = useAnswer('stations', (signal) =>
    staff('GET /print-stations', { query: { active: 'true', limit: 200 }, signal }),
  )
  return (
    <section class="stack">
      <h2>Какая это станция?</h2>
      <Failure error={error} retry={reload} />
      {data?.items.map((station) => (
        <p key={station.id}>
          <button type="button" onClick={() => choose(station)}>
            {station.name}
          </button>{' '}
          <span class="quiet">
            склад {station.warehouse_code}, печатает{' '}
            {station.formats.map((format) => formatWords[format]).join(', ')}
          </span>
        </p>
      ))}
      {data?.items.length === 0 && <p>Станций печати нет: их заводит менеджер.</p>}
    </section>
  )
}

function Station({ id }: { readonly id: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const { current, done, error } = useStation(id, frame)
  const failed = useAnswer(
    id,
    (signal) => staff('GET /print-jobs', { query: { ...ofStation(id), limit: shownMax }, signal }),
    { refreshMs },
  )
  useEffect(() => {
    if (done.length > 0) failed.reload()
  }, [done])
  return (
    <section class="stack">
      <div class="panel idle">
        <Clock />
        <p class="state" role="status">
          {current === undefined ? 'Ждёт заданий' : `Печатает: ${current.title}`}
        </p>
        <p class="quiet">Печатает сама всё, что просят с терминалов и со страниц склада.</p>
      </div>
      <Failure error={error} />
      <Jobs title="Не напечатано" jobs={failed.data?.items ?? []} onAgain={failed.reload} />
      <Jobs title="Напечатано" jobs={done.filter(({ status }) => status === 'PRINTED')} />
      <iframe ref={frame} class="sheet" title="Что печатается" tabIndex={-1} />
    </section>
  )
}

function ofStation(id: string) {
  return { station_id: id, status: 'FAILED' } as const
}

interface JobsProps {
  readonly title: string
  readonly jobs: readonly PrintJob[]
  readonly onAgain?: () => void
}

function Jobs({ title, jobs, onAgain }: JobsProps) {
  if (jobs.length === 0) return null
  return (
    <>
      <h2>{title}</h2>
      <ul class="jobs">
        {jobs.map((job) => (
          <Job key={`${job.id} ${job.ended_at}`} job={job} onAgain={onAgain} />
        ))}
      </ul>
    </>
  )
}

interface JobProps {
  readonly job: PrintJob
  readonly onAgain?: (() => void) | undefined
}

function Job({ job, onAgain }: JobProps) {
  const again = useAction(async () => {
    await staff('PATCH /print-jobs/{id}', { path: { id: job.id }, body: { status: 'QUEUED' } })
    onAgain?.()
  })
  return (
    <li>
      <div class="row">
        <div class="about">
          {job.title}
          {job.ended_at !== null && <span class="quiet"> · {moment(job.ended_at)}</span>}
          {job.reason !== null && <div class="problem">✕ {job.reason}</div>}
        </div>
        <a class="button" href={contentOf(job)} target="_blank" rel="noreferrer">
          Открыть
        </a>
        <button type="button" disabled={again.busy} onClick={() => again.run()}>
          Ещё раз
        </button>
      </div>
      <Failure error={again.error} />
    </li>
  )
}
