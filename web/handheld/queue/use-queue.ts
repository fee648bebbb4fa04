import { useEffect, useRef, useState } from 'preact/hooks'
import type { CallError } from '../../api/caller.ts'
import { markUnattended } from '../../api/unattended.ts'
import { asCallError } from '../../api/use-answer.ts'
import { useWorker } from '../sign-in/worker.ts'
import type { Entry } from './disk.ts'
import { onQueueChange, type QueueState, queueState, readTask, watch } from './queue.ts'

export function useQueue(): QueueState {
  const [shown, setShown] = useState(queueState())
  useEffect(() => {
    setShown(queueState())
    return onQueueChange(() => setShown(queueState()))
  }, [])
  return shown
}

export interface Task<T> {
  readonly key: string
  /** As the service last said, with what was scanned since. Undefined before the first answer. */
  readonly state: T | undefined
  /** The same at this very moment, between two renderings. */
  readonly now: () => T | undefined
  readonly error: CallError | undefined
  readonly reload: () => Promise<void>
}

interface TaskOptions<T, Effect> {
  readonly ask: (signal: AbortSignal) => Promise<T>
  /** The state after a scan; `times` is -1 where the scan is taken back. */
  readonly fold: (state: T, effect: Effect, times: 1 | -1) => T
}

/** Reads anew so long after the last scan. */
const settleMs = 1_500
const refreshMs = 20_000

/** A task that goes on without network: its last known state is on disk, and scans change it at once. */
export function useTask<T, Effect>(key: string, options: TaskOptions<T, Effect>): Task<T> {
  const { id: userId } = useWorker()
  const { entries } = useQueue()
  const [error, setError] = useState<CallError>()
  const latest = useRef(options)
  latest.current = options
  const now = () => {
    const { kept, entries } = queueState()
    const last = kept.get(key) as T | undefined
    const own = ownEntries(entries, key, userId)
    return last === undefined ? undefined : folded(last, own, latest.current.fold)
  }
  const reload = () => read(new AbortController().signal)
  const read = async (signal: AbortSignal) => {
    try {
      await readTask(key, () => latest.current.ask(signal))
      setError(undefined)
    } catch (failure) {
      setError(asCallError(failure))
    }
  }
  useEffect(() => {
    void watch(key).then(reload)
    const again = () =>
      document.visibilityState === 'visible' &&
      void read(markUnattended(new AbortController().signal))
    const timer = setInterval(again, refreshMs)
    return () => clearInterval(timer)
  }, [key])
  const own = ownEntries(entries, key, userId)
  const lastDone = own.findLast(({ state }) => state === 'done')?.seq
  useEffect(() => {
    if (lastDone === undefined) return
    const timer = setTimeout(() => void reload(), settleMs)
    return () => clearTimeout(timer)
  }, [lastDone])
  return { key, state: now(), now, error, reload }
}

function ownEntries(entries: readonly Entry[], key: string, userId: string): Entry[] {
  return entries.filter(
    (entry) =>
      entry.task === key &&
      entry.userId === userId &&
      entry.state !== 'refused' &&
      entry.effect !== undefined,
  )
}

function folded<T, Effect>(
  state: T,
  entries: readonly Entry[],
  fold: TaskOptions<T, Effect>['fold'],
): T {
  return entries.reduce(
    (last, { effect, undoes }) => fold(last, effect as Effect, undoes ? -1 : 1),
    state,
  )
}
