import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Answer } from '../../api/use-answer.ts'
import { AnswerFailure, RefusedFilters } from '../../ui/forms/refusal.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { WaitingPage } from '../../ui/waiting.tsx'

/** What a page of one object shows: it says under its heading why it has no newer one. */
const PageAnswer = createContext<Answer<unknown> | undefined>(undefined)

interface PageProps {
  readonly title: string
  /** Where it belongs: a link back. */
  readonly above?: { readonly href: string; readonly title: string }
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

export function Page({ title, above, actions, children }: PageProps) {
  const answer = useContext(PageAnswer)
  useTitle(title)
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
      <RefusedFilters>
        {answer && <AnswerFailure answer={answer} />}
        {children}
      </RefusedFilters>
    </div>
  )
}

interface LoadedProps<T> {
  readonly answer: Answer<T>
  readonly children: (data: T) => ComponentChildren
}

/** Shows an answer when it has come, and until then a skeleton, with the failure of the newest ask. */
export function Loaded<T>({ answer, children }: LoadedProps<T>) {
  const { data, error } = answer
  if (data === undefined && error === undefined) return <div class="waiting" aria-busy="true" />
  return (
    <>
      <AnswerFailure answer={answer} />
      {data !== undefined && children(data)}
    </>
  )
}

interface OneLoadedProps<T> extends LoadedProps<T> {
  /** What the page shows: «Заказ», and what it says where there is none: «Такого заказа нет». */
  readonly title: string
  readonly missing: string
  readonly above: { readonly href: string; readonly title: string }
}

/** Like `Loaded`, for the page of one object: it has a heading and a way back without the object, too. */
export function OneLoaded<T>({ answer, children, title, missing, above }: OneLoadedProps<T>) {
  const { data, error } = answer
  if (data === undefined && error?.code === 'not_found') {
    return (
      <Page title={missing} above={above}>
        <p>Проверьте адрес страницы или найдите нужное в списке.</p>
        <p>
          <a class="button" href={above.href}>
            {above.title}: весь список
          </a>
        </p>
      </Page>
    )
  }
  if (data === undefined && error !== undefined) {
    return (
      <Page title={title} above={above}>
        <AnswerFailure answer={answer} />
      </Page>
    )
  }
  if (data === undefined) return <WaitingPage />
  return <PageAnswer.Provider value={answer}>{children(data)}</PageAnswer.Provider>
}

/** A text of any length in a table: it breaks where it must. */
export function Long({ text }: { readonly text: string | null | undefined }) {
  return <span class="long">{text ?? '—'}</span>
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
