import { isBadgeCode } from '../../../src/identity/staff/badge-code.ts'
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

const badgeListeners = new Set<Listener>()

/** Hears badges until the answer is called. They are secrets: no task gets one as a barcode. */
export function listenForBadges(listener: Listener): () => void {
  badgeListeners.add(listener)
  return () => badgeListeners.delete(listener)
}

/** A code from anywhere: the scanner, the camera, or typed by a person. */
export function hear(code: string): void {
  if (isBadgeCode(code)) for (const each of badgeListeners) each(code)
  else listeners.at(-1)?.(code)
}

/**
 * Who types into an input, as `data-typed` above it says. Without it a scanner does: all keys of a scan are taken
 * away. `data-typed` leaves every key to a person. Into `data-typed="or-scanned"` both type: nobody's key is taken away,
 * and a whole scan is taken out again.
 */
type Typist = 'scanner' | 'person' | 'both'

/** Attaches the reader to the page. Call it before the page is painted. */
export function attachWedge(): void {
  let before: { readonly input: HTMLInputElement; readonly value: string } | undefined
  const reader = new WedgeReader((code) => {
    restore(before)
    hear(code)
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  addEventListener(
    'keydown',
    (event) => {
      const input = inputOf(event.target)
      const typist = input === undefined ? 'scanner' : typistOf(input)
      if (event.isComposing || event.metaKey || typist === 'person') return
      if (listeners.length === 0) return
      const value = input?.value ?? ''
      const hasMoved = before?.input !== input
      const outcome = reader.press(event, input !== undefined)
      if (outcome === 'first' || hasMoved) before = input && { input, value }
      if (outcome === 'ended' || (outcome === 'taken' && typist === 'scanner')) {
        event.preventDefault()
        event.stopPropagation()
        restore(before)
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

function typistOf(input: HTMLInputElement): Typist {
  const typed = input.closest<HTMLElement>('[data-typed]')?.dataset.typed
  if (typed === undefined) return 'scanner'
  return typed === 'or-scanned' ? 'both' : 'person'
}

/** Takes what a scan left out of the input that had the focus. */
function restore(before: { input: HTMLInputElement; value: string } | undefined): void {
  if (before === undefined || before.input.value === before.value) return
  before.input.value = before.value
  before.input.dispatchEvent(new Event('input', { bubbles: true }))
}
