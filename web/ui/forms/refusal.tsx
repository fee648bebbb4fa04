import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
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

/** What the service says of a filter. */
export function useRefusedFilter(name: string): string | undefined {
  const wrong = useContext(Refused).error?.fields.filter(({ path }) => path === name) ?? []
  return asSentences(wrong.map(({ message }) => message)) || undefined
}

/**
 * Why there is no answer, or no newer one: what is shown then is from another time. What is wrong with a filter of the page
 * stands there, so here it says only where to look.
 */
export function AnswerFailure({ answer }: { readonly answer: Answer<unknown> }) {
  const { error, answeredAt, reload } = answer
  const { setError } = useContext(Refused)
  useEffect(() => {
    setError(error)
    return () => setError(undefined)
  }, [error])
  const wrong = error?.fields ?? []
  const hasFilter = (name: string) => document.querySelector(`.filters [name="${name}"]`) !== null
  const isShown = wrong.length > 0 && wrong.every(({ path }) => hasFilter(path))
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
