import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { signal } from './signal.ts'
import { listen } from './wedge.ts'

interface ChoiceProps {
  readonly title: string
  /** What a scan means while the question is open; by default it alarms. */
  readonly onScan?: (code: string) => void
  readonly onClose: () => void
  /** What the last button says: where something is only shown there is nothing to cancel. */
  readonly closeLabel?: string
  readonly children: ComponentChildren
}

/** One question over the page. Scans made meanwhile are not taken by the page below. */
export function Choice({ title, onScan, onClose, closeLabel = 'Отмена', children }: ChoiceProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const latest = useRef(onScan)
  latest.current = onScan
  useLayoutEffect(() => {
    dialog.current?.showModal()
    return listen((code) => (latest.current === undefined ? signal('alarm') : latest.current(code)))
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby="question"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div class="stack">
        <h2 id="question">{title}</h2>
        {children}
        <button type="button" class="wide" onClick={onClose}>
          {closeLabel}
        </button>
      </div>
    </dialog>
  )
}
