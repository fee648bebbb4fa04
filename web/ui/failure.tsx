import type { ComponentChildren } from 'preact'
import type { CallError } from '../api/caller.ts'

interface FailureProps {
  readonly error: CallError | undefined
  readonly retry?: () => void
  /** What it means for the page. */
  readonly children?: ComponentChildren
}

/** Why something failed, in the service's own words, and a way to try again. */
export function Failure({ error, retry, children }: FailureProps) {
  if (error === undefined) return null
  return (
    <div class="notice bad" role="alert">
      {children}
      <p>{error.message}</p>
      {error.code === 'internal' && error.requestId !== undefined && (
        <p class="small quiet">Номер запроса для поддержки: {error.requestId}</p>
      )}
      {retry !== undefined && (
        <p>
          <button type="button" onClick={retry}>
            Повторить
          </button>
        </p>
      )}
    </div>
  )
}
