import type { ComponentChildren } from 'preact'
import type { CallError } from '../api/caller.ts'

interface FailureProps {
  readonly error: CallError | undefined
  readonly retry?: () => void
  /** Whether support may be asked about it: of faults of the service always. */
  readonly namesRequest?: boolean
  /** What it means for the page. */
  readonly children?: ComponentChildren
}

/** Why something failed, in the service's own words, and a way to try again. */
export function Failure({ error, retry, namesRequest = false, children }: FailureProps) {
  if (error === undefined) return null
  return (
    <div class="notice bad" role="alert">
      {children}
      <p>{error.message}</p>
      {(namesRequest || error.status >= 500) && error.requestId !== undefined && (
        <p class="quiet small">
          Номер запроса для поддержки: <code>{error.requestId}</code>
        </p>
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
