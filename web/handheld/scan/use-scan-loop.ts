import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Entry } from '../queue/disk.ts'
import { acknowledge, enqueue, queueState, refuseAloud, retell } from '../queue/queue.ts'
import { useQueue } from '../queue/use-queue.ts'
import { useWorker } from '../sign-in/worker.ts'
import { isUndecided, type LastScan, lastScanOf, useLastScan } from './last-scan.ts'
import { namedStray } from './name-stray.ts'
import { signal } from './signal.ts'
import { type Pending, useShown } from './use-shown.ts'
import type { Counts, Shown, Verdict, WrongItem } from './verdict.ts'
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
  /** Takes a scan that a dialog over the page has heard. */
  readonly take: (code: string) => void
  /**
   * Acts on a verdict of the page's own, such as the answer to a form. With `lacking`, a scan that was refused, the verdict says
   * what that scan lacked. It is sent under the same id, so that its photos belong to the unit that is taken in.
   */
  readonly act: (verdict: Verdict, lacking?: Entry) => void
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
  const [last, setLast, changeLast] = useLastScan(task)
  const [shown, show] = useShown(entries, (scanId, { name }) => changeLast(scanId, { name }))
  const latest = useRef(read)
  latest.current = read
  const line = useRef(Promise.resolve())
  const inTurn = (act: () => Promise<void> | void) => {
    line.current = line.current.then(act).catch((error) => {
      signal('alarm')
      show({ outcome: 'alarm', sentence: notWritten })
      reportError(error)
    })
  }

  /** Answers how the scan is said once it is answered. */
  const write = async (verdict: Counts, instead?: Entry): Promise<Pending | undefined> => {
    const { call, effect, undo, whenAnswered, followUps, sentence } = verdict
    const title = verdict.title ?? undo?.name ?? sentence
    const scanId = await enqueue({ task, call, effect, title, instead })
    for (const next of followUps?.(scanId) ?? []) await enqueue({ task, call: next })
    setLast(undo && lastScanOf(scanId, effect, undo))
    return whenAnswered && { scanId, whenAnswered }
  }
  const perform = async (verdict: Verdict, instead?: Entry) => {
    if (instead !== undefined && verdict.kind !== 'counts') await acknowledge(instead.seq)
    if (verdict.kind === 'wrong') return refuse(task, verdict)
    const later = verdict.kind === 'counts' ? await write(verdict, instead) : undefined
    signal(verdict.outcome)
    if (verdict.kind !== 'taken') show(verdict, later)
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
        show(undefined)
        await acknowledge(refused.seq)
      }),
    last,
    undo: () =>
      inTurn(async () => {
        if (last === undefined) return
        const { call, effect, name, figureAfter } = last
        if (isUndecided(queueState().entries, last)) {
          show({ outcome: 'surplus', sentence: 'Скан ещё не отправлен: отмените, когда уйдёт' })
          return
        }
        setLast(undefined)
        await enqueue({ task, call, effect, title: `отмена: ${name}`, undoes: true })
        const sentence = `Отменено: ${name}`
        show({ outcome: 'undone', figure: figureAfter, sentence })
      }),
    take: (code) => inTurn(() => take(code)),
    act: (verdict, lacking) => inTurn(() => perform(verdict, lacking)),
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
