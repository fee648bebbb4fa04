import type { ComponentChildren } from 'preact'
import { number } from '../../words/format.ts'
import { Frame } from '../frame.tsx'
import type { ScanLoop } from './use-scan-loop.ts'
import type { Shown } from './verdict.ts'

interface ScanScreenProps {
  readonly title: string
  /** Whose goods, or which part. */
  readonly about?: string | undefined
  readonly back: string
  readonly loop: ScanLoop
  /** Shown before the first scan and under the signal: where to go, or what to scan. */
  readonly children: ComponentChildren
  /** Buttons in the reach of the thumb, beside undo. */
  readonly actions?: ComponentChildren
}

/** The screen of a task: the whole of it is the signal of the last scan. */
export function ScanScreen({ title, about, back, loop, children, actions }: ScanScreenProps) {
  const { shown, refused, last } = loop
  return (
    <Frame title={title} about={about} back={back} outcome={refused ? 'alarm' : shown?.outcome}>
      <div class="signal" role="status">
        {refused === undefined ? shown && <Signal {...shown} /> : <Alarm {...refused} />}
      </div>
      {refused === undefined && <div class="task">{children}</div>}
      <div class="thumb">
        {refused === undefined ? (
          <>
            {last !== undefined && (
              <button type="button" class="undo" onClick={loop.undo}>
                Отменить: {last.name}
              </button>
            )}
            {actions}
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
      <p class="sentence">{sentence}</p>
    </>
  )
}

function Alarm({ message }: { readonly message?: string }) {
  return (
    <>
      <p class="mark" aria-hidden="true">
        ✕
      </p>
      <p class="sentence">{message}</p>
    </>
  )
}
