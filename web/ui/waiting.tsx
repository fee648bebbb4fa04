import type { CallError } from '../api/caller.ts'
import { Failure } from './failure.tsx'

interface WaitingProps {
  /** Undefined while the answer is on its way. */
  readonly error: CallError | undefined
  readonly retry: () => void
}

/** In place of a part of a page that has no answer yet: its room, or why it does not come. */
export function Waiting({ error, retry }: WaitingProps) {
  if (error !== undefined) return <Failure error={error} retry={retry} />
  return <div class="waiting" aria-busy="true" />
}

/** In place of a whole page, its heading too. */
export function WaitingPage() {
  return (
    <div class="stack" aria-busy="true">
      <div class="waiting waiting-head" />
      <div class="waiting" />
    </div>
  )
}
