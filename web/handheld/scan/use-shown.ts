import { useEffect, useRef, useState } from 'preact/hooks'
import type { Entry } from '../queue/disk.ts'
import type { Answered, Shown } from './verdict.ts'

/** How a scan is said once the service has answered it. */
export interface Pending {
  readonly scanId: string
  readonly whenAnswered: (answer: unknown) => Answered
}

/** What the screen says, and says better when the answer to its scan comes; `onAnswered` hears that, too. */
export function useShown(
  entries: readonly Entry[],
  onAnswered: (scanId: string, better: Answered) => void,
) {
  const [shown, setShown] = useState<Shown>()
  const pending = useRef<Pending>(undefined)
  const show = (next: Shown | undefined, later?: Pending) => {
    pending.current = later
    setShown(next)
  }
  const answer = answerTo(entries, pending.current?.scanId)
  useEffect(() => {
    if (answer === undefined || pending.current === undefined) return
    const { scanId, whenAnswered } = pending.current
    const better = whenAnswered(answer)
    pending.current = undefined
    setShown((now) => now && { ...now, sentence: better.sentence })
    onAnswered(scanId, better)
  }, [answer])
  return [shown, show] as const
}

function answerTo(entries: readonly Entry[], scanId: string | undefined): unknown {
  if (scanId === undefined) return undefined
  return entries.find(({ body, state }) => body.scan_id === scanId && state === 'done')?.answer
}
