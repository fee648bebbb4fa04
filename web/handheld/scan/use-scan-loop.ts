import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Entry } from '../queue/disk.ts'
import { acknowledge, enqueue, queueState, refuseAloud, retell } from '../queue/queue.ts'
import { useQueue } from '../queue/use-queue.ts'
import { useWorker } from '../sign-in/worker.ts'
import { isUndecided, type LastScan, lastScanOf, useLastScan } from './last-scan.ts'
import { namedStray } from './name-stray.ts'
import { signal } from './signal.ts'
import type { Shown, Verdict, WrongItem } from './verdict.ts'
import { listen } from './wedge.ts'

export interface ScanLoop {
  readonly shown: Shown | undefined
  /** Refused and not yet read: the screen is locked. */
  readonly refused: Entry | undefined
  /** Ends the lock. */
  readonly accept: () => void
  /** What the undo button would undo. */
  readonly last: LastScan | undefined
  readonly undo: () => void
  /** Acts on a verdict of the page's own, such as the answer to a form. */
  readonly act: (verdict: Verdict) => void
}

/**
 * The scan loop of a task: one scan after the other is judged by `read`, written to the disk and shown. Scans made
 * while the screen is locked alarm and are not taken. Behind one that `read` must ask about the others wait in turn.
 */
export function useScanLoop(
  task: string,
  read: (code: string) => Verdict | Promise<Verdict>,
): ScanLoop {
  const { id: userId } = useWorker()
  const { entries } = useQueue()
  const [shown, setShown] = useState<Shown>()
  const [last, setLast] = useLastScan(task)
  const latest = useRef(read)
  latest.current = read
  const line = useRef(Promise.resolve())
  const inTurn = (act: () => Promise<void> | void) => {
    line.current = line.current.then(act).catch((error) => {
      signal('alarm')
      setShown({ outcome: 'alarm', sentence: notWritten })
      reportError(error)
    })
  }

  const perform = async (verdict: Verdict) => {
    if (verdict.kind === 'taken') return
    if (verdict.kind === 'wrong') {
      await refuse(task, verdict)
      return
    }
    if (verdict.kind === 'counts') {
      const { call, effect, undo } = verdict
      const scanId = await enqueue({ task, call, effect })
      for (const next of verdict.followUps?.(scanId) ?? []) await enqueue({ task, call: next })
      setLast(undo && lastScanOf(scanId, effect, undo))
    }
    signal(verdict.outcome)
    setShown(verdict)
  }
  const take = async (code: string) => {
    if (refusedOf(queueState().entries, userId) !== undefined) return signal('alarm')
    await perform(await latest.current(code))
  }
  useLayoutEffect(() => listen((code) => inTurn(() => take(code))), [task])

  const refused = refusedOf(entries, userId)
  useEffect(() => {
    if (refused === undefined) return
    signal('alarm')
    // It never counted.
    if (refused.body.scan_id === last?.scanId) setLast(undefined)
  }, [refused?.seq])

  return {
    shown,
    refused,
    // In turn, so that a scan right after it finds the screen unlocked.
    accept: () =>
      inTurn(async () => {
        if (refused === undefined) return
        setShown(undefined)
        await acknowledge(refused.seq)
      }),
    last,
    undo: () =>
      inTurn(async () => {
        if (last === undefined) return
        const { call, effect, name, figureAfter } = last
        if (isUndecided(queueState().entries, last)) {
          setShown({ outcome: 'surplus', sentence: 'Скан ещё не отправлен: отмените, когда уйдёт' })
          return
        }
        setLast(undefined)
        await enqueue({ task, call, effect, undoes: true })
        const sentence = `Отменено: ${name}`
        setShown({ outcome: 'undone', figure: figureAfter, sentence })
      }),
    act: (verdict) => inTurn(() => perform(verdict)),
  }
}

/** Locks the screen at once; the name of what was scanned follows when the warehouse tells it. */
async function refuse(task: string, { sentence, stray }: WrongItem): Promise<void> {
  const seq = await refuseAloud(task, sentence)
  if (stray === undefined || seq === undefined) return
  void namedStray(stray)
    .then((named) => (named === undefined ? undefined : retell(seq, named)))
    .catch(() => undefined)
}

const notWritten =
  'Не записано: терминал не смог сохранить. Отсканируйте ещё раз, не выйдет — зовите менеджера'

function refusedOf(entries: readonly Entry[], userId: string): Entry | undefined {
  return entries.find((entry) => entry.state === 'refused' && entry.userId === userId)
}
