import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { number } from '../../words/format.ts'
import { Frame } from '../frame.tsx'
import { paths } from '../paths.ts'
import { forgetPlace, rememberPlace } from '../sign-in/worker.ts'
import { Unbroken } from './place.tsx'
import type { ScanLoop } from './use-scan-loop.ts'
import type { Shown } from './verdict.ts'

interface ScanScreenProps {
  readonly title: string
  /** Whose goods, or which part. */
  readonly about?: string | undefined
  /** What the first page calls it when it offers to go on; undefined until that is known. */
  readonly resume: string | undefined
  /** Nothing is left to do here. */
  readonly isOver?: boolean
  readonly loop: ScanLoop
  /** Shown before the first scan and under the signal: where to go, or what to scan. */
  readonly children: ComponentChildren
  /** Buttons in the reach of the thumb, beside undo. */
  readonly actions?: ComponentChildren
}

/** The screen of a task: the whole of it is the signal of the last scan. */
export function ScanScreen(props: ScanScreenProps) {
  const { title, about, loop, resume, isOver = false, children, actions } = props
  const { refused, last } = loop
  const shown = isOver ? undefined : loop.shown
  const address = location.pathname + location.search
  useEffect(() => {
    if (isOver) forgetPlace()
    else if (resume !== undefined) rememberPlace(address, resume)
  }, [address, resume, isOver])
  return (
    <Frame
      title={title}
      about={about}
      back={paths.home}
      outcome={refused ? 'alarm' : shown?.outcome}
    >
      <div class="signal" role="status">
        {refused === undefined ? shown && <Signal {...shown} /> : <Alarm {...refused} />}
      </div>
      {refused === undefined && <div class="task">{children}</div>}
      <div class="thumb">
        {refused === undefined ? (
          <>
            {last !== undefined && !isOver && (
              <button type="button" class="undo" onClick={loop.undo}>
                <span class="two-lines">Отменить: {last.name}</span>
              </button>
            )}
            {actions}
            {isOver && (
              <a class="button primary" href={paths.home}>
                К заданиям
              </a>
            )}
          </>
        ) : (
          <button type="button" class="accept" onClick={loop.accept}>
            Понятно
          </button>
        )}
      </div>
    </Frame>
  )
}

const marks: Readonly<Record<Shown['outcome'], string>> = {
  good: '✓',
  full: '✓✓',
  surplus: '+',
  alarm: '✕',
  undone: '↶',
}

function Signal({ outcome, figure, of, sentence }: Shown) {
  return (
    <>
      {figure === undefined ? (
        <p class="mark" aria-hidden="true">
          {marks[outcome]}
        </p>
      ) : (
        <p class="figure">
          {number(figure)}
          {of !== undefined && <span class="of"> из {number(of)}</span>}
        </p>
      )}
      <p class="sentence">
        <Unbroken text={sentence} />
      </p>
    </>
  )
}

function Alarm({ message = '' }: { readonly message?: string }) {
  return (
    <>
      <p class="mark" aria-hidden="true">
        ✕
      </p>
      <p class="sentence">
        <Unbroken text={message} />
      </p>
    </>
  )
}
