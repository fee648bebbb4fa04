import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { CallError } from '../api/caller.ts'
import { newId } from '../api/new-id.ts'
import type { PrintJob } from '../api/staff-calls.ts'
import { asCallError } from '../api/use-answer.ts'
import { staff } from '../staff/api.ts'
import { NotPrinted, printIn } from './printer.ts'

/** Tells this page from others of the same station, until it is closed. */
const tab = newId()
const waitSeconds = 20
const pauseMs = 5_000
export const shownMax = 20
const reasonMax = 300

export interface StationWork {
  /** What is printed now. */
  readonly current: PrintJob | undefined
  /** What was printed here, newest first. */
  readonly done: readonly PrintJob[]
  readonly error: CallError | undefined
}

/** Takes the jobs of a station one after the other and prints them, as long as the page shows it. */
export function useStation(id: string, frame: RefObject<HTMLIFrameElement | null>): StationWork {
  const [current, setCurrent] = useState<PrintJob>()
  const [done, setDone] = useState<readonly PrintJob[]>([])
  const [error, setError] = useState<CallError>()
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    const work = async () => {
      const job = await nextJob(id, signal)
      setError(undefined)
      if (job === null || frame.current === null) return
      setCurrent(job)
      const ended = await settle(job, await outcomeOf(frame.current, job))
      setCurrent(undefined)
      setDone((before) => [ended, ...before].slice(0, shownMax))
    }
    const go = async () => {
      while (!signal.aborted) {
        try {
          await work()
        } catch (failure) {
          if (signal.aborted) return
          setError(asCallError(failure))
          await new Promise((resolve) => setTimeout(resolve, pauseMs))
        }
      }
    }
    void go()
    return () => abort.abort()
  }, [id, frame])
  return { current, done, error }
}

async function nextJob(id: string, signal: AbortSignal): Promise<PrintJob | null> {
  const taken = await staff('POST /print-stations/{id}/take', {
    path: { id },
    query: { wait: waitSeconds },
    body: { tab },
    signal,
  })
  return taken.job
}

type Outcome =
  | { readonly status: 'PRINTED' }
  | { readonly status: 'FAILED'; readonly reason: string }

async function outcomeOf(frame: HTMLIFrameElement, job: PrintJob): Promise<Outcome> {
  try {
    await printIn(frame, job)
    return { status: 'PRINTED' }
  } catch (failure) {
    const reason = failure instanceof NotPrinted ? failure.message : 'Браузер не смог напечатать'
    return { status: 'FAILED', reason: reason.slice(0, reasonMax) }
  }
}

/** Tells the service, again and again while it cannot be reached: what is printed must not be printed twice. */
async function settle({ id }: PrintJob, outcome: Outcome): Promise<PrintJob> {
  for (;;) {
    try {
      return await staff('PATCH /print-jobs/{id}', { path: { id }, body: { ...outcome, tab } })
    } catch (failure) {
      const isRefused =
        failure instanceof CallError && failure.status >= 400 && failure.status < 500
      if (isRefused) throw failure
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}
