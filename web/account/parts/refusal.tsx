import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { CallError } from '../../api/caller.ts'
import { Failure } from '../../ui/failure.tsx'
import { filterProblemOf } from './form.ts'

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

interface AnswerFailureProps {
  readonly error: CallError | undefined
  readonly retry: () => void
}

/** Why there is no answer. What is wrong with a filter of the page stands there, so here it says only where to look. */
export function AnswerFailure({ error, retry }: AnswerFailureProps) {
  const { setError } = useContext(Refused)
  useEffect(() => {
    setError(error)
    return () => setError(undefined)
  }, [error])
  const name = filterProblemOf(error)?.name
  const isShown = name !== undefined && document.querySelector(`.filters [name=${name}]`) !== null
  if (!isShown) return <Failure error={error} retry={retry} />
  return (
    <p class="notice bad" role="alert">
      Ничего не показано: исправьте отмеченный фильтр.
    </p>
  )
}
