import { WedgeReader } from './wedge-reader.ts'

type Listener = (code: string) => void
/** The newest hears the scans: a dialog before the page below it. */
const listeners: Listener[] = []

/** Hears all scans until the answer is called. Listen in a layout effect: a scan may follow the first paint at once. */
export function listen(listener: Listener): () => void {
  listeners.push(listener)
  return () => {
    const at = listeners.indexOf(listener)
    if (at >= 0) listeners.splice(at, 1)
  }
}

/** A code from anywhere: the scanner, the camera, or typed by a person. */
export function hear(code: string): void {
  listeners.at(-1)?.(code)
}

/** Attaches the reader to the page. Call it before the page is painted. */
export function attachWedge(): void {
  const reader = new WedgeReader(hear)
  let before: { readonly input: HTMLInputElement; readonly value: string } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  addEventListener(
    'keydown',
    (event) => {
      const input = inputOf(event.target)
      const isForPeople = input?.closest('[data-typed]') != null
      if (event.isComposing || event.metaKey || isForPeople || listeners.length === 0) return
      const value = input?.value ?? ''
      const outcome = reader.press(event, input !== undefined)
      if (outcome === 'first') before = input && { input, value }
      if (outcome === 'taken' || outcome === 'ended') {
        event.preventDefault()
        event.stopPropagation()
        restore(before)
        before = undefined
      }
      clearTimeout(timer)
      // Twice: keys that came while the page was busy are heard in between.
      timer = setTimeout(() => {
        timer = setTimeout(() => reader.rest(performance.now()), 30)
      }, reader.idleMs)
    },
    { capture: true },
  )
  addEventListener('keyup', (event) => event.key === 'Alt' && reader.releaseAlt(), true)
}

function inputOf(target: EventTarget | null): HTMLInputElement | undefined {
  return target instanceof HTMLInputElement ? target : undefined
}

/** Takes the first key of a scan out of the input that had the focus. */
function restore(before: { input: HTMLInputElement; value: string } | undefined): void {
  if (before === undefined) return
  before.input.value = before.value
  before.input.dispatchEvent(new Event('input', { bubbles: true }))
}
