import { useEffect, useState } from 'preact/hooks'
import { asCallError } from '../api/use-answer.ts'

interface Toast {
  readonly id: number
  readonly text: string
  readonly undo?: () => Promise<unknown>
}

const shownMs = 8_000
let last = 0
let toasts: readonly Toast[] = []
let announce: (shown: readonly Toast[]) => void = () => undefined

/** Says at the edge of the page what has happened, with a way back where there is one. */
export function showToast(text: string, undo?: () => Promise<unknown>): void {
  const toast: Toast = { id: ++last, text, ...(undo && { undo }) }
  change([...toasts.slice(-2), toast])
  setTimeout(() => remove(toast.id), shownMs)
}

function change(next: readonly Toast[]): void {
  toasts = next
  announce(next)
}

function remove(id: number): void {
  change(toasts.filter((toast) => toast.id !== id))
}

export function Toasts() {
  const [shown, setShown] = useState(toasts)
  useEffect(() => {
    announce = setShown
  }, [])
  return (
    <div class="toasts" role="status">
      {shown.map(({ id, text, undo }) => (
        <div key={id} class="toast">
          <span>{text}</span>
          {undo && (
            <button type="button" onClick={() => takeBack(id, undo)}>
              Отменить
            </button>
          )}
        </div>
      ))}
    </div>
  )
}

async function takeBack(id: number, undo: () => Promise<unknown>): Promise<void> {
  remove(id)
  try {
    await undo()
  } catch (error) {
    showToast(asCallError(error).message)
  }
}
