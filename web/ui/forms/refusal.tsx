import { type ComponentChildren, createContext } from 'preact'
import { useContext, useLayoutEffect, useState } from 'preact/hooks'
import { asSentences } from '../../../src/platform/kernel/sentences.ts'
import type { CallError } from '../../api/caller.ts'
import type { Answer } from '../../api/use-answer.ts'
import { Failure } from '../failure.tsx'
import { Moment } from '../moment.tsx'

interface Refusals {
  readonly error: CallError | undefined
  readonly setError: (error: CallError | undefined) => void
}

const Refused = createContext<Refusals>({ error: undefined, setError: () => {} })

/** Around the filters of a page and the answer that they ask for. */
export function RefusedFilters({ children }: { readonly children: ComponentChildren }) {
  const [error, setError] = useState<CallError>()
  return <Refused.Provider value={{ error, setError }}>{children}</Refused.Provider>
}

/** The filter «с» of a list is asked as what was created from then on. */
const isOf = (path: string, name: string) => path === name || path === `created_${name}`

/** What the service says of a filter. */
export function useRefusedFilter(name: string): string | undefined {
  const wrong = useContext(Refused).error?.fields.filter(({ path }) => isOf(path, name)) ?? []
  return asSentences(wrong.map(({ message }) => message)) || undefined
}

/** In place of what an answer shows, until it has come. */
export function WaitingFor({ answer }: { readonly answer: Answer<unknown> }) {
  if (answer.error !== undefined) return <AnswerFailure answer={answer} />
  return <div class="waiting" aria-busy="true" />
}

/**
 * Why there is no answer, or no newer one: what is shown then is from another time. What is wrong with a filter of the page
 * stands there, so here it says only where to look.
 */
export function AnswerFailure({ answer }: { readonly answer: Answer<unknown> }) {
  const { error, answeredAt, reload } = answer
  const { setError } = useContext(Refused)
  // At once: an effect that waits for its turn was lost where the page was drawn again meanwhile.
  useLayoutEffect(() => {
    setError(error)
    return () => setError(undefined)
  }, [error])
  const wrong = error?.fields ?? []
  const filters = [...document.querySelectorAll<HTMLInputElement>('.filters [name]')]
  const isShown =
    wrong.length > 0 && wrong.every(({ path }) => filters.some(({ name }) => isOf(path, name)))
  if (!isShown) {
    return (
      <Failure error={error} retry={reload}>
        {answeredAt !== undefined && (
          <p>
            Не обновилось: данные за <Moment at={answeredAt} />.
          </p>
        )}
      </Failure>
    )
  }
  return (
    <p class="notice bad" role="alert">
      Ничего не показано: исправьте отмеченный фильтр.
    </p>
  )
}
