import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { CallError } from './caller.ts'
import { markUnattended } from './unattended.ts'

export interface Answer<T> {
  /** Undefined until the first answer has come; stays while a newer one is asked for. */
  readonly data: T | undefined
  /** When it came; undefined until then. */
  readonly answeredAt: string | undefined
  /** Why the newest ask has no answer, whatever an older one has. */
  readonly error: CallError | undefined
  /** Whether an answer is on its way. */
  readonly loading: boolean
  readonly reload: () => void
}

interface Options {
  /** Asks again so often while the page is seen; never by default. */
  readonly refreshMs?: number
}

interface Shown<T> {
  readonly key: string
  readonly data?: T
  readonly answeredAt?: string
  readonly error?: CallError
}

const offlineRetryMs = 3_000

/** Asks when the component appears and whenever `key` changes: the answer of an older key is never shown for a newer. */
export function useAnswer<T>(
  key: string,
  ask: (signal: AbortSignal) => Promise<T>,
  { refreshMs }: Options = {},
): Answer<T> {
  const [shown, setShown] = useState<Shown<T>>({ key })
  const [loading, setLoading] = useState(true)
  const [round, setRound] = useState(0)
  const latest = useRef(ask)
  latest.current = ask
  const reload = useCallback(() => setRound((last) => last + 1), [])
  const isByItself = useRef(false)

  useEffect(() => {
    const abort = new AbortController()
    if (isByItself.current) markUnattended(abort.signal)
    isByItself.current = false
    setLoading(true)
    void latest
      .current(abort.signal)
      .then((data): Shown<T> => ({ key, data, answeredAt: new Date().toISOString() }))
      .catch((error: unknown) => {
        // Whoever left the page asks no longer.
        return abort.signal.aborted ? undefined : { key, error: asCallError(error) }
      })
      .then((answer) => {
        if (answer === undefined || abort.signal.aborted) return
        setShown((last) =>
          'error' in answer && last.key === key ? { ...last, ...answer } : answer,
        )
        setLoading(false)
      })
    return () => abort.abort()
  }, [key, round])

  const { data, answeredAt, error } = shown.key === key ? shown : {}
  useWhileSeen(retryMsOf(error) ?? refreshMs, () => {
    // What is on its way is not asked for anew: a slow answer would never come.
    if (loading) return
    isByItself.current = true
    reload()
  })
  return { data, answeredAt, error, loading, reload }
}

/** Nobody has to press anything: what was asked for comes with the network, and when the service takes calls again. */
function retryMsOf(error: CallError | undefined): number | undefined {
  if (error?.code === 'offline') return offlineRetryMs
  return error?.retryAfterSeconds && error.retryAfterSeconds * 1_000
}

/** Acts so often while the page is seen, and when it is seen again. */
export function useWhileSeen(everyMs: number | undefined, act: () => unknown): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (everyMs === undefined) return
    const again = () => document.visibilityState === 'visible' && latest.current()
    const timer = setInterval(again, everyMs)
    document.addEventListener('visibilitychange', again)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', again)
    }
  }, [everyMs])
}

/** What a page shows of a failure; a mistake of the page itself is thrown on. */
export function asCallError(error: unknown): CallError {
  if (error instanceof CallError) return error
  throw error
}
