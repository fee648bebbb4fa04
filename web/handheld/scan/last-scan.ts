import { useEffect, useRef, useState } from 'preact/hooks'
import type { Entry } from '../queue/disk.ts'
import { pathFrom, type QueuedCall } from '../queue/queue.ts'
import { useQueue } from '../queue/use-queue.ts'
import { useWorker } from '../sign-in/worker.ts'
import type { Undo } from './verdict.ts'

/** The scan that the undo button would undo, as data: a reload of the page must not lose it. */
export interface LastScan {
  readonly scanId: string
  readonly effect: unknown
  readonly name: string
  readonly figureAfter?: number | undefined
  readonly onlyWhenDone: boolean
  readonly call: QueuedCall
}

const slot = 'last-scan'

export function lastScanOf(scanId: string, effect: unknown, undo: Undo): LastScan {
  const { name, figureAfter, onlyWhenDone = false, call } = undo
  return { scanId, effect, name, figureAfter, onlyWhenDone, call: call(scanId) }
}

/** The last scan of a task: it survives a reload, and is forgotten where the worker leaves the task. */
export function useLastScan(task: string) {
  const { id: userId } = useWorker()
  const { entries } = useQueue()
  const owner = `${userId} ${task}`
  const [last, setLast] = useState(() => remembered(owner))
  /** At this very moment: two answers may change it before the page is drawn anew. */
  const now = useRef(last)
  const become = (next: LastScan | undefined) => {
    now.current = next
    remember(owner, next)
    setLast(next)
  }
  const change = (scanId: string, part: Partial<LastScan>) => {
    if (now.current?.scanId === scanId) become({ ...now.current, ...part })
  }
  useEffect(() => () => remember(owner, undefined), [owner])
  const answer = last && scanOf(entries, last)?.answer
  useEffect(() => {
    if (last?.call.fromAnswer === undefined || answer === undefined) return
    const { fromAnswer, path = {}, ...call } = last.call
    const known = { ...call, path: pathFrom({ path, fromAnswer }, answer) }
    change(last.scanId, { call: known })
  }, [answer])
  return [last, become, change] as const
}

/** Whether the scan has yet to be sent, or nobody knows what the service did with it. */
export function isUndecided(entries: readonly Entry[], last: LastScan): boolean {
  const scan = scanOf(entries, last)
  return last.onlyWhenDone && scan !== undefined && scan.state !== 'done'
}

function scanOf(entries: readonly Entry[], { scanId }: LastScan): Entry | undefined {
  return entries.find(({ body }) => body.scan_id === scanId)
}

function remembered(owner: string): LastScan | undefined {
  const kept = sessionStorage.getItem(slot)
  if (kept === null) return undefined
  const { of, last } = JSON.parse(kept) as { of: string; last: LastScan }
  return of === owner ? last : undefined
}

function remember(of: string, last: LastScan | undefined): void {
  if (last === undefined) sessionStorage.removeItem(slot)
  else sessionStorage.setItem(slot, JSON.stringify({ of, last }))
}
