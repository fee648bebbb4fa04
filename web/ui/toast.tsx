import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { asCallError } from '../api/use-answer.ts'

interface Toast {
  readonly id: number
  readonly text: string
  readonly undo?: () => Promise<unknown>
}

const shownMs = 10_000
let last = 0
let toasts: readonly Toast[] = []
let announce: (shown: readonly Toast[]) => void = () => undefined

/** Says at the edge of the page what has happened, with a way back where there is one. Other pages show it too. */
export function showToast(text: string, undo?: () => Promise<unknown>): void {
  change([...toasts.slice(-2), { id: ++last, text, ...(undo && { undo }) }])
}

function change(next: readonly Toast[]): void {
  toasts = next
  announce(next)
}

function remove(id: number): void {
  change(toasts.filter((toast) => toast.id !== id))
}

/**
 * They stay while somebody points at them or has the keyboard on them; a pointer that rests where they appear points at nothing.
 * Ctrl Z takes the last deed back.
 */
export function Toasts() {
  const [shown, setShown] = useState(toasts)
  const [isHeld, hold] = useState(false)
  useLayoutEffect(() => {
    announce = setShown
    addEventListener('keydown', undoByKey)
    return () => removeEventListener('keydown', undoByKey)
  }, [])
  return (
    <div
      class="toasts"
      role="status"
      onPointerMove={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocusIn={() => hold(true)}
      onFocusOut={() => hold(false)}
    >
      {shown.map((toast) => (
        <Shown key={toast.id} toast={toast} isHeld={isHeld} release={() => hold(false)} />
      ))}
    </div>
  )
}

interface ShownProps {
  readonly toast: Toast
  readonly isHeld: boolean
  readonly release: () => void
}

function Shown({ toast: { id, text, undo }, isHeld, release }: ShownProps) {
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => remove(id), shownMs)
    return () => clearTimeout(timer)
  }, [isHeld])
  return (
    <div class="toast">
      <span>{text}</span>
      {undo && (
        <button
          type="button"
          aria-keyshortcuts="Control+Z"
          onClick={() => {
            release()
            void takeBack(id, undo)
          }}
        >
          Отменить
        </button>
      )}
    </div>
  )
}

/** The browser's own undo stays where somebody types. */
function undoByKey(event: KeyboardEvent): void {
  const { code, ctrlKey, metaKey, shiftKey, altKey, target } = event
  const isAsked = code === 'KeyZ' && (ctrlKey || metaKey) && !shiftKey && !altKey
  const isTyped = target instanceof Element && target.closest('input, select, textarea') !== null
  const toast = toasts.findLast(({ undo }) => undo !== undefined)
  if (!isAsked || isTyped || toast?.undo === undefined) return
  event.preventDefault()
  void takeBack(toast.id, toast.undo)
}

async function takeBack(id: number, undo: () => Promise<unknown>): Promise<void> {
  remove(id)
  try {
    await undo()
    showToast('Отменено')
  } catch (error) {
    showToast(asCallError(error).message)
  }
}
