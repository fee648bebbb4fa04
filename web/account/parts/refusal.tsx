import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { CallError } from '../../api/caller.ts'
import type { Answer } from '../../api/use-answer.ts'
import { Failure } from '../../ui/failure.tsx'
import { filterProblemOf } from './form.ts'
import { Moment } from './moment.tsx'

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
  const problem = filterProblemOf(useContext(Refused).error)
  return problem?.name === name ? problem.rule : undefined
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
  const name = filterProblemOf(error)?.name
  const isShown = name !== undefined && document.querySelector(`.filters [name=${name}]`) !== null
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
