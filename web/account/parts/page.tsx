import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Answer } from '../../api/use-answer.ts'
import { Failure } from '../../ui/failure.tsx'
import { exactMoment, moment } from '../../words/format.ts'
import { Skeleton } from './list.tsx'

interface PageProps {
  readonly title: string
  /** Where it belongs: a link back. */
  readonly above?: { readonly href: string; readonly title: string }
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

export function Page({ title, above, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Sklad`
  }, [title])
  return (
    <div class="stack">
      <header class="page-head">
        <div>
          {above && (
            <a class="small" href={above.href}>
              ← {above.title}
            </a>
          )}
          <h1>{title}</h1>
        </div>
        {actions && <div class="row">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** Shows an answer when it has come, and until then its failure or a skeleton. */
export function Loaded<T>({
  answer,
  children,
}: {
  readonly answer: Answer<T>
  readonly children: (data: T) => ComponentChildren
}) {
  if (answer.data !== undefined) return <>{children(answer.data)}</>
  if (answer.error !== undefined) return <Failure error={answer.error} retry={answer.reload} />
  return <Skeleton rows={5} />
}

export function Moment({
  at,
  none = '—',
}: {
  readonly at: string | null | undefined
  readonly none?: string
}) {
  if (at === null || at === undefined) return <>{none}</>
  return (
    <time dateTime={at} title={exactMoment(at)}>
      {moment(at)}
    </time>
  )
}

const days = new Intl.DateTimeFormat('ru-RU', {
  timeZone: 'Europe/Moscow',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

/** The day of a moment, in Moscow. */
export function DayOf({ at }: { readonly at: string | null }) {
  if (at === null) return <>—</>
  return (
    <time dateTime={at} title={exactMoment(at)}>
      {days.format(new Date(at))}
    </time>
  )
}

/** Facts of an object, each with its name. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [string, ComponentChildren])[]
}) {
  const shown = facts.filter(
    ([, value]) => value !== undefined && value !== null && value !== '' && value !== false,
  )
  return (
    <dl class="facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type Tone = 'good' | 'warn' | 'bad' | 'plain' | 'busy'
const shapes: Readonly<Record<Tone, string>> = {
  good: '●',
  warn: '▲',
  bad: '✕',
  plain: '○',
  busy: '◐',
}

/** A state by word, shape and colour. */
export function Badge({
  tone,
  children,
}: {
  readonly tone: Tone
  readonly children: ComponentChildren
}) {
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{shapes[tone]}</span> {children}
    </span>
  )
}

const tones: Readonly<Record<string, Tone>> = {
  NEW: 'plain',
  ASSEMBLING: 'busy',
  IN_DELIVERY: 'busy',
  COMPLETED: 'good',
  CANCELLED: 'bad',
  OTHER: 'warn',
  PENDING_CONFIRMATION: 'plain',
  EXPECTED: 'plain',
  RECEIVING: 'busy',
  RECEIVED: 'good',
  RECEIVED_WITH_DISCREPANCY: 'warn',
  HANDED_OVER: 'busy',
  ACCEPTED: 'good',
  OPEN: 'busy',
  FINISHED: 'good',
}

/** The status of an object of the API, with the API's own words. */
export function Status({ status, label }: { readonly status: string; readonly label: string }) {
  return <Badge tone={tones[status] ?? 'plain'}>{label}</Badge>
}

export const marketplaceNames = { WB: 'WB', OZON: 'OZON' } as const
